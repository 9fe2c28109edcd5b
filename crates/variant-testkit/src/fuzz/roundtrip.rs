//! Fuzz target `roundtrip`.

use variant_owned::{EncodeOptions, Variant, Widths, convert, encode};
use variant_view::{Dialect, Document, Event, Kind, Limits, Options, Profile};

use super::choice::choose;
use super::hostile_value::check_written;
use crate::corpus::dialects;

/// Checks that a readable value can also be written, and that it is read again as the same value.
///
/// Bytes that an engine would write must not change. Other dialects must get bytes that they can read.
pub fn check_roundtrip(data: &[u8]) {
    let Some((options, bytes)) = choose(data) else { return };
    let engine = options.profile(Profile::Engine);
    let document = Document::new(bytes, engine);
    // `from_document` accepts text that breaks the dialect's rule. The engine would refuse it, so `validate` also runs.
    let (Ok(_), Ok(value)) = (document.validate(), Variant::from_document(&document)) else {
        return;
    };
    let encoding =
        EncodeOptions::new(options.dialect).reals(options.reals).depth(options.limits.depth);
    let (written, again) = check_written(&value, encoding);
    let canonical = Document::new(bytes, options.profile(Profile::Canonical));
    if let Ok(summary) = canonical.validate()
        && !has_two_rids(&document)
    {
        assert_eq!(bytes.get(..summary.consumed), Some(&*written), "of the engine's own bytes");
    }
    let text = format!("{value:?}");
    assert_eq!(format!("{again:?}"), text, "read again");
    assert_eq!(format!("{:?}", value.clone()), text, "copied");
    check_written(&value, encoding.widths(Widths::Canonical));
    for to in dialects() {
        check_conversion(&value, to, options.limits.depth);
    }
}

/// Whether the value has two RIDs without ids on the wire. A writer may treat them as two keys, but a reader as one.
fn has_two_rids(document: &Document<'_>) -> bool {
    let is_rid =
        |event: Event<'_>| matches!(event, Event::Leaf(node) if node.view.kind() == Kind::Rid);
    let mut rids = document.walk().flatten().filter(|event| is_rid(*event));
    !document.options().dialect.writes_rids() && rids.nth(1).is_some()
}

fn check_conversion(value: &Variant, to: Dialect, depth: u32) {
    let (converted, report) = convert(value, to).expect("a conversion");
    let counts = report.groups().iter().map(|group| group.count);
    assert_eq!(counts.sum::<u64>(), report.count(), "every change is in a group");
    // A conversion turns some kinds into containers of their parts.
    let encoding = EncodeOptions::new(to).depth(depth.saturating_add(DEEPER));
    let bytes = encode(&converted, encoding).expect("what was converted can be written");
    let options = Options::engine(to).limits(Limits::FILE.depth(depth.saturating_add(DEEPER)));
    let read = Document::new(&bytes, options).root().and_then(|root| root.raw_bytes());
    assert_eq!(read.map(<[u8]>::len), Ok(bytes.len()), "read by {to}");
}

/// The number of levels that a conversion may add.
const DEEPER: u32 = 2;
