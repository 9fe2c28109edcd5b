//! Fuzz target `roundtrip`.

use variant_owned::{EncodeOptions, Variant, Widths, convert, encode, encoded_len};
use variant_view::{Dialect, Document, Event, Kind, Limits, Options, Profile};

use super::choice::choose;
use crate::corpus::dialects;

/// A value that can be read can be written, and reads as the same.
///
/// An engine's own bytes are written byte for byte; every other dialect gets bytes that it can read.
pub fn check_roundtrip(data: &[u8]) {
    if let Some((options, bytes)) = choose(data) {
        check_roundtrip_of(bytes, options);
    }
}

/// As [`check_roundtrip`], of a document.
pub fn check_roundtrip_of(bytes: &[u8], options: Options) {
    let engine = options.profile(Profile::Engine);
    let document = Document::new(bytes, engine);
    // Text that breaks the dialect's rule can be read, but no engine would read it again.
    let (Ok(_), Ok(value)) = (document.validate(), Variant::from_document(&document)) else {
        return;
    };
    let encoding =
        EncodeOptions::new(options.dialect).reals(options.reals).depth(options.limits.depth);
    let written = encode(&value, encoding).expect("what was read can be written");
    assert_eq!(encoded_len(&value, encoding).ok(), Some(written.len()), "length");

    let canonical = Document::new(bytes, options.profile(Profile::Canonical));
    if let Ok(summary) = canonical.validate()
        && !has_two_rids(&document)
    {
        assert_eq!(bytes.get(..summary.consumed), Some(&*written), "of the engine's own bytes");
    }
    let reading = engine.limits(Limits::FILE.depth(options.limits.depth));
    let again =
        Variant::from_document(&Document::new(&written, reading)).expect("what was written");
    let text = format!("{value:?}");
    assert_eq!(format!("{again:?}"), text, "read again");
    assert_eq!(format!("{:?}", value.clone()), text, "copied");
    assert_eq!(encode(&again, encoding).as_ref(), Ok(&written), "written again");
    check_canonical_widths(&value, encoding, reading);
    for to in dialects() {
        check_conversion(&value, to, options.limits.depth);
    }
}

/// Whether there are two RIDs. They may be two keys to a writer and one to a reader, since their ids are not written.
fn has_two_rids(document: &Document<'_>) -> bool {
    let is_rid =
        |event: Event<'_>| matches!(event, Event::Leaf(node) if node.view.kind() == Kind::Rid);
    let mut rids = document.walk().flatten().filter(|event| is_rid(*event));
    !document.options().dialect.writes_rids() && rids.nth(1).is_some()
}

/// Once read, the value is written in the same canonical widths.
fn check_canonical_widths(value: &Variant, encoding: EncodeOptions, reading: Options) {
    let encoding = encoding.widths(Widths::Canonical);
    let bytes = encode(value, encoding).expect("in the writer's widths");
    assert_eq!(encoded_len(value, encoding).ok(), Some(bytes.len()), "length");
    let read = Variant::from_document(&Document::new(&bytes, reading)).expect("what was written");
    assert_eq!(encode(&read, encoding).as_ref(), Ok(&bytes), "written again");
}

fn check_conversion(value: &Variant, to: Dialect, depth: u32) {
    let (converted, report) = convert(value, to).expect("a conversion");
    let counts = report.groups().iter().map(|group| group.count);
    assert_eq!(counts.sum::<u64>(), report.count(), "every change is in a group");
    // Some kinds become containers of their parts.
    let encoding = EncodeOptions::new(to).depth(depth.saturating_add(DEEPER));
    let bytes = encode(&converted, encoding).expect("what was converted can be written");
    let options = Options::new(to).limits(Limits::FILE.depth(depth.saturating_add(DEEPER)));
    let read = Document::new(&bytes, options).root().and_then(|root| root.raw_bytes());
    assert_eq!(read.map(<[u8]>::len), Ok(bytes.len()), "read by {to}");
}

/// The number of levels that a conversion may add.
const DEEPER: u32 = 2;
