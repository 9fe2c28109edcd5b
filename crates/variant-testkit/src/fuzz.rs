//! The bodies of the fuzz targets. They are plain functions: the same checks run as tests on a stable compiler, over
//! the corpus and over the findings of campaigns.
//!
//! Each accepts any bytes and panics if a check fails. `fuzz/fuzz_targets` has a short file for each of [`TARGETS`].

#![allow(
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "the bodies of tests: where something does not hold they stop"
)]

mod arbitrary_value;
mod choice;
#[cfg(feature = "fuzz")]
mod codec;
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
#[cfg(feature = "fuzz")]
mod render;
mod roundtrip;
#[cfg(feature = "fuzz")]
mod seeds;
#[cfg(feature = "fuzz")]
mod structs;
mod text;
mod validated;

pub use arbitrary_value::check_arbitrary_value;
pub use dictionary::dictionary;
pub use hostile_value::check_hostile_value;
#[cfg(feature = "fuzz")]
pub use io::check_io;
#[cfg(feature = "fuzz")]
pub use json::check_json;
#[cfg(feature = "fuzz")]
pub use multiplayer::check_multiplayer;
pub use near_valid::check_near_valid;
pub use packed_arrays::check_packed_align;
pub use padding::check_padding_and_lengths;
#[cfg(feature = "fuzz")]
pub use render::check_render;
pub use roundtrip::{check_roundtrip, check_roundtrip_of};
#[cfg(feature = "fuzz")]
pub use seeds::{regressions, seeds};
#[cfg(feature = "fuzz")]
pub use structs::check_serde;
pub use text::{check_text, check_text_of};
pub use validated::check_validated_access;

use variant_view::{Document, Limits, Options, detect};

use crate::exercise::{exercise, exercise_detect};
use crate::{agree, tape};
use choice::choose;

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, and that of its file in `fuzz/fuzz_targets`.
    pub name: &'static str,
    /// Its body.
    pub check: fn(&[u8]),
    /// Its seeds.
    pub seeds: Seeds,
}

/// The form of a target's input, which determines its seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeds {
    /// Three bytes that pick the options, and a document.
    Documents,
    /// A file.
    Files,
    /// A file, or two bytes that pick how a stream is cut into pieces, and the stream.
    Carriers,
    /// Two bytes that pick the command and its options, and a file.
    Inspected,
    /// A byte that picks the dialect, and a literal as in scripts; if its highest bit is set, choices of a generator
    /// instead.
    Literals,
    /// A byte that picks dialect and form, and JSON; or such a byte, one for the width of reals, and a document.
    Json,
    /// Three bytes that pick the options, one for the kind of the rest, and a packet of Godot 4's multiplayer,
    /// several packets, or a row of compact values.
    Packets,
    /// Choices of a generator: any bytes are as good as others.
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
    Target { name: "render", check: check_render, seeds: Seeds::Inspected },
    Target { name: "multiplayer", check: check_multiplayer, seeds: Seeds::Packets },
    Target { name: "serde", check: check_serde, seeds: Seeds::Documents },
];

/// Calls every entry point on any bytes, and checks the walk: events are balanced, offsets rise, and there are no
/// more events than the bytes can hold.
pub fn check_open_walk(data: &[u8]) {
    if let Some((options, bytes)) = choose(data) {
        exercise(bytes, options);
    }
}

/// Compares lazy views, walk, visitors, validation, tape and owned values with the reference decoder: they find the
/// same values, consume the same bytes, and stop at the same first error.
pub fn check_agree(data: &[u8]) {
    let Some((options, bytes)) = choose(data) else { return };
    agree::check_agree(bytes, options);
    if bytes.len() <= TAPED {
        tape::exercise_tape(&Document::new(bytes, options));
    }
}

/// Comparing a tape with views takes time quadratic in the number of values, at worst.
const TAPED: usize = 4_096;

/// The guesser reads the same bytes in every dialect, and its result for each is its decoder's.
pub fn check_dialects(data: &[u8]) {
    exercise_detect(data);
    let candidates = detect(data);
    let mut best = u32::MAX;
    for candidate in candidates.iter() {
        let options = Options::new(candidate.dialect()).reals(candidate.reals());
        let document = Document::new(data, options.limits(Limits::FILE));
        assert_eq!(candidate.root(), document.root().ok().map(|root| root.kind()), "root");
        assert_eq!(candidate.outcome(), document.validate(), "{}", options.dialect);
        if candidate.is_complete() {
            assert!(candidate.score() <= best, "ranked by score");
            best = candidate.score();
        }
    }
    if let Some(winner) = candidates.clear_winner() {
        assert!(winner.is_complete(), "{winner:?} has won");
    }
}
