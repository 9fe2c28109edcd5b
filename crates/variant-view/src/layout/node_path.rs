//! Node paths (docs/spec/format.md#nodepath).

use super::COUNT;
use super::string::{checked_string, padded_text};
use crate::bytes::{Cursor, Fault, size};
use crate::dialect::{DialectRules, OldNodePath, PropertyFlag};
use crate::error::{ErrorKind, Part, Result};
use crate::kind::Kind;

/// Bit 31 of a node path's first word. Set: names follow. Clear: the word is the length of one plain string.
pub(crate) const NODE_PATH_NAMES: u32 = 1 << 31;
/// Flag of a node path: the path is absolute.
pub(crate) const NODE_PATH_ABSOLUTE: u32 = 1;
/// Flag of a node path: the path has one subname more than the count on the wire.
pub(crate) const NODE_PATH_PROPERTY: u32 = 2;

/// The counts of a node path (docs/spec/format.md#nodepath).
#[derive(Clone, Copy, Debug)]
pub(crate) enum NodePathHead {
    /// Names and subnames follow; the first `names` of the `total` texts are names.
    Names { names: u32, total: u32, flags: u32 },
    /// One string of this length follows.
    Plain { length: u32 },
}

impl NodePathHead {
    pub(crate) fn read<E: Fault>(
        cursor: &mut Cursor<'_, E>,
        rules: &DialectRules,
    ) -> Result<Self, E> {
        let part = Part::Payload(Kind::NodePath);
        let start = *cursor;
        let first = cursor.u32(part)?;
        if first & NODE_PATH_NAMES == 0 {
            return match rules.old_node_path {
                OldNodePath::Refused => Err(start.error(ErrorKind::OldNodePath)),
                OldNodePath::Unpadded | OldNodePath::Padded => Ok(Self::Plain { length: first }),
            };
        }
        let names = first & COUNT;
        let subnames = cursor.u32(part)?;
        let flags = cursor.u32(part)?;
        let total = match rules.property_flag {
            PropertyFlag::Ignored => names.saturating_add(subnames),
            PropertyFlag::Read | PropertyFlag::Written => {
                let property = u32::from(flags & NODE_PATH_PROPERTY != 0);
                // The sum wraps in engines: counts (2, 2^32 - 2) are an empty path.
                names.wrapping_add(subnames).wrapping_add(property)
            }
        };
        Ok(Self::Names { names, total, flags })
    }
}

pub(super) fn node_path<E: Fault>(
    cursor: &mut Cursor<'_, E>,
    rules: &DialectRules,
    check_text: bool,
) -> Result<(), E> {
    let start = *cursor;
    match NodePathHead::read(cursor, rules)? {
        NodePathHead::Plain { .. } if rules.old_node_path == OldNodePath::Padded => {
            *cursor = start;
            checked_string(cursor, rules, check_text)?;
        }
        NodePathHead::Plain { length } => drop(cursor.take(size(length), Part::Text)?),
        NodePathHead::Names { total, .. } => {
            for _ in 0..total {
                if check_text {
                    padded_text::<true, E>(cursor, rules)?;
                } else {
                    padded_text::<false, E>(cursor, rules)?;
                }
            }
        }
    }
    Ok(())
}
