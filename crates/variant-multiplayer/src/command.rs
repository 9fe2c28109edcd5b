//! [`Command`]: the purpose of a packet, by its first byte.

/// The command of a packet: bits 0 to 2 of its first byte.
///
/// ```
/// use variant_multiplayer::Command;
///
/// let received = b"\x03hello";
/// assert_eq!(Command::of(received[0]), Command::Raw);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// A remote call. Command 0.
    RemoteCall,
    /// Assigns an id to a path. Command 1.
    SimplifyPath,
    /// Confirms the id of a path. Command 2.
    ConfirmPath,
    /// Raw bytes, whose meaning the program defines. Command 3.
    Raw,
    /// A node appears. Command 4.
    Spawn,
    /// A node disappears. Command 5.
    Despawn,
    /// States of nodes. Command 6.
    Sync,
    /// Peers, authentication, relays. Command 7.
    System,
}

impl Command {
    /// The command of a packet, by its first byte. O(1).
    pub const fn of(header: u8) -> Self {
        match header & 7 {
            0 => Self::RemoteCall,
            1 => Self::SimplifyPath,
            2 => Self::ConfirmPath,
            3 => Self::Raw,
            4 => Self::Spawn,
            5 => Self::Despawn,
            6 => Self::Sync,
            _ => Self::System,
        }
    }

    /// The number on the wire.
    pub(crate) const fn bits(self) -> u8 {
        match self {
            Self::RemoteCall => 0,
            Self::SimplifyPath => 1,
            Self::ConfirmPath => 2,
            Self::Raw => 3,
            Self::Spawn => 4,
            Self::Despawn => 5,
            Self::Sync => 6,
            Self::System => 7,
        }
    }
}

/// The header bit of a [`Command::Sync`] packet with changes instead of states.
pub(crate) const DELTA: u8 = 0x10;
