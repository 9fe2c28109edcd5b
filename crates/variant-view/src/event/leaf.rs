//! [`Leaf`] and [`Head`]: the data of events.

use super::{Numbers, Texts};
use crate::element_type::ElementType;
use crate::key::KeyRule;
use crate::kind::{Kind, Width};

/// A value without children, including wire widths and the bits of floats.
///
/// Its data is borrowed for the call. `Copy`, 40 bytes on 64-bit hosts.
///
/// ```
/// use variant_view::{Kind, Leaf, Width};
///
/// let half = Leaf::Float { bits: 0.5_f32.to_bits().into(), width: Width::W32 };
/// assert_eq!(half.kind(), Kind::Float);
/// assert_eq!(Leaf::String(b"hp").kind(), Kind::String);
/// ```
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
        /// The width on the wire. If [`Width::W32`] does not hold the value, writers use the wide form.
        width: Width,
    },
    /// [`Kind::Float`].
    Float {
        /// The bits. A 32-bit float has its bits in the low half.
        bits: u64,
        /// The width on the wire.
        width: Width,
    },
    /// [`Kind::String`]: bytes, normally UTF-8.
    String(&'a [u8]),
    /// [`Kind::StringName`]: bytes, normally UTF-8.
    StringName(&'a [u8]),
    /// [`Kind::NodePath`].
    NodePath(&'a NodePathLeaf<'a>),
    /// Every mathematical type and every packed array of numbers: all kinds that have a [`Kind::shape`].
    Numbers(Numbers<'a>),
    /// [`Kind::PackedStringArray`]: the texts without their terminating NULs.
    Strings(Texts<'a>),
    /// [`Kind::Rid`]; 0 in dialects that do not write the id.
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
    /// [`Kind::Object`]: null.
    NullObject,
    /// [`Kind::Object`] by instance id; 0 is null.
    ObjectId(u64),
    /// [`Kind::Image`], of Godot 2.
    Image {
        /// The engine's number of the pixel format.
        format: u32,
        /// The number of mipmaps.
        mipmaps: u32,
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
        /// The pixels, mipmaps included.
        data: &'a [u8],
    },
    /// [`Kind::InputEvent`].
    InputEvent {
        /// The type of the event; see [`InputEventView::event`](crate::InputEventView::event).
        event: u32,
        /// The device number.
        device: u32,
        /// The data of the event.
        payload: &'a [u8],
    },
}

const _: () = assert!(size_of::<Leaf<'_>>() <= 40, "leaves are passed by value");

/// The path of a [`Leaf::NodePath`], to a node or a property.
///
/// ```
/// use variant_view::{Kind, Leaf, NodePathLeaf, Texts};
///
/// let names: &[&str] = &["root", "Main"];
/// let (names, subnames) = (Texts::of(&names), Texts::EMPTY);
/// let path = NodePathLeaf::Names { names, subnames, is_absolute: true, has_property: false }; // /root/Main
/// assert_eq!(Leaf::NodePath(&path).kind(), Kind::NodePath);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum NodePathLeaf<'a> {
    /// Names, then subnames.
    Names {
        /// The names: `root`, `Main` in `/root/Main:position:x`.
        names: Texts<'a>,
        /// The subnames: `position`, `x` in the same path.
        subnames: Texts<'a>,
        /// Whether the path starts at the root of the scene tree.
        is_absolute: bool,
        /// Whether the last subname is a property in the legacy form of Godot 2. Always false in documents
        /// of other dialects.
        has_property: bool,
    },
    /// The whole path as one text: the old form of Godot 2 and of the documentation.
    Plain(&'a [u8]),
}

impl Leaf<'_> {
    /// The kind of the value. O(1).
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
            Self::Image { .. } => Kind::Image,
            Self::InputEvent { .. } => Kind::InputEvent,
        }
    }
}

/// The beginning of a container or of a full object.
///
/// ```
/// use variant_view::{DictionaryHead, Head, Kind};
///
/// let head = Head::Dictionary(DictionaryHead { len: Some(2), ..DictionaryHead::default() });
/// assert_eq!((head.kind(), head.len()), (Kind::Dictionary, Some(2)));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Head<'a> {
    /// An array of any of the three array kinds. Its elements follow.
    Array(ArrayHead<'a>),
    /// A dictionary. Its pairs follow: key, value, key, value.
    Dictionary(DictionaryHead<'a>),
    /// An object with class and properties. A name and a value of each property follow.
    Object {
        /// The class name.
        class: &'a [u8],
        /// The rule for equal property names; see [`DictionaryHead::rule`].
        rule: Option<KeyRule>,
        /// The number of properties, if known; see [`ArrayHead::len`].
        len: Option<usize>,
    },
}

/// The head of an array.
///
/// ```
/// use variant_view::{ArrayHead, ElementType, Kind};
///
/// let ints = ArrayHead { element_type: ElementType::Builtin(Kind::Int), ..ArrayHead::default() };
/// assert_eq!((ints.kind, ints.len), (Kind::Array, None));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ArrayHead<'a> {
    /// [`Kind::Array`], [`Kind::TypedArray`] or [`Kind::PackedTypedArray`]. Another kind counts as [`Kind::Array`].
    pub kind: Kind,
    /// The declared type of the elements.
    pub element_type: ElementType<&'a [u8]>,
    /// Whether Godot 2 marked the array as shared.
    pub is_shared: bool,
    /// The number of elements, if known. A document's number is not verified: reserve at most
    /// [`Input::max_values`](super::Input::max_values).
    pub len: Option<usize>,
}

/// The head of a dictionary.
///
/// ```
/// use variant_view::{DictionaryHead, ElementType, Kind};
///
/// let by_name = DictionaryHead { key_type: ElementType::Builtin(Kind::StringName), ..Default::default() };
/// assert!(by_name.value_type.is_any() && by_name.rule.is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DictionaryHead<'a> {
    /// The declared type of the keys.
    pub key_type: ElementType<&'a [u8]>,
    /// The declared type of the values.
    pub value_type: ElementType<&'a [u8]>,
    /// Whether Godot 2 marked the dictionary as shared.
    pub is_shared: bool,
    /// The rule for equal keys, if the producer knows one: the rule of the document's dialect, or of the owned
    /// dictionary.
    pub rule: Option<KeyRule>,
    /// The number of pairs, if known; see [`ArrayHead::len`].
    pub len: Option<usize>,
}

impl Head<'_> {
    /// The kind of the container. O(1).
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Array(head) => head.kind,
            Self::Dictionary(_) => Kind::Dictionary,
            Self::Object { .. } => Kind::Object,
        }
    }

    /// The number of elements, pairs or properties, if known; see [`ArrayHead::len`]. O(1).
    #[expect(clippy::len_without_is_empty, reason = "the number of items may be unknown")]
    pub const fn len(&self) -> Option<usize> {
        match self {
            Self::Array(head) => head.len,
            Self::Dictionary(head) => head.len,
            Self::Object { len, .. } => *len,
        }
    }
}

impl Default for ArrayHead<'_> {
    /// An untyped [`Kind::Array`] of unknown length.
    fn default() -> Self {
        Self { kind: Kind::Array, element_type: ElementType::Any, is_shared: false, len: None }
    }
}

impl Default for DictionaryHead<'_> {
    /// An untyped dictionary without a rule, of unknown length.
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

impl<'a> Head<'a> {
    /// An object of `class`, of unknown length.
    ///
    /// ```
    /// use variant_view::{Head, Kind};
    ///
    /// let head = Head::object(b"Node");
    /// assert_eq!((head.kind(), head.len()), (Kind::Object, None));
    /// ```
    pub const fn object(class: &'a [u8]) -> Self {
        Self::Object { class, rule: None, len: None }
    }
}

/// A text of at most [`ShortText::MAX`] ASCII bytes, in a block of fixed size that can be copied whole.
///
/// ```
/// use variant_view::internal::ShortText;
///
/// let mut block = [0; ShortText::MAX];
/// block[..2].copy_from_slice(b"hp");
/// assert_eq!(ShortText::new(&block, 2).unwrap().as_bytes(), b"hp");
/// assert!(ShortText::new(&[0xff; ShortText::MAX], 2).is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ShortText<'a> {
    block: &'a [u8; ShortText::MAX],
    len: u8,
}

impl<'a> ShortText<'a> {
    /// The greatest length in bytes.
    pub const MAX: usize = 22;

    /// The first `len` bytes of `block`. The bytes after them must be zero, since consumers may copy them
    /// as padding. `None` if the block is not all ASCII or `len` is greater than [`ShortText::MAX`]. O(1).
    #[cfg_attr(not(variant_small), inline(always))]
    pub fn new(block: &'a [u8; ShortText::MAX], len: u8) -> Option<Self> {
        const HIGH: u64 = 0x8080_8080_8080_8080;
        let word = |bytes: Option<&[u8; 8]>| bytes.map_or(0, |bytes| u64::from_ne_bytes(*bytes));
        let middle = block.get(8..).and_then(|rest| rest.first_chunk());
        let all = word(block.first_chunk()) | word(middle) | word(block.last_chunk());
        let is_short = usize::from(len) <= Self::MAX;
        (all & HIGH == 0 && is_short).then_some(Self { block, len })
    }

    /// The text. O(1).
    #[cfg_attr(not(variant_small), inline(always))]
    pub fn as_bytes(&self) -> &'a [u8] {
        self.block.get(..usize::from(self.len)).unwrap_or_default()
    }

    /// The whole block: the text, then zeroes. O(1).
    #[cfg_attr(not(variant_small), inline(always))]
    pub const fn block(&self) -> &'a [u8; ShortText::MAX] {
        self.block
    }

    /// The length in bytes. O(1).
    #[cfg_attr(not(variant_small), inline(always))]
    pub const fn len(&self) -> u8 {
        self.len
    }

    /// Whether the text is empty.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}
