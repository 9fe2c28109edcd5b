//! [`DialectRules`]: the rules in which dialects differ.

use super::{KeyRule, OldNodePath};
use crate::kind::{Kind, Width};
use crate::text::TextRule;

/// The effect of bit 1 of a node path's flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PropertyFlag {
    /// The bit has no effect on the counts.
    Ignored,
    /// The bit adds a subname, and the sum of the counts wraps. No current writer sets the bit.
    Read,
    /// As in `Read`, but the writer sets the bit.
    Written,
}

/// The width of an integer or a float. Bit 16 of the header may decide the width.
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

    /// The width, if it is always the same.
    pub(crate) const fn only(self) -> Option<Width> {
        match (self.without, self.with) {
            (Width::W32, Width::W32) => Some(Width::W32),
            (Width::W64, Width::W64) => Some(Width::W64),
            _ => None,
        }
    }
}

/// A dialect: its table of type ids, and its rules.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each field is a difference between dialects")]
pub(crate) struct DialectRules {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) versions: &'static str,
    /// Kinds by wire id.
    pub(crate) kinds: &'static [Kind],
    /// The kinds of `kinds` that have an id but no layout.
    pub(crate) unsupported: &'static [Kind],
    /// The bits of a header word that hold the id: the low byte, the low half, or all bits.
    pub(crate) id_mask: u32,
    pub(crate) int: ScalarWidth,
    pub(crate) float: ScalarWidth,
    /// Whether bit 16 marks 8-byte reals in mathematical types.
    pub(crate) wide_reals: bool,
    /// Whether bits 16 to 19 mark typed arrays and dictionaries.
    pub(crate) typed_containers: bool,
    /// Whether a RID's id follows its header.
    pub(crate) rid_payload: bool,
    /// Whether objects have a payload; otherwise they are only a header.
    pub(crate) object_payload: bool,
    pub(crate) old_node_path: OldNodePath,
    pub(crate) property_flag: PropertyFlag,
    /// Whether the padding of a string may be missing at the end of the document.
    pub(crate) open_string_end: bool,
    /// Whether the writer sets bit 31 of container counts for shared containers.
    pub(crate) shared_bit: bool,
    pub(crate) keys: KeyRule,
    /// Whether strings of packed arrays end in a NUL that their lengths count.
    pub(crate) terminated_strings: bool,
    pub(crate) text: TextRule,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_is_known_without_a_header_if_no_flag_decides() {
        for width in [Width::W32, Width::W64] {
            assert_eq!(ScalarWidth::always(width).only(), Some(width));
        }
        assert_eq!(ScalarWidth::BY_FLAG.only(), None);
    }
}
