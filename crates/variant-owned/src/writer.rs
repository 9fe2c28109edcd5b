//! [`Writer`]: a value piece by piece, without a tree.

use variant_view::{Document, Limits, Objects, Options};

use crate::array::Array;
use crate::dictionary::Dictionary;
use crate::encode::{self, Emit, EncodeError, EncodeErrorKind, EncodeOptions};
use crate::variant::Variant;

type Result<T = (), E = EncodeError> = std::result::Result<T, E>;

/// Writes one value piece by piece, containers without having them as a tree.
///
/// It cannot produce a malformed value: whatever does not fit is an error, and without
/// [`Writer::finish`] the buffer is as it was.
///
/// ```
/// use variant_owned::{EncodeOptions, Writer};
/// use variant_view::{Dialect, Document};
///
/// let mut bytes = Vec::new();
/// let mut writer = Writer::new(&mut bytes, EncodeOptions::new(Dialect::Godot4));
/// writer.begin_dictionary(1)?;
/// writer.value(&"squares".into())?;
/// writer.begin_array(3)?;
/// for i in 1..=3 {
///     writer.value(&(i * i).into())?;
/// }
/// writer.end()?;
/// writer.end()?;
/// writer.finish()?;
///
/// let document = Document::new(&bytes, Dialect::Godot4);
/// assert_eq!(document.at("squares[2]").unwrap().as_i64(), Ok(9));
/// # Ok::<(), variant_owned::EncodeError>(())
/// ```
#[derive(Debug)]
pub struct Writer<'b> {
    bytes: &'b mut Vec<u8>,
    start: usize,
    options: EncodeOptions,
    open: Vec<Level>,
    is_complete: bool,
    is_finished: bool,
}

/// A container that is being written.
#[derive(Debug)]
struct Level {
    /// Items announced and written; of pairs, keys and values both.
    expected: usize,
    found: usize,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Elements,
    Pairs,
    /// A name is due, or has been written.
    Properties {
        is_named: bool,
    },
}

impl<'b> Writer<'b> {
    /// Appends to `bytes`.
    pub fn new(bytes: &'b mut Vec<u8>, options: EncodeOptions) -> Self {
        let start = bytes.len();
        Self { bytes, start, options, open: Vec::new(), is_complete: false, is_finished: false }
    }

    /// A whole value. O(its bytes).
    ///
    /// # Errors
    /// What the dialect cannot hold; no value due here.
    pub fn value(&mut self, value: &Variant) -> Result {
        self.check_due()?;
        let depth =
            self.options.depth.saturating_sub(u32::try_from(self.open.len()).unwrap_or(u32::MAX));
        let options = self.options.depth(depth);
        encode::encode_into(value, &options, self.bytes)
            .map_err(|error| self.error(error.kind().clone()))?;
        self.written();
        Ok(())
    }

    /// A value of another document of the same dialect and layout, verbatim: what `raw_bytes()` of a view
    /// gives. O(bytes), which are checked.
    ///
    /// # Errors
    /// Bytes that are not one value; no value due here.
    pub fn raw_bytes(&mut self, bytes: &[u8]) -> Result {
        self.check_due()?;
        let depth =
            self.options.depth.saturating_sub(u32::try_from(self.open.len()).unwrap_or(u32::MAX));
        let options = Options::new(self.options.dialect)
            .reals(self.options.reals)
            .objects(Objects::Accept)
            .limits(Limits::FILE.depth(depth));
        let summary = Document::new(bytes, options)
            .validate()
            .map_err(|error| self.error(EncodeErrorKind::NotAValue(error)))?;
        if summary.consumed != bytes.len() || !bytes.len().is_multiple_of(4) {
            return Err(self.error(EncodeErrorKind::Unexpected));
        }
        self.bytes.extend_from_slice(bytes);
        self.written();
        Ok(())
    }

    /// Opens an array of so many elements; they follow, then [`Writer::end`].
    ///
    /// # Errors
    /// No value due here; too deep or too long.
    pub fn begin_array(&mut self, len: usize) -> Result {
        self.begin_array_like(&Array::new(), len)
    }

    /// The same with the declared type of `array`, whose elements do not matter.
    ///
    /// # Errors
    /// As [`Writer::begin_array`]; a type that cannot be declared.
    pub fn begin_array_like(&mut self, array: &Array, len: usize) -> Result {
        self.begin(Form::Elements, len, |emit| emit.array(array, len))
    }

    /// Opens a dictionary of so many pairs; key, value, key, value follow, then [`Writer::end`]. That keys
    /// are different is the caller's affair.
    ///
    /// # Errors
    /// As [`Writer::begin_array`].
    pub fn begin_dictionary(&mut self, len: usize) -> Result {
        self.begin_dictionary_like(&Dictionary::new(), len)
    }

    /// The same with the declared types of `dictionary`, whose pairs do not matter.
    ///
    /// # Errors
    /// As [`Writer::begin_array`]; a type that cannot be declared.
    pub fn begin_dictionary_like(&mut self, dictionary: &Dictionary, len: usize) -> Result {
        self.begin(Form::Pairs, len.saturating_mul(2), |emit| emit.dictionary(dictionary, len))
    }

    /// Opens an object in full, with so many properties; [`Writer::name`] and a value follow for each, then
    /// [`Writer::end`].
    ///
    /// # Errors
    /// As [`Writer::begin_array`]; an empty class, or a dialect without objects.
    pub fn begin_object(&mut self, class: &str, len: usize) -> Result {
        if class.is_empty() {
            return Err(self.error(EncodeErrorKind::Unexpected));
        }
        let form = Form::Properties { is_named: false };
        self.begin(form, len, |emit| emit.object(class.as_bytes(), len))
    }

    /// The name of the property whose value follows.
    ///
    /// # Errors
    /// No name due here; text that the dialect refuses.
    pub fn name(&mut self, name: &str) -> Result {
        let Some(Level { form: Form::Properties { is_named: false }, expected, found }) =
            self.open.last()
        else {
            return Err(self.error(EncodeErrorKind::Unexpected));
        };
        if found == expected {
            return Err(self.error(EncodeErrorKind::Unexpected));
        }
        self.emit(|emit| emit.text(name.as_bytes()))?;
        if let Some(level) = self.open.last_mut() {
            level.form = Form::Properties { is_named: true };
        }
        Ok(())
    }

    /// Closes the container that was opened last.
    ///
    /// # Errors
    /// Nothing open; another number of items than announced.
    pub fn end(&mut self) -> Result {
        let Some(level) = self.open.last() else {
            return Err(self.error(EncodeErrorKind::Unexpected));
        };
        if level.found != level.expected || level.form == (Form::Properties { is_named: true }) {
            let (expected, found) = match level.form {
                Form::Pairs => (level.expected / 2, level.found / 2),
                _ => (level.expected, level.found),
            };
            return Err(self.error(EncodeErrorKind::Count { expected, found }));
        }
        self.open.pop();
        self.written();
        Ok(())
    }

    /// Says that the value is complete, and how many bytes it takes.
    ///
    /// # Errors
    /// It is not; the buffer is then as it was.
    pub fn finish(mut self) -> Result<usize> {
        if !self.is_complete {
            return Err(self.error(EncodeErrorKind::Unfinished));
        }
        self.is_finished = true;
        Ok(self.bytes.len().saturating_sub(self.start))
    }

    fn begin(
        &mut self,
        form: Form,
        expected: usize,
        head: impl FnOnce(&mut Emit<'_>) -> Result<(), EncodeErrorKind>,
    ) -> Result {
        self.check_due()?;
        self.emit(head)?;
        self.open.push(Level { expected, found: 0, form });
        Ok(())
    }

    /// Whether a value is due here, and not too deep.
    fn check_due(&self) -> Result {
        let is_due = match self.open.last() {
            None => !self.is_complete,
            Some(level) => {
                level.found < level.expected && level.form != (Form::Properties { is_named: false })
            }
        };
        if !is_due {
            return Err(self.error(EncodeErrorKind::Unexpected));
        }
        if self.open.len() > usize::try_from(self.options.depth).unwrap_or(usize::MAX) {
            return Err(self.error(EncodeErrorKind::TooDeep));
        }
        Ok(())
    }

    fn emit(&mut self, write: impl FnOnce(&mut Emit<'_>) -> Result<(), EncodeErrorKind>) -> Result {
        let start = self.bytes.len();
        let mut emit = Emit::new(self.bytes, self.options);
        let outcome = write(&mut emit);
        outcome.map_err(|kind| {
            self.bytes.truncate(start);
            self.error(kind)
        })
    }

    fn written(&mut self) {
        match self.open.last_mut() {
            None => self.is_complete = true,
            Some(level) => {
                level.found = level.found.saturating_add(1);
                if let Form::Properties { is_named } = &mut level.form {
                    *is_named = false;
                }
            }
        }
    }

    fn error(&self, kind: EncodeErrorKind) -> EncodeError {
        let steps = self.open.iter().map(|level| match level.form {
            Form::Elements => format!("[{}]", level.found),
            Form::Pairs if level.found.is_multiple_of(2) => format!("{{{}:key}}", level.found / 2),
            Form::Pairs => format!("{{{}}}", level.found / 2),
            Form::Properties { .. } => format!("{{{}}}", level.found),
        });
        EncodeError::at_path(kind, steps.collect(), self.options.dialect)
    }
}

impl Drop for Writer<'_> {
    /// Takes back what was not finished.
    fn drop(&mut self) {
        if !self.is_finished {
            self.bytes.truncate(self.start);
        }
    }
}
