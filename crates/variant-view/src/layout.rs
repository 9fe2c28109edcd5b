//! Kind -> shape. The only place where lengths become ranges (docs/format.md, section 2).

use crate::bytes::{Cursor, Fault, padded, padding, size};
use crate::dialect::{Dialect, Facts, TextRule};
use crate::error::{ErrorKind, Part, Result};
use crate::header::{Header, TypeForm};
use crate::kind::{Kind, by_kind};
use crate::options::{Mode, Objects, Reals};
use crate::text;

/// The shape of a kind's payload, the same in every dialect that has the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Nothing behind the header.
    Empty,
    /// So many bytes.
    Fixed(u8),
    /// 4 bytes, or 8 with the flag.
    Scalar,
    /// So many reals.
    Reals(u8),
    Text,
    NodePath,
    Rid,
    Object,
    Signal,
    Image,
    InputEvent,
    Array,
    TypedArray,
    Dictionary,
    /// A count, elements of one byte, padding.
    Bytes,
    /// A count, then elements of so many bytes.
    Pool(u8),
    /// A count, then elements of so many reals.
    RealPool(u8),
    /// A count, then texts.
    Strings,
}

impl Kind {
    #[inline(always)]
    pub(crate) const fn layout(self) -> Layout {
        match self {
            Self::Nil | Self::Callable => Layout::Empty,
            Self::Bool => Layout::Fixed(4),
            Self::Int | Self::Float => Layout::Scalar,
            Self::String | Self::StringName => Layout::Text,
            Self::Vector2i => Layout::Fixed(8),
            Self::Vector3i => Layout::Fixed(12),
            Self::Rect2i | Self::Vector4i | Self::Color => Layout::Fixed(16),
            Self::Vector2 => Layout::Reals(2),
            Self::Vector3 => Layout::Reals(3),
            Self::Rect2 | Self::Vector4 | Self::Plane | Self::Quaternion => Layout::Reals(4),
            Self::Transform2D | Self::Aabb => Layout::Reals(6),
            Self::Basis => Layout::Reals(9),
            Self::Transform3D => Layout::Reals(12),
            Self::Projection => Layout::Reals(16),
            Self::Image => Layout::Image,
            Self::NodePath => Layout::NodePath,
            Self::Rid => Layout::Rid,
            Self::Object => Layout::Object,
            Self::InputEvent => Layout::InputEvent,
            Self::Signal => Layout::Signal,
            Self::Dictionary => Layout::Dictionary,
            Self::Array => Layout::Array,
            Self::TypedArray | Self::PackedTypedArray => Layout::TypedArray,
            Self::PackedByteArray => Layout::Bytes,
            Self::PackedInt32Array | Self::PackedFloat32Array => Layout::Pool(4),
            Self::PackedInt64Array | Self::PackedFloat64Array | Self::PackedVector2iArray => {
                Layout::Pool(8)
            }
            Self::PackedVector3iArray => Layout::Pool(12),
            Self::PackedColorArray | Self::PackedVector4iArray => Layout::Pool(16),
            Self::PackedStringArray => Layout::Strings,
            Self::PackedVector2Array => Layout::RealPool(2),
            Self::PackedVector3Array => Layout::RealPool(3),
            Self::PackedVector4Array => Layout::RealPool(4),
        }
    }
}

/// How the children of a container are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u8)]
pub(crate) enum Form {
    /// Values.
    #[default]
    Elements,
    /// Keys and values in turn; both count as items.
    Pairs,
    /// Values, each behind a name without a header.
    Properties,
}

/// What [`measure`] found behind a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// The value ends here.
    Leaf,
    /// So many values follow, and belong to this one.
    Open { items: u32, form: Form },
}

/// Reads one value's header and payload; of a container only what precedes its first child.
#[inline(always)]
pub(crate) fn measure<E: Fault>(
    mut cursor: Cursor<'_, E>,
    mode: Mode,
) -> Result<(Cursor<'_, E>, Extent), E> {
    let header = Header::read(&mut cursor, mode.dialect.facts())?;
    by_kind!(header.kind, |kind| payload::<false, E>(header.of_kind(kind), cursor, mode))
}

/// Reads what stands behind a header; of a container only what precedes its first child.
///
/// Inlined everywhere, and made for callers to whom the kind is a constant. `TEXT` says whether text is held
/// against the dialect's rule.
#[inline(always)]
pub(crate) fn payload<const TEXT: bool, E: Fault>(
    header: Header,
    mut cursor: Cursor<'_, E>,
    mode: Mode,
) -> Result<(Cursor<'_, E>, Extent), E> {
    let facts = mode.dialect.facts();
    let kind = header.kind;
    match kind.layout() {
        Layout::Empty => {}
        Layout::Fixed(bytes) => drop(cursor.take(usize::from(bytes), Part::Payload(kind))?),
        Layout::Scalar => match scalar_width(header, facts) {
            4 => drop(cursor.take(4, Part::Payload(kind))?),
            _ => drop(cursor.take(8, Part::Payload(kind))?),
        },
        Layout::Reals(lanes) => match real_width(header, mode) {
            4 => drop(cursor.take(usize::from(lanes).saturating_mul(4), Part::Payload(kind))?),
            _ => drop(cursor.take(usize::from(lanes).saturating_mul(8), Part::Payload(kind))?),
        },
        Layout::Text => drop(string::<TEXT, E>(&mut cursor, facts)?),
        Layout::Bytes => byte_array(&mut cursor)?,
        Layout::Pool(bytes) => pool(&mut cursor, kind, usize::from(bytes))?,
        Layout::RealPool(lanes) => {
            let bytes = usize::from(lanes).saturating_mul(real_width(header, mode));
            pool(&mut cursor, kind, bytes)?;
        }
        Layout::Array if !has_types(header, facts) => {
            let items = cursor.u32(Part::Count(kind))? & COUNT;
            return Ok((cursor, Extent::Open { items, form: Form::Elements }));
        }
        Layout::Dictionary if !has_types(header, facts) => {
            let pairs = cursor.u32(Part::Count(kind))? & COUNT;
            // At most 2^31 - 1 pairs, so twice as many fit.
            let items = pairs.wrapping_mul(2);
            return Ok((cursor, Extent::Open { items, form: Form::Pairs }));
        }
        _ => return rare(header, cursor, mode, TEXT),
    }
    Ok((cursor, Extent::Leaf))
}

/// Whether a container declares the types of what is in it in the manner of Godot 4.
#[inline(always)]
pub(crate) const fn has_types(header: Header, facts: &Facts) -> bool {
    facts.typed_containers && header.type_bits() != 0
}

/// The layouts that are rare enough to stay out of the way of the others.
#[inline(never)]
fn rare<E: Fault>(
    header: Header,
    mut rest: Cursor<'_, E>,
    mode: Mode,
    check_text: bool,
) -> Result<(Cursor<'_, E>, Extent), E> {
    let facts = mode.dialect.facts();
    let kind = header.kind;
    let cursor = &mut rest;
    let mut extent = Extent::Leaf;
    match kind.layout() {
        Layout::Rid if facts.rid_payload => drop(cursor.u64(Part::Payload(kind))?),
        Layout::NodePath => node_path(cursor, facts, check_text)?,
        Layout::Strings => strings(cursor, facts, check_text)?,
        Layout::Signal => {
            checked_string(cursor, facts, check_text)?;
            cursor.u64(Part::Payload(kind))?;
        }
        Layout::Image => image(cursor)?,
        Layout::InputEvent => input_event(cursor)?,
        Layout::TypedArray => {
            typed_element(cursor, header, facts, check_text)?;
            let items = cursor.u32(Part::Count(kind))? & COUNT;
            extent = Extent::Open { items, form: Form::Elements };
        }
        Layout::Array => extent = typed_array(cursor, header, facts, check_text)?,
        Layout::Dictionary => extent = typed_dictionary(cursor, header, facts, check_text)?,
        Layout::Object => extent = object(cursor, header, mode, check_text)?,
        _ => {}
    }
    Ok((rest, extent))
}

/// The bits of a container's count that count; bit 31 once marked shared containers.
pub(crate) const COUNT: u32 = 0x7fff_ffff;

#[inline(always)]
pub(crate) const fn scalar_width(header: Header, facts: &Facts) -> usize {
    if facts.wide_scalars && header.flag() { 8 } else { 4 }
}

/// The bytes of one real of a mathematical type (docs/format.md, section 2.12).
#[inline(always)]
pub(crate) const fn real_width(header: Header, mode: Mode) -> usize {
    match mode.reals {
        Reals::Always64 => 8,
        Reals::ByFlag if header.flag() && mode.dialect.facts().wide_reals => 8,
        Reals::ByFlag => 4,
    }
}

/// A length, text, and padding that must be there (docs/format.md, section 2.3).
#[inline(always)]
fn padded_text<'a, const TEXT: bool, E: Fault>(
    cursor: &mut Cursor<'a, E>,
    facts: &Facts,
) -> Result<&'a [u8], E> {
    let length = cursor.length(Part::TextLength)?;
    let start = *cursor;
    let Ok(whole) = cursor.take(size(padded(length)), Part::Text) else {
        return Err(short_text(start, length));
    };
    // In words: what fills the text up may not be ASCII, but is as a rule.
    let text = whole.get(..size(length)).unwrap_or(whole);
    if TEXT && facts.text != TextRule::Unchecked && !text::is_ascii(whole) {
        check(start, text, facts)?;
    }
    Ok(text)
}

/// Says whether it is the text or its padding that ends too early.
#[cold]
fn short_text<E: Fault>(mut cursor: Cursor<'_, E>, length: u32) -> E {
    match cursor.take(size(length), Part::Text) {
        Ok(_) => cursor.truncated(size(padding(length)), Part::Padding),
        Err(error) => error,
    }
}

/// The text of a `String` or of a name without a header.
#[inline(always)]
pub(crate) fn string<'a, const TEXT: bool, E: Fault>(
    cursor: &mut Cursor<'a, E>,
    facts: &Facts,
) -> Result<&'a [u8], E> {
    if facts.open_string_end { open_text(cursor) } else { padded_text::<TEXT, E>(cursor, facts) }
}

/// Text whose padding may be missing at the very end. Only Godot 2 has it, which never checks text.
fn open_text<'a, E: Fault>(cursor: &mut Cursor<'a, E>) -> Result<&'a [u8], E> {
    let length = cursor.length(Part::TextLength)?;
    let text = cursor.take(size(length), Part::Text)?;
    cursor.take_up_to(size(padding(length)));
    Ok(text)
}

fn checked_string<'a, E: Fault>(
    cursor: &mut Cursor<'a, E>,
    facts: &Facts,
    check_text: bool,
) -> Result<&'a [u8], E> {
    if check_text { string::<true, E>(cursor, facts) } else { string::<false, E>(cursor, facts) }
}

/// Holds text that starts at `start` against the dialect's rule.
#[inline(never)]
fn check<E: Fault>(start: Cursor<'_, E>, text: &[u8], facts: &Facts) -> Result<(), E> {
    text::check(facts.text, text)
        .map_err(|at| E::new(ErrorKind::InvalidText, start.offset().saturating_add(at)))
}

/// Bytes and padding, of which as much must be there as the document has left: every engine accepts
/// a last byte array without its padding (docs/format.md, section 2.11).
#[inline(always)]
pub(crate) fn byte_array<E: Fault>(cursor: &mut Cursor<'_, E>) -> Result<(), E> {
    let length = cursor.length(Part::Count(Kind::PackedByteArray))?;
    cursor.take(size(length), Part::Elements(Kind::PackedByteArray))?;
    cursor.take_up_to(size(padding(length)));
    Ok(())
}

#[inline(always)]
pub(crate) fn pool<E: Fault>(
    cursor: &mut Cursor<'_, E>,
    kind: Kind,
    element: usize,
) -> Result<(), E> {
    let count = cursor.length(Part::Count(kind))?;
    cursor.take(size(count).saturating_mul(element), Part::Elements(kind))?;
    Ok(())
}

/// Texts whose length counts a terminating NUL; a negative count reads as none.
fn strings<E: Fault>(cursor: &mut Cursor<'_, E>, facts: &Facts, check_text: bool) -> Result<(), E> {
    let count = cursor.u32(Part::Count(Kind::PackedStringArray))?;
    if count > COUNT {
        return Ok(());
    }
    for _ in 0..count {
        checked_string(cursor, facts, check_text)?;
    }
    Ok(())
}

/// Bit 31 of a node path's first word: the form with names; clear: the length of one plain string.
pub(crate) const NODE_PATH_NAMES: u32 = 1 << 31;
/// Flag of a node path: it starts at the root.
pub(crate) const NODE_PATH_ABSOLUTE: u32 = 1;
/// Flag of a node path: one more subname follows than counted.
pub(crate) const NODE_PATH_PROPERTY: u32 = 2;

/// The counts of a node path (docs/format.md, section 2.5).
#[derive(Clone, Copy, Debug)]
pub(crate) enum NodePathHead {
    /// Names and subnames follow: of `total`, the first `names` are names.
    Names { names: u32, total: u32, flags: u32 },
    /// One string of this length follows, without padding.
    Plain { length: u32 },
}

impl NodePathHead {
    pub(crate) fn read<E: Fault>(cursor: &mut Cursor<'_, E>, facts: &Facts) -> Result<Self, E> {
        let part = Part::Payload(Kind::NodePath);
        let start = *cursor;
        let first = cursor.u32(part)?;
        if first & NODE_PATH_NAMES == 0 {
            return if facts.old_node_path {
                Ok(Self::Plain { length: first })
            } else {
                Err(start.error(ErrorKind::OldNodePath))
            };
        }
        let names = first & COUNT;
        let subnames = cursor.u32(part)?;
        let flags = cursor.u32(part)?;
        let property = u32::from(flags & NODE_PATH_PROPERTY != 0);
        // The engines' sum wraps: counts (2, 2^32 - 2) are an empty path.
        let total = names.wrapping_add(subnames).wrapping_add(property);
        Ok(Self::Names { names, total, flags })
    }
}

fn node_path<E: Fault>(
    cursor: &mut Cursor<'_, E>,
    facts: &Facts,
    check_text: bool,
) -> Result<(), E> {
    match NodePathHead::read(cursor, facts)? {
        NodePathHead::Plain { length } => drop(cursor.take(size(length), Part::Text)?),
        NodePathHead::Names { total, .. } => {
            for _ in 0..total {
                if check_text {
                    padded_text::<true, E>(cursor, facts)?;
                } else {
                    padded_text::<false, E>(cursor, facts)?;
                }
            }
        }
    }
    Ok(())
}

/// Godot 2 only (docs/format.md, section 2.15).
fn image<E: Fault>(cursor: &mut Cursor<'_, E>) -> Result<(), E> {
    cursor.array::<16>(Part::Payload(Kind::Image))?;
    let length = cursor.length(Part::Count(Kind::Image))?;
    cursor.take(size(length), Part::Elements(Kind::Image))?;
    cursor.take_up_to(size(padding(length)));
    Ok(())
}

/// Godot 2 only: the event's type says how much follows (docs/format.md, section 2.15).
fn input_event<E: Fault>(cursor: &mut Cursor<'_, E>) -> Result<(), E> {
    let part = Part::Payload(Kind::InputEvent);
    let event = cursor.u32(part)?;
    let _device = cursor.u32(part)?;
    let total = cursor.u32(part)?;
    cursor.take(input_event_payload(event, total), part)?;
    Ok(())
}

/// The bytes behind the three words of an input event.
pub(crate) const fn input_event_payload(event: u32, total: u32) -> usize {
    match event {
        // An axis in 2.0, an axis and its value in 2.1; only the total tells them apart.
        4 if total == 16 => 4,
        // Modifiers and scancode; an axis and its value.
        1 | 4 => 8,
        // The index of a mouse button, a joystick button or a touch.
        3 | 5 | 6 => 4,
        _ => 0,
    }
}

fn typed_array<E: Fault>(
    cursor: &mut Cursor<'_, E>,
    header: Header,
    facts: &Facts,
    check_text: bool,
) -> Result<Extent, E> {
    element_type(cursor, header.first_type(), facts, check_text)?;
    let items = cursor.u32(Part::Count(Kind::Array))? & COUNT;
    Ok(Extent::Open { items, form: Form::Elements })
}

fn typed_dictionary<E: Fault>(
    cursor: &mut Cursor<'_, E>,
    header: Header,
    facts: &Facts,
    check_text: bool,
) -> Result<Extent, E> {
    element_type(cursor, header.first_type(), facts, check_text)?;
    element_type(cursor, header.second_type(), facts, check_text)?;
    let pairs = cursor.u32(Part::Count(Kind::Dictionary))? & COUNT;
    // At most 2^31 - 1 pairs, so twice as many fit.
    Ok(Extent::Open { items: pairs.wrapping_mul(2), form: Form::Pairs })
}

/// The declared type of a container's elements, as it stands on the wire.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WireType<'a> {
    Any,
    Builtin(Kind),
    /// The name of an engine class and where its length word stands.
    Class(&'a [u8], usize),
    /// The path of a script and where its length word stands.
    Script(&'a [u8], usize),
}

/// The type information of a Godot 4 container (docs/format.md, section 2.10).
#[inline(never)]
pub(crate) fn element_type<'a, E: Fault>(
    cursor: &mut Cursor<'a, E>,
    form: TypeForm,
    facts: &Facts,
    check_text: bool,
) -> Result<WireType<'a>, E> {
    let start = *cursor;
    Ok(match form {
        TypeForm::None => WireType::Any,
        TypeForm::Builtin => {
            let id = cursor.u32(Part::ElementType)?;
            match usize::try_from(id).ok().and_then(|id| facts.kinds.get(id)) {
                Some(&kind) => WireType::Builtin(kind),
                None => return Err(start.error(ErrorKind::ElementType { id })),
            }
        }
        TypeForm::Class => {
            WireType::Class(checked_string(cursor, facts, check_text)?, start.offset())
        }
        TypeForm::Script => {
            WireType::Script(checked_string(cursor, facts, check_text)?, start.offset())
        }
    })
}

/// The type information of a Pandemonium 5 typed array, whose number is not range-checked and whose
/// class is a complete `StringName` value (docs/format.md, section 2.10).
pub(crate) fn typed_element<'a, E: Fault>(
    cursor: &mut Cursor<'a, E>,
    header: Header,
    facts: &Facts,
    check_text: bool,
) -> Result<(u32, WireType<'a>), E> {
    let id = cursor.u32(Part::ElementType)? & COUNT;
    let kind = usize::try_from(id).ok().and_then(|id| facts.kinds.get(id)).copied();
    let element = match kind {
        Some(Kind::Object) if !header.flag() => {
            let start = *cursor;
            let class = Header::read(cursor, facts)?;
            if class.kind != Kind::StringName {
                return Err(start.error(ErrorKind::ElementClass { header: class.word() }));
            }
            let at = cursor.offset();
            WireType::Class(checked_string(cursor, facts, check_text)?, at)
        }
        None => WireType::Any,
        Some(kind) => WireType::Builtin(kind),
    };
    Ok((id, element))
}

/// An object by id, in full, or null (docs/format.md, section 2.7).
fn object<E: Fault>(
    cursor: &mut Cursor<'_, E>,
    header: Header,
    mode: Mode,
    check_text: bool,
) -> Result<Extent, E> {
    let facts = mode.dialect.facts();
    if !facts.object_payload {
        return Ok(Extent::Leaf);
    }
    if header.flag() {
        cursor.u64(Part::Payload(Kind::Object))?;
        return Ok(Extent::Leaf);
    }
    if mode.objects == Objects::Refuse {
        return Err(cursor.error(ErrorKind::ObjectRefused));
    }
    let class = checked_string(cursor, facts, check_text)?;
    if text::reads_empty(class) {
        return Ok(Extent::Leaf);
    }
    let count = cursor.u32(Part::Properties)?;
    // The engines read a negative count as none.
    let items = if count > COUNT { 0 } else { count };
    Ok(Extent::Open { items, form: Form::Properties })
}

const _: () = assert!(Dialect::ALL.len() == 6, "every dialect has its table");
