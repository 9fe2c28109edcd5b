//! A cheap guess whether two elements look alike.

use std::hash::Hasher;

use variant_view::{Kind, Number, VariantView};

use super::half::{Cursor, Half};
use super::leaf;
use super::rule::Rule;

/// The maximum number of compared values.
const VALUES: u32 = 64;

/// The maximum number of bytes or numbers of one value that are compared.
const BYTES: usize = 256;
const NUMBERS: usize = 16;

/// Whether the values at these offsets begin alike. The answer is a guess in O(1). The guess decides which elements are
/// compared in full. Exact answers at all levels would cost O(depth x bytes).
pub(super) fn are_alike(old: (&Half<'_>, usize), new: (&Half<'_>, usize), rule: &Rule) -> bool {
    let (mut old, mut new) = (old.0.at(old.1), new.0.at(new.1));
    let mut left = 1_u32;
    for _ in 0..VALUES {
        let (Ok(kind), Ok(other)) = (old.kind(), new.kind()) else { return true };
        if kind != other {
            return false;
        }
        // These kinds are not compared: a string array or a node path costs O(its bytes), and an object needs a stack
        // for the names of its properties.
        if matches!(kind, Kind::PackedStringArray | Kind::NodePath | Kind::Object) {
            return true;
        }
        let (Ok((old, items)), Ok((new, others))) = (old.next(), new.next()) else { return true };
        let is_one = match (items, others) {
            (None, None) => begin_alike(&old, &new, rule),
            (items, others) => items == others,
        };
        if !is_one {
            return false;
        }
        left = left.saturating_sub(1).saturating_add(items.unwrap_or(0));
        if left == 0 {
            return true;
        }
    }
    true
}

/// Writes the start of an element to a hasher; reads about the same values as [`are_alike`].
pub(super) fn start_of(
    mut start: Cursor<'_>,
    rule: &Rule,
    hasher: &mut dyn Hasher,
    write: impl Fn(&mut dyn Hasher, &VariantView<'_>),
) {
    let mut left = 1_u32;
    for _ in 0..VALUES {
        let Ok(kind) = start.kind() else { return };
        hasher.write_usize(kind.index());
        if matches!(kind, Kind::PackedStringArray | Kind::NodePath | Kind::Object) {
            return;
        }
        let Ok((view, items)) = start.next() else { return };
        hasher.write_u32(items.unwrap_or(0));
        match (view.as_text(), view.numbers()) {
            (Ok(text), _) => {
                hasher.write_usize(text.len());
                hasher.write(text.as_bytes().get(..BYTES).unwrap_or(text.as_bytes()));
            }
            (_, Some(numbers)) => {
                hasher.write_usize(numbers.len());
                for number in numbers.iter().take(NUMBERS) {
                    match number {
                        Number::Int(int) => hasher.write_i64(int),
                        real if !rule.has_tolerance() => {
                            hasher.write_u64((real.to_f64() + 0.0).to_bits());
                        }
                        _ => {}
                    }
                }
            }
            _ if kind == Kind::Float && rule.has_tolerance() => {}
            _ if items.is_none() => write(hasher, &view),
            _ => {}
        }
        left = left.saturating_sub(1).saturating_add(items.unwrap_or(0));
        if left == 0 {
            return;
        }
    }
}

fn begin_alike(old: &VariantView<'_>, new: &VariantView<'_>, rule: &Rule) -> bool {
    if let (Ok(old), Ok(new)) = (old.as_text(), new.as_text()) {
        let [head, other] =
            [old, new].map(|text| text.as_bytes().get(..BYTES).unwrap_or(text.as_bytes()));
        return old.len() == new.len() && head == other;
    }
    match (old.numbers(), new.numbers()) {
        (Some(old), Some(new)) => {
            let same = |(old, new)| rule.numbers(old, new);
            old.len() == new.len() && old.iter().zip(new.iter()).take(NUMBERS).all(same)
        }
        _ => leaf::are_same(old, new, rule),
    }
}
