//! Writes values as text and as JSON, in parts.

use std::io;

use js_sys::Function;
use variant_document::Piece;
use variant_owned::json::{Form, WriteOptions, write_with};
use variant_owned::{TextOptions, TextStyle, to_text, write_text_to};
use variant_view::{Document, Error, FeedError};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::rows::{damaged, number_of};
use super::{File, chain, nothing};
use crate::dense::Dense;
use crate::failure;

#[wasm_bindgen]
impl File {
    /// Writes a value as scripts write it. If `way` is empty, writes all values of the file: one per line, and settings
    /// with their names. Passes the text to `drain` in parts.
    ///
    /// # Errors
    /// `way` leads to no value, or the value is damaged. The parts before the damage are written.
    pub fn text(&mut self, way: &[usize], drain: &Function) -> Result<(), JsValue> {
        let options = TextOptions::new(TextStyle::from(self.draft.dialect()));
        self.each(way, drain, |document, piece, sink| {
            if let Some(name) = piece.and_then(|piece| piece.name) {
                sink.name(name, options).map_err(FeedError::Consumer)?;
            }
            write_text_to(Dense(*document), &options, sink)
        })
    }

    /// Writes a value, or all values of the file, as JSON, like [`File::text`].
    ///
    /// # Errors
    /// Those of [`File::text`]; an unknown name of a form.
    pub fn json(&mut self, form: &str, way: &[usize], drain: &Function) -> Result<(), JsValue> {
        let form = match form {
            "plain" => Form::Plain,
            "native" => Form::Native,
            "exact" => Form::Exact,
            _ => return Err(failure::plain("option", "form: there are plain, native, exact")),
        };
        let framing = self.draft.plain().framing.name();
        self.each(way, drain, |document, piece, sink| {
            let options = WriteOptions::new(form);
            let options = if piece.is_some() { options.framing(framing) } else { options };
            let name = piece.and_then(|piece| piece.name);
            let options = name.map_or(options, |name| options.name(name));
            write_with(Dense(*document), &options, sink).map(drop)
        })
    }
}

type Written = Result<(), FeedError<Error, io::Error>>;

impl File {
    /// Writes the value that `way` leads to, or all values of the file.
    fn each(
        &mut self,
        way: &[usize],
        drain: &Function,
        write: impl Fn(&Document<'_>, Option<&Piece<'_>>, &mut Sink<'_>) -> Written,
    ) -> Result<(), JsValue> {
        let file = self.draft.plain();
        let mut sink = Sink { drain, part: Vec::new(), thrown: None };
        let mut one = |document: Document<'_>,
                       piece: Option<&Piece<'_>>,
                       damaged: &dyn Fn(&Error) -> JsValue| {
            match write(&document, piece, &mut sink).map(|()| sink.end_line()) {
                Ok(()) => Ok(()),
                Err(FeedError::Producer(error)) => Err(damaged(&error)),
                Err(FeedError::Consumer(error)) => Err(sink.thrown(&error)),
            }
        };
        if way.is_empty() {
            for piece in file.pieces() {
                let piece =
                    piece.map_err(|error| failure::plain("truncated", &file.cut(&error)))?;
                let document = file.document(piece.bytes);
                let (start, number) = (piece.start, number_of(&piece));
                one(document, Some(&piece), &|error| {
                    failure::damaged(&document, error, error.offset(), start, number)
                })?;
            }
        } else {
            let chain = chain(file, way, &mut self.store)?;
            let (_, child) = chain.last().ok_or_else(nothing)?;
            let bytes = child.spot.document_bytes();
            let document = Document::new(&bytes, child.spot.options);
            one(document, None, &|error| damaged(&chain, error))?;
        }
        sink.hand_on().map_err(|error| sink.thrown(&error))
    }
}

/// Collects text, and passes it to JavaScript in parts.
#[derive(Debug)]
struct Sink<'s> {
    /// Takes a part: `(text) => void`.
    drain: &'s Function,
    part: Vec<u8>,
    /// The value that `drain` threw.
    thrown: Option<JsValue>,
}

/// The size of a part in bytes.
const PART: usize = 1 << 16;

impl Sink<'_> {
    /// Writes the name of a setting, in quotes if a reader needs them.
    fn name(&mut self, name: &[u8], options: TextOptions) -> io::Result<()> {
        let name = str::from_utf8(name).map_err(|_| io::Error::other(NO_TEXT))?;
        let is_of_name = |c: char| c.is_alphanumeric() || "_/.:-".contains(c);
        if !name.is_empty() && name.chars().all(is_of_name) {
            self.part.extend_from_slice(name.as_bytes());
        } else {
            self.part.extend_from_slice(to_text(&name.into(), &options).as_bytes());
        }
        self.part.push(b'=');
        Ok(())
    }

    /// Ends the line, unless it has already ended. The text of an object ends with a line feed.
    fn end_line(&mut self) {
        if self.part.last() != Some(&b'\n') {
            self.part.push(b'\n');
        }
    }

    fn hand_on(&mut self) -> io::Result<()> {
        // The part may end inside a character, whose other bytes arrive later.
        let end = match str::from_utf8(&self.part) {
            Ok(_) => self.part.len(),
            Err(error) => error.valid_up_to(),
        };
        let text = self.part.get(..end).map(str::from_utf8);
        let text = text.and_then(Result::ok).unwrap_or_default();
        let taken = self.drain.call1(&JsValue::UNDEFINED, &JsValue::from_str(text));
        self.part.drain(..end);
        taken.map(drop).map_err(|thrown| {
            self.thrown = Some(thrown);
            io::ErrorKind::Other.into()
        })
    }

    fn thrown(&mut self, error: &io::Error) -> JsValue {
        self.thrown.take().unwrap_or_else(|| failure::plain("text", &error.to_string()))
    }
}

const NO_TEXT: &str =
    "the name of a setting is not UTF-8, as text has to be; exact JSON holds any name";

impl io::Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.part.len() >= PART {
            self.hand_on()?;
        }
        self.part.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
