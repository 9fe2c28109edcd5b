//! Files and streams of serialized Variants of Godot and Pandemonium: frames, settings, compression, encryption.
//!
//! `File.store_var` and `StreamPeer.put_var` write a length prefix before each value. `var_to_bytes` and
//! `PacketPeer.put_var` write the bare value. A file does not contain its framing: [`Framing::detect`] guesses the
//! framing and gives reasons.
//!
//! A file of frames is read. Its framing is guessed:
//!
//! ```
//! use variant_io::{ByteOrder, Framing, frames};
//! use variant_view::{Dialect, Document};
//!
//! // store_var(7), store_var(null), as Godot 4 writes them
//! let file = [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0];
//! assert_eq!(Framing::detect(&file).best().framing(), Framing::Frames(ByteOrder::Little));
//!
//! let mut all = frames(&file, ByteOrder::Little);
//! let first = all.next().expect("two frames")?;
//! assert_eq!(Document::new(first.bytes(), Dialect::Godot4).root()?.as_i64()?, 7);
//! assert_eq!(all.count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Untrusted bytes are checked in one call. The stream continues after an invalid frame:
//!
//! ```
//! use variant_io::{ByteOrder, validate_frames};
//! use variant_view::{Dialect, Options};
//!
//! // null, an int that is cut short, and the start of the next frame
//! let received = [4, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 8, 0];
//! let options = Options::server(Dialect::Godot4);
//! let mut batch = validate_frames(&received, ByteOrder::Little, options).max_len(1 << 16);
//! for (frame, verdict) in &mut batch {
//!     match verdict {
//!         Ok(_) => println!("{} good bytes", frame.bytes().len()),
//!         Err(error) => println!("{error}"), // with its offset in `received`
//!     }
//! }
//! assert_eq!((batch.tally().valid, batch.tally().invalid), (1, 1));
//! assert_eq!(batch.consumed(), 16); // the rest waits for more bytes
//! ```
//!
//! A compressed or encrypted save is opened, and written again with the same compression and encryption:
//!
#![cfg_attr(not(all(feature = "compression", feature = "encryption")), doc = "```ignore")]
#![cfg_attr(all(feature = "compression", feature = "encryption"), doc = "```")]
//! use variant_io::{ByteOrder, Compression, GcpfOptions, OpenOptions, append_value, compress, open_bytes};
//! use variant_owned::{Variant, dictionary};
//! use variant_view::{Dialect, Limits, Options};
//!
//! // The bytes of File.open_compressed(.., COMPRESSION_ZSTD) and store_var({"level": 7}).
//! let mut values = Vec::new();
//! append_value(&mut values, &dictionary! { "level" => 7 }.into(), Dialect::Godot4, ByteOrder::Little)?;
//! let file = compress(&values, &GcpfOptions::new(Compression::Zstd))?;
//!
//! let opened = open_bytes(file, &OpenOptions::new())?; // `open` for a path
//! let options = Options::engine(Dialect::Godot4).limits(Limits::FILE); // for a trusted file
//! let framing = opened.detect().best().framing();
//! let mut writer = framing.writer();
//! for value in opened.values(framing) {
//!     let mut save = Variant::from_document(&value?.document(options))?;
//!     save["level"] = 8.into();
//!     writer.value(None, &save, Dialect::Godot4)?;
//! }
//! let changed = opened.rewrap(&writer.finish())?;
//! assert!(changed.starts_with(b"GCPF"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which type do I want
//!
//! | read or write | with | feature |
//! |---|---|---|
//! | `store_var`, `StreamPeer.put_var` | [`frames`], [`append_frame`], [`append_value`] | |
//! | the frames or datagrams of one wake-up of a server | [`validate_frames`], [`validate_documents`] | |
//! | `project.binary` | [`settings`], [`SettingsWriter`] | |
//! | `open_compressed` | `decompress`, `GcpfReader`, `compress` | `compression` (default) |
//! | `open_encrypted`, `open_encrypted_with_pass` | `decrypt`, `encrypt`, `Key` | `encryption` (default) |
//! | a file with any of these | [`open`], [`Wrapping`] | `mmap` maps files |
//! | TCP streams with tokio | `VariantCodec` | `tokio` |
//! | TCP streams of the program's own types, by serde | `Typed`, `TypedCodec` | `tokio`, `serde` |
//!
//! Godot 4's high-level multiplayer is in the crate `variant-multiplayer`.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `compression` (default) | files of `open_compressed`: `FastLZ`, deflate, gzip, zstd |
//! | `brotli` (default) | files of `open_compressed` in brotli, only to read; implies `compression` |
//! | `encryption` (default) | files of `open_encrypted` and `open_encrypted_with_pass` |
//! | `simdutf8` (default) | text that is not ASCII is checked with vector instructions |
//! | `mmap` | [`open`] maps files into memory; the only `unsafe` |
//! | `tokio` | `VariantCodec` |
//! | `serde` | with `tokio`: the program's own types |
//!
//! # Costs and guarantees
//!
//! * A method is O(1) and allocates nothing, unless its documentation says otherwise.
//! * **No panic and no overflow** on any input. `#![forbid(unsafe_code)]`, except for one memory map in the feature
//!   `mmap`.
//! * **No copies** of frames and settings.
//! * **No allocation by a claimed length**: each length is checked against the bytes found and against a limit.
//! * **Errors have** the offset of the fault and the number of missing bytes.
//!
//! # Guides
//!
//! In the repository: `docs/guides/saves.md`, `docs/guides/server.md`, `docs/guides/limits.md`. The bytes:
//! `docs/spec/carriers.md`, `docs/spec/format.md`.

#![cfg_attr(not(feature = "mmap"), forbid(unsafe_code))]
#![cfg_attr(docsrs, feature(doc_cfg))]
// The only `unsafe` is in `open/source.rs`: it maps a file.
#![cfg_attr(feature = "mmap", deny(unsafe_code))]

mod append;
mod batch;
#[cfg(feature = "tokio")]
mod codec;
mod detect;
mod detection;
mod dialects;
mod ecfg;
mod frame;
mod framing;
#[cfg(feature = "compression")]
mod gcpf;
#[cfg(feature = "encryption")]
mod gdec;
mod open;
mod tail;
mod value;

pub use append::{AppendError, append_frame, append_value};
pub use batch::{DocumentBatch, FrameBatch, Tally, validate_documents, validate_frames};
#[cfg(feature = "tokio")]
pub use codec::{CodecError, Oversize, VariantCodec};
#[cfg(all(feature = "serde", feature = "tokio"))]
pub use codec::{Typed, TypedCodec};
pub use detection::{Detection, Guess, Reason, Verdict};
pub use dialects::{Dialects, Fit};
pub use ecfg::{ECFG_MAGICS, EcfgError, EcfgPart, Setting, Settings, SettingsWriter, settings};
pub use frame::{ByteOrder, Frame, FrameError, FramePart, Frames, frames};
pub use framing::Framing;
#[cfg(feature = "compression")]
pub use gcpf::{
    Compression, GCPF_MAGICS, GcpfError, GcpfErrorKind, GcpfHeader, GcpfOptions, GcpfReader,
    compress, decompress,
};
#[cfg(feature = "encryption")]
pub use gdec::{
    Encryption, GDEC_MAGIC, GdecError, GdecErrorKind, GdecHeader, Key, KeyVerdict, decrypt, encrypt,
};
pub use open::{
    Damage, Layer, OpenError, OpenOptions, Opened, RewrapError, Wrapping, open, open_bytes,
    open_reader,
};
pub use value::{Position, Value, ValueError, Values, ValuesWriter};

/// Compiles the programs of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
