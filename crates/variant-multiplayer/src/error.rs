//! [`Error`]: the fault of a packet, and its byte offset.

use core::fmt;

/// The fault of a packet, and its byte offset. `Copy`, no allocation.
///
/// ```
/// use variant_multiplayer::Packet;
///
/// let error = Packet::parse(&[5, 9, 0]).unwrap_err();
/// assert_eq!(error.to_string(), "net id needs 4 bytes, 2 are left at byte 1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    offset: usize,
}

impl Error {
    #[cold]
    pub(crate) const fn new(kind: ErrorKind, offset: usize) -> Self {
        Self { kind, offset }
    }

    /// The fault.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The byte offset of the fault. In a relayed packet, offsets count from the start of the relay.
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// A possible remedy, as one phrase.
    pub const fn hint(&self) -> &'static str {
        self.kind.hint()
    }
}

impl From<variant_view::Error> for Error {
    fn from(error: variant_view::Error) -> Self {
        Self { kind: ErrorKind::Value(error.kind()), offset: error.offset() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.offset)
    }
}

impl core::error::Error for Error {}

/// The fault of a packet.
///
/// ```
/// use variant_multiplayer::{ErrorKind, Packet, Part};
///
/// match Packet::parse(&[5, 9, 0]).unwrap_err().kind() {
///     ErrorKind::Truncated { part, needed, available } => {
///         assert_eq!((part, needed, available), (Part::NetId, 4, 2));
///     }
///     other => panic!("{other}"),
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The packet ends too early.
    Truncated {
        /// The part being read.
        part: Part,
        /// The number of bytes that the part needs; saturates.
        needed: u32,
        /// The number of bytes that are left.
        available: u32,
    },
    /// Bytes remain after the end of the packet.
    Trailing {
        /// The number of bytes.
        count: u32,
    },
    /// The header claims a node id of an undefined width.
    NodeIdWidth,
    /// The offset of a call's path is before the arguments or after the end of the packet.
    PathOffset {
        /// The offset that the packet claims.
        path: u32,
    },
    /// A text is not UTF-8. The offset is that of the first invalid byte.
    InvalidText {
        /// The part that is text.
        part: Part,
    },
    /// A text lacks its final NUL.
    Unterminated {
        /// The part that is text.
        part: Part,
    },
    /// A part must have at least one byte.
    Empty {
        /// The part.
        part: Part,
    },
    /// The subcommand of a system packet is unknown.
    SystemCommand {
        /// Its number.
        number: u8,
    },
    /// A relayed packet is a system packet, which engines refuse.
    NestedSystem,
    /// A value is damaged or exceeds limits.
    Value(variant_view::ErrorKind),
}

impl ErrorKind {
    const fn hint(self) -> &'static str {
        match self {
            Self::Truncated { .. } => {
                "the packet was cut short, or it is none of Godot 4's multiplayer"
            }
            Self::Trailing { .. } => "engines refuse this packet; drop it",
            Self::NodeIdWidth | Self::SystemCommand { .. } => {
                "the packet is none of Godot 4's multiplayer, or of a newer engine"
            }
            Self::PathOffset { .. }
            | Self::InvalidText { .. }
            | Self::Unterminated { .. }
            | Self::Empty { .. } => "no engine sends this; drop the packet or the peer",
            Self::NestedSystem => "drop the packet; a relay is not relayed again",
            Self::Value(_) => {
                "drop the call: the engine would call the method with null in this place"
            }
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { part, needed, available } => {
                write!(f, "{part} needs {needed} bytes, {available} are left")
            }
            Self::Trailing { count } => write!(f, "{count} bytes are left after the packet's end"),
            Self::NodeIdWidth => f.write_str("the node id has no width of 8, 16 or 32 bits"),
            Self::PathOffset { path } => {
                write!(
                    f,
                    "the path at byte {path} is not after the arguments and within the packet"
                )
            }
            Self::InvalidText { part } => write!(f, "{part} is not valid UTF-8"),
            Self::Unterminated { part } => write!(f, "{part} lacks the NUL after it"),
            Self::Empty { part } => write!(f, "{part} is empty"),
            Self::SystemCommand { number } => write!(f, "{number} names no system command"),
            Self::NestedSystem => f.write_str("system packet within a relayed one"),
            Self::Value(kind) => kind.fmt(f),
        }
    }
}

macro_rules! parts {
    ($($(#[$doc:meta])* $part:ident = $name:literal,)*) => {
        /// A part of a packet.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Part {
            $($(#[$doc])* $part,)*
        }

        impl fmt::Display for Part {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$part => $name,)* })
            }
        }
    };
}

parts! {
    /// The first byte: command and flags.
    Header = "header",
    /// The id of a node's path, or the offset of its path.
    NodeId = "node id",
    /// The id of a method.
    MethodId = "method id",
    /// The number of arguments.
    ArgumentCount = "argument count",
    /// The path of a node.
    Path = "path",
    /// The MD5 of a node's methods.
    Checksum = "checksum",
    /// The id of a path.
    PathId = "path id",
    /// Whether the checksums agree.
    Confirmation = "confirmation",
    /// The raw bytes of `send_bytes`, or a relayed packet.
    Payload = "payload",
    /// The index of a scene.
    Scene = "scene index",
    /// The id of a spawner.
    Spawner = "spawner id",
    /// The id of a replicated node or of its synchronizer.
    NetId = "net id",
    /// The number of synchronizers.
    SynchronizerCount = "synchronizer count",
    /// The length of a node's name.
    NameLength = "name length",
    /// The name of a node.
    Name = "name",
    /// The size of the argument of a custom spawn.
    ArgumentSize = "argument size",
    /// The argument of a custom spawn.
    Argument = "argument",
    /// The time of a synchronization.
    Time = "time",
    /// The mask of a change's properties.
    Mask = "mask",
    /// The size of a state.
    StateSize = "state size",
    /// The state of a node.
    State = "state",
    /// The subcommand of a system packet.
    SystemCommand = "system command",
    /// The number of a peer.
    Peer = "peer",
}
