//! The extra rules of [`Profile::Canonical`](crate::Profile::Canonical).

mod every;
mod keys;

use crate::bytes::{Cursor, padding, size};
use crate::contents::Contents;
use crate::dialect::{Dialect, DialectRules, OldNodePath, PropertyFlag, ScalarWidth};
use crate::error::{Error, ErrorKind, NotCanonical, Part, Result};
use crate::header::TypeForm;
use crate::kind::Kind;
use crate::layout::{
    self, NODE_PATH_ABSOLUTE, NODE_PATH_PROPERTY, NodePathHead, Payload, WireType,
};
use crate::options::{Mode, Reals};
use crate::scan::{Item, Sink};
use crate::stack::Stack;
pub(crate) use every::Every;
use keys::Keys;

/// Checks each value that a pass reports: its bytes must be those that the dialect's writer would write.
pub(crate) struct Canonical<'a> {
    bytes: &'a [u8],
    mode: Mode,
    rules: &'static DialectRules,
    /// The width of the first reals in the document.
    real_width: Option<usize>,
    keys: Keys,
    top: Open,
    /// The number of open containers.
    level: u32,
    stack: Stack<Open>,
}

#[derive(Clone, Copy, Default)]
struct Open {
    form: Contents,
    /// The declared type of elements or values. `key` is the declared type of keys.
    element: Option<Kind>,
    key: Option<Kind>,
    /// The number of keys in [`Canonical::keys`] before the first key of this container.
    first_key: u32,
}

fn fail(what: NotCanonical, offset: usize) -> Error {
    Error::new(ErrorKind::NotCanonical(what), offset)
}

/// Returns a [`NotCanonical`] error if `fine` is false.
fn ensure(fine: bool, what: NotCanonical, offset: usize) -> Result<()> {
    if fine { Ok(()) } else { Err(fail(what, offset)) }
}

impl<'a> Canonical<'a> {
    pub(crate) fn new(bytes: &'a [u8], mode: Mode) -> Self {
        Self {
            bytes,
            mode,
            rules: mode.dialect.rules(),
            real_width: None,
            keys: Keys::new(),
            top: Open::default(),
            level: 0,
            stack: Stack::new(Open::default()),
        }
    }

    fn any(&mut self, item: &Item<'a>) -> Result<()> {
        self.header(item)?;
        self.name(item)?;
        self.declared(item)?;
        self.key(item)
    }

    fn header(&self, item: &Item<'a>) -> Result<()> {
        let is_known = item.header.word() & !self.header_bits(item) == 0;
        ensure(is_known, NotCanonical::HeaderBits, item.start)
    }

    /// Checks the padding of a property's name.
    fn name(&self, item: &Item<'a>) -> Result<()> {
        match item.place.name {
            Some((name, at)) => {
                self.zeroes(at.saturating_add(4).saturating_add(name.len()), item.start)
            }
            None => Ok(()),
        }
    }

    /// The header bits that may be set.
    fn header_bits(&self, item: &Item<'_>) -> u32 {
        const FLAG: u32 = 1 << 16;
        let by_flag = self.rules.wide_reals && self.mode.reals == Reals::ByFlag;
        0xff | match item.header.kind.payload() {
            Payload::Scalar if self.is_by_flag(item) => FLAG,
            Payload::Reals(_) | Payload::PackedReals(_) if by_flag => FLAG,
            // The reader of Godot 2, whose objects have no payload, refuses a header with other bits.
            Payload::Object | Payload::TypedArray => FLAG,
            Payload::Array if self.rules.typed_containers => 3 << 16,
            Payload::Dictionary if self.rules.typed_containers => 15 << 16,
            _ => 0,
        }
    }

    /// Whether the width of this integer or float depends on the header flag.
    fn is_by_flag(&self, item: &Item<'_>) -> bool {
        let is_float = item.header.kind == Kind::Float;
        let rule = if is_float { self.rules.float } else { self.rules.int };
        rule == ScalarWidth::BY_FLAG
    }

    /// Checks a value against the type that its container declares.
    fn declared(&self, item: &Item<'_>) -> Result<()> {
        let is_key = item.place.form == Contents::Pairs && item.place.index.is_multiple_of(2);
        let declared = if is_key { self.top.key } else { self.top.element };
        let found = item.header.kind;
        let fits = match declared {
            None => true,
            Some(Kind::Object) => matches!(found, Kind::Object | Kind::Nil),
            // In a packed typed array of type nil, engines read each nil as `false`. So they may write a `bool`.
            Some(Kind::Nil) => matches!(found, Kind::Nil | Kind::Bool),
            Some(kind) => kind == found,
        };
        ensure(fits, NotCanonical::Element, item.start)
    }

    fn key(&mut self, item: &Item<'_>) -> Result<()> {
        if item.place.form != Contents::Pairs {
            return Ok(());
        }
        // Items with an even index are keys. A key ends where its value starts.
        if item.place.index.is_multiple_of(2) {
            self.keys.push(item.start)
        } else {
            self.keys.end_last(item.start);
            Ok(())
        }
    }

    /// Checks that the padding from `start` to `end` is zero.
    fn zeroes(&self, start: usize, end: usize) -> Result<()> {
        let padding = self.bytes.get(start..end).unwrap_or_default();
        match padding.iter().position(|&byte| byte != 0) {
            Some(at) => Err(fail(NotCanonical::Padding, start.saturating_add(at))),
            None => Ok(()),
        }
    }

    /// Checks the padding of a text that the pass has validated.
    fn text(&self, cursor: &mut Cursor<'a>) -> Result<&'a [u8]> {
        let length = cursor.u32(Part::TextLength)?;
        let text = cursor.take(size(length), Part::Text)?;
        self.padding(cursor, length)?;
        Ok(text)
    }

    fn padding(&self, cursor: &mut Cursor<'a>, length: u32) -> Result<()> {
        let start = cursor.offset();
        let wanted = size(padding(length));
        let found = cursor.take_up_to(wanted);
        // The offset is that of the last existing byte, since missing bytes have no offset.
        let last = start.saturating_sub(1);
        ensure(found.len() == wanted, NotCanonical::NoPadding, last)?;
        self.zeroes(start, cursor.offset())
    }

    fn payload(&mut self, item: &Item<'a>) -> Result<()> {
        let header = item.header;
        let mut cursor = Cursor::new(item.bytes, item.start);
        cursor.u32(Part::Header)?;
        let at = cursor.offset();
        match header.kind.payload() {
            Payload::Fixed(4) if header.kind == Kind::Bool => {
                ensure(cursor.u32(Part::Header)? <= 1, NotCanonical::Bool, at)
            }
            Payload::Scalar if self.is_by_flag(item) => scalar(&mut cursor, item),
            Payload::Reals(_) | Payload::PackedReals(_) => {
                let width = layout::real_width(header, self.mode);
                let first = *self.real_width.get_or_insert(width);
                ensure(width == first, NotCanonical::MixedReals, item.start)
            }
            Payload::Text | Payload::Signal => self.text(&mut cursor).map(drop),
            Payload::NodePath => self.node_path(&mut cursor),
            Payload::Bytes => {
                let length = cursor.u32(Part::Header)?;
                cursor.take(size(length), Part::Header)?;
                self.padding(&mut cursor, length)
            }
            Payload::Strings => self.strings(&mut cursor),
            Payload::Image => {
                cursor.array::<16>(Part::Header)?;
                let length = cursor.u32(Part::Header)?;
                cursor.take(size(length), Part::Header)?;
                self.padding(&mut cursor, length)
            }
            Payload::Object if self.rules.object_payload && !header.flag() => {
                self.null_object(&mut cursor)
            }
            Payload::InputEvent => {
                let event = cursor.u32(Part::Header)?;
                cursor.u32(Part::Header)?;
                let total = cursor.u32(Part::Header)?;
                let fits =
                    size(total) == layout::input_event_payload(event, total).saturating_add(12);
                ensure(fits, NotCanonical::InputEvent, at)
            }
            _ => Ok(()),
        }
    }

    /// Refuses a null object, because writers write null as nil. Accepts an empty class name in the dialect of Godot 3,
    /// because Godot 3.0 and 3.1.0 write null in this way.
    fn null_object(&self, cursor: &mut Cursor<'a>) -> Result<()> {
        let at = cursor.offset();
        let is_empty = cursor.u32(Part::TextLength)? == 0;
        let fits = is_empty && self.mode.dialect == Dialect::Godot3;
        ensure(fits, NotCanonical::NullObject, at)
    }

    fn node_path(&self, cursor: &mut Cursor<'a>) -> Result<()> {
        let at = cursor.offset();
        let mut counts = *cursor;
        let NodePathHead::Names { names, total, flags } = NodePathHead::read(cursor, self.rules)?
        else {
            // Engines no longer write a path as one plain string. In dialects of documentation pages, this form is also
            // canonical.
            let is_text = self.rules.old_node_path == OldNodePath::Padded;
            ensure(is_text, NotCanonical::NodePath, at)?;
            return self.text(&mut counts).map(drop);
        };
        counts.u32(Part::Header)?;
        let subnames = counts.u32(Part::Header)?;
        let known = match self.rules.property_flag {
            PropertyFlag::Written => NODE_PATH_ABSOLUTE | NODE_PATH_PROPERTY,
            PropertyFlag::Ignored | PropertyFlag::Read => NODE_PATH_ABSOLUTE,
        };
        let property = u32::from(flags & NODE_PATH_PROPERTY != 0);
        let sum = names.checked_add(subnames).and_then(|sum| sum.checked_add(property));
        ensure(flags & !known == 0 && sum == Some(total), NotCanonical::NodePath, at)?;
        for _ in 0..total {
            self.text(cursor)?;
        }
        Ok(())
    }

    fn strings(&self, cursor: &mut Cursor<'a>) -> Result<()> {
        let at = cursor.offset();
        let count = cursor.u32(Part::Header)?;
        ensure(count.cast_signed() >= 0, NotCanonical::NegativeCount, at)?;
        for _ in 0..count {
            let at = cursor.offset();
            let text = self.text(cursor)?;
            let is_fine = !self.rules.terminated_strings || text.last() == Some(&0);
            ensure(is_fine, NotCanonical::NoTerminator, at)?;
        }
        Ok(())
    }

    /// Checks and reads the bytes before a container's first item.
    fn head(&self, item: &Item<'a>) -> Result<Open> {
        let header = item.header;
        let mut cursor = Cursor::new(item.bytes, item.start);
        cursor.u32(Part::Header)?;
        let mut open = Open { first_key: crate::bytes::count(self.keys.len()), ..Open::default() };
        match header.kind.payload() {
            Payload::Array if self.rules.typed_containers => {
                open.element = self.element_type(&mut cursor, header.first_type())?;
            }
            Payload::Dictionary => {
                open.form = Contents::Pairs;
                if self.rules.typed_containers {
                    open.key = self.element_type(&mut cursor, header.first_type())?;
                    open.element = self.element_type(&mut cursor, header.second_type())?;
                }
            }
            Payload::TypedArray => open.element = self.typed_array(&mut cursor, item)?,
            Payload::Object => {
                self.text(&mut cursor)?;
                let at = cursor.offset();
                let count = cursor.u32(Part::Properties)?;
                ensure(count.cast_signed() >= 0, NotCanonical::NegativeCount, at)?;
                open.form = Contents::Properties;
                return Ok(open);
            }
            _ => {}
        }
        let at = cursor.offset();
        let shared = cursor.u32(Part::Header)?.cast_signed() < 0;
        ensure(!shared || self.rules.shared_bit, NotCanonical::SharedBit, at)?;
        Ok(open)
    }

    fn open(&mut self, open: Open) {
        self.stack.set(self.level, self.top);
        self.level = self.level.saturating_add(1);
        self.top = open;
    }

    fn element_type(&self, cursor: &mut Cursor<'a>, form: TypeForm) -> Result<Option<Kind>> {
        let start = *cursor;
        match layout::element_type(cursor, form, self.rules, false)? {
            WireType::Any => Ok(None),
            WireType::Builtin(Kind::Nil) => Err(fail(NotCanonical::ElementType, start.offset())),
            WireType::Builtin(kind) => Ok(Some(kind)),
            WireType::Class(..) | WireType::Script(..) => {
                self.text(&mut { start })?;
                Ok(Some(Kind::Object))
            }
        }
    }

    fn typed_array(&self, cursor: &mut Cursor<'a>, item: &Item<'a>) -> Result<Option<Kind>> {
        let mut start = *cursor;
        let at = start.offset();
        let (id, wire) = layout::typed_element(cursor, item.header, self.rules, false)?;
        ensure(start.u32(Part::ElementType)? == id, NotCanonical::ElementType, at)?;
        let is_object = self.rules.kinds.get(size(id)) == Some(&Kind::Object);
        ensure(is_object || !item.header.flag(), NotCanonical::ElementType, at)?;
        match wire {
            WireType::Any => ensure(id == 0, NotCanonical::ElementType, at).map(|()| None),
            WireType::Builtin(kind) => Ok(Some(kind)),
            WireType::Class(..) | WireType::Script(..) => {
                let class = start.u32(Part::Header)?;
                ensure(class & !0xff == 0, NotCanonical::HeaderBits, at)?;
                self.text(&mut start)?;
                Ok(Some(Kind::Object))
            }
        }
    }
}

impl<'a> Sink<'a> for Canonical<'a> {
    #[inline(never)]
    fn leaf(&mut self, item: &Item<'a>) -> Result<()> {
        self.any(item)?;
        self.payload(item)
    }

    #[inline(never)]
    fn enter(&mut self, item: &Item<'a>) -> Result<()> {
        self.any(item)?;
        let open = self.head(item)?;
        self.open(open);
        Ok(())
    }

    fn exit(&mut self, _end: usize) -> Result<()> {
        let closed = self.top;
        self.level = self.level.saturating_sub(1);
        self.top = self.stack.get(self.level).unwrap_or_default();
        match closed.form {
            Contents::Pairs => self.keys.close(size(closed.first_key), self.bytes, self.mode),
            _ => Ok(()),
        }
    }
}

/// Checks the width of a number (docs/spec/format.md#scalars). An integer must have the narrowest width. A float must
/// have the narrowest width that is exact. A NaN must be wide.
fn scalar(cursor: &mut Cursor<'_>, item: &Item<'_>) -> Result<()> {
    let at = cursor.offset();
    let is_float = item.header.kind == Kind::Float;
    if !item.header.flag() {
        let narrow = cursor.u32(Part::Header)?;
        let is_nan = is_float && f32::from_bits(narrow).is_nan();
        return ensure(!is_nan, NotCanonical::FloatWidth, at);
    }
    let wide = cursor.u64(Part::Header)?;
    if is_float {
        ensure(!fits_f32(f64::from_bits(wide)), NotCanonical::FloatWidth, at)
    } else {
        let fits = i32::try_from(wide.cast_signed()).is_ok();
        ensure(!fits, NotCanonical::WideInt, at)
    }
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "the engine's writer compares in this way"
)]
fn fits_f32(value: f64) -> bool {
    f64::from(value as f32) == value
}
