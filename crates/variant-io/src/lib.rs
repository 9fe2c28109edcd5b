//! What Godot's and Pandemonium's serialized Variants are wrapped in.
//!
//! `File.store_var` and `StreamPeer.put_var` write a length word in front of each value, while
//! `var_to_bytes` and `PacketPeer.put_var` write the bare value. Nothing says which of them made a
//! file: [`Framing::detect`] guesses, and gives its reasons.
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
//! | carrier | here | feature |
//! |---|---|---|
//! | `store_var`, `StreamPeer.put_var` | [`frames`], [`append_frame`], [`append_value`] | |
//! | `project.binary` | [`settings`] | |
//! | `open_compressed` | `decompress`, `GcpfReader`, `compress` | `compression` (default) |
//! | `open_encrypted`, `open_encrypted_with_pass` | `decrypt`, `encrypt`, `Key` | `encryption` (default) |
//! | any of these, in a file | [`open`] | `mmap` maps it |
//! | UDP, `WebSocket`, `ENet` | `Packet` | `bytes` |
//! | TCP with tokio | `VariantCodec` | `tokio` |
//!
//! # What to rely on
//!
//! * **No panic and no overflow** on any bytes; `#![forbid(unsafe_code)]` but for the feature `mmap`, which maps a file.
//! * **Nothing is copied** of frames and settings, and no memory is reserved by a length in the data, wherever it is:
//!   what is claimed is compared with what is there and with what is allowed.
//! * **Errors say where**, and how many bytes are missing.

#![cfg_attr(not(feature = "mmap"), forbid(unsafe_code))]
// One `unsafe`, in `open/source.rs`: it maps a file.
#![cfg_attr(feature = "mmap", deny(unsafe_code))]

mod append;
#[cfg(feature = "tokio")]
mod codec;
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
#[cfg(feature = "tokio")]
pub use codec::{CodecError, Oversize, VariantCodec};
pub use dialects::{Dialects, Fit};
pub use ecfg::{ECFG_MAGIC, EcfgError, EcfgPart, Setting, Settings, settings};
pub use frame::{ByteOrder, Frame, FrameError, FramePart, Frames, frames};
pub use framing::{Detection, Framing, Guess, Reason};
#[cfg(feature = "compression")]
pub use gcpf::{
    Compression, GCPF_MAGICS, GcpfError, GcpfErrorKind, GcpfHeader, GcpfOptions, GcpfReader,
    compress, decompress,
};
#[cfg(feature = "encryption")]
pub use gdec::{
    Encryption, GDEC_MAGIC, GdecError, GdecErrorKind, GdecHeader, Key, KeyVerdict, decrypt, encrypt,
};
pub use open::{Layer, OpenError, OpenOptions, Opened, open, open_bytes, open_reader};
#[cfg(feature = "bytes")]
pub use packet::Packet;
pub use value::{Value, ValueError, Values};

/// The README's examples, so that they are compiled; one is about tokio.
#[cfg(all(doctest, feature = "encryption", feature = "tokio"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
