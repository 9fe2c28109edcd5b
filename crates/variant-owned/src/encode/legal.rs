//! What a dialect's reader takes. `encode`, `Writer`, and with them text and JSON, write by [`Emit`](super::Emit), which
//! asks here before it writes what could be read as something else, or not at all.

use variant_view::{
    Dialect, Document, ElementType, InputEventView, Kind, Limits, NodePathLeaf, Objects,
    OldNodePath, Options, engine_bytes,
};

use super::{EncodeError, EncodeErrorKind, EncodeOptions, fail};
use crate::dictionary::Dictionary;
use crate::key::KeyRule;
use crate::leaf::{Int, NodePath};
use crate::path::PathTracker;
use crate::text::Text;
use crate::tree::{Place, Visit, Walk};
use crate::variant::Variant;

type Result<T = (), E = EncodeErrorKind> = std::result::Result<T, E>;

/// A count or a length, which readers take for an `i32`.
#[inline]
pub(super) fn length(len: usize) -> Result<u32> {
    match i32::try_from(len) {
        Ok(len) => Ok(len.cast_unsigned()),
        Err(_) => fail(EncodeErrorKind::TooLong(len)),
    }
}

/// The length of a text, whose padding counts as well (docs/format.md, section 2.3).
#[inline]
pub(super) fn text_length(len: usize) -> Result<u32> {
    match u32::try_from(len) {
        Ok(word) if word <= 0x7fff_fffc => Ok(word),
        _ => fail(EncodeErrorKind::TooLong(len)),
    }
}

/// The count of elements that take so many bytes in all, which must not be more than an `i32` holds either.
#[inline]
pub(super) fn element_count(count: usize, bytes: usize) -> Result<u32> {
    length(bytes)?;
    length(count)
}

/// An integer where there are none of 64 bits.
#[inline(always)]
pub(super) fn narrow_int(int: Int) -> Result<i32> {
    match i32::try_from(int.value()) {
        Ok(narrow) => Ok(narrow),
        Err(_) => fail(EncodeErrorKind::IntRange(int.value())),
    }
}

/// Behind a class that reads as no name, a reader looks for no properties (docs/format.md, section 2.7).
pub(crate) fn class(class: &[u8]) -> Result {
    if engine_bytes(class).is_empty() {
        return fail(EncodeErrorKind::NoClass(Text::from_bytes(class)));
    }
    Ok(())
}

/// The old form is read by few, the property of one by Godot 2 alone; it is the last subname.
pub(crate) fn node_path(path: &NodePathLeaf<'_>, dialect: Dialect) -> Result {
    match path {
        NodePathLeaf::Plain(_) if dialect.old_node_path() == OldNodePath::Refused => {
            fail(EncodeErrorKind::OldNodePath)
        }
        NodePathLeaf::Names { has_property: true, .. } if dialect != Dialect::Godot2 => {
            fail(EncodeErrorKind::OldNodePath)
        }
        NodePathLeaf::Names { subnames, has_property: true, .. } if subnames.is_empty() => {
            fail(EncodeErrorKind::NodePath)
        }
        _ => Ok(()),
    }
}

/// A path of one text has no names beside it.
pub(crate) fn unmixed_node_path(path: &NodePath, dialect: Dialect) -> Result {
    let NodePath { names, subnames, is_absolute, has_property, plain } = path;
    let has_parts = !names.is_empty() || !subnames.is_empty() || *is_absolute || *has_property;
    match plain {
        Some(plain) if has_parts => {
            node_path(&NodePathLeaf::Plain(plain.as_bytes()), dialect)?;
            fail(EncodeErrorKind::NodePath)
        }
        _ => Ok(()),
    }
}

/// The type of an event says how much follows (docs/format.md, section 2.15).
pub(crate) fn input_event(event: u32, payload: usize) -> Result {
    if InputEventView::takes_payload(event, payload) {
        return Ok(());
    }
    fail(EncodeErrorKind::InputEvent { event, payload })
}

/// Whether containers of this kind can declare the type (docs/format.md, section 2.10).
pub(crate) fn element_type(declared: &ElementType<&[u8]>, kind: Kind, dialect: Dialect) -> Result {
    let is_typed_kind = matches!(kind, Kind::TypedArray | Kind::PackedTypedArray);
    let is_fine = match declared {
        // Pandemonium 5 reads the number of nil as a type of its own, Godot 4 as none.
        ElementType::Builtin(Kind::Nil) => is_typed_kind,
        ElementType::Builtin(element) if dialect.id(*element).is_none() => {
            return fail(EncodeErrorKind::Kind(*element));
        }
        ElementType::Class(text) | ElementType::Script(text)
            if dialect.text_rule().check(text).is_err() =>
        {
            return fail(EncodeErrorKind::Text(Text::from_bytes(text)));
        }
        ElementType::Builtin(_) | ElementType::Class(_) => true,
        ElementType::Any | ElementType::Script(_) => !is_typed_kind,
        // As a type of the dialect it may have more behind it, and of bit 31 the reader knows nothing.
        ElementType::Unknown(id) => {
            let is_known = u8::try_from(*id).is_ok_and(|id| dialect.kind(id).is_some());
            is_typed_kind && !is_known && i32::try_from(*id).is_ok()
        }
    };
    let can_declare = is_typed_kind || dialect.has_typed_containers();
    if is_fine && (can_declare || declared.is_any()) {
        return Ok(());
    }
    fail(EncodeErrorKind::ElementType(declared.map(Text::from_bytes)))
}

/// Whether keys may be the same to the dialect: of a dictionary that goes by another rule, keys that are neither integers
/// nor text of one kind, which are the same by no rule.
pub(super) fn may_merge_keys(value: &Variant, dialect: Dialect) -> bool {
    Walk::new(value).any(|visit| match visit {
        Visit::Enter(Variant::Dictionary(dictionary), _) => {
            let mut keys = dictionary.keys();
            // Texts that are no UTF-8 may be the same in more bytes than they take.
            let is_plain = |key: &Variant| match key {
                Variant::Int(_) => true,
                Variant::String(text) => text.to_str().is_some(),
                _ => false,
            };
            dictionary.rule() != KeyRule::of(dialect) && !keys.all(is_plain)
        }
        _ => false,
    })
}

/// Reads what was written, to see whether keys have become the same: where numbers were narrowed or ids dropped, and where
/// a dictionary goes by another rule than the dialect. O(bytes).
#[cold]
pub(super) fn merged_keys(
    root: &Variant,
    bytes: &[u8],
    options: EncodeOptions,
) -> Option<EncodeError> {
    let reading = Options::new(options.dialect)
        .reals(options.reals)
        .objects(Objects::Accept)
        .limits(Limits::FILE.depth(options.depth));
    let read = Variant::from_document(&Document::new(bytes, reading)).ok()?;
    let mut path = PathTracker::default();
    for (written, read) in Walk::new(root).zip(Walk::new(&read)) {
        if let Visit::Leaf(_, Place::Property(name)) | Visit::Enter(_, Place::Property(name)) =
            written
        {
            path.name(name.as_bytes());
        }
        match (written, read) {
            (Visit::Leaf(value, _), _) => value.with_leaf(|leaf| path.leaf(&leaf)),
            (Visit::Enter(value, _), Visit::Enter(other, _)) => {
                path.enter(&value.head()?);
                let [written, read] = [value, other].map(pairs);
                if written != read {
                    let kind = EncodeErrorKind::SameKeys { written, read };
                    return Some(EncodeError::at_path(kind, root, &path, options.dialect));
                }
            }
            (Visit::Enter(..), _) => return None,
            (Visit::Exit, _) => path.exit(),
        }
    }
    None
}

fn pairs(value: &Variant) -> usize {
    value.as_dictionary().map_or(0, Dictionary::len)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two gigabytes need not be there to see that they are too many.
    #[test]
    fn a2_lengths_are_those_of_an_i32_with_all_that_is_counted() {
        assert_eq!(length(0x7fff_ffff), Ok(0x7fff_ffff));
        assert_eq!(length(1 << 31), Err(EncodeErrorKind::TooLong(1 << 31)));
        assert_eq!(text_length(0x7fff_fffc), Ok(0x7fff_fffc));
        assert!(text_length(0x7fff_fffd).is_err());
        assert_eq!(element_count(0x0fff_ffff, 0x7fff_fff8), Ok(0x0fff_ffff));
        assert!(element_count(0x1000_0000, 0x8000_0000).is_err());
    }
}
