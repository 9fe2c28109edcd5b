//! [`MathValue`] and [`RealVec`]: mathematical values in their width on the wire.

use std::ops::Range;

use variant_view::bytemuck::Zeroable;
use variant_view::{MathView, PackedReals, Width, Wire};

/// A mathematical value made of reals, in `f32` or `f64`. Double-precision builds write `f64`.
///
/// ```
/// use variant_owned::Variant;
/// use variant_view::{Vector2, Width};
///
/// let value = Variant::from(Vector2 { x: 0.1_f64, y: 2.0 }); // of a double-precision build
/// let Variant::Vector2(at) = value else { panic!("a Vector2") };
/// assert_eq!((at.width(), at.f64().x), (Width::W64, 0.1));
/// assert_eq!(at.f32().x, 0.1_f32); // rounded
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum MathValue<T: Wire> {
    /// In `f32`.
    Single(T),
    /// In `f64`.
    Double(Box<T::Double>),
}

impl<T: Wire> MathValue<T> {
    /// In `f64`. Allocates.
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

impl<T: Wire> From<T> for MathValue<T> {
    fn from(value: T) -> Self {
        Self::Single(value)
    }
}

impl<T: Wire> From<&MathView<'_, T>> for MathValue<T> {
    fn from(view: &MathView<'_, T>) -> Self {
        match view.width() {
            Width::W32 => Self::Single(view.f32()),
            Width::W64 => Self::double(view.f64()),
        }
    }
}

/// The elements of a packed array of real vectors, in `f32` or in `f64`. 24 bytes.
///
/// ```
/// use variant_owned::{RealVec, Variant};
/// use variant_view::Vector2;
///
/// let path = Variant::from([Vector2 { x: 1.0_f32, y: 2.0 }, Vector2 { x: 3.0, y: 4.0 }]);
/// let points: &RealVec<Vector2> = path.as_vector2s().unwrap();
/// assert_eq!(points.get(1).map(|point| point.y), Some(4.0));
/// assert_eq!(points.iter().map(|point| point.x).sum::<f32>(), 4.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum RealVec<T: Wire> {
    /// In `f32`.
    Single(Vec<T>),
    /// In `f64`.
    Double(Box<Vec<T::Double>>),
}

impl<T: Wire> RealVec<T> {
    /// The number of elements.
    pub fn len(&self) -> usize {
        match self {
            Self::Single(elements) => elements.len(),
            Self::Double(elements) => elements.len(),
        }
    }

    /// Whether the array is empty.
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

    /// The elements, if they are `f32`. O(1).
    ///
    /// ```
    /// use variant_owned::RealVec;
    /// use variant_view::Vector2;
    ///
    /// let single = RealVec::from(vec![Vector2 { x: 1.0, y: 2.0 }]);
    /// assert!(single.as_f32().is_some() && single.as_f64().is_none());
    /// let wide: RealVec<Vector2> = RealVec::Double(Box::new(vec![Vector2 { x: 0.1, y: 0.2 }]));
    /// assert!(wide.as_f32().is_none()); // `iter` and `into_f32` round
    /// ```
    pub fn as_f32(&self) -> Option<&[T]> {
        match self {
            Self::Single(elements) => Some(elements),
            Self::Double(_) => None,
        }
    }

    /// The elements, if they are `f64`. O(1).
    pub fn as_f64(&self) -> Option<&[T::Double]> {
        match self {
            Self::Single(_) => None,
            Self::Double(elements) => Some(elements),
        }
    }

    /// The elements in `f32`; wider reals are rounded.
    pub fn iter(&self) -> RealVecIter<'_, T> {
        RealVecIter { elements: self, left: 0..self.len() }
    }

    /// The elements in `f64`, exact.
    ///
    /// ```
    /// use variant_owned::RealVec;
    /// use variant_view::Vector2;
    ///
    /// let points: RealVec<Vector2> = RealVec::Double(Box::new(vec![Vector2 { x: 0.1, y: 0.2 }]));
    /// assert_eq!(points.iter_f64().next().map(|point| point.x), Some(0.1));
    /// assert_eq!(points.into_f32()[0].x, 0.1_f32);
    /// ```
    pub fn iter_f64(
        &self,
    ) -> impl ExactSizeIterator<Item = T::Double> + DoubleEndedIterator + Clone + '_ {
        (0..self.len()).map(|index| self.get_f64(index).unwrap_or(Zeroable::zeroed()))
    }

    /// The elements in `f32`; wider reals are rounded. O(1) for `f32`, O(elements) for wider reals.
    pub fn into_f32(self) -> Vec<T> {
        match self {
            Self::Single(elements) => elements,
            Self::Double(elements) => elements.into_iter().map(T::narrow).collect(),
        }
    }
}

/// Iterator of [`RealVec::iter`]. A step costs O(1).
#[derive(Clone, Debug)]
pub struct RealVecIter<'v, T: Wire> {
    elements: &'v RealVec<T>,
    left: Range<usize>,
}

impl<T: Wire> Iterator for RealVecIter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.elements.get(self.left.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<T> {
        self.elements.get(self.left.nth(n)?)
    }
}

impl<T: Wire> DoubleEndedIterator for RealVecIter<'_, T> {
    fn next_back(&mut self) -> Option<T> {
        self.elements.get(self.left.next_back()?)
    }
}

impl<T: Wire> ExactSizeIterator for RealVecIter<'_, T> {}
impl<T: Wire> std::iter::FusedIterator for RealVecIter<'_, T> {}

impl<'v, T: Wire> IntoIterator for &'v RealVec<T> {
    type Item = T;
    type IntoIter = RealVecIter<'v, T>;

    fn into_iter(self) -> RealVecIter<'v, T> {
        self.iter()
    }
}

impl<T: Wire> From<Vec<T>> for RealVec<T> {
    fn from(elements: Vec<T>) -> Self {
        Self::Single(elements)
    }
}

impl<T: Wire> From<&PackedReals<'_, T>> for RealVec<T> {
    fn from(view: &PackedReals<'_, T>) -> Self {
        match view.as_f64() {
            None => Self::Single(view.iter().collect()),
            Some(wide) => Self::Double(Box::new(wide.iter().collect())),
        }
    }
}
