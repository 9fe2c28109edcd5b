//! [`Rules`]: the settings of the reader, which the bytes do not determine.

use variant_view::{Dialect, Page};

/// The settings of the reader.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The dialect of the bytes (docs/spec/engines.md#telling-dialects-apart).
    pub dialect: Dialect,
    /// Whether reals take 8 bytes, with or without the flag (docs/spec/format.md#double-precision, the builds of June
    /// 2021 to February 2022).
    pub always_wide: bool,
    /// Whether objects in full are refused (docs/spec/format.md#object).
    pub refuse_objects: bool,
    /// Whether texts must satisfy the dialect's rule (docs/spec/format.md#text). Otherwise they are not checked.
    pub check_text: bool,
    /// The greatest depth of a value (docs/spec/format.md#limits). The outermost value has depth 0.
    pub depth: u32,
    /// The maximum number of bytes of the outermost value.
    pub bytes: u64,
    /// The maximum number of values with a header.
    pub values: u64,
}

impl Rules {
    /// The rules of `dialect`'s reader (docs/spec/format.md#errors).
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

    /// docs/spec/errata.md: the documentation page whose layout is read.
    pub(super) fn page(self) -> Option<Page> {
        self.dialect.page()
    }

    /// docs/spec/format.md#header and docs/spec/errata.md: the bits of a header for the type. `Godot2` and the page of
    /// Godot 3.0 compare all bits. The other pages compare the low half, and the other engines the low byte.
    pub(super) fn type_bits(self) -> u32 {
        match (self.dialect, self.page()) {
            (Dialect::Godot2, _) | (_, Some(Page::Godot30)) => u32::MAX,
            (_, Some(_)) => 0xffff,
            _ => 0xff,
        }
    }

    /// docs/spec/format.md#scalars and docs/spec/errata.md: whether integers take 8 bytes and floats 4, with any
    /// header. True only for the page of Godot 3.0.
    pub(super) fn has_fixed_scalars(self) -> bool {
        self.page() == Some(Page::Godot30)
    }

    /// docs/spec/errata.md: whether RIDs and objects have no layout. True for the layouts of documentation pages.
    pub(super) fn lacks_handles(self) -> bool {
        self.page().is_some()
    }

    /// docs/spec/format.md#nodepath and docs/spec/errata.md: whether a flag means one more subname than the count says
    /// (sums wrap). True for engines, false for the layouts of documentation pages.
    pub(super) fn has_uncounted_subname(self) -> bool {
        self.page().is_none()
    }

    /// docs/spec/format.md#packedstringarray and docs/spec/errata.md: whether the strings of an array end in a NUL that
    /// their lengths include. True for engines, false for the layouts of documentation pages.
    pub(super) fn has_terminators(self) -> bool {
        self.page().is_none()
    }

    /// docs/spec/format.md#double-precision: only `Godot4` has a flag for 8-byte reals.
    pub(super) fn has_wide_reals(self) -> bool {
        self.dialect == Dialect::Godot4
    }

    /// docs/spec/format.md#typed-containers: only `Godot4` has types in the flags of arrays and dictionaries.
    pub(super) fn has_type_flags(self) -> bool {
        self.dialect == Dialect::Godot4
    }

    /// docs/spec/format.md#rid: only `Godot4` writes the id.
    pub(super) fn has_rid_payload(self) -> bool {
        self.dialect == Dialect::Godot4
    }

    /// docs/spec/format.md#object: `Godot2` writes only the header of an object.
    pub(super) fn has_object_payload(self) -> bool {
        self.dialect != Dialect::Godot2
    }

    /// docs/spec/format.md#nodepath: of the engines, only `Godot2` reads paths of the old form. It does not pad them.
    pub(super) fn has_old_node_paths(self) -> bool {
        self.dialect == Dialect::Godot2
    }

    /// docs/spec/errata.md: in the layouts of documentation pages a path may be a text.
    pub(super) fn has_text_node_paths(self) -> bool {
        self.page().is_some()
    }

    /// docs/spec/format.md#text: `Godot2` accepts missing padding at the end of the buffer.
    pub(super) fn has_open_end(self) -> bool {
        self.dialect == Dialect::Godot2
    }
}
