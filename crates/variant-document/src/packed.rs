//! Elements of packed arrays, as values.

use variant_owned::{EncodeOptions, Variant, encode};
use variant_view::{Elements, Options, VariantView};

use crate::nested::Nested;

/// The elements of a packed array, if paths lead to them. A byte array with a value inside leads to this value instead.
/// O(1); O(bytes) for a byte array.
pub(crate) fn elements<'a>(view: &VariantView<'a>, options: Options) -> Option<Elements<'a>> {
    view.elements().filter(|_| Nested::of(view, options).is_none())
}

/// An element as a document of its kind, since an element has no header. O(bytes).
pub(crate) fn document_bytes(element: &VariantView<'_>, options: Options) -> Vec<u8> {
    let encoding = EncodeOptions::new(options.dialect).reals(options.reals);
    // A dialect that has an array also has the kind of its elements.
    let bytes = Variant::from_producer(*element).map(|value| encode(&value, encoding));
    bytes.ok().and_then(Result::ok).unwrap_or_default()
}
