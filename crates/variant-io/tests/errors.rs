//! Error messages, and the chains of their sources.

#![cfg(all(feature = "compression", feature = "encryption", feature = "tokio"))]

use std::error::Error;
use std::fmt;
use std::io;

use bytes::BytesMut;
use tokio_util::codec::{Decoder as _, Encoder as _};
use variant_io::{
    AppendError, ByteOrder, CodecError, Encryption, Framing, GcpfReader, Key, OpenError,
    OpenOptions, Oversize, RewrapError, VariantCodec, append_value, decrypt, open, open_bytes,
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

/// Messages of errors without a cause.
#[test]
fn errors_say_what_is_wrong() {
    let lacking = "(root): there is no StringName in this dialect (godot2)";
    let not_encrypted = decrypt(b"", &Key::from_bytes([0; 32]), 0).unwrap_err();
    let codec = VariantCodec::new(Dialect::Godot4).max_len(4);
    let too_long = codec.clone().encode(&[0_u8; 8][..], &mut BytesMut::new()).unwrap_err();
    let cut = codec
        .oversize(Oversize::Skip)
        .decode_eof(&mut BytesMut::from(&b"\x08\0\0\0ab"[..]))
        .unwrap_err();
    let errors: [(Box<dyn Error>, &str); 10] = [
        (Box::new(AppendError::NotAlone), "a bare file holds one value; write several as frames"),
        (Box::new(AppendError::NoName), "the setting has no name; settings need one"),
        (Box::new(AppendError::TooMany), "too many settings: a file holds at most 4294967295"),
        (Box::new(unwritable()), lacking),
        (Box::new(CodecError::from(unwritable())), lacking),
        (Box::new(too_long), "a value of 8 bytes exceeds the limit of 4 bytes for a sent frame"),
        (
            Box::new(cut),
            "byte 6 of the stream: the stream ended inside a skipped frame, 6 bytes are missing",
        ),
        (
            Box::new(RewrapError::NoKey(Encryption::Ecb)),
            "encrypted with aes256-ecb; a key or a password is needed",
        ),
        (
            Box::new(RewrapError::NoKey(Encryption::Cfb([7; 16]))),
            "encrypted with aes256-cfb; a key or a password is needed",
        ),
        (
            Box::new(RewrapError::from(not_encrypted)),
            "not an encrypted file: it does not start with GDEC",
        ),
    ];
    for (error, text) in errors {
        assert_eq!(error.to_string(), text);
        assert!(error.source().is_none(), "{text}");
    }
}

/// The errors of typed values have no cause. A received value has its place in the stream.
#[cfg(feature = "serde")]
#[test]
fn values_that_are_not_of_the_type_are_errors() {
    use variant_io::TypedCodec;

    // "a", as Godot 3 writes it
    let mut stream = BytesMut::from(&b"\x0c\0\0\0\x04\0\0\0\x01\0\0\0a\0\0\0"[..]);
    let mut bytes = TypedCodec::<u8>::new(VariantCodec::new(Dialect::Godot3));
    let error = bytes.decode(&mut stream).unwrap_err();
    let text = "the value that ends at byte 16 of the stream: expected u8, found String at byte 0";
    assert_eq!(error.to_string(), text);
    assert!(error.source().is_none());
    let mut words = TypedCodec::<u64>::new(VariantCodec::new(Dialect::Godot3));
    let error = words.encode(u64::MAX, &mut stream).unwrap_err();
    assert!(matches!(error, CodecError::Encode(_)), "{error}");
    assert!(error.to_string().contains("18446744073709551615 is not between"), "{error}");
    assert!(error.source().is_none() && stream.is_empty());
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
