//! Sorts the keys of dictionaries as the engines print them.

use std::cmp::Ordering;
use std::slice;

use variant_view::{Kind, Leaf};

use super::sort::sort;
use super::style::{Order, Style};
use crate::array::Array;
use crate::text::Text;
use crate::variant::Variant;

/// The positions of the pairs of a dictionary in the order in which the engine prints them: by type, then by value. In
/// a dictionary of up to sixteen pairs, keys without an order keep their places.
///
/// Some comparisons of the engines are not an order, and take the engines quadratic time. This function limits the work
/// to O(bytes of the keys * log keys), the maximum for keys with an order. Beyond the limit, keys are sorted by type
/// alone.
pub(super) fn sorted(pairs: &[(Variant, Variant)], style: &Style) -> Vec<usize> {
    let mut keys: Vec<_> = pairs.iter().map(|(key, _)| key).enumerate().collect();
    let levels = usize::try_from(keys.len().max(1).ilog2()).unwrap_or_default();
    let all = keys.iter().map(|(_, key)| weight(key)).fold(0, usize::saturating_add);
    // The maximum for keys with an order: there are at most `2 * log2(keys)` levels of partitions, and each level
    // compares every key once. After that, the insertion sort compares keys in runs of sixteen.
    let mut work = Work { left: all.saturating_mul(levels.saturating_add(8)).saturating_mul(2) };
    if sort(&mut keys, |(_, a), (_, b)| work.is_less(a, b, style)).is_none() {
        keys.sort_by_key(|&(place, key)| (rank(key.kind(), style), place));
    }
    keys.into_iter().map(|(place, _)| place).collect()
}

/// The maximum work to compare a key once. Dictionaries inside the key do not count, since comparisons do not enter
/// them. If they counted, keys nested in keys would cost O(levels * bytes).
fn weight(key: &Variant) -> usize {
    let mut all: usize = 0;
    let mut open = vec![slice::from_ref(key).iter()];
    while let Some(rest) = open.last_mut() {
        all = all.saturating_add(LEAF);
        match rest.next() {
            Some(Variant::Array(array)) => open.push(array.as_slice().iter()),
            Some(leaf) => all = all.saturating_add(length(leaf)),
            None => {
                open.pop();
            }
        }
    }
    all
}

/// The cost of comparing two leaves, apart from their lengths.
const LEAF: usize = 8;

/// The length of a text or packed array, which is compared in full; otherwise 0.
fn length(leaf: &Variant) -> usize {
    leaf.as_text().map(Text::len).or_else(|| packed_length(leaf)).unwrap_or(0)
}

/// The length of a packed array of a kind that the older engines also have; otherwise `None`.
fn packed_length(value: &Variant) -> Option<usize> {
    value.with_leaf(|leaf| match leaf {
        Leaf::Strings(texts) => {
            Some(texts.iter().map(<[u8]>::len).fold(texts.len(), usize::saturating_add))
        }
        Leaf::Numbers(numbers) => {
            let is_newer =
                matches!(numbers.kind(), Kind::PackedInt64Array | Kind::PackedFloat64Array);
            (numbers.shape().is_packed && !is_newer).then(|| numbers.elements())
        }
        _ => None,
    })
}

/// The remaining budget for comparisons.
struct Work {
    left: usize,
}

impl Work {
    fn spend(&mut self, steps: usize) -> Option<()> {
        self.left = self.left.checked_sub(steps)?;
        Some(())
    }

    /// Whether `a` is less than `b` in the engine; `None` if the budget is spent.
    fn is_less(&mut self, a: &Variant, b: &Variant, style: &Style) -> Option<bool> {
        match style.order {
            Order::Newer if is_string_like(a) && is_string_like(b) => self.is_text_less(a, b),
            Order::Newer => Some(self.newer(a, b, style)?.is_lt()),
            Order::Older => self.older(a, b, style),
        }
    }

    fn is_text_less(&mut self, a: &Variant, b: &Variant) -> Option<bool> {
        let (a, b) = (a.as_text()?, b.as_text()?);
        self.spend(a.len().min(b.len()).saturating_add(1))?;
        Some(a < b)
    }

    /// Compares two values as Godot 4 does: arrays by the first elements that differ, then by length.
    fn newer(&mut self, a: &Variant, b: &Variant, style: &Style) -> Option<Ordering> {
        let mut open = Vec::new();
        let mut next = Some((a, b));
        loop {
            if let Some((a, b)) = next {
                if let (Variant::Array(a), Variant::Array(b)) = (a, b) {
                    open.push(Elements::new(a, b));
                } else {
                    let order = self.leaves(a, b, style)?;
                    if order.is_ne() {
                        return Some(order);
                    }
                }
            }
            let Some(elements) = open.last_mut() else { return Some(Ordering::Equal) };
            self.spend(1)?;
            next = elements.next();
            if next.is_none() {
                if elements.lengths.is_ne() {
                    return Some(elements.lengths);
                }
                open.pop();
            }
        }
    }

    /// Compares two values as older engines do. In these engines, an array `a` that is not longer than `b` is less if
    /// at least one element of `a` is **not** less than the element of `b` at the same index.
    fn older(&mut self, a: &Variant, b: &Variant, style: &Style) -> Option<bool> {
        let mut open: Vec<Elements<'_>> = Vec::new();
        let (mut a, mut b) = (a, b);
        loop {
            let mut is_less = match (a, b) {
                (Variant::Array(a), Variant::Array(b)) if a.len() > b.len() => false,
                (Variant::Array(a), Variant::Array(b)) => {
                    open.push(Elements::new(a, b));
                    // The result `true` makes the loop compare the first elements.
                    true
                }
                _ => self.older_leaves(a, b, style)?,
            };
            loop {
                let Some(elements) = open.last_mut() else { return Some(is_less) };
                self.spend(1)?;
                let next = if is_less { elements.next() } else { None };
                if let Some(pair) = next {
                    (a, b) = pair;
                    break;
                }
                is_less = !is_less;
                open.pop();
            }
        }
    }

    /// Compares two leaves as older engines do. In these engines, a packed array is less than every different array of
    /// its kind.
    fn older_leaves(&mut self, a: &Variant, b: &Variant, style: &Style) -> Option<bool> {
        match (packed_length(a), packed_length(b)) {
            (Some(of_a), Some(of_b)) if a.kind() == b.kind() => {
                self.spend(of_a.min(of_b).saturating_add(LEAF))?;
                Some(a != b)
            }
            _ => Some(self.leaves(a, b, style)?.is_lt()),
        }
    }

    /// Compares two values that are not both arrays. Values for which the engine has no order count as equal.
    fn leaves(&mut self, a: &Variant, b: &Variant, style: &Style) -> Option<Ordering> {
        self.spend(LEAF)?;
        Some(match (a, b) {
            (Variant::Bool(a), Variant::Bool(b)) => a.cmp(b),
            (Variant::Int(a), Variant::Int(b)) => a.value().cmp(&b.value()),
            (Variant::Float(a), Variant::Float(b)) => by_float(a.value(), b.value()),
            (Variant::Rid(a), Variant::Rid(b)) => a.cmp(b),
            _ if a.kind() != b.kind() => rank(a.kind(), style).cmp(&rank(b.kind(), style)),
            // The engine compares the addresses of these keys in memory, which cannot be reproduced.
            (Variant::StringName(_), _) if style.order == Order::Older => Ordering::Equal,
            _ if is_string_like(a) => {
                let (a, b) = (a.as_text()?, b.as_text()?);
                self.spend(a.len().min(b.len()))?;
                a.cmp(b)
            }
            _ if has_components(a.kind()) => by_components(a, b, style),
            _ => Ordering::Equal,
        })
    }
}

/// The remaining elements of two arrays, and the order of their lengths.
struct Elements<'v> {
    a: slice::Iter<'v, Variant>,
    b: slice::Iter<'v, Variant>,
    lengths: Ordering,
}

impl<'v> Elements<'v> {
    fn new(a: &'v Array, b: &'v Array) -> Self {
        let lengths = a.len().cmp(&b.len());
        Self { a: a.as_slice().iter(), b: b.as_slice().iter(), lengths }
    }

    fn next(&mut self) -> Option<(&'v Variant, &'v Variant)> {
        Some((self.a.next()?, self.b.next()?))
    }
}

/// The engine's id of the type.
fn rank(kind: Kind, style: &Style) -> (u8, usize) {
    (style.dialect.id(kind).unwrap_or(u8::MAX), kind.index())
}

const fn is_string_like(value: &Variant) -> bool {
    matches!(value, Variant::String(_) | Variant::StringName(_))
}

/// Whether a kind is ordered by its components. Of the mathematical types, only vectors are.
const fn has_components(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Vector2
            | Kind::Vector2i
            | Kind::Vector3
            | Kind::Vector3i
            | Kind::Vector4
            | Kind::Vector4i
    )
}

/// Compares the first components that differ; if none differ, the last components. A NaN differs from everything.
fn by_components(a: &Variant, b: &Variant, style: &Style) -> Ordering {
    let last = if matches!(a.kind(), Kind::Vector2 | Kind::Vector2i) { 1 } else { 2 };
    let (a, b) = (components(a), components(b));
    let are_same = if style.has_tolerance { are_about_equal } else { are_equal };
    let mut pairs = a.iter().zip(&b);
    let differing = pairs.find(|&(&a, &b)| !are_same(a, b)).or(a.get(last).zip(b.get(last)));
    differing.map_or(Ordering::Equal, |(&a, &b)| by_float(a, b))
}

fn are_equal(a: f64, b: f64) -> bool {
    a.partial_cmp(&b) == Some(Ordering::Equal)
}

/// Whether two numbers are equal within the engine's tolerance.
fn are_about_equal(a: f64, b: f64) -> bool {
    const EPSILON: f64 = 0.00001;
    are_equal(a, b) || (a - b).abs() < (a.abs() * EPSILON).max(EPSILON)
}

fn components(value: &Variant) -> [f64; 4] {
    let mut all = [0.0; 4];
    value.with_numbers(|numbers| {
        for (place, number) in
            all.iter_mut().zip(numbers.iter().flat_map(variant_view::Numbers::iter))
        {
            *place = number.to_f64();
        }
    });
    all
}

/// Compares two floats; a NaN is neither less nor greater than anything.
fn by_float(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}
