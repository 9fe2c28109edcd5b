//! Searches a file, explains its bytes, and lists its problems.

use variant_document::explain::{expected, found};
use variant_document::fields::fields;
use variant_document::query::path_to;
use variant_document::search::Search;
use variant_document::section::{self, of_error};
use variant_document::tree::{Store, Walk};
use variant_document::{Piece, Plain};
use variant_io::ValueError;
use variant_view::Error;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::rows::{address, node, way_of};
use super::{File, nothing};
use crate::object::{Object, count, list};

/// The maximum number of reported problems.
const MOST_PROBLEMS: usize = 1_000;

#[wasm_bindgen]
impl File {
    /// The values whose keys or texts contain a text, from byte `from`, in at most `bytes` bytes.
    #[expect(clippy::too_many_arguments, reason = "an object would be read property by property")]
    #[allow(clippy::fn_params_excessive_bools, reason = "each is an option of JavaScript")]
    pub fn search(
        &mut self,
        text: &str,
        is_any_case: bool,
        of_keys: bool,
        of_values: bool,
        of_numbers: bool,
        from: usize,
        most: usize,
        bytes: usize,
    ) -> JsValue {
        let mut search = Search::new(text, is_any_case);
        (search.of_keys, search.of_values) = (of_keys, of_values);
        (search.of_numbers, search.most_bytes) = (of_numbers, bytes);
        let hits = search.run(self.draft.plain(), from, most, &mut self.store);
        let found = hits.found.iter().filter_map(|hit| {
            let node = node(&hit.chain)?;
            Some(node.with("isKey", hit.is_key))
        });
        Object::new().with("found", list(found)).with_some("next", hits.next).into()
    }

    /// The frame, the path and the way of the value that contains a byte.
    ///
    /// # Errors
    /// No value contains the byte.
    #[wasm_bindgen(js_name = pathTo)]
    pub fn path_to(&mut self, offset: usize) -> Result<JsValue, JsValue> {
        let file = self.draft.plain();
        if offset >= file.bytes.len() {
            return Err(nothing());
        }
        let mut walk = Walk::to_byte(file, offset, &mut self.store).ok_or_else(nothing)?;
        let chain = walk.chain();
        walk.keep(&mut self.store);
        let (frame, path) = address(&chain);
        let to = Object::new().with("frame", count(frame)).with("path", path);
        Ok(to.with("way", way_of(&chain)).into())
    }

    /// The meaning of the bytes in a range.
    pub fn fields(&mut self, start: usize, end: usize) -> JsValue {
        let all = fields(self.draft.plain(), start..end, &mut self.store);
        list(all.into_iter().map(|field| {
            Object::new()
                .with("start", field.range.start)
                .with("end", field.range.end)
                .with("part", field.part)
                .with("meaning", field.meaning)
                .with("value", field.value)
        }))
    }

    /// Validates all values. O(bytes).
    pub fn validate(&mut self) -> JsValue {
        let file = self.draft.plain();
        let mut report = Report::default();
        for piece in file.pieces() {
            report.frames = report.frames.saturating_add(1);
            match piece {
                Ok(piece) => report.piece(file, &piece, &mut self.store),
                Err(error) => report.cut(file, &error),
            }
        }
        let behind = file.behind_all();
        Object::new()
            .with("isValid", report.count == 0)
            .with("frames", count(report.frames))
            .with("values", count(report.values))
            .with("problems", list(report.problems))
            .with("count", count(report.count))
            .with_some("behind", (behind > 0).then_some(behind))
            .into()
    }
}

/// The result of a validation.
#[derive(Debug, Default)]
struct Report {
    frames: u64,
    values: u64,
    problems: Vec<Object>,
    count: u64,
}

impl Report {
    fn piece(&mut self, file: Plain<'_>, piece: &Piece<'_>, store: &mut Store) {
        match file.document(piece.bytes).validate() {
            Ok(summary) => self.values = self.values.saturating_add(summary.values),
            Err(error) => self.add(|| problem(file, piece, &error, store)),
        }
    }

    /// Adds the problem of a file that ends within a value.
    fn cut(&mut self, file: Plain<'_>, error: &ValueError) {
        let number = self.frames;
        self.add(|| {
            Object::new()
                .with("offset", file.absolute(error.offset()))
                .with("frame", count(number))
                .with("path", "")
                .with("message", file.cut(error))
                .with("found", "")
                .with("expected", "a whole value")
                .with("hint", "the file is incomplete: look for a copy, or salvage what is there")
                .with("section", section::FRAMES.to_string())
                .with("way", list::<usize>([]))
        });
    }

    fn add(&mut self, problem: impl FnOnce() -> Object) {
        self.count = self.count.saturating_add(1);
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(problem());
        }
    }
}

fn problem(file: Plain<'_>, piece: &Piece<'_>, error: &Error, store: &mut Store) -> Object {
    let document = file.document(piece.bytes);
    let at = piece.absolute(error.offset());
    let chain = Walk::to_byte(file, at, store).map_or_else(Vec::new, |mut walk| {
        let chain = walk.chain();
        walk.keep(store);
        chain
    });
    let (frame, path) = address(&chain);
    let path = path_to(&document, error.offset()).unwrap_or(path);
    Object::new()
        .with("offset", at)
        .with("frame", count(frame))
        .with("path", path)
        .with("message", error.kind().to_string())
        .with("found", found(error, &document))
        .with("expected", expected(error, &document))
        .with("hint", error.hint())
        .with("section", of_error(error.kind()).to_string())
        .with("way", way_of(&chain))
}
