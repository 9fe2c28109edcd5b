//! Files and streams of serialized Variants of Godot and Pandemonium: frames, settings, compression, encryption.
//!
//! `File.store_var` and `StreamPeer.put_var` write a length prefix before each value. `var_to_bytes` and
//! `PacketPeer.put_var` write the bare value. A file does not record which of them wrote it: [`Framing::detect`] guesses
//! and gives reasons.
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
//! | read or write | with | feature |
//! |---|---|---|
//! | `store_var`, `StreamPeer.put_var` | [`frames`], [`append_frame`], [`append_value`] | |
//! | the frames or datagrams of one wake-up of a server | [`validate_frames`], [`validate_documents`] | |
//! | `project.binary` | [`settings`], [`SettingsWriter`] | |
//! | `open_compressed` | `decompress`, `GcpfReader`, `compress` | `compression` (default) |
//! | `open_encrypted`, `open_encrypted_with_pass` | `decrypt`, `encrypt`, `Key` | `encryption` (default) |
//! | a file with any of these | [`open`], [`Wrapping`] | `mmap` maps files |
//! | packets of UDP, `WebSocket`, `ENet` | `Packet` | `bytes` |
//! | TCP streams with tokio | `VariantCodec` | `tokio` |
//! | the program's own types by serde | `Packet::decode`, `Typed`, `TypedCodec` | `serde` |
//!
//! # Guarantees
//!
//! * **No panic and no overflow** on any input. `#![forbid(unsafe_code)]`, except for one memory map in the feature `mmap`.
//! * **No copies** of frames and settings.
//! * **No allocation by a claimed length**: each length is checked against the bytes found and against a limit.
//! * **Errors say where** the fault is and how many bytes are missing.

#![cfg_attr(not(feature = "mmap"), forbid(unsafe_code))]
// The only `unsafe` is in `open/source.rs`: it maps a file.
#![cfg_attr(feature = "mmap", deny(unsafe_code))]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod append;
mod batch;
#[cfg(feature = "tokio")]
mod codec;
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
#[cfg(feature = "bytes")]
mod packet;
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
#[cfg(feature = "bytes")]
pub use packet::Packet;
pub use value::{Value, ValueError, Values, ValuesWriter};

/// Compiles the programs of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
