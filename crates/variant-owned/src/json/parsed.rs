//! [`Parsed`]: a parsed JSON document, not yet bound to a dialect.

use variant_view::{Consumer, Dialect, FeedError, Input, Producer, Reals};

use super::Form;
use super::encode::{Encoding, Target};
use super::error::{JsonError, JsonErrorKind};
use super::exact_in::{ExactIn, text};
use super::fields::{Fault, Fields, due, expected, hex};
use super::native_in::NativeIn;
use super::plain_in::PlainIn;
use super::read::{Grammar, feed};
use super::tape::{Tape, Token, syntax_error};
use crate::encode::{EncodeOptions, Precision, Widths};
use crate::text::Text;

/// Iterates over the documents of a text. Whitespace separates the documents; a document may span several lines.
///
/// ```
/// use variant_owned::json::{self, Form};
/// use variant_owned::EncodeOptions;
/// use variant_view::Dialect;
///
/// let options = EncodeOptions::new(Dialect::Godot4);
/// let text = "[1,\n 2]\n\"three\"\n";
/// let mut lengths = Vec::new();
/// for document in json::documents(text, Form::Plain) {
///     lengths.push(document?.encode(&options)?.len());
/// }
/// assert_eq!(lengths, [24, 16]);
/// # Ok::<(), variant_owned::json::JsonError>(())
/// ```
pub fn documents(text: &str, form: Form) -> Documents<'_> {
    // Some editors write a byte order mark.
    let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    Documents { text, form, at, has_ended: false, has_failed: false }
}

/// Parses a text that holds exactly one document. O(text), and 40 bytes of memory per value.
///
/// # Errors
/// Invalid JSON, or more than one document. The error has line and column.
pub fn parse(text: &str, form: Form) -> Result<Parsed<'_>, JsonError> {
    documents(text, form).only()
}

/// The iterator of [`documents`]. Ends after the first error. Each step: O(text of the document), and 40
/// bytes of memory per value.
#[derive(Clone, Debug)]
pub struct Documents<'t> {
    text: &'t str,
    form: Form,
    at: usize,
    has_ended: bool,
    /// Whether `nth` returned an error, which the next call returns again.
    has_failed: bool,
}

impl<'t> Documents<'t> {
    fn parse(&mut self) -> Result<Option<Parsed<'t>>, JsonError> {
        let Some((tape, end)) = Tape::parse(self.text, self.at, self.form == Form::Native)? else {
            return Ok(None);
        };
        self.at = end;
        match self.text.as_bytes().get(end) {
            None | Some(b' ' | b'\t' | b'\n' | b'\r') => Parsed::new(tape, self.form).map(Some),
            Some(_) => Err(syntax_error("space or the end after a value", self.text, end)),
        }
    }

    /// The next document. After an error, the next call returns the same error.
    fn next_or_again(&mut self) -> Option<Result<Parsed<'t>, JsonError>> {
        let start = self.at;
        let document = self.next()?;
        if document.is_err() && !self.has_failed {
            (self.at, self.has_ended, self.has_failed) = (start, false, true);
        }
        Some(document)
    }

    /// Returns the only document. Any other number of documents is an error.
    pub(super) fn only(mut self) -> Result<Parsed<'t>, JsonError> {
        let (text, start) = (self.text, self.at);
        let only = self.next();
        let Some(only) = only else { return Err(syntax_error("a value", text, start)) };
        let only = only?;
        let rest = text.get(self.at..).unwrap_or_default();
        let more = rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
        if more > 0 {
            return Err(syntax_error("the end", text, text.len().saturating_sub(more)));
        }
        Ok(only)
    }
}

impl<'t> Iterator for Documents<'t> {
    type Item = Result<Parsed<'t>, JsonError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let parsed = self.parse().transpose();
        self.has_ended = !matches!(parsed, Some(Ok(_)));
        parsed
    }

    /// Skips `n` documents. If one of them has an error, `nth` returns this error, and the next call returns it again,
    /// so that `skip` and `step_by` do not hide errors.
    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        for _ in 0..n {
            let skipped = self.next_or_again()?;
            if skipped.is_err() {
                return Some(skipped);
            }
        }
        self.next_or_again()
    }
}

impl std::iter::FusedIterator for Documents<'_> {}

/// The metadata that the exact form stores beside the value.
///
/// ```
/// use variant_owned::json::{self, Form};
/// use variant_view::Dialect;
///
/// let text = r#"{"dialect": "godot3", "name": "hp", "value": 7}"#;
/// let parsed = json::parse(text, Form::Exact)?;
/// let envelope = parsed.envelope().unwrap();
/// assert_eq!((envelope.dialect, envelope.options().dialect), (Dialect::Godot3, Dialect::Godot3));
/// # Ok::<(), json::JsonError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Envelope {
    /// The dialect of the original bytes.
    pub dialect: Dialect,
    /// The width of the reals.
    pub reals: Reals,
    /// The framing of the file's values: [`WriteOptions::framing`](super::WriteOptions::framing).
    pub framing: Option<String>,
    /// The name of the value: [`WriteOptions::name`](super::WriteOptions::name).
    pub name: Option<Text>,
}

impl Envelope {
    /// The options that restore the original bytes.
    pub const fn options(&self) -> EncodeOptions {
        EncodeOptions::new(self.dialect).reals(self.reals)
    }
}

/// A parsed JSON document: a [`Producer`] of its value, read by the form that was given to `parse`.
///
/// JSON that is not in that form is an error of [`Producer::feed`]. The error has line and column.
///
/// ```
/// use variant_owned::json::{self, Form, WriteOptions};
/// use variant_owned::{Variant, array};
///
/// let parsed = json::parse(r#"["i:5", "sn:axe"]"#, Form::Native)?;
/// let value = Variant::from_producer(&parsed)?;
/// assert_eq!(value, Variant::from(array![5, Variant::StringName("axe".into())]));
///
/// let mut plain = Vec::new();
/// json::write(&parsed, Form::Plain, &mut plain, false)?;
/// assert_eq!(plain, br#"[5,"axe"]"#);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Parsed<'t> {
    tape: Tape<'t>,
    form: Form,
    envelope: Option<Envelope>,
    /// The node of the value.
    value: usize,
    /// The bytes after the value.
    behind: Vec<u8>,
}

impl<'t> Parsed<'t> {
    fn new(tape: Tape<'t>, form: Form) -> Result<Self, JsonError> {
        let plain = Self { tape, form, envelope: None, value: 0, behind: Vec::new() };
        let fields = Fields { tape: &plain.tape, at: 0 };
        if form != Form::Exact || plain.tape.token(0) != Token::Object || fields.is_tagged() {
            return Ok(plain);
        }
        let opened = open(&fields).map_err(|Fault { kind, at }| plain.tape.error(kind, at));
        let (envelope, value, behind) = opened?;
        Ok(Self { envelope: Some(envelope), value, behind, ..plain })
    }

    /// The metadata of the exact form. `None` for the other forms, and for a bare value.
    pub const fn envelope(&self) -> Option<&Envelope> {
        self.envelope.as_ref()
    }

    /// Encodes the value. In the exact form, appends the bytes of the field `behind`. O(text).
    ///
    /// With the options of the envelope, unchanged JSON restores the original bytes. With other options the
    /// result is the encoder's output for the same value.
    ///
    /// # Errors
    /// JSON that is not in this form, or a value that `options` cannot hold. Keys that the reader treats as
    /// equal ([`EncodeErrorKind::SameKeys`](crate::EncodeErrorKind::SameKeys)). The exact form accepts such keys
    /// if `options` restore the original bytes, because these bytes may have them. The error has line and column.
    pub fn encode(&self, options: impl Into<EncodeOptions>) -> Result<Vec<u8>, JsonError> {
        let (mut bytes, missing) = self.encode_node(self.value, options.into())?;
        if !self.behind.is_empty() {
            bytes.resize(bytes.len().saturating_add(missing), 0);
            bytes.extend_from_slice(&self.behind);
        }
        Ok(bytes)
    }

    /// Encodes the value of each field of an object. The plain and the native form write named values, such as compiled
    /// settings, as such an object. O(bytes).
    ///
    /// ```
    /// use variant_owned::json::{self, Form};
    /// use variant_view::Dialect;
    ///
    /// let parsed = json::parse(r#"{"hp": 7, "name": "axe"}"#, Form::Plain)?;
    /// let fields = parsed.encode_fields(Dialect::Godot4)?;
    /// assert_eq!(fields.len(), 2);
    /// # Ok::<(), json::JsonError>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Parsed::encode`]; a value that is not an object.
    pub fn encode_fields(
        &self,
        options: impl Into<EncodeOptions>,
    ) -> Result<Vec<(Text, Vec<u8>)>, JsonError> {
        let options = options.into();
        if self.tape.token(self.value) != Token::Object {
            let kind = JsonErrorKind::Expected("an object of names and values".into());
            return Err(self.tape.error(kind, self.value));
        }
        let mut fields = Vec::new();
        let mut nodes = self.tape.children(self.value);
        while let (Some(name), Some(value)) = (nodes.next(), nodes.next()) {
            let name = self.tape.string(name).unwrap_or_default();
            fields.push((name.into(), self.encode_node(value, options)?.0));
        }
        Ok(fields)
    }

    fn encode_node(
        &self,
        node: usize,
        options: EncodeOptions,
    ) -> Result<(Vec<u8>, usize), JsonError> {
        let is_as_it_was = self.envelope.as_ref().is_none_or(|envelope| {
            (envelope.dialect, envelope.reals) == (options.dialect, options.reals)
        });
        let takes_raw =
            is_as_it_was && options.widths == Widths::AsIs && options.precision == Precision::AsIs;
        let keeps_same_keys = takes_raw && self.form == Form::Exact;
        let mut bytes = Vec::new();
        let target = Target { options, takes_raw, keeps_same_keys };
        let mut encoding = Encoding::new(&mut bytes, target, self.tape.node(node).start);
        let unfit = |(kind, offset)| {
            let kind = JsonErrorKind::Encode(kind, options.dialect);
            self.tape.error(kind, self.tape.node_at(offset))
        };
        let outcome = self.feed_node(node, takes_raw, &mut encoding);
        outcome.map_err(|stop| stop.either(|error| error, unfit))?;
        let missing = encoding.finish().map_err(unfit)?;
        Ok((bytes, missing))
    }

    /// Feeds the value of a node to a consumer. If `takes_raw` is set, also passes the raw bytes of values.
    fn feed_node<C: Consumer>(
        &self,
        node: usize,
        takes_raw: bool,
        consumer: &mut C,
    ) -> Result<(), FeedError<JsonError, C::Error>> {
        let grammar: &dyn Grammar = match self.form {
            Form::Exact => &ExactIn,
            Form::Native => &NativeIn,
            Form::Plain => &PlainIn,
        };
        let outcome = feed(&self.tape, node, grammar, takes_raw, consumer);
        let error = |Fault { kind, at }| FeedError::Producer(self.tape.error(kind, at));
        outcome.map_err(|stop| stop.either(error, FeedError::Consumer))
    }
}

impl Producer for &Parsed<'_> {
    type Error = JsonError;

    /// The origin of a value is its byte offset in the text. In the exact form, the origin also has the raw bytes of
    /// the value.
    fn feed<C: Consumer>(self, consumer: &mut C) -> Result<(), FeedError<JsonError, C::Error>> {
        self.feed_node(self.value, true, consumer)
    }

    fn input(&self) -> Input {
        let envelope = self.envelope.as_ref();
        Input {
            dialect: envelope.map(|envelope| envelope.dialect),
            reals: envelope.map(|envelope| envelope.reals),
            max_values: Some(self.tape.len()),
        }
    }
}

/// Reads an envelope: its metadata, the node of the value, and the bytes after the value.
fn open(fields: &Fields<'_, '_>) -> Result<(Envelope, usize, Vec<u8>), Fault> {
    let tape = fields.tape;
    fields.only(&["value"], &["dialect", "reals", "framing", "name", "behind"])?;
    let string = |at| due(tape.string(at), "a string", at);
    let envelope = Envelope {
        dialect: dialect(fields)?,
        reals: reals(fields)?,
        framing: fields.find("framing").map(string).transpose()?,
        name: fields.find("name").map(|at| text(tape, at)).transpose()?,
    };
    let behind = fields.find("behind").map_or(Ok(Vec::new()), |at| hex(tape, at))?;
    Ok((envelope, fields.get("value")?, behind))
}

fn dialect(fields: &Fields<'_, '_>) -> Result<Dialect, Fault> {
    let at = fields.get("dialect")?;
    fields.tape.characters(at).parse().or_else(|_| {
        let names: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
        expected(format!("a dialect ({})", names.join(", ")), at)
    })
}

fn reals(fields: &Fields<'_, '_>) -> Result<Reals, Fault> {
    let Some(at) = fields.find("reals") else { return Ok(Reals::ByFlag) };
    fields
        .tape
        .characters(at)
        .parse()
        .or_else(|_| expected(Reals::ALL.map(Reals::name).join(" or "), at))
}
