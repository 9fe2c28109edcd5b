//! [`Width`]: 32 or 64 bits.

/// The width of a number on the wire.
///
/// ```
/// use variant_view::{Dialect, Document, VariantView, Width};
///
/// let wide = [2, 0, 1, 0, 7, 0, 0, 0, 0, 0, 0, 0]; // 7 in 64 bits
/// let VariantView::Int(int) = Document::new(&wide, Dialect::Godot4).root()? else { panic!() };
/// assert_eq!((int.width(), int.width().bytes()), (Width::W64, 8));
/// # Ok::<(), variant_view::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// 32 bits.
    W32,
    /// 64 bits.
    W64,
}

impl Width {
    /// The width in bytes: 4 or 8.
    pub const fn bytes(self) -> usize {
        match self {
            Self::W32 => 4,
            Self::W64 => 8,
        }
    }
}
