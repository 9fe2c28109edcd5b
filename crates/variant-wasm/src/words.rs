//! Events as words of 32 bits. The module and JavaScript pass values in this form.
//!
//! A value is a sequence of events of `variant-view`. The low 8 bits of an event's first word are its [`Op`], the upper
//! 24 bits its detail. The words after the first word are the data of the event. Texts and numbers are outside the
//! words: the words have only their places and lengths. In values to JavaScript, a place is an address in the module's
//! memory. In values from JavaScript, a place is an offset in a second buffer. `js/words.js` uses the same words.

mod read;
mod texts;
mod write;

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
            /// The op in the first word of an event.
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
    /// Detail: 0 for false, 1 for true.
    Bool = 1,
    /// Detail: 1 if the integer has 64 bits in the file. Data: low word, high word.
    Int = 2,
    /// Detail: 1 if the float has 64 bits in the file. Data: low word, high word; the bits of a 32-bit float are in the low word.
    Float = 3,
    /// Detail: [`FLAG_NAME`]. Data: place, length.
    Text = 4,
    /// A text in JavaScript's table of texts. Detail: [`FLAG_NAME`] and, from bit [`SLOT`] on, the text's index in the
    /// table (its slot).
    Known = 5,
    /// A text that JavaScript adds to its table of texts. Detail: as for a known text. Data: place, length.
    Learn = 6,
    /// A path of names. Detail: bit 0 if it is absolute, bit 1 if it ends in a property. Data: count of names, count of
    /// subnames, then place and length of each name.
    Path = 7,
    /// A path of one text. Data: place, length.
    PlainPath = 8,
    /// Detail: the kind, and [`FLAG_WIDE`]. Data: place, length in bytes.
    Numbers = 9,
    /// Data: count. The texts follow, each as an event, and then an exit.
    Strings = 10,
    /// Data: low word, high word.
    Rid = 11,
    Callable = 12,
    /// Data: place and length of the name; low and high word of the object's id.
    Signal = 13,
    NullObject = 14,
    /// Data: low word, high word.
    ObjectId = 15,
    /// Data: format, mipmaps, width, height; place, length.
    Image = 16,
    /// Data: event, device; place, length.
    InputEvent = 17,
    /// Detail: the kind, and [`FLAG_SHARED`]. Data: count, or [`UNKNOWN`]; the element type, three words.
    Array = 18,
    /// Detail: [`FLAG_SHARED`]. Data: count, or [`UNKNOWN`]; the types of keys and of values, three words each.
    Dictionary = 19,
    /// Data: count, or [`UNKNOWN`]; place and length of the class.
    Object = 20,
    /// The name of a property. Data: place, length.
    Name = 21,
    Exit = 22,
    /// A missing field; only in words to JavaScript.
    Missing = 23,
}

/// A bit in the detail (the upper 24 bits of the first word) of a text event: the text is a `StringName`.
pub(crate) const FLAG_NAME: u32 = 1;
/// The number of the first bit of the slot (the text's index in JavaScript's table) in the detail of a [`Op::Known`] or
/// [`Op::Learn`] event.
pub(crate) const SLOT: u32 = 1;
/// A bit in the detail of an [`Op::Numbers`] event: the reals have 64 bits.
pub(crate) const FLAG_WIDE: u32 = 1 << 8;
/// A bit in the detail of a container's event: the container is marked as shared.
pub(crate) const FLAG_SHARED: u32 = 1 << 8;
/// An unknown count.
pub(crate) const UNKNOWN: u32 = u32::MAX;

/// The first word of an element type. Two more words follow.
pub(crate) mod declared {
    /// No type is declared.
    pub(crate) const ANY: u32 = 0;
    /// A kind. Its number follows.
    pub(crate) const BUILTIN: u32 = 1;
    /// A class. The place and length of its name follow.
    pub(crate) const CLASS: u32 = 2;
    /// A script. The place and length of its path follow.
    pub(crate) const SCRIPT: u32 = 3;
    /// An id without a kind. The id follows.
    pub(crate) const UNKNOWN: u32 = 4;
}
