//! [`Leaf`] and [`Head`]: what events carry.

use super::{Numbers, Texts};
use crate::element_type::ElementType;
use crate::key::KeyRule;
use crate::kind::{Kind, Width};

/// A value without children: everything that distinguishes it, wire widths and the bits of floats included.
///
/// Borrowed for the call. `Copy`, 32 bytes.
#[derive(Clone, Copy, Debug)]
pub enum Leaf<'a> {
    /// [`Kind::Nil`].
    Nil,
    /// [`Kind::Bool`].
    Bool(bool),
    /// [`Kind::Int`].
    Int {
        /// The value.
        value: i64,
        /// The width on the wire. One of 32 bits does not hold every value: who writes it widens then.
        width: Width,
    },
    /// [`Kind::Float`].
    Float {
        /// The bits; of a float of 32 bits in the low half.
        bits: u64,
        /// The width on the wire.
        width: Width,
    },
    /// [`Kind::String`]: bytes, UTF-8 as a rule.
    String(&'a [u8]),
    /// [`Kind::StringName`]: bytes, UTF-8 as a rule.
    StringName(&'a [u8]),
    /// [`Kind::NodePath`].
    NodePath(&'a NodePathLeaf<'a>),
    /// Every mathematical type and every packed array of numbers: each kind with a [`Kind::shape`].
    Numbers(Numbers<'a>),
    /// [`Kind::PackedStringArray`], without the NULs that the wire may have behind each text.
    Strings(Texts<'a>),
    /// [`Kind::Rid`]; 0 where the dialect does not write the id.
    Rid(u64),
    /// [`Kind::Callable`].
    Callable,
    /// [`Kind::Signal`].
    Signal {
        /// The signal's name.
        name: &'a [u8],
        /// The instance id of the object.
        object_id: u64,
    },
    /// [`Kind::Object`]: no object.
    NullObject,
    /// [`Kind::Object`] by instance id; 0 is null.
    ObjectId(u64),
    /// [`Kind::Image`].
    Image(&'a ImageLeaf<'a>),
    /// [`Kind::InputEvent`].
    InputEvent {
        /// What sort of event; see [`InputEventView::event`](crate::InputEventView::event).
        event: u32,
        /// The number of the device.
        device: u32,
        /// What the event itself holds.
        payload: &'a [u8],
    },
}

const _: () = assert!(size_of::<Leaf<'_>>() <= 40, "leaves are passed by value");

/// A path to a node or a property, as [`Leaf::NodePath`] carries it.
#[derive(Clone, Copy, Debug)]
pub enum NodePathLeaf<'a> {
    /// Names, then subnames.
    Names {
        /// `root`, `Main` of `/root/Main:position:x`.
        names: Texts<'a>,
        /// `position`, `x` of the same.
        subnames: Texts<'a>,
        /// Whether it starts at the root of the tree.
        is_absolute: bool,
        /// Whether the last subname, which there is, is a property in the legacy way of Godot 2. Documents of other
        /// dialects never say so.
        has_property: bool,
    },
    /// The whole path as one text: the old form of Godot 2 and the documentation.
    Plain(&'a [u8]),
}

/// An image of Godot 2, as [`Leaf::Image`] carries it.
#[derive(Clone, Copy, Debug)]
pub struct ImageLeaf<'a> {
    /// The number of the engine's pixel format.
    pub format: u32,
    /// The number of smaller copies behind the image.
    pub mipmaps: u32,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// The pixels, mipmaps included.
    pub data: &'a [u8],
}

impl Leaf<'_> {
    /// What it is. O(1).
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Nil => Kind::Nil,
            Self::Bool(_) => Kind::Bool,
            Self::Int { .. } => Kind::Int,
            Self::Float { .. } => Kind::Float,
            Self::String(_) => Kind::String,
            Self::StringName(_) => Kind::StringName,
            Self::NodePath(_) => Kind::NodePath,
            Self::Numbers(numbers) => numbers.kind(),
            Self::Strings(_) => Kind::PackedStringArray,
            Self::Rid(_) => Kind::Rid,
            Self::Callable => Kind::Callable,
            Self::Signal { .. } => Kind::Signal,
            Self::NullObject | Self::ObjectId(_) => Kind::Object,
            Self::Image(_) => Kind::Image,
            Self::InputEvent { .. } => Kind::InputEvent,
        }
    }
}

/// A container or an object in full begins.
#[derive(Clone, Copy, Debug)]
pub enum Head<'a> {
    /// An array of any of the three kinds. Its elements follow.
    Array(ArrayHead<'a>),
    /// A dictionary. Its pairs follow: key, value, key, value.
    Dictionary(DictionaryHead<'a>),
    /// An object with class and properties. They follow, a name and a value each.
    Object(ObjectHead<'a>),
}

/// What precedes the elements of an array.
#[derive(Clone, Copy, Debug)]
pub struct ArrayHead<'a> {
    /// [`Kind::Array`], [`Kind::TypedArray`] or [`Kind::PackedTypedArray`].
    pub kind: Kind,
    /// The declared type of the elements.
    pub element_type: ElementType<&'a [u8]>,
    /// Whether Godot 2 marked it as shared with other places.
    pub is_shared: bool,
    /// The number of elements, if it is known. A document's is a claim: reserve no more memory by it than
    /// [`Input::max_values`](super::Input::max_values) allows.
    pub len: Option<usize>,
}

/// What precedes the pairs of a dictionary.
#[derive(Clone, Copy, Debug)]
pub struct DictionaryHead<'a> {
    /// The declared type of the keys.
    pub key_type: ElementType<&'a [u8]>,
    /// The declared type of the values.
    pub value_type: ElementType<&'a [u8]>,
    /// Whether Godot 2 marked it as shared with other places.
    pub is_shared: bool,
    /// The rule by which its keys are the same, where the producer knows one: a document's dialect, an owned
    /// dictionary's own.
    pub rule: Option<KeyRule>,
    /// The number of pairs, if it is known; see [`ArrayHead::len`].
    pub len: Option<usize>,
}

/// What precedes the properties of an object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectHead<'a> {
    /// The name of its class.
    pub class: &'a [u8],
    /// The rule by which names of properties are the same; see [`DictionaryHead::rule`].
    pub rule: Option<KeyRule>,
    /// The number of properties, if it is known; see [`ArrayHead::len`].
    pub len: Option<usize>,
}

impl Head<'_> {
    /// What it is. O(1).
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Array(head) => head.kind,
            Self::Dictionary(_) => Kind::Dictionary,
            Self::Object(_) => Kind::Object,
        }
    }

    /// The number of elements, pairs or properties, if it is known; see [`ArrayHead::len`]. O(1).
    #[expect(clippy::len_without_is_empty, reason = "whether it is empty may not be known")]
    pub const fn len(&self) -> Option<usize> {
        match self {
            Self::Array(head) => head.len,
            Self::Dictionary(head) => head.len,
            Self::Object(head) => head.len,
        }
    }
}

impl Default for ArrayHead<'_> {
    /// A [`Kind::Array`] of no declared type and of unknown length.
    fn default() -> Self {
        Self { kind: Kind::Array, element_type: ElementType::Any, is_shared: false, len: None }
    }
}

impl Default for DictionaryHead<'_> {
    /// No declared types, no rule, unknown length.
    fn default() -> Self {
        Self {
            key_type: ElementType::Any,
            value_type: ElementType::Any,
            is_shared: false,
            rule: None,
            len: None,
        }
    }
}

impl<'a> ObjectHead<'a> {
    /// An object of a class, of unknown length.
    pub const fn new(class: &'a [u8]) -> Self {
        Self { class, rule: None, len: None }
    }
}

/// A text of at most [`ShortText::MAX`] ASCII bytes, in a block of fixed size that can be copied as a whole.
#[derive(Clone, Copy, Debug)]
pub struct ShortText<'a> {
    block: &'a [u8; ShortText::MAX],
    len: u8,
}

impl<'a> ShortText<'a> {
    /// The most bytes of a short text.
    pub const MAX: usize = 22;

    /// The first `len` bytes of a block, behind which there must be zeroes: consumers may copy them as padding. None where
    /// the block is not all ASCII or `len` is too large. O(1).
    #[inline(always)]
    pub fn new(block: &'a [u8; ShortText::MAX], len: u8) -> Option<Self> {
        const HIGH: u64 = 0x8080_8080_8080_8080;
        let word = |bytes: Option<&[u8; 8]>| bytes.map_or(0, |bytes| u64::from_ne_bytes(*bytes));
        let middle = block.get(8..).and_then(|rest| rest.first_chunk());
        let all = word(block.first_chunk()) | word(middle) | word(block.last_chunk());
        let is_short = usize::from(len) <= Self::MAX;
        (all & HIGH == 0 && is_short).then_some(Self { block, len })
    }

    /// The text. O(1).
    #[inline(always)]
    pub fn as_bytes(&self) -> &'a [u8] {
        self.block.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// The text with zeroes behind it. O(1).
    #[inline(always)]
    pub const fn block(&self) -> &'a [u8; ShortText::MAX] {
        self.block
    }

    /// The length of the text in bytes. O(1).
    #[inline(always)]
    pub const fn len(&self) -> u8 {
        self.len
    }

    /// Whether it has no bytes.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}
