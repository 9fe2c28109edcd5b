//! [`Rule`]: which values are the same.

use variant_view::{Number, VariantView};

use crate::cli::DiffArgs;
use variant_document::query::int_and_float;

/// What the arguments take as the same.
#[derive(Debug)]
pub(super) struct Rule {
    tolerance: f64,
    relative: f64,
    pub(super) is_exact: bool,
    pub(super) is_loose: bool,
    /// The key whose value matches the elements of arrays.
    pub(super) by: Option<String>,
}

impl Rule {
    pub(super) fn of(args: &DiffArgs) -> Self {
        Self {
            tolerance: args.tolerance,
            relative: args.relative,
            is_exact: args.exact,
            is_loose: args.loose,
            by: args.by.clone(),
        }
    }

    pub(super) fn has_tolerance(&self) -> bool {
        self.tolerance > 0.0 || self.relative > 0.0
    }

    /// Whether two reals are the same. NaN is the same as NaN, and 0.0 as -0.0, unless it must be exact.
    pub(super) fn reals(&self, old: f64, new: f64) -> bool {
        if self.is_exact {
            return old.to_bits() == new.to_bits();
        }
        let are_equal = old.partial_cmp(&new).is_some_and(std::cmp::Ordering::is_eq);
        if are_equal || old.is_nan() && new.is_nan() {
            return true;
        }
        let distance = (old - new).abs();
        let greater = old.abs().max(new.abs());
        distance.is_finite() && (distance <= self.tolerance || distance <= self.relative * greater)
    }

    /// Whether two numbers of a vector or a packed array are the same.
    pub(super) fn numbers(&self, old: Number, new: Number) -> bool {
        match (old, new) {
            (Number::Int(old), Number::Int(new)) => old == new,
            (Number::Int(_), _) | (_, Number::Int(_)) => false,
            (old, new) => self.reals(old.to_f64(), new.to_f64()),
        }
    }

    /// Whether an `int` and a `float` are the same, in either order.
    pub(super) fn int_and_float(&self, int: i64, float: f64, view: &VariantView<'_>) -> bool {
        let is_near = || view.as_f64().is_ok_and(|int| self.reals(int, float));
        self.is_loose
            && (int_and_float(int, float).is_some_and(std::cmp::Ordering::is_eq)
                || self.has_tolerance() && is_near())
    }
}
