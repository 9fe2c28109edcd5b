//! [`Sync`] and [`Delta`]: states of nodes, and their changes (docs/spec/multiplayer.md, section 7).

use core::iter::FusedIterator;

use variant_view::Options;

use crate::bytes::{Cursor, size, word};
use crate::command::{Command, DELTA};
use crate::error::{Error, Part};
use crate::spawn::NetId;
use crate::values::CompactValues;

/// The always-sent properties of nodes. The packet may be lost.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Sync<'a> {
    /// The sender counts its network frames separately for each receiver; this is the count at the time of the packet.
    /// The count wraps. Receivers drop states that are not newer than the last state of the same synchronizer.
    pub time: u16,
    /// The states.
    pub states: States<'a>,
}

/// The properties of nodes that are sent on change. The packet is reliable.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Delta<'a> {
    /// The changes.
    pub changes: Changes<'a>,
}

/// Consecutive states. Each has the id of a synchronizer and all its always-sent properties.
///
/// ```
/// use variant_multiplayer::{Message, NetId, Packet, Sync, push_state};
///
/// let mut packet = Vec::new();
/// Sync::begin(1, &mut packet);
/// push_state(NetId::new(5), b"\x02\x07", &mut packet); // the int 7
/// push_state(NetId::new(6), b"\x81", &mut packet); // true
/// let Message::Sync(sync) = Packet::parse(&packet)?.message else { panic!("no states") };
/// let mut ids = Vec::new();
/// for state in &sync.states {
///     ids.push(state?.synchronizer);
/// }
/// assert_eq!((sync.time, ids), (1, vec![NetId::new(5), NetId::new(6)]));
/// # Ok::<(), variant_multiplayer::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct States<'a> {
    cursor: Cursor<'a>,
    options: Options,
}

/// The state of one synchronizer.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct State<'a> {
    /// The synchronizer.
    pub synchronizer: NetId,
    /// The values, in the order of the synchronizer's configuration. Receivers that expect fewer values ignore the
    /// rest.
    pub values: CompactValues<'a>,
}

/// Consecutive changes. Each has the id of a synchronizer and some of its properties.
#[derive(Clone, Copy, Debug)]
pub struct Changes<'a> {
    cursor: Cursor<'a>,
    options: Options,
}

/// Changed properties of one synchronizer.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Change<'a> {
    /// The synchronizer.
    pub synchronizer: NetId,
    /// Bit `i` represents the `i`-th on-change property.
    pub mask: u64,
    /// The values of the properties whose bit is set, in order.
    pub values: CompactValues<'a>,
}

impl<'a> Sync<'a> {
    pub(crate) fn parse(cursor: &mut Cursor<'a>, options: &Options) -> Result<Self, Error> {
        let time = cursor.u16(Part::Time)?;
        // Engines refuse a packet without the complete id and size of the first state.
        let mut first = *cursor;
        first.take(8, Part::State)?;
        let states = States { cursor: *cursor, options: *options };
        cursor.take_rest();
        Ok(Self { time, states })
    }

    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        Self::begin(self.time, bytes);
        bytes.extend_from_slice(self.states.cursor.rest());
    }

    /// Starts a packet, to which [`push_state`] appends states.
    pub fn begin(time: u16, bytes: &mut Vec<u8>) {
        bytes.push(Command::Sync.bits());
        bytes.extend_from_slice(&time.to_le_bytes());
    }
}

impl<'a> Delta<'a> {
    pub(crate) fn parse(cursor: &mut Cursor<'a>, options: &Options) -> Result<Self, Error> {
        // Engines refuse a packet of less than 11 bytes.
        let mut first = *cursor;
        first.take(10, Part::State)?;
        let changes = Changes { cursor: *cursor, options: *options };
        cursor.take_rest();
        Ok(Self { changes })
    }

    pub(crate) fn write(&self, bytes: &mut Vec<u8>) {
        Self::begin(bytes);
        bytes.extend_from_slice(self.changes.cursor.rest());
    }

    /// Starts a packet, to which [`push_change`] appends changes.
    pub fn begin(bytes: &mut Vec<u8>) {
        bytes.push(Command::Sync.bits() | DELTA);
    }
}

/// Appends the state of a synchronizer: values in the compact form ([`crate::compact`]). O(bytes).
///
/// ```
/// use variant_multiplayer::{Message, NetId, Packet, Sync, push_state};
///
/// let mut packet = Vec::new();
/// Sync::begin(1, &mut packet);
/// push_state(NetId::new(5), b"\x02\x07", &mut packet); // one property: the int 7
/// let Message::Sync(sync) = Packet::parse(&packet)?.message else { panic!("no states") };
/// for state in &sync.states {
///     let state = state?;
///     assert_eq!(state.synchronizer, NetId::new(5));
/// }
/// # Ok::<(), variant_multiplayer::Error>(())
/// ```
pub fn push_state(synchronizer: NetId, values: &[u8], bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&synchronizer.to_wire().to_le_bytes());
    bytes.extend_from_slice(&word(values.len()).to_le_bytes());
    bytes.extend_from_slice(values);
}

/// Appends changed properties of a synchronizer: values in the compact form, one for each bit set in `mask`. O(bytes).
///
/// ```
/// use variant_multiplayer::{Delta, Message, NetId, Packet, push_change};
///
/// let mut packet = Vec::new();
/// Delta::begin(&mut packet);
/// push_change(NetId::new(5), 0b100, b"\x02\x07", &mut packet); // the third property is the int 7
/// let Message::Delta(delta) = Packet::parse(&packet)?.message else { panic!("no changes") };
/// let change = delta.changes.iter().next().expect("one")?;
/// assert_eq!((change.synchronizer, change.mask), (NetId::new(5), 4));
/// assert_eq!(change.values.bytes(), b"\x02\x07");
/// # Ok::<(), variant_multiplayer::Error>(())
/// ```
pub fn push_change(synchronizer: NetId, mask: u64, values: &[u8], bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(&synchronizer.to_wire().to_le_bytes());
    bytes.extend_from_slice(&mask.to_le_bytes());
    bytes.extend_from_slice(&word(values.len()).to_le_bytes());
    bytes.extend_from_slice(values);
}

/// Reads a size in bytes, and then the values of that size.
fn values<'a>(cursor: &mut Cursor<'a>, options: &Options) -> Result<CompactValues<'a>, Error> {
    let len = cursor.u32(Part::StateSize)?;
    let start = cursor.offset();
    let bytes = cursor.take(size(len), Part::State)?;
    Ok(CompactValues::new(bytes, *options).in_buffer(start))
}

impl<'a> StatesIter<'a> {
    fn read(&mut self) -> Result<State<'a>, Error> {
        let States { cursor, options } = &mut self.rows;
        let synchronizer = NetId::new(cursor.u32(Part::NetId)?);
        let values = values(cursor, options)?;
        Ok(State { synchronizer, values })
    }
}

impl<'a> ChangesIter<'a> {
    fn read(&mut self) -> Result<Change<'a>, Error> {
        let Changes { cursor, options } = &mut self.rows;
        let synchronizer = NetId::new(cursor.u32(Part::NetId)?);
        let mask = cursor.u64(Part::Mask)?;
        let values = values(cursor, options)?;
        Ok(Change { synchronizer, mask, values })
    }
}

macro_rules! iterate {
    ($($rows:ident $iter:ident: $row:ident,)*) => {$(
        #[doc = concat!("Iterates over [`", stringify!($rows), "`].")]
        #[derive(Clone, Debug)]
        pub struct $iter<'a> {
            rows: $rows<'a>,
            /// An error that `nth` returned. The next call returns it again.
            failed: Option<Error>,
        }

        impl<'a> $rows<'a> {
            /// Iterates in order. Values are not checked. The iterator ends after the first error.
            pub const fn iter(&self) -> $iter<'a> {
                $iter { rows: *self, failed: None }
            }
        }

        impl<'a> IntoIterator for $rows<'a> {
            type Item = Result<$row<'a>, Error>;
            type IntoIter = $iter<'a>;

            fn into_iter(self) -> $iter<'a> {
                self.iter()
            }
        }

        impl<'a> IntoIterator for &$rows<'a> {
            type Item = Result<$row<'a>, Error>;
            type IntoIter = $iter<'a>;

            fn into_iter(self) -> $iter<'a> {
                self.iter()
            }
        }

        impl<'a> Iterator for $iter<'a> {
            type Item = Result<$row<'a>, Error>;

            fn next(&mut self) -> Option<Self::Item> {
                if self.rows.cursor.rest().is_empty() {
                    return self.failed.take().map(Err);
                }
                let row = self.read();
                if row.is_err() {
                    self.rows.cursor.take_rest();
                }
                Some(row)
            }

            /// Skips `n` rows. An error in a skipped row is returned instead of the requested row, and again by the
            /// next call. So `skip` and `step_by` do not hide damage.
            fn nth(&mut self, n: usize) -> Option<Self::Item> {
                if self.failed.is_some() {
                    return self.next();
                }
                let skipped = self.by_ref().take(n).find(Result::is_err);
                let row = skipped.or_else(|| self.next())?;
                self.failed = row.as_ref().err().copied();
                Some(row)
            }
        }

        impl FusedIterator for $iter<'_> {}
    )*};
}

iterate! { States StatesIter: State, Changes ChangesIter: Change, }
