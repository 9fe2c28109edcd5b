//! [`Rules`]: all that the bytes do not say.

use variant_view::Dialect;

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

    /// 2.1: of all dialects, `Godot2` compares the whole header.
    pub(super) fn has_flags(self) -> bool {
        self.dialect != Dialect::Godot2
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

    /// 2.5: only `Godot2` reads paths of the old form.
    pub(super) fn has_old_node_paths(self) -> bool {
        self.dialect == Dialect::Godot2
    }

    /// 2.3: `Godot2` does without padding at the end of the buffer.
    pub(super) fn has_open_end(self) -> bool {
        self.dialect == Dialect::Godot2
    }
}
