//! Error messages, and the chains of their sources.

#![cfg(all(feature = "compression", feature = "encryption", feature = "tokio"))]

use std::error::Error;
use std::fmt;
use std::io;

use bytes::BytesMut;
use tokio_util::codec::Decoder as _;
use variant_io::{
    AppendError, ByteOrder, CodecError, Framing, GcpfReader, Key, OpenError, OpenOptions,
    RewrapError, VariantCodec, append_value, open, open_bytes,
};
use variant_owned::Variant;
use variant_view::Dialect;

/// An error for a value whose kind Godot 2 lacks.
fn unwritable() -> AppendError {
    let name = Variant::StringName("name".into());
    append_value(&mut Vec::new(), &name, Dialect::Godot2, ByteOrder::Little).unwrap_err()
}

/// An error in a chain does not repeat the message of the error before it.
#[test]
fn nothing_is_said_twice() {
    let cut = [200, 0, 0, 0, 1];
    let frames = Framing::Frames(ByteOrder::Little);
    let encrypted = OpenOptions::new().key(Key::from_bytes([0; 32]));
    let errors: Vec<Box<dyn Error>> = vec![
        Box::new(open("/nowhere/at/all", &OpenOptions::new()).unwrap_err()),
        Box::new(open_bytes(b"GCPF".to_vec(), &OpenOptions::new()).unwrap_err()),
        Box::new(open_bytes(b"GDEC".to_vec(), &encrypted).unwrap_err()),
        Box::new(frames.values(&cut).next().unwrap().unwrap_err()),
        Box::new(Framing::Settings.values(b"ECFG").next().unwrap().unwrap_err()),
        Box::new(unwritable()),
        Box::new(CodecError::from(unwritable())),
        Box::new(
            VariantCodec::new(Dialect::Godot4)
                .decode_eof(&mut BytesMut::from(&cut[..]))
                .unwrap_err(),
        ),
    ];
    for error in errors {
        assert!(error.source().is_none(), "{error}: {}", error.source().unwrap());
    }
}

/// An error may print the message of its cause. Then `source()` skips the cause and returns the cause's own source.
#[test]
fn the_chain_goes_on() {
    let failure = || io::Error::other(Failure);
    let gcpf = || GcpfReader::new(Failing, 1).unwrap_err();
    let errors: Vec<Box<dyn Error>> = vec![
        Box::new(CodecError::from(failure())),
        Box::new(OpenError::from(failure())),
        Box::new(OpenError::from(gcpf())),
        Box::new(RewrapError::from(gcpf())),
        Box::new(io::Error::from(gcpf())),
        Box::new(gcpf()),
    ];
    for error in errors {
        assert_eq!(error.to_string(), "it failed");
        assert_eq!(error.source().unwrap().to_string(), "for a reason");
    }
}

/// An error with a source.
#[derive(Debug)]
struct Failure;

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it failed")
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&Reason)
    }
}

#[derive(Debug)]
struct Reason;

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("for a reason")
    }
}

impl Error for Reason {}

/// A reader that always fails.
struct Failing;

impl io::Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other(Failure))
    }
}

impl io::Seek for Failing {
    fn seek(&mut self, _: io::SeekFrom) -> io::Result<u64> {
        Ok(0)
    }
}
