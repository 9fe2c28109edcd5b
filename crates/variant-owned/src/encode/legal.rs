//! Checks that a dialect's reader accepts the output. `encode`, `Writer`, text and JSON write through
//! [`Emit`](super::Emit). `Emit` calls these checks for every value that a reader could refuse or read differently.

use variant_view::{
    Dialect, Document, ElementType, InputEventView, Kind, NodePathLeaf, engine_bytes,
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

/// Checks a count or length. Readers read it as an `i32`.
#[inline]
pub(super) fn length(len: usize) -> Result<u32> {
    match i32::try_from(len) {
        Ok(len) => Ok(len.cast_unsigned()),
        Err(_) => fail(EncodeErrorKind::TooLong(len)),
    }
}

/// Checks the length of a text, padding included (docs/spec/format.md#text).
#[inline]
pub(super) fn text_length(len: usize) -> Result<u32> {
    match u32::try_from(len) {
        Ok(word) if word <= 0x7fff_fffc => Ok(word),
        _ => fail(EncodeErrorKind::TooLong(len)),
    }
}

/// Checks a count of elements and their size in bytes. Readers store both as an `i32`.
#[inline]
pub(super) fn element_count(count: usize, bytes: usize) -> Result<u32> {
    length(bytes)?;
    length(count)
}

/// Checks an integer for a dialect without 64-bit integers.
#[cfg_attr(not(variant_small), inline(always))]
pub(super) fn narrow_int(int: Int) -> Result<i32> {
    match i32::try_from(int.value()) {
        Ok(narrow) => Ok(narrow),
        Err(_) => fail(EncodeErrorKind::IntRange(int.value())),
    }
}

/// Refuses an empty class name: readers expect no properties after it (docs/spec/format.md#object).
pub(crate) fn class(class: &[u8]) -> Result {
    if engine_bytes(class).is_empty() {
        return fail(EncodeErrorKind::NoClass(Text::from_bytes(class)));
    }
    Ok(())
}

/// Checks the form of a node path. Few dialects read a path of one plain text. Only Godot 2 reads a legacy property,
/// which is the last subname.
pub(crate) fn node_path(path: &NodePathLeaf<'_>, dialect: Dialect) -> Result {
    match path {
        NodePathLeaf::Plain(_) if !dialect.has_plain_node_paths() => {
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

/// Refuses a path of one plain text that also has names.
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

/// Checks the payload length of an event. The type of the event determines the length
/// (docs/spec/format.md#inputevent).
pub(crate) fn input_event(event: u32, payload: usize) -> Result {
    if InputEventView::takes_payload(event, payload) {
        return Ok(());
    }
    fail(EncodeErrorKind::InputEvent { event, payload })
}

/// Whether containers of `kind` can declare the type (docs/spec/format.md#typed-containers).
pub(crate) fn element_type(declared: &ElementType<&[u8]>, kind: Kind, dialect: Dialect) -> Result {
    let is_typed_kind = matches!(kind, Kind::TypedArray | Kind::PackedTypedArray);
    let is_fine = match declared {
        // Pandemonium 5 reads type nil as a type, Godot 4 as untyped.
        ElementType::Builtin(Kind::Nil) => is_typed_kind,
        ElementType::Builtin(element) if dialect.id(*element).is_none() => {
            return fail(EncodeErrorKind::Kind(*element));
        }
        ElementType::Class(text) | ElementType::Script(text)
            if dialect.check_text(text).is_err() =>
        {
            return fail(EncodeErrorKind::Text(Text::from_bytes(text)));
        }
        ElementType::Builtin(_) | ElementType::Class(_) => true,
        ElementType::Any | ElementType::Script(_) => !is_typed_kind,
        // A known id is refused, because a class could follow it. An id with bit 31 is refused, because readers ignore
        // that bit.
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

/// Whether the dialect may treat two keys as equal. Such keys occur only in a dictionary whose rule is not that of the
/// dialect, and only if some keys are neither integers nor valid `String`s.
pub(super) fn may_merge_keys(value: &Variant, dialect: Dialect) -> bool {
    Walk::new(value).any(|visit| match visit {
        Visit::Enter(Variant::Dictionary(dictionary), _) => {
            let mut keys = dictionary.keys();
            // In older dialects, two different texts of invalid UTF-8 may be read as the same text.
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

/// Decodes the output to find keys that became equal. Keys become equal if numbers were narrowed, if ids were dropped,
/// or if a dictionary has another rule than the dialect. O(bytes).
#[cold]
pub(super) fn merged_keys(
    root: &Variant,
    bytes: &[u8],
    options: EncodeOptions,
) -> Option<EncodeError> {
    let read = Variant::from_document(&Document::new(bytes, options.reading())).ok()?;
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
                    return Some(EncodeError::at(kind, root, path.positions(), options.dialect));
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

    /// Tests the limits without allocating two gigabytes.
    #[test]
    fn lengths_are_those_of_an_i32_with_all_that_is_counted() {
        assert_eq!(length(0x7fff_ffff), Ok(0x7fff_ffff));
        assert_eq!(length(1 << 31), Err(EncodeErrorKind::TooLong(1 << 31)));
        assert_eq!(text_length(0x7fff_fffc), Ok(0x7fff_fffc));
        assert!(text_length(0x7fff_fffd).is_err());
        assert_eq!(element_count(0x0fff_ffff, 0x7fff_fff8), Ok(0x0fff_ffff));
        assert!(element_count(0x1000_0000, 0x8000_0000).is_err());
    }
}
