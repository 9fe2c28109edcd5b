//! [`Rule`]: which values are compared, and which values count as equal.

use std::borrow::Cow;

use variant_view::{Document, Error, Number, VariantView};

use crate::plain::Piece;
use crate::query::{Address, Query, Stop, int_and_float, select};

/// Which values are compared, and which values count as equal. By default all values are compared, and reals are the
/// same if they are equal or both NaN.
#[derive(Debug, Default)]
pub struct Rule {
    /// The largest absolute difference of reals that count as the same, also in vectors and packed arrays.
    pub tolerance: f64,
    /// The largest relative difference of reals that count as the same, as a factor of the greater absolute value.
    pub relative: f64,
    /// Whether reals must have the same bits, and whether texts must also have the same bytes after their first NUL. If
    /// set, the tolerances are ignored.
    pub is_exact: bool,
    /// Whether `int` 5 equals `float` 5.0, and whether a `String` equals a `StringName` of the same text.
    pub is_loose: bool,
    /// Whether reordered keys, and reordered elements that `by` matches, are differences. Reordered containers are
    /// counted in either case.
    pub is_ordered: bool,
    /// The key that matches dictionaries in arrays: dictionaries with equal values of this key are compared with each
    /// other. Without a key, elements are matched by position.
    pub by: Option<String>,
    /// Values that are ignored.
    pub ignored: Vec<Query>,
    /// The compared part of each value: the first value that the path selects. Without a path, whole values are
    /// compared.
    pub at: Option<Query>,
    /// The compared part of a file of several values: only the frame or setting that the address names. Cannot be
    /// combined with `at`.
    pub address: Option<Address>,
    /// The maximum number of reported differences; all are counted.
    pub limit: Option<u64>,
}

impl Rule {
    pub(super) fn has_tolerance(&self) -> bool {
        self.tolerance > 0.0 || self.relative > 0.0
    }

    /// Whether two reals are the same. NaN equals NaN, and 0.0 equals -0.0, unless `is_exact`.
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

    pub(super) const fn is_of_part(&self) -> bool {
        self.at.is_some() || self.address.is_some()
    }

    /// The offset and the path of the value to compare, if it exists.
    pub(super) fn start(
        &self,
        document: &Document<'_>,
        piece: &Piece<'_>,
    ) -> Result<Option<(usize, String)>, Error> {
        let part = match &self.address {
            Some(address) => match address.part(piece) {
                Some(part) => Some(part.query),
                None => return Ok(None),
            },
            None => self.at.as_ref().map(Cow::Borrowed),
        };
        let Some(at) = part else { return Ok(Some((0, String::new()))) };
        let found = select(document, &at, |found| {
            let path = if found.path.is_empty() { String::new() } else { found.text() };
            Err((found.start, path))
        });
        match found {
            Ok(()) => Ok(None),
            Err(Stop::Caller(found)) => Ok(Some(found)),
            Err(Stop::Data(error)) => Err(error),
        }
    }

    /// The offsets of the ignored values, sorted.
    pub(super) fn ignored(&self, document: &Document<'_>) -> Result<Vec<usize>, Error> {
        let mut all = Vec::new();
        for query in &self.ignored {
            let found = select(document, query, |found| {
                all.push(found.start);
                Ok::<_, Error>(())
            });
            found.map_err(|stop| match stop {
                Stop::Caller(error) | Stop::Data(error) => error,
            })?;
        }
        all.sort_unstable();
        Ok(all)
    }
}
