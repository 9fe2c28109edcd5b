//! The types that containers declare (docs/spec/format.md#typed-containers).

use super::string::checked_string;
use super::{COUNT, Extent};
use crate::bytes::{Cursor, Fault};
use crate::contents::Contents;
use crate::dialect::DialectRules;
use crate::error::{ErrorKind, Part, Result};
use crate::header::{Header, TypeForm};
use crate::kind::Kind;

pub(super) fn typed_array<E: Fault>(
    cursor: &mut Cursor<'_, E>,
    header: Header,
    rules: &DialectRules,
    check_text: bool,
) -> Result<Extent, E> {
    element_type(cursor, header.first_type(), rules, check_text)?;
    let items = cursor.u32(Part::Count(Kind::Array))? & COUNT;
    Ok(Extent::Open { items, form: Contents::Elements })
}

pub(super) fn typed_dictionary<E: Fault>(
    cursor: &mut Cursor<'_, E>,
    header: Header,
    rules: &DialectRules,
    check_text: bool,
) -> Result<Extent, E> {
    element_type(cursor, header.first_type(), rules, check_text)?;
    element_type(cursor, header.second_type(), rules, check_text)?;
    let pairs = cursor.u32(Part::Count(Kind::Dictionary))? & COUNT;
    // There are at most 2^31 - 1 pairs, so twice that number fits.
    Ok(Extent::Open { items: pairs.wrapping_mul(2), form: Contents::Pairs })
}

/// The declared type of a container's elements, on the wire.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WireType<'a> {
    Any,
    Builtin(Kind),
    /// The name of an engine class, and the offset of its length word.
    Class(&'a [u8], usize),
    /// The path of a script, and the offset of its length word.
    Script(&'a [u8], usize),
}

/// The type information of a Godot 4 container (docs/spec/format.md#typed-containers).
#[inline(never)]
pub(crate) fn element_type<'a, E: Fault>(
    cursor: &mut Cursor<'a, E>,
    form: TypeForm,
    rules: &DialectRules,
    check_text: bool,
) -> Result<WireType<'a>, E> {
    let start = *cursor;
    Ok(match form {
        TypeForm::None => WireType::Any,
        TypeForm::Builtin => {
            let id = cursor.u32(Part::ElementType)?;
            match usize::try_from(id).ok().and_then(|id| rules.kinds.get(id)) {
                Some(&kind) => WireType::Builtin(kind),
                None => return Err(start.error(ErrorKind::ElementType { id })),
            }
        }
        TypeForm::Class => {
            WireType::Class(checked_string(cursor, rules, check_text)?, start.offset())
        }
        TypeForm::Script => {
            WireType::Script(checked_string(cursor, rules, check_text)?, start.offset())
        }
    })
}

/// The position of the element class of a Pandemonium 5 typed array, if the array has a class. The class is a value
/// one level below the array (docs/spec/format.md#limits).
#[inline(never)]
pub(crate) fn class_of_elements<'a, E: Fault>(
    mut cursor: Cursor<'a, E>,
    header: Header,
    rules: &DialectRules,
) -> Option<Cursor<'a, E>> {
    let id = cursor.u32(Part::ElementType).ok()? & COUNT;
    let kind = usize::try_from(id).ok().and_then(|id| rules.kinds.get(id));
    (kind == Some(&Kind::Object) && !header.flag()).then_some(cursor)
}

/// The element type of a Pandemonium 5 typed array. The type id is not range-checked, and the class is a complete
/// `StringName` value (docs/spec/format.md#typedarray).
pub(crate) fn typed_element<'a, E: Fault>(
    cursor: &mut Cursor<'a, E>,
    header: Header,
    rules: &DialectRules,
    check_text: bool,
) -> Result<(u32, WireType<'a>), E> {
    let id = cursor.u32(Part::ElementType)? & COUNT;
    let kind = usize::try_from(id).ok().and_then(|id| rules.kinds.get(id)).copied();
    let element = match kind {
        Some(Kind::Object) if !header.flag() => {
            let start = *cursor;
            let class = Header::read(cursor, rules)?;
            if class.kind != Kind::StringName {
                return Err(start.error(ErrorKind::ElementClass { header: class.word() }));
            }
            let at = cursor.offset();
            WireType::Class(checked_string(cursor, rules, check_text)?, at)
        }
        None => WireType::Any,
        Some(kind) => WireType::Builtin(kind),
    };
    Ok((id, element))
}
