//! [`RpcTable`]: the ids of methods (docs/spec/multiplayer.md, section 3).

use md5::{Digest as _, Md5};

use crate::path::Checksum;
use crate::rpc::MethodId;

/// The remote methods of a node: their ids, and a checksum. Two sides compare the checksum to detect different methods.
///
/// The id of a method is its index among the sorted names of the `@rpc` functions of the script and its base scripts.
/// Names that were set on the node by `rpc_config` are sorted separately, and their ids have bit 15 set. Arguments and
/// modes do not affect ids and checksum.
///
/// ```
/// use variant_multiplayer::{Checksum, RpcTable};
///
/// let table = RpcTable::new(["shoot", "Move", "chat"]);
/// assert_eq!(table.id("chat").map(|id| id.id()), Some(1));
/// assert_eq!(table.name(2), Some("shoot"));
/// assert_eq!(RpcTable::default().checksum(), Checksum::NO_METHODS);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RpcTable {
    script: Vec<Box<str>>,
    node: Vec<Box<str>>,
    checksum: Checksum,
}

/// The bit of the ids of methods that were set on the node.
const ON_NODE: u16 = 1 << 15;

impl RpcTable {
    /// The table of a script from the names of its `@rpc` functions, in any order. O(n log n). Ids have 15 bits, so
    /// names after the first 32,768 have no id.
    pub fn new<N: Into<Box<str>>>(names: impl IntoIterator<Item = N>) -> Self {
        Self::of(sorted(names), Vec::new())
    }

    /// Returns the table with names that `Node.rpc_config` has set on the node. O(n log n).
    ///
    /// ```
    /// use variant_multiplayer::RpcTable;
    ///
    /// let table = RpcTable::new(["shoot"]).on_node(["set_name"]);
    /// assert_eq!(table.id("shoot").map(|id| id.id()), Some(0));
    /// assert_eq!(table.id("set_name").map(|id| id.id()), Some(0x8000));
    /// assert_eq!(table.len(), 2);
    /// ```
    #[must_use]
    pub fn on_node<N: Into<Box<str>>>(self, names: impl IntoIterator<Item = N>) -> Self {
        Self::of(self.script, sorted(names))
    }

    fn of(script: Vec<Box<str>>, node: Vec<Box<str>>) -> Self {
        let mut md5 = Md5::new();
        for name in node.iter().chain(&script) {
            md5.update(name.as_bytes());
        }
        Self { script, node, checksum: Checksum::new(hex(md5.finalize().into())) }
    }

    /// The id of a method. If the script and the node have a method of this name, the id is that of the script's
    /// method. O(log n).
    pub fn id(&self, name: &str) -> Option<MethodId> {
        if let Some(index) = index(&self.script, name) {
            return Some(MethodId::new(index));
        }
        index(&self.node, name).map(|index| MethodId::wide(index | ON_NODE))
    }

    /// The name of a method. O(1).
    pub fn name(&self, id: u16) -> Option<&str> {
        let names = if id & ON_NODE == 0 { &self.script } else { &self.node };
        names.get(usize::from(id & !ON_NODE)).map(|name| &**name)
    }

    /// The checksum. O(1).
    pub const fn checksum(&self) -> Checksum {
        self.checksum
    }

    /// The number of methods.
    pub fn len(&self) -> usize {
        self.script.len().saturating_add(self.node.len())
    }

    /// Whether there are no methods.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Default for RpcTable {
    /// A node without remote methods.
    fn default() -> Self {
        Self::of(Vec::new(), Vec::new())
    }
}

/// Sorts by code points, which is the order of the bytes of UTF-8.
fn sorted<N: Into<Box<str>>>(names: impl IntoIterator<Item = N>) -> Vec<Box<str>> {
    let mut names: Vec<Box<str>> = names.into_iter().map(Into::into).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn index(names: &[Box<str>], name: &str) -> Option<u16> {
    let index = names.binary_search_by(|one| (**one).cmp(name)).ok()?;
    u16::try_from(index).ok().filter(|index| index & ON_NODE == 0)
}

fn hex(digest: [u8; 16]) -> [u8; 32] {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().unwrap_or_default();
    let mut hex = [0; 32];
    for (pair, byte) in hex.as_chunks_mut::<2>().0.iter_mut().zip(digest) {
        *pair = [digit(byte >> 4), digit(byte & 15)];
    }
    hex
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ids were captured from an engine, for a script with these functions.
    #[test]
    fn names_are_sorted_by_code_points() {
        let names =
            "no_args one two five raw Zed _under unrel unrel_ord chan3 chan2u auth_only plain back";
        let table = RpcTable::new(names.split(' '));
        assert_eq!(table.checksum().to_string(), "635e3177d0f4874a5592ea3683225be5");
        assert_eq!(format!("{:?}", table.checksum()), table.checksum().to_string());
        assert_eq!(table.name(0), Some("Zed"));
        assert_eq!(table.name(13), Some("unrel_ord"));
        assert_eq!(table.name(14), None);
        assert_eq!(table.id("one"), Some(MethodId::new(8)));
    }

    #[test]
    fn methods_on_the_node_have_ids_of_their_own() {
        let table = RpcTable::new(["b", "a"]).on_node(["set_editor_description", "a"]);
        assert_eq!(table.id("set_editor_description"), Some(MethodId::wide(0x8001)));
        assert_eq!(table.id("a"), Some(MethodId::new(0)), "the script's");
        assert_eq!(table.name(0x8000), Some("a"));
        assert_eq!(table.len(), 4);
    }

    #[test]
    fn a_table_is_empty_without_methods() {
        let none: [&str; 0] = [];
        let tables = [
            RpcTable::default(),
            RpcTable::new(none),
            RpcTable::new(["a"]),
            RpcTable::new(none).on_node(["a"]),
            RpcTable::new(["a"]).on_node(["b"]),
        ];
        assert_eq!(tables.each_ref().map(RpcTable::is_empty), [true, true, false, false, false]);
        assert_eq!(tables.each_ref().map(RpcTable::len), [0, 0, 1, 1, 2]);
    }
}
