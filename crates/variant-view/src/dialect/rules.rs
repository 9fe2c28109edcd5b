//! [`DialectRules`]: where the rules of a dialect differ from the others'.

use super::{KeyRule, OldNodePath};
use crate::kind::{Kind, Width};
use crate::text::TextRule;

/// What bit 1 of a node path's flags does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PropertyFlag {
    /// Nothing: counts are counts.
    Ignored,
    /// It adds a subname, and the sum of the counts wraps around; no current writer sets it.
    Read,
    /// The same, and the writer sets it.
    Written,
}

/// The bytes of an integer or a float, by bit 16 of its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScalarWidth {
    pub(crate) without: Width,
    pub(crate) with: Width,
}

impl ScalarWidth {
    pub(crate) const BY_FLAG: Self = Self { without: Width::W32, with: Width::W64 };

    pub(crate) const fn always(width: Width) -> Self {
        Self { without: width, with: width }
    }

    /// The width, if there is but one.
    pub(crate) const fn only(self) -> Option<Width> {
        match (self.without, self.with) {
            (Width::W32, Width::W32) => Some(Width::W32),
            (Width::W64, Width::W64) => Some(Width::W64),
            _ => None,
        }
    }
}

/// A dialect: its table of ids, and where its rules differ from the others'.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one way in which dialects differ")]
pub(crate) struct DialectRules {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) versions: &'static str,
    /// Index = wire id.
    pub(crate) kinds: &'static [Kind],
    /// Of those, the ones that the dialect has a number for and no layout.
    pub(crate) unsupported: &'static [Kind],
    /// The bits of a header word that are the id: its low byte, its low half, or all of it.
    pub(crate) id_mask: u32,
    pub(crate) int: ScalarWidth,
    pub(crate) float: ScalarWidth,
    /// Bit 16 marks 8-byte reals in mathematical types.
    pub(crate) wide_reals: bool,
    /// Bits 16 to 19 mark typed arrays and dictionaries.
    pub(crate) typed_containers: bool,
    /// A RID has its id behind the header.
    pub(crate) rid_payload: bool,
    /// Objects carry something; else they are bare headers.
    pub(crate) object_payload: bool,
    pub(crate) old_node_path: OldNodePath,
    pub(crate) property_flag: PropertyFlag,
    /// The padding of a string may be missing at the very end.
    pub(crate) open_string_end: bool,
    /// The writer sets bit 31 of container counts for shared containers.
    pub(crate) shared_bit: bool,
    /// Which dictionary keys are the same.
    pub(crate) keys: KeyRule,
    /// The strings of packed arrays end in a NUL that their lengths count.
    pub(crate) terminated_strings: bool,
    pub(crate) text: TextRule,
}
