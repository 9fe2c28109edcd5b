//! Divides owned values that are keys into [`KeyPart`]s. `variant-view` decides which keys are equal.

mod digest;
mod part;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod work;

pub(crate) use digest::{Digest, Digests, digest_of, digest_of_part};
pub(crate) use part::part_of;
pub use variant_view::KeyRule;
use variant_view::Kind;
use variant_view::internal::{KeyPart, KeyPlace};

use crate::tree::{Place, Visit, Walk};
use crate::variant::Variant;

/// Whether a key has items. Each item is a separate [`KeyPart`].
pub(crate) const fn is_container(key: &Variant) -> bool {
    matches!(
        key,
        Variant::Array(_)
            | Variant::TypedArray(_)
            | Variant::PackedTypedArray(_)
            | Variant::Dictionary(_)
    )
}

/// Whether two keys are equal. O(bytes of the shorter).
pub(crate) fn are_same(a: &Variant, b: &Variant, rule: KeyRule) -> bool {
    let [mut space, mut other_space] = [Vec::new(), Vec::new()];
    let mut others = Walk::new(b);
    Walk::new(a).all(|step| match (step, others.next()) {
        (
            Visit::Leaf(a, at) | Visit::Enter(a, at),
            Some(Visit::Leaf(b, _) | Visit::Enter(b, _)),
        ) => {
            let (part, other) = (part_of(a, &mut space), part_of(b, &mut other_space));
            part.is_same(&other, rule, place_in_key(at))
        }
        (Visit::Exit, Some(Visit::Exit)) => true,
        _ => false,
    })
}

/// Whether the first difference of two texts is an ASCII character, with only ASCII before it. Every engine reads such
/// texts as different. O(bytes up to there).
#[inline]
pub(crate) fn are_clearly_different(a: &[u8], b: &[u8]) -> bool {
    let mut both = a.iter().zip(b);
    let first = both.find(|&(a, b)| a != b || !is_plain(*a));
    first.is_some_and(|(a, b)| a != b && is_plain(*a) && is_plain(*b))
}

/// Whether a byte is a whole character, and not a NUL, which ends a text.
const fn is_plain(byte: u8) -> bool {
    byte != 0 && byte.is_ascii()
}

/// Whether a leaf key equals `part`. `space` is a scratch buffer.
pub(crate) fn is_part(
    key: &Variant,
    part: &KeyPart<'_>,
    rule: KeyRule,
    space: &mut Vec<u8>,
) -> bool {
    // If the kinds differ, the numbers of the key are not read.
    let may_be = key.kind() == part.kind || matches!(part.kind, Kind::String | Kind::StringName);
    may_be && part_of(key, space).is_same(part, rule, KeyPlace::Key)
}

fn place_in_key(place: Place<'_>) -> KeyPlace {
    match place {
        Place::Root | Place::Key(_) => KeyPlace::Key,
        Place::Element | Place::Value(_) | Place::Property(_) => KeyPlace::Item,
    }
}
