//! [`Rule`]: the rules of findings.

use variant_document::shape::Change;
use variant_view::NotCanonical;

use crate::cli::SeverityArg;
use crate::rules::rules;
use SeverityArg::{Error, Info, Warning};

rules! {
    Damaged: Error, "damaged", "The bytes cannot be read from here on.";
    CutShort: Error, "cut-short", "The file ends inside a value, or a length before it is wrong.";
    InvalidText: Error, "invalid-text", "The engine refuses a value with such text.";
    Script: Error, "script", "An engine that is allowed to decode objects loads or runs the script.";
    DepthLimit: Error, "depth-limit", "Engines refuse values deeper than 1,024 levels; Godot up to 3.3.4 may crash.";
    LengthLimit: Error, "length-limit", "Engines keep lengths in 31 bits and cannot read the value.";
    Schema: Error, "schema", "The value breaks the schema of --schema.";
    LockAdded: Error, "lock-added", "The lock file lacks the path.";
    LockRemoved: Error, "lock-removed", "The files lack a path of the lock file.";
    LockRetyped: Error, "lock-retyped", "The path has values of another kind, or became optional.";
    LockNarrowed: Error, "lock-narrowed", "The path has fewer kinds or other texts, or became required.";
    Object: Warning, "object", "An engine that is allowed to decode objects creates it.";
    DirtyPadding: Warning, "dirty-padding", "Padding that is not zero may be memory of the program that wrote it.";
    HiddenText: Warning, "hidden-text", "Engines end the text at the NUL and never read the bytes after it.";
    NotANumber: Warning, "not-a-number", "NaN spreads through calculations and equals nothing.";
    TrailingBytes: Warning, "trailing-bytes", "Engines ignore the bytes; they may be hidden data or a wrong length.";
    BehindLayer: Warning, "behind-layer", "Engines ignore bytes after the end of a compressed or encrypted file.";
    DuplicateKey: Warning, "duplicate-key", "The later value replaces the earlier one.";
    HeaderBits: Warning, "header-bits", "No engine sets these bits of the header.";
    BoolValue: Warning, "bool-value", "Engines write 0 or 1.";
    WideInt: Warning, "wide-int", "Engines since 3.1 write 32 bits where they hold the integer.";
    FloatWidth: Warning, "float-width", "Engines write 32 bits where they hold the float exactly.";
    NoPadding: Warning, "no-padding", "Engines fill texts and byte arrays to a multiple of 4 bytes.";
    NoTerminator: Warning, "no-terminator", "Engines write a NUL after each string of a packed array.";
    NodePathForm: Warning, "node-path-form", "No engine writes a node path with these flags or counts.";
    SharedBit: Warning, "shared-bit", "Only Godot 2 sets bit 31 of a count.";
    NegativeCount: Warning, "negative-count", "Engines read a negative count as 0 and never write one.";
    ElementType: Warning, "element-type", "No engine declares a type of elements in this form.";
    ElementMismatch: Warning, "element-mismatch", "The value is not of the type that its container declares.";
    MixedReals: Warning, "mixed-reals", "No build of an engine writes reals of both widths.";
    NullObject: Warning, "null-object", "Engines write null objects as Nil.";
    InputEvent: Warning, "input-event", "The length of the event does not fit its type.";
    NotCanonical: Warning, "not-canonical", "No engine writes these bytes.";
    ObjectId: Info, "object-id", "The id had a meaning only in the process that wrote it.";
    ResourcePath: Info, "resource-path", "The text names a file of the project or of the user.";
    Infinity: Info, "infinity", "The number is infinite.";
    PacketLimit: Info, "packet-limit", "A packet peer sends at most 8 MiB by default.";
}

impl Rule {
    /// The rule for a difference from a lock file.
    pub(super) const fn of_change(change: Change) -> Self {
        match change {
            Change::Added => Self::LockAdded,
            Change::Removed => Self::LockRemoved,
            Change::Retyped => Self::LockRetyped,
            Change::Narrowed => Self::LockNarrowed,
        }
    }

    /// The rule for bytes that no engine writes.
    pub(super) const fn of_deviation(what: NotCanonical) -> Self {
        match what {
            NotCanonical::HeaderBits => Self::HeaderBits,
            NotCanonical::Bool => Self::BoolValue,
            NotCanonical::WideInt => Self::WideInt,
            NotCanonical::FloatWidth => Self::FloatWidth,
            NotCanonical::Padding => Self::DirtyPadding,
            NotCanonical::NoPadding => Self::NoPadding,
            NotCanonical::NoTerminator => Self::NoTerminator,
            NotCanonical::NodePath => Self::NodePathForm,
            NotCanonical::SharedBit => Self::SharedBit,
            NotCanonical::NegativeCount => Self::NegativeCount,
            NotCanonical::ElementType => Self::ElementType,
            NotCanonical::Element => Self::ElementMismatch,
            NotCanonical::DuplicateKey => Self::DuplicateKey,
            NotCanonical::MixedReals => Self::MixedReals,
            NotCanonical::NullObject => Self::NullObject,
            NotCanonical::InputEvent => Self::InputEvent,
            NotCanonical::TrailingBytes => Self::TrailingBytes,
            _ => Self::NotCanonical,
        }
    }
}
