//! [`Event`]: a step through a document.

use variant_view::Kind;

/// One step through a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<'a> {
    /// A container, or an object in full. Its contents follow, and then its [`Event::Exit`].
    Enter(Node<'a>),
    /// Any other value, and the offset after the value.
    Leaf(Node<'a>, usize),
    /// The end of the innermost open container.
    Exit {
        /// The offset after the container.
        end: usize,
        /// The depth of the container.
        depth: u32,
    },
}

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<'a> {
    /// The kind of the value.
    pub kind: Kind,
    /// The offset of the value's header.
    pub offset: usize,
    /// The number of containers around the value.
    pub depth: u32,
    /// The role of the value in the container around it.
    pub role: Role<'a>,
    /// The content of the value.
    pub content: Content<'a>,
}

/// The role of a value in the container around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Role<'a> {
    /// The value is outside all containers.
    Root,
    /// Element of an array.
    Element(u32),
    /// Key of a pair.
    Key(u32),
    /// Value of a pair.
    Value(u32),
    /// Property of an object: index, and name as on the wire.
    Property(u32, &'a [u8]),
}

/// The content of a value. Texts are the bytes on the wire; see [`super::as_read`].
#[derive(Clone, Debug, PartialEq)]
pub enum Content<'a> {
    /// The kind is the whole content.
    Nothing,
    /// A boolean.
    Bool(bool),
    /// An integer, and whether it takes 8 bytes.
    Int(i64, bool),
    /// The bits of a float, and whether it takes 8 bytes.
    Float(u64, bool),
    /// A text.
    Text(&'a [u8]),
    /// The id of a RID. 0 if it is not written.
    Rid(u64),
    /// The numbers of a mathematical type, and the size of each number in bytes.
    Numbers(&'a [u8], u32),
    /// A path in the old form.
    PlainPath(&'a [u8]),
    /// A path: the flags with a meaning, names, subnames.
    Path(u32, Vec<&'a [u8]>, Vec<&'a [u8]>),
    /// An object that is null.
    Null,
    /// The id of an object.
    Id(u64),
    /// An object in full: its class, and the number of its properties.
    Class(&'a [u8], u32),
    /// A signal: its name, and the id of its object.
    Signal(&'a [u8], u64),
    /// A container: its count, bit 31 of the word with the count, and its declared types. The types are those of
    /// elements or keys, and of values.
    Container(u32, bool, [Typing<'a>; 2]),
    /// The elements of a packed array, and their number.
    Elements(&'a [u8], u32),
    /// The strings of a packed array.
    Strings(Vec<&'a [u8]>),
    /// Godot 2's image: its format, mipmaps, width and height, and its data.
    Image([u32; 4], &'a [u8]),
    /// Godot 2's input event: its type and device, and its other bytes.
    InputEvent([u32; 2], &'a [u8]),
}

/// The declared type of the values in a container.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Typing<'a> {
    /// No type is declared.
    Any,
    /// The declared type by its number, which the dialect may lack.
    Id(u32),
    /// The declared type is a class.
    Class(&'a [u8]),
    /// The declared type is a script.
    Script(&'a [u8]),
}
