//! [`Rules`]: all that the bytes do not say.

use variant_view::{Dialect, Page};

/// How to read.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Whose bytes these are (docs/format.md, 1).
    pub dialect: Dialect,
    /// Reals take 8 bytes, flag or not (2.12, the builds of June 2021 to February 2022).
    pub always_wide: bool,
    /// Objects in full are not allowed (2.7).
    pub refuse_objects: bool,
    /// Texts must satisfy the dialect's rule (2.3); else they are not looked into.
    pub check_text: bool,
    /// The deepest place for a value (2.13); the outermost is at 0.
    pub depth: u32,
    /// The bytes that the outermost value may take.
    pub bytes: u64,
    /// The values with a header that there may be.
    pub values: u64,
}

impl Rules {
    /// What `dialect`'s reader does (2.13).
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            always_wide: false,
            refuse_objects: false,
            check_text: true,
            depth: 1_024,
            bytes: u64::MAX,
            values: u64::MAX,
        }
    }

    /// 3: the page of the documentation that is taken at its word.
    pub(super) fn page(self) -> Option<Page> {
        self.dialect.page()
    }

    /// 2.1, 3: what of a header is the type. `Godot2` compares all of it, and so does the page of Godot 3.0; to the
    /// other pages it is the low half, and to engines the low byte.
    pub(super) fn type_bits(self) -> u32 {
        match (self.dialect, self.page()) {
            (Dialect::Godot2, _) | (_, Some(Page::Godot30)) => u32::MAX,
            (_, Some(_)) => 0xffff,
            _ => 0xff,
        }
    }

    /// 2.2, 3: integers take 8 bytes and floats 4, whatever the header says.
    pub(super) fn has_fixed_scalars(self) -> bool {
        self.page() == Some(Page::Godot30)
    }

    /// 3: RIDs and objects have no layout.
    pub(super) fn lacks_handles(self) -> bool {
        self.page().is_some()
    }

    /// 2.5, 3: a flag stands for one more subname, and sums wrap; no page says so.
    pub(super) fn has_uncounted_subname(self) -> bool {
        self.page().is_none()
    }

    /// 2.11, 3: strings of arrays end in a NUL that their lengths count; to the pages they are as any other.
    pub(super) fn has_terminators(self) -> bool {
        self.page().is_none()
    }

    /// 2.12: only `Godot4` has a flag for 8-byte reals.
    pub(super) fn has_wide_reals(self) -> bool {
        self.dialect == Dialect::Godot4
    }

    /// 2.10: only `Godot4` has types in the flags of arrays and dictionaries.
    pub(super) fn has_type_flags(self) -> bool {
        self.dialect == Dialect::Godot4
    }

    /// 2.6: only `Godot4` writes the id.
    pub(super) fn has_rid_payload(self) -> bool {
        self.dialect == Dialect::Godot4
    }

    /// 2.7: `Godot2` writes nothing of an object.
    pub(super) fn has_object_payload(self) -> bool {
        self.dialect != Dialect::Godot2
    }

    /// 2.5: of the engines only `Godot2` reads paths of the old form, which it does not pad.
    pub(super) fn has_old_node_paths(self) -> bool {
        self.dialect == Dialect::Godot2
    }

    /// 3: to the pages a path may be a text.
    pub(super) fn has_text_node_paths(self) -> bool {
        self.page().is_some()
    }

    /// 2.3: `Godot2` does without padding at the end of the buffer.
    pub(super) fn has_open_end(self) -> bool {
        self.dialect == Dialect::Godot2
    }
}
