//! Events as words of 32 bits: how values cross between the module and JavaScript.
//!
//! A value crosses as the events of `variant-view`, one after the other. The low 8 bits of an event's first word are
//! its [`Op`], the upper 24 its detail; the words after it are its data. Texts and numbers are not in the words: a
//! place and a length locate them, in the module's memory for values to JavaScript, in a second buffer for values from
//! it. `js/words.js` is the other side.

#[cfg(feature = "packets")]
mod read;
mod texts;
mod write;

#[cfg(feature = "packets")]
pub(crate) use read::Words;
pub(crate) use texts::Texts;
pub(crate) use write::WordWriter;

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident = $code:literal,)*) => {
        /// The kind of an event. `js/words.js` has the same table.
        #[derive(Clone, Copy, Debug)]
        #[repr(u8)]
        pub(crate) enum Op {
            $($(#[$doc])* $name = $code,)*
        }

        impl Op {
            /// The op of a first word.
            pub(crate) const fn of(word: u32) -> Option<Self> {
                match word & 0xff {
                    $($code => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// The first word of an event.
            pub(crate) const fn with(self, detail: u32) -> u32 {
                let code = match self {
                    $(Self::$name => $code,)*
                };
                (detail << 8) | code
            }
        }
    };
}

ops! {
    /// No data.
    Nil = 0,
    /// Detail: 0 or 1.
    Bool = 1,
    /// Detail: 1 if 64 bits wide. Low word, high word.
    Int = 2,
    /// Detail: 1 if 64 bits wide. Low word, high word; the bits of a 32-bit float in the low word.
    Float = 3,
    /// Detail: [`FLAG_NAME`]. Place, length.
    Text = 4,
    /// A known text. Detail: [`FLAG_NAME`], and its slot in the table of texts by [`SLOT`].
    Known = 5,
    /// A text that is known from now on. Detail: as for a known one. Place, length.
    Learn = 6,
    /// A path of names. Detail: 1 absolute, 2 with property. Count of names, count of subnames, then place and length
    /// of each.
    Path = 7,
    /// A path of one text. Place, length.
    PlainPath = 8,
    /// Detail: the kind, and [`FLAG_WIDE`]. Place, length in bytes.
    Numbers = 9,
    /// Count. Its texts follow, each an event, and an exit.
    Strings = 10,
    /// Low word, high word.
    Rid = 11,
    Callable = 12,
    /// Place and length of the name; low and high word of the object's id.
    Signal = 13,
    NullObject = 14,
    /// Low word, high word.
    ObjectId = 15,
    /// Format, mipmaps, width, height; place, length.
    Image = 16,
    /// Event, device; place, length.
    InputEvent = 17,
    /// Detail: the kind, and [`FLAG_SHARED`]. Count, or [`UNKNOWN`]; element type of three words.
    Array = 18,
    /// Detail: [`FLAG_SHARED`]. Count, or [`UNKNOWN`]; types of keys and of values, of three words each.
    Dictionary = 19,
    /// Count, or [`UNKNOWN`]; place and length of the class.
    Object = 20,
    /// A property. Place, length.
    Name = 21,
    Exit = 22,
    /// A missing field; only in words to JavaScript.
    Missing = 23,
}

/// In the detail of a text: a `StringName`.
pub(crate) const FLAG_NAME: u32 = 1;
/// In the detail of a text of the table: the lowest bit of its slot.
pub(crate) const SLOT: u32 = 1;
/// In the detail of numbers: reals of 64 bits.
pub(crate) const FLAG_WIDE: u32 = 1 << 8;
/// In the detail of a container.
pub(crate) const FLAG_SHARED: u32 = 1 << 8;
/// An unknown count.
pub(crate) const UNKNOWN: u32 = u32::MAX;

/// The first word of an element type; two more follow.
pub(crate) mod declared {
    /// None.
    pub(crate) const ANY: u32 = 0;
    /// A kind.
    pub(crate) const BUILTIN: u32 = 1;
    /// Place and length of a class.
    pub(crate) const CLASS: u32 = 2;
    /// Place and length of a script's path.
    pub(crate) const SCRIPT: u32 = 3;
    /// An id that no kind has.
    pub(crate) const UNKNOWN: u32 = 4;
}
