//! [`excesses`]: the limits of engines and of servers that a file exceeds.

use variant_view::{Dialect, Limits};

use super::collect::Collected;

/// A limit that a file exceeds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Excess {
    /// The program or peer that has the limit.
    pub(super) of: &'static str,
    pub(super) what: &'static str,
    pub(super) limit: u64,
    pub(super) found: u64,
}

/// The size of the buffer in which packet peers and stream peers encode, in bytes (docs/spec/carriers.md#frames).
const PACKET_BUFFER: u64 = 8 << 20;

/// The limits that a file exceeds.
pub(super) fn excesses(found: &Collected<'_>, dialect: Dialect) -> Vec<Excess> {
    let depth = u64::from(found.depth);
    let engine = match dialect {
        Dialect::Godot2 => None,
        Dialect::Godot3 => Some("Godot 3.3.5 and later"),
        Dialect::Godot4 => Some("Godot 4"),
        _ => Some("every engine of this dialect"),
    };
    let of_engine = engine.map(|of| (of, "depth", u64::from(Limits::ENGINE.depth), depth));
    let others = [
        ("every engine", "bytes of a value", Limits::ENGINE.bytes, found.largest),
        ("packet peers of the engines", "bytes of a value", PACKET_BUFFER, found.largest),
        ("Limits::SERVER", "depth", u64::from(Limits::SERVER.depth), depth),
        ("Limits::SERVER", "bytes of a value", Limits::SERVER.bytes, found.largest),
        ("Limits::SERVER", "values", Limits::SERVER.values, found.most_values),
    ];
    let all = of_engine.into_iter().chain(others);
    let excess = |(of, what, limit, found)| Excess { of, what, limit, found };
    all.map(excess).filter(|excess| excess.found > excess.limit).collect()
}
