//! The bodies of the fuzz targets. They are plain functions, so that the same checks also run as tests on a stable
//! compiler, over the corpus and over the findings of campaigns.
//!
//! Each body accepts any bytes, and panics if a check fails. `fuzz/fuzz_targets` and `fuzz/outer/fuzz_targets` have a
//! short file for each of [`TARGETS`].

mod arbitrary_value;
mod choice;
#[cfg(feature = "fuzz")]
mod codec;
#[cfg(feature = "fuzz")]
mod debugger;
mod dictionary;
mod fields;
mod hostile_value;
#[cfg(feature = "fuzz")]
mod io;
#[cfg(feature = "fuzz")]
mod json;
#[cfg(feature = "fuzz")]
mod multiplayer;
mod near_valid;
mod packed_arrays;
mod padding;
#[cfg(feature = "inspect")]
mod render;
mod roundtrip;
#[cfg(feature = "fuzz")]
mod seeds;
#[cfg(feature = "fuzz")]
mod server;
#[cfg(feature = "fuzz")]
mod structs;
mod text;
mod validated;

pub use arbitrary_value::check_arbitrary_value;
pub use dictionary::dictionary;
pub use hostile_value::check_hostile_value;
pub use near_valid::{check_near_valid, near_valid};
pub use packed_arrays::check_packed_align;
pub use padding::check_padding_and_lengths;
#[cfg(feature = "inspect")]
pub use render::check_render;
pub use roundtrip::check_roundtrip;
pub use text::{check_text, check_text_of};
pub use validated::check_validated_access;
/// The body is in the crate of the C interface, because its calls are `unsafe`.
#[cfg(feature = "fuzz")]
pub use variant::fuzz::check_c_interface;
#[cfg(feature = "fuzz")]
pub use {
    debugger::check_debugger,
    io::check_io,
    json::check_json,
    multiplayer::check_multiplayer,
    seeds::{regressions, seeds},
    server::check_server,
    structs::check_serde,
};

use variant_view::Document;
#[cfg(feature = "fuzz")]
use variant_view::{Limits, Options};

use crate::exercise::exercise;
use crate::{agree, tape};
use choice::choose;

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of the target, and of its file.
    pub name: &'static str,
    /// The body of the target.
    pub check: fn(&[u8]),
    /// The seeds of the target.
    pub seeds: Seeds,
}

/// The form of a target's input, which determines its seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeds {
    /// Three bytes that pick the options, and a document.
    Documents,
    /// A file.
    Files,
    /// A file. Or two bytes that pick how a stream is cut into pieces, and the stream.
    Carriers,
    /// Two bytes that pick the command and its options, and a file.
    Inspected,
    /// A byte that picks the dialect, and a literal of a script. If the highest bit of the byte is set, choices of a
    /// generator replace the literal.
    Literals,
    /// Two parts: a byte that picks the dialect and the form, and JSON. Or three parts: a byte that picks only the
    /// dialect, a byte for the width of reals, and a document.
    Json,
    /// Three bytes that pick the options, a byte for the kind of the rest, and the rest. The rest is a packet of Godot
    /// 4's multiplayer, several packets, or a row of compact values.
    Packets,
    /// Two bytes that pick the side, the family and how the stream is cut into pieces, and the stream of a debugger or of
    /// its game.
    Debugged,
    /// A byte that picks the options of a server, and five bytes for each step of a simulation.
    Scripts,
    /// Calls of the C interface, as [`check_c_interface`] describes them, and the bytes that they read.
    Calls,
    /// Choices of a generator. All bytes are valid choices.
    Choices,
}

/// All targets.
#[cfg(feature = "fuzz")]
pub const TARGETS: &[Target] = &[
    Target { name: "open_walk", check: check_open_walk, seeds: Seeds::Documents },
    Target { name: "agree", check: check_agree, seeds: Seeds::Documents },
    Target { name: "validated_access", check: check_validated_access, seeds: Seeds::Documents },
    Target { name: "roundtrip", check: check_roundtrip, seeds: Seeds::Documents },
    Target { name: "arbitrary_value", check: check_arbitrary_value, seeds: Seeds::Choices },
    Target { name: "near_valid", check: check_near_valid, seeds: Seeds::Choices },
    Target { name: "padding_and_lengths", check: check_padding_and_lengths, seeds: Seeds::Choices },
    Target { name: "packed_align", check: check_packed_align, seeds: Seeds::Choices },
    Target { name: "dialects", check: check_dialects, seeds: Seeds::Files },
    Target { name: "text", check: check_text, seeds: Seeds::Literals },
    Target { name: "json", check: check_json, seeds: Seeds::Json },
    Target { name: "io", check: check_io, seeds: Seeds::Carriers },
    #[cfg(feature = "inspect")]
    Target { name: "render", check: check_render, seeds: Seeds::Inspected },
    Target { name: "multiplayer", check: check_multiplayer, seeds: Seeds::Packets },
    Target { name: "debugger", check: check_debugger, seeds: Seeds::Debugged },
    Target { name: "server", check: check_server, seeds: Seeds::Scripts },
    Target { name: "serde", check: check_serde, seeds: Seeds::Documents },
    Target { name: "c_interface", check: check_c_interface, seeds: Seeds::Calls },
];

/// Calls every entry point on any bytes, and checks the walk. Events must be balanced, offsets must rise, and the
/// number of events must fit the bytes.
pub fn check_open_walk(data: &[u8]) {
    if let Some((options, bytes)) = choose(data) {
        exercise(bytes, options);
    }
}

/// Compares lazy views, walk, visitors, validation, tape and owned values with the reference decoder. All readers must
/// find the same values, consume the same bytes, and stop at the same first error.
pub fn check_agree(data: &[u8]) {
    let Some((options, bytes)) = choose(data) else { return };
    agree::check_agree(bytes, options);
    if bytes.len() <= TAPED {
        tape::exercise_tape(&Document::new(bytes, options));
    }
}

/// The maximum size of a document whose tape is compared with views. The comparison takes time quadratic in the number
/// of values, at worst.
const TAPED: usize = 4_096;

/// Checks the detection of dialects, which reads the bytes in every dialect. Its result for a dialect must equal the
/// decoder's result in this dialect.
#[cfg(feature = "fuzz")]
pub fn check_dialects(data: &[u8]) {
    let guess = variant_io::Framing::Bare.examine(data);
    let mut best = u32::MAX;
    for fit in guess.dialects().iter() {
        let options = Options::engine(fit.dialect()).reals(fit.reals());
        let document = Document::new(data, options.limits(Limits::FILE));
        assert_eq!(fit.outcome(), document.validate(), "{}", options.dialect);
        assert!(fit.reasons().all(|reason| !reason.to_string().is_empty()), "a reason");
        if fit.is_complete() {
            assert!(fit.score() <= best, "ranked by score");
            best = fit.score();
        }
    }
}
