//! [`Reals`] and [`RealVec`]: mathematical values in the width in which they stood on the wire.

use variant_view::{MathView, Real, RealPool, Width};

/// A mathematical value made of reals, in `f32` or, from a double-precision build, in `f64`.
#[derive(Clone, Debug, PartialEq)]
pub enum Reals<T: Real> {
    /// In `f32`.
    Single(T),
    /// In `f64`.
    Double(Box<T::Double>),
}

impl<T: Real> Reals<T> {
    /// In `f64`.
    pub fn double(value: T::Double) -> Self {
        Self::Double(Box::new(value))
    }

    /// The value in `f32`; wider reals are rounded. O(1).
    pub fn f32(&self) -> T {
        match self {
            Self::Single(value) => *value,
            Self::Double(value) => T::narrow(**value),
        }
    }

    /// The value in `f64`, exact. O(1).
    pub fn f64(&self) -> T::Double {
        match self {
            Self::Single(value) => value.widen(),
            Self::Double(value) => **value,
        }
    }

    /// The width.
    pub const fn width(&self) -> Width {
        match self {
            Self::Single(_) => Width::W32,
            Self::Double(_) => Width::W64,
        }
    }
}

impl<T: Real> From<T> for Reals<T> {
    fn from(value: T) -> Self {
        Self::Single(value)
    }
}

impl<T: Real> From<&MathView<'_, T>> for Reals<T> {
    fn from(view: &MathView<'_, T>) -> Self {
        match view.width() {
            Width::W32 => Self::Single(view.f32()),
            Width::W64 => Self::double(view.f64()),
        }
    }
}

/// The elements of a packed array of real vectors, in `f32` or in `f64`. 24 bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum RealVec<T: Real> {
    /// In `f32`.
    Single(Vec<T>),
    /// In `f64`.
    Double(Box<Vec<T::Double>>),
}

impl<T: Real> RealVec<T> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            Self::Single(elements) => elements.len(),
            Self::Double(elements) => elements.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The width.
    pub const fn width(&self) -> Width {
        match self {
            Self::Single(_) => Width::W32,
            Self::Double(_) => Width::W64,
        }
    }

    /// Element `index` in `f32`; wider reals are rounded. O(1).
    pub fn get(&self, index: usize) -> Option<T> {
        match self {
            Self::Single(elements) => elements.get(index).copied(),
            Self::Double(elements) => elements.get(index).copied().map(T::narrow),
        }
    }

    /// Element `index` in `f64`, exact. O(1).
    pub fn get_f64(&self, index: usize) -> Option<T::Double> {
        match self {
            Self::Single(elements) => elements.get(index).copied().map(T::widen),
            Self::Double(elements) => elements.get(index).copied(),
        }
    }
}

impl<T: Real> RealVec<T> {
    /// The elements in `f64`, exact.
    pub fn iter_f64(&self) -> impl Iterator<Item = T::Double> + '_ {
        (0..self.len()).filter_map(|index| self.get_f64(index))
    }
}

impl<T: Real> From<Vec<T>> for RealVec<T> {
    fn from(elements: Vec<T>) -> Self {
        Self::Single(elements)
    }
}

impl<T: Real> From<&RealPool<'_, T>> for RealVec<T> {
    fn from(view: &RealPool<'_, T>) -> Self {
        match view.as_f64() {
            None => Self::Single(view.iter().collect()),
            Some(wide) => Self::Double(Box::new(wide.iter().collect())),
        }
    }
}
