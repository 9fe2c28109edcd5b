//! What errors say together with what is behind them.

#![cfg(all(feature = "compression", feature = "tokio"))]
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may stop")]

use std::error::Error;
use std::io;

use bytes::BytesMut;
use tokio_util::codec::Decoder as _;
use variant_io::{
    AppendError, ByteOrder, CodecError, Framing, OpenError, OpenOptions, VariantCodec,
    append_value, decompress, open,
};
use variant_owned::{EncodeOptions, Variant};
use variant_view::Dialect;

/// What Godot 2 has no kind for.
fn unwritable() -> AppendError {
    let name = Variant::StringName("name".into());
    append_value(&mut Vec::new(), &name, &EncodeOptions::new(Dialect::Godot2), ByteOrder::Little)
        .unwrap_err()
}

/// A chain of errors is printed line by line: none says again what the one before it said.
#[test]
fn nothing_is_said_twice() {
    let cut = [200, 0, 0, 0, 1];
    let frames = Framing::Frames(ByteOrder::Little);
    let errors: Vec<Box<dyn Error>> = vec![
        Box::new(open("/nowhere/at/all", &OpenOptions::new()).unwrap_err()),
        Box::new(OpenError::from(decompress(b"GCPF", 100).unwrap_err())),
        Box::new(frames.values(&cut).next().unwrap().unwrap_err()),
        Box::new(unwritable()),
        Box::new(CodecError::from(unwritable())),
        Box::new(CodecError::from(io::Error::from(io::ErrorKind::BrokenPipe))),
        Box::new(
            VariantCodec::new(Dialect::Godot4)
                .decode_eof(&mut BytesMut::from(&cut[..]))
                .unwrap_err(),
        ),
    ];
    for error in errors {
        let mut said = error.to_string();
        let mut behind = error.source();
        while let Some(next) = behind {
            assert!(!said.contains(&next.to_string()), "{said}: {next}");
            said = next.to_string();
            behind = next.source();
        }
    }
}
