//! [`Writer`]: encodes a value piece by piece, without a tree.

use std::{fmt, mem};

use variant_view::internal::ShortText;
use variant_view::{ArrayHead, Consumer, DictionaryHead, Document, Head, Leaf};

use crate::encode::{self, Emit, EncodeError, EncodeErrorKind, EncodeOptions};
use crate::levels::Levels;
use crate::path::Form;
use crate::variant::Variant;

type Result<T = (), E = EncodeError> = std::result::Result<T, E>;

/// Encodes one value piece by piece, without a tree in memory. A [`Consumer`].
///
/// Container lengths need not be known. Misplaced pieces are errors, so the output is always one valid value. Unless
/// [`Writer::finish`] succeeds, the buffer is restored. In addition to the buffer, a writer uses a few words of
/// memory per open container. The words are allocated only if more than 6 containers are open.
///
/// ```
/// use variant_owned::Writer;
/// use variant_view::{Dialect, Document};
///
/// let mut bytes = Vec::new();
/// let mut writer = Writer::new(&mut bytes, Dialect::Godot4);
/// writer.begin_dictionary()?;
/// writer.value(&"squares".into())?;
/// writer.begin_array()?;
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
pub struct Writer<'b> {
    emit: Emit<'b>,
    /// The start of the value in the buffer.
    start: usize,
    /// The innermost open container. If none is open, it is [`Container::ROOT`].
    top: Container,
    /// The other open containers, outermost first. If a container is open, the first one here is [`Container::ROOT`].
    around: Levels<Container>,
    is_finished: bool,
}

struct Container {
    form: Form,
    /// Whether the name of a property has been written, but not its value.
    is_named: bool,
    /// The number of items written; keys and values both count.
    found: usize,
    /// The announced number of items, if there is one.
    expected: Option<usize>,
    /// The number of items that may be written next. It is 0 if the container is full or too deep, or if a name must
    /// come next.
    room: usize,
    /// Whether the container is as deep as the options allow, so that it must stay empty.
    is_too_deep: bool,
    /// The end of the container's head in the buffer. The last word before it is the count.
    head_end: usize,
}

impl<'b> Writer<'b> {
    /// A writer that appends one value to `bytes`.
    pub fn new(bytes: &'b mut Vec<u8>, options: impl Into<EncodeOptions>) -> Self {
        let start = bytes.len();
        let emit = Emit::new(bytes, options.into());
        Self { emit, start, top: Container::ROOT, around: Levels::new(), is_finished: false }
    }

    /// Writes a whole value. O(its bytes).
    ///
    /// # Errors
    /// A value that the dialect cannot hold, or a call where no value is expected.
    pub fn value(&mut self, value: &Variant) -> Result {
        self.check_due()?;
        let depth = self.depth_left();
        encode::write(value, &mut self.emit, depth).map_err(|error| error.below(self.path()))?;
        self.written();
        Ok(())
    }

    /// Writes the bytes of a value verbatim, such as the bytes that `raw_bytes()` of a view returns. The bytes must be
    /// in the dialect and the options of this writer. O(bytes): they are validated.
    ///
    /// ```
    /// use variant_owned::Writer;
    /// use variant_view::Dialect;
    ///
    /// let seven = [2, 0, 0, 0, 7, 0, 0, 0];
    /// let mut bytes = Vec::new();
    /// let mut writer = Writer::new(&mut bytes, Dialect::Godot4);
    /// writer.begin_array()?;
    /// writer.raw_bytes(&seven)?;
    /// writer.end()?;
    /// assert_eq!(writer.finish()?, 16);
    /// # Ok::<(), variant_owned::EncodeError>(())
    /// ```
    ///
    /// # Errors
    /// Bytes that are not exactly one valid value, or a call where no value is expected.
    pub fn raw_bytes(&mut self, bytes: &[u8]) -> Result {
        self.check_due()?;
        let options = self.emit.options().depth(self.depth_left()).reading();
        let kind = match Document::new(bytes, options).validate() {
            Ok(summary) if summary.consumed == bytes.len() => None,
            Ok(_) => Some(EncodeErrorKind::Unexpected),
            Err(error) => Some(EncodeErrorKind::NotAValue(error)),
        };
        if let Some(kind) = kind {
            return Err(self.error(kind));
        }
        // A byte array at the end of a document may lack its padding. More values may follow here, so the padding is
        // added.
        let buffer = self.emit.bytes();
        let start = buffer.len();
        buffer.extend_from_slice(bytes);
        buffer.extend_from_slice(&[0; 4]);
        let padded = Document::new(buffer.get(start..).unwrap_or_default(), options).validate();
        let len = padded.map_or(bytes.len(), |summary| summary.consumed);
        buffer.truncate(start.saturating_add(len));
        self.written();
        Ok(())
    }

    /// Opens an untyped array. Its elements follow, then [`Writer::end`]. For typed arrays, or a known length, use
    /// [`Consumer::enter`].
    ///
    /// # Errors
    /// A call where no value is expected, or a value that is too deep.
    pub fn begin_array(&mut self) -> Result {
        self.enter(Head::Array(ArrayHead::default()))
    }

    /// Opens an untyped dictionary. Keys and values follow in turn, then [`Writer::end`]. For typed dictionaries, or a
    /// known length, use [`Consumer::enter`].
    ///
    /// The writer does not check that keys differ. The dialect's reader may treat different keys as equal, because the
    /// dialect narrows numbers or lacks ids. Of equal keys ([`KeyRule`](crate::KeyRule)) the reader keeps one pair.
    /// [`Writer::value`] checks dictionaries as [`encode`](crate::encode()) does.
    ///
    /// # Errors
    /// Those of [`Writer::begin_array`].
    pub fn begin_dictionary(&mut self) -> Result {
        self.enter(Head::Dictionary(DictionaryHead::default()))
    }

    /// Opens a full object; [`Writer::name`] and a value follow for each property, then [`Writer::end`].
    ///
    /// # Errors
    /// Those of [`Writer::begin_array`]; an empty class name; a dialect without objects.
    pub fn begin_object(&mut self, class: &str) -> Result {
        self.enter(Head::object(class.as_bytes()))
    }

    /// Writes the name of the next property; its value follows. O(bytes of the name).
    ///
    /// # Errors
    /// A call where no name is expected, or text that the dialect refuses.
    pub fn name(&mut self, name: impl AsRef<[u8]>) -> Result {
        if !self.top.is_name_due() {
            return Err(self.error(EncodeErrorKind::Unexpected));
        }
        self.emit(|emit| emit.text(name.as_ref()))?;
        self.top.is_named = true;
        self.top.room = usize::from(!self.top.is_too_deep);
        Ok(())
    }

    /// Closes the container opened last.
    ///
    /// # Errors
    /// A call without an open container; a key or name without its value; another number of items than
    /// announced; more items than a count can express.
    pub fn end(&mut self) -> Result {
        if self.around.len() == 0 {
            return Err(self.error(EncodeErrorKind::Unexpected));
        }
        let Container { form, is_named, found, expected, head_end, .. } = self.top;
        let is_whole = !is_named && (form != Form::Pairs || found.is_multiple_of(2));
        // The count on the wire for `items` items.
        let count = |items: usize| if form == Form::Pairs { items / 2 } else { items };
        match expected {
            Some(expected) if expected != found || !is_whole => {
                let (expected, found) = (count(expected), count(found));
                return Err(self.error(EncodeErrorKind::Count { expected, found }));
            }
            None if !is_whole => return Err(self.error(EncodeErrorKind::Unexpected)),
            None => {
                let outcome = self.emit.patch_count(head_end, count(found));
                outcome.map_err(|kind| self.error(kind))?;
            }
            Some(_) => {}
        }
        if let Some(around) = self.around.pop() {
            self.top = around;
        }
        self.written();
        Ok(())
    }

    /// Completes the value; returns its size in bytes.
    ///
    /// # Errors
    /// [`EncodeErrorKind::Unfinished`] if the value is incomplete; the buffer is restored.
    pub fn finish(mut self) -> Result<usize> {
        if self.around.len() > 0 || !self.top.is_full() {
            return Err(self.error(EncodeErrorKind::Unfinished));
        }
        self.is_finished = true;
        Ok(self.emit.bytes().len().saturating_sub(self.start))
    }

    /// The whole buffer, including the bytes before the value.
    #[cfg(feature = "json")]
    pub(crate) const fn bytes(&mut self) -> &mut Vec<u8> {
        self.emit.bytes()
    }

    /// Whether distinct keys may read as equal, because numbers were narrowed or ids dropped.
    #[cfg(feature = "json")]
    pub(crate) const fn may_merge_keys(&self) -> bool {
        self.emit.doubts().has_changed
    }

    fn depth_left(&self) -> u32 {
        let open = u32::try_from(self.around.len()).unwrap_or(u32::MAX);
        self.emit.options().depth.saturating_sub(open)
    }

    /// Checks that a value is expected next, and is not too deep.
    #[cfg_attr(not(variant_small), inline(always))]
    fn check_due(&self) -> Result {
        if self.top.room == 0 { Err(self.not_due()) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn not_due(&self) -> EncodeError {
        let is_unexpected = self.top.is_full() || self.top.is_name_due();
        self.error(if is_unexpected {
            EncodeErrorKind::Unexpected
        } else {
            EncodeErrorKind::TooDeep
        })
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn emit(&mut self, write: impl FnOnce(&mut Emit<'b>) -> Result<(), EncodeErrorKind>) -> Result {
        let start = self.emit.len();
        match write(&mut self.emit) {
            Ok(()) => Ok(()),
            Err(kind) => Err(self.take_back(start, kind)),
        }
    }

    #[cold]
    #[inline(never)]
    fn take_back(&mut self, start: usize, kind: EncodeErrorKind) -> EncodeError {
        self.emit.take_back(start);
        self.error(kind)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn written(&mut self) {
        self.top.found = self.top.found.wrapping_add(1);
        self.top.room = self.top.room.wrapping_sub(1);
        self.top.is_named = false;
    }

    #[cold]
    fn error(&self, kind: EncodeErrorKind) -> EncodeError {
        EncodeError::at_steps(kind, self.path(), self.emit.dialect())
    }

    /// The path of the next value, by positions, since keys are not kept.
    fn path(&self) -> String {
        let open = self.around.iter().chain([&self.top]).skip(1);
        open.map(|container| container.form.step(container.found).to_string()).collect()
    }

    /// Opens a container whose head starts at byte `start`.
    fn open(&mut self, form: Form, len: Option<usize>, start: usize) -> Result {
        let is_too_deep = self.depth_left() == 0;
        // The reader of Pandemonium 5 counts the class of a typed array as a value one level below the array, so the
        // class may be too deep.
        if is_too_deep && self.emit.ends_with_class() {
            return Err(self.take_back(start, EncodeErrorKind::TooDeep));
        }
        let items = |len: usize| if form == Form::Pairs { len.saturating_mul(2) } else { len };
        let expected = len.map(items);
        let takes_values = form != Form::Properties && !is_too_deep;
        let room = if takes_values { expected.unwrap_or(usize::MAX) } else { 0 };
        let head_end = self.emit.len();
        let inner =
            Container { form, is_named: false, found: 0, expected, room, is_too_deep, head_end };
        self.around.push(mem::replace(&mut self.top, inner));
        Ok(())
    }

    /// Counts a value that starts at byte `start`; after an error removes its bytes.
    #[cfg_attr(not(variant_small), inline(always))]
    fn wrote(&mut self, start: usize, outcome: Result<(), EncodeErrorKind>) -> Result {
        match outcome {
            Ok(()) => {
                self.written();
                Ok(())
            }
            Err(kind) => Err(self.take_back(start, kind)),
        }
    }
}

impl Consumer for Writer<'_> {
    type Error = EncodeError;

    // If the caller knows the kind of the leaf, only the code for this kind remains after inlining. A closure would
    // hide the kind.
    #[cfg_attr(not(variant_small), inline(always))]
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result {
        self.check_due()?;
        let start = self.emit.len();
        let outcome = self.emit.leaf(leaf);
        self.wrote(start, outcome)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn short_text(&mut self, is_name: bool, text: ShortText<'_>) -> Result {
        self.check_due()?;
        let start = self.emit.len();
        let outcome = self.emit.short_text(is_name, text);
        self.wrote(start, outcome)
    }

    #[cfg_attr(not(variant_small), inline(always))]
    fn enter(&mut self, head: Head<'_>) -> Result {
        self.check_due()?;
        let start = self.emit.len();
        match self.emit.head(&head, head.len().unwrap_or(0)) {
            Ok(()) => self.open(Form::of(&head), head.len(), start),
            Err(kind) => Err(self.take_back(start, kind)),
        }
    }

    fn name(&mut self, name: &[u8]) -> Result {
        Writer::name(self, name)
    }

    fn exit(&mut self) -> Result {
        self.end()
    }
}

impl Container {
    /// The level around the whole value, which is its only item.
    const ROOT: Self = Self {
        form: Form::Elements,
        is_named: false,
        found: 0,
        expected: Some(1),
        room: 1,
        is_too_deep: false,
        head_end: 0,
    };

    fn is_full(&self) -> bool {
        self.expected.is_some_and(|expected| self.found >= expected)
    }

    /// Whether the name of the next property must come next.
    fn is_name_due(&self) -> bool {
        self.form == Form::Properties && !self.is_named && !self.is_full()
    }
}

impl fmt::Debug for Writer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (options, path) = (self.emit.options(), self.path());
        let mut shown = f.debug_struct("Writer");
        shown.field("options", &options).field("path", &path).finish_non_exhaustive()
    }
}

impl Drop for Writer<'_> {
    /// Restores the buffer if the value was not finished.
    fn drop(&mut self) {
        if !self.is_finished {
            let start = self.start;
            self.emit.bytes().truncate(start);
        }
    }
}
