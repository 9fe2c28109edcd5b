//! Changes the input to the bytes that an engine with defects appears to read (docs/spec/engines.md#defects).

use std::collections::BTreeSet;

use variant_view::{Dialect, Document, Event, Kind, Options, Role};

use super::Departure;

const fn has_defects(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Pandemonium4 | Dialect::Pandemonium5)
}

/// Changes the input, so that a correct reader finds what the engine finds in the original input.
pub(super) fn as_read(
    bytes: &[u8],
    options: Options,
    departures: &mut BTreeSet<Departure>,
) -> Vec<u8> {
    let mut seen = bytes.to_vec();
    if !has_defects(options.dialect) {
        return seen;
    }
    let mut from = 0;
    while let Some((kind, at, len)) = next_misread(&seen, options, from) {
        from = at.saturating_add(len);
        if matches!(kind, Kind::Vector4 | Kind::Vector4i) {
            departures.insert(Departure::Vector4);
            // The engine reads the last word of the value again, as the start of the next value.
            let word = seen.get(from.saturating_sub(4)..from).unwrap_or_default().to_vec();
            drop(seen.splice(from..from, word));
        } else {
            departures.insert(Departure::PoolVector4);
            let elements = seen.get_mut(at.saturating_add(8)..from).unwrap_or_default();
            elements.chunks_exact_mut(16).for_each(|element| element.copy_within(8..12, 12));
        }
    }
    seen
}

/// The first misread value from an offset: its kind, its offset, and its length.
fn next_misread(bytes: &[u8], options: Options, from: usize) -> Option<(Kind, usize, usize)> {
    let document = Document::new(bytes, options);
    document.walk().map_while(Result::ok).find_map(|event| {
        let Event::Leaf(node) = event else { return None };
        let (kind, at) = (node.view.kind(), node.view.offset());
        let is_misread = match kind {
            Kind::Vector4 | Kind::Vector4i => !matches!(node.role(), Role::Root),
            Kind::PackedVector4Array | Kind::PackedVector4iArray => true,
            _ => false,
        };
        let len = node.view.raw_bytes().ok()?.len();
        (is_misread && at >= from).then_some((kind, at, len))
    })
}

/// The number of bytes that a defective reader requires after the header of a Projection.
const WANTED: usize = 248;

/// Whether the engine refuses a Projection because too few bytes follow.
pub(super) fn lacks_projection(document: &Document<'_>) -> bool {
    let behind = |offset: usize| document.bytes().len().saturating_sub(offset).saturating_sub(4);
    has_defects(document.options().dialect)
        && document.walk().flatten().any(|event| {
            matches!(event, Event::Leaf(node) if node.view.kind() == Kind::Projection
                && behind(node.view.offset()) < WANTED)
        })
}

/// Whether the error is a missing count. The engine reads this count beyond the end of the input.
pub(super) fn count_is_unchecked(bytes: &[u8], options: Options, offset: usize) -> bool {
    if options.dialect != Dialect::Pandemonium5 || bytes.len().saturating_sub(offset) >= 4 {
        return false;
    }
    // If a count of 0 is appended, the bytes must end with an array that declares a class.
    let mut longer = bytes.get(..offset).unwrap_or_default().to_vec();
    longer.extend([0; 4]);
    let document = Document::new(&longer, options);
    document.walk().map_while(Result::ok).any(|event| {
        let (Event::Enter(node) | Event::Leaf(node)) = event else { return false };
        let is_typed = matches!(node.view.kind(), Kind::TypedArray | Kind::PackedTypedArray);
        let end = node.view.raw_bytes().map_or(0, <[u8]>::len);
        let length = longer.len().saturating_sub(node.view.offset());
        // Without a class, such an array has only 12 bytes.
        is_typed && end == length && length > 12
    })
}
