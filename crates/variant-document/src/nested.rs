//! [`Nested`]: a value inside a byte array, as `var_to_bytes` of scripts returns it.

use variant_io::{ByteOrder, Framing};
use variant_view::{Document, Kind, Limits, Options, Profile, VariantView};

/// The deepest nesting of byte arrays that is examined. Each level reads its bytes once more.
pub const MOST_NESTED: usize = 4;

/// A value that fills a byte array.
#[derive(Clone, Copy, Debug)]
pub struct Nested<'a> {
    /// The value, up to its end.
    pub document: Document<'a>,
    /// The offset of the value in the document with the array.
    pub start: usize,
    /// The framing of the value in the array: bare, or after a length prefix.
    pub framing: Framing,
    /// The kind of the value.
    pub kind: Kind,
}

/// The size of a length prefix in bytes.
const WORD: usize = 4;

impl<'a> Nested<'a> {
    /// The value inside `view`, if `view` is a byte array that one value fills, bare or in a frame. O(bytes of the
    /// array).
    pub fn of(view: &VariantView<'a>, options: Options) -> Option<Self> {
        let VariantView::PackedByteArray(packed) = view else { return None };
        let bytes = packed.as_bytes();
        // The elements of the array come after its header and its count.
        let start = view.offset().saturating_add(2 * WORD);
        let options = options.profile(Profile::Engine).limits(Limits::FILE);
        let frame = Framing::Frames(ByteOrder::Little);
        let framed = frame.values(bytes).next().and_then(Result::ok);
        let framed = framed
            .map(|value| value.bytes)
            .filter(|inner| inner.len().saturating_add(WORD) == bytes.len() && inner.len() > WORD);
        let in_frame = framed.and_then(|inner| {
            let kind = fills(inner, options)?;
            let start = start.saturating_add(WORD);
            Some(Self { document: Document::new(inner, options), start, framing: frame, kind })
        });
        in_frame.or_else(|| {
            let kind = fills(bytes, options).filter(|kind| is_telling(*kind, bytes))?;
            let document = Document::new(bytes, options);
            Some(Self { document, start, framing: Framing::Bare, kind })
        })
    }

    /// A description: `Dictionary`, or `Dictionary in a frame`.
    pub fn describe(&self) -> String {
        let framed = if self.framing == Framing::Bare { "" } else { " in a frame" };
        format!("{}{framed}", self.kind)
    }
}

/// Whether values of the kind may have children.
pub(crate) const fn is_open(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Dictionary | Kind::Array | Kind::TypedArray | Kind::PackedTypedArray | Kind::Object
    )
}

/// The kind of the value that fills the bytes exactly; `None` if there is no such value.
fn fills(bytes: &[u8], options: Options) -> Option<Kind> {
    let document = Document::new(bytes, options);
    let kind = document.root().ok()?.kind();
    let summary = document.validate().ok()?;
    (summary.consumed == bytes.len()).then_some(kind)
}

/// Whether the bytes are probably a value. A few bytes that decode as a number are usually something else.
fn is_telling(kind: Kind, bytes: &[u8]) -> bool {
    is_open(kind) || bytes.len() > 4 * WORD
}

#[cfg(test)]
mod tests {
    use variant_view::Dialect;

    use super::*;

    /// The value in a byte array with these bytes, as Godot 4 reads it.
    fn nested(bytes: &[u8]) -> Option<(usize, Framing, Kind)> {
        let len = u32::try_from(bytes.len()).unwrap().to_le_bytes();
        let mut outer = [&[29, 0, 0, 0][..], &len, bytes].concat();
        outer.resize(outer.len().next_multiple_of(4), 0);
        let document = Document::new(&outer, Dialect::Godot4);
        let nested = Nested::of(&document.root().unwrap(), *document.options());
        nested.map(|nested| (nested.start, nested.framing, nested.kind))
    }

    #[test]
    fn a_value_in_bytes_is_found() {
        let array = [28, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(nested(&array), Some((8, Framing::Bare, Kind::Array)));
        let framed = [&[12, 0, 0, 0][..], &array].concat();
        assert_eq!(nested(&framed), Some((12, Framing::Frames(ByteOrder::Little), Kind::Array)));
        let int = [8, 0, 0, 0, 2, 0, 0, 0, 50, 0, 0, 0];
        assert_eq!(nested(&int), Some((12, Framing::Frames(ByteOrder::Little), Kind::Int)));
    }

    #[test]
    fn other_bytes_are_bytes() {
        let array = [28, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
        for bytes in [
            &[][..],
            &[0; 4],
            &[0; 64],
            &[2, 0, 0, 0, 7, 0, 0, 0],
            &[4, 0, 0, 0, 0, 0, 0, 0],
            &array[..11],
            &[&array[..], &[0; 4]].concat(),
            b"\x89PNG\r\n\x1a\n",
        ] {
            assert_eq!(nested(bytes), None, "{bytes:?}");
        }
    }
}
