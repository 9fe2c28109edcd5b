//! Events and spans of the server, for `tracing`. Without the feature `tracing` the functions are empty.
//!
//! | level | event or span |
//! |---|---|
//! | `WARN` | a refused packet; packets that were dropped by overload, once a second; an authentication that failed |
//! | `INFO` | a peer that was admitted, or is no longer connected |
//! | `DEBUG` | a connection before its admission; rooms; the span of a call |
//! | `TRACE` | the span of a packet |

#![cfg_attr(
    not(feature = "tracing"),
    allow(unused_variables, clippy::unused_self, reason = "only events use them")
)]

use std::fmt::Debug;
use std::net::SocketAddr;
#[cfg(feature = "tracing")]
use std::time::Duration;
use std::time::Instant;

use super::stats::Stats;
use super::{Call, Refusal};
use crate::peer::PeerId;
use crate::transport::Departure;

/// An event with the target of the crate, so that a filter need not name a module.
#[cfg(feature = "tracing")]
macro_rules! event {
    ($level:ident, $peer:expr, $($fields:tt)*) => {
        tracing::event!(
            target: "variant_multiplayer",
            tracing::Level::$level,
            peer = $peer.get(),
            $($fields)*
        )
    };
}

#[cfg(not(feature = "tracing"))]
macro_rules! event {
    ($($fields:tt)*) => {};
}

pub(super) fn connected(peer: PeerId, address: Option<SocketAddr>) {
    event!(DEBUG, peer, address = address.map(tracing::field::display), "connected");
}

pub(super) fn admitted(peer: PeerId, address: Option<SocketAddr>) {
    event!(INFO, peer, address = address.map(tracing::field::display), "admitted");
}

pub(super) fn refused(peer: PeerId, refusal: &Refusal) {
    event!(WARN, peer, %refusal, "refused");
}

/// A peer has disconnected, before or after its admission.
pub(super) fn gone(peer: PeerId, was_admitted: bool, why: Departure, stats: &Stats) {
    if was_admitted {
        event!(
            INFO,
            peer,
            %why,
            packets_received = stats.packets_received,
            bytes_received = stats.bytes_received,
            packets_sent = stats.packets_sent,
            bytes_sent = stats.bytes_sent,
            refusals = stats.refusals,
            skipped = stats.skipped,
            round_trip = stats.round_trip.map(tracing::field::debug),
            "disconnected"
        );
    } else {
        event!(WARN, peer, %why, "authentication failed");
    }
}

pub(super) fn joined(peer: PeerId, room: impl Debug) {
    event!(DEBUG, peer, ?room, "joined a room");
}

pub(super) fn left(peer: PeerId, room: impl Debug) {
    event!(DEBUG, peer, ?room, "left a room");
}

/// Runs the handling of a packet in a span.
#[inline]
pub(super) fn in_packet<T>(peer: PeerId, bytes: &[u8], handle: impl FnOnce() -> T) -> T {
    #[cfg(feature = "tracing")]
    let _span = tracing::trace_span!(
        target: "variant_multiplayer", "packet", peer = peer.get(), bytes = bytes.len()
    )
    .entered();
    handle()
}

/// Runs the handler's method for a call in a span.
#[inline]
pub(super) fn in_call<T>(call: Call<'_>, handle: impl FnOnce(Call<'_>) -> T) -> T {
    #[cfg(feature = "tracing")]
    let _span = tracing::debug_span!(
        target: "variant_multiplayer",
        "call",
        peer = call.from.get(),
        node = call.node,
        method = call.method
    )
    .entered();
    handle(call)
}

/// Counts the refusals of one peer's packets that are not offences. The log reports them at most once a second, since
/// each packet may cause a refusal.
#[derive(Debug, Default)]
pub(super) struct Excused {
    #[cfg(feature = "tracing")]
    packets: u64,
    #[cfg(feature = "tracing")]
    reported: Option<Instant>,
}

impl Excused {
    pub(super) fn count(&mut self, peer: PeerId, refusal: &Refusal, now: Instant) {
        #[cfg(feature = "tracing")]
        {
            self.packets = self.packets.saturating_add(1);
            let since = self.reported.map(|last| now.saturating_duration_since(last));
            if since.is_none_or(|since| since >= Duration::from_secs(1)) {
                event!(WARN, peer, %refusal, packets = self.packets, "dropped");
                (self.packets, self.reported) = (0, Some(now));
            }
        }
    }
}
