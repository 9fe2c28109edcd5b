//! Values as short literals, similar to the literals of scripts.

use std::fmt::Write as _;
use std::ops::Range;

use variant_owned::Shortest;
use variant_view::{
    ElementType, ImageView, InputEventView, Kind, Number, Numbers, ObjectForm, PackedStrings,
    ScalarView, StrView, VariantView, Width, Wire as _,
};

use crate::count::counted;
use crate::escape::escape;

/// The maximum number of characters shown of a text.
const TEXT_MAX: usize = 100;
/// The maximum number of characters shown of each text in a packed array.
const ITEM_TEXT_MAX: usize = 24;
/// The maximum number of elements shown of a packed array.
const ITEMS_MAX: usize = 8;
/// The length in bytes after which further elements are not shown.
const ITEMS_WIDTH: usize = 72;

/// Appends `view` with a bounded number of characters; for a container, appends its type and size.
pub fn write(out: &mut String, view: &VariantView<'_>) {
    use VariantView as V;
    let name = view.kind().name();
    match view {
        V::Nil(_) => out.push_str("null"),
        V::Bool(bool) => out.push_str(if bool.value() { "true" } else { "false" }),
        V::Int(int) => append(out, format_args!("{}", int.value())),
        V::Float(float) => write_float(out, float),
        V::String(text) => write_text(out, "", text.as_bytes(), TEXT_MAX),
        V::StringName(text) => write_text(out, "&", text.as_bytes(), TEXT_MAX),
        V::NodePath(path) => write_text(out, "^", path.to_string().as_bytes(), TEXT_MAX),
        V::Rid(rid) if rid.value() == 0 => out.push_str("RID()"),
        V::Rid(rid) => append(out, format_args!("RID({})", rid.value())),
        V::Callable(_) => out.push_str("Callable()"),
        V::Signal(signal) => {
            append(out, format_args!("Signal(object {}, ", signal.object_id()));
            write_text(out, "", signal.name().as_bytes(), TEXT_MAX);
            out.push(')');
        }
        V::Image(image) => write_image(out, image),
        V::InputEvent(event) => write_event(out, event),
        V::Dictionary(_)
        | V::Array(_)
        | V::TypedArray(_)
        | V::PackedTypedArray(_)
        | V::Object(_) => write_container(out, view),
        V::PackedStringArray(packed) => write_strings(out, name, packed),
        // A view without numbers has a kind that this version does not know.
        _ => match view.numbers() {
            Some(numbers) => write_numbers(out, numbers),
            None => out.push_str(name),
        },
    }
}

/// The value as [`write()`] appends it.
pub fn text(view: &VariantView<'_>) -> String {
    let mut text = String::new();
    write(&mut text, view);
    text
}

/// The type and size of a container; a literal if it is empty and untyped.
fn write_container(out: &mut String, view: &VariantView<'_>) {
    match view {
        VariantView::Dictionary(dictionary) => {
            let types = [dictionary.key_type(), dictionary.value_type()];
            let is_typed = !types.iter().all(|of| matches!(of, ElementType::Any));
            let types = types.get(..).filter(|_| is_typed).unwrap_or_default();
            write_sized(out, Kind::Dictionary, types, dictionary.len());
        }
        VariantView::Array(array)
        | VariantView::TypedArray(array)
        | VariantView::PackedTypedArray(array) => {
            let types = [array.element_type()];
            let is_typed = view.kind() != Kind::Array || !matches!(types, [ElementType::Any]);
            let types = types.get(..).filter(|_| is_typed).unwrap_or_default();
            write_sized(out, view.kind(), types, array.len());
        }
        VariantView::Object(object) => match object.form() {
            ObjectForm::Null => out.push_str("Object(null)"),
            ObjectForm::Id(id) => append(out, format_args!("Object(id {id})")),
            ObjectForm::Full(class) => {
                out.push_str("Object ");
                escape(out, class.as_bytes(), TEXT_MAX);
                append(out, format_args!(" ({})", counted(object.len(), "property")));
            }
        },
        other => out.push_str(other.kind().name()),
    }
}

fn write_sized(out: &mut String, kind: Kind, types: &[ElementType<StrView<'_>>], len: usize) {
    match (kind, types, len) {
        (Kind::Dictionary, [], 0) => return out.push_str("{}"),
        (Kind::Array, [], 0) => return out.push_str("[]"),
        _ => out.push_str(kind.name()),
    }
    for (i, of) in types.iter().enumerate() {
        out.push_str(if i == 0 { "[" } else { ", " });
        write_type(out, of);
    }
    if !types.is_empty() {
        out.push(']');
    }
    append(out, format_args!(" ({len})"));
}

fn write_type(out: &mut String, of: &ElementType<StrView<'_>>) {
    match of {
        ElementType::Any => out.push_str("Variant"),
        ElementType::Builtin(kind) => out.push_str(kind.name()),
        ElementType::Class(class) => {
            escape(out, class.as_bytes(), TEXT_MAX);
        }
        ElementType::Script(path) => write_text(out, "", path.as_bytes(), TEXT_MAX),
        ElementType::Unknown(id) => append(out, format_args!("type {id}")),
    }
}

/// A float with a decimal point, to distinguish it from an int.
fn write_float(out: &mut String, float: &ScalarView<'_, f64>) {
    let start = out.len();
    let number = match float.width() {
        Width::W64 => Number::Float64(float.bits()),
        // The conversion is exact, since the value has 32 bits on the wire.
        Width::W32 => f32::narrow(float.value()).into(),
    };
    append(out, format_args!("{}", Shortest(number)));
    let is_whole = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if out.get(start..).is_some_and(is_whole) {
        out.push_str(".0");
    }
}

fn write_text(out: &mut String, prefix: &str, bytes: &[u8], max: usize) {
    out.push_str(prefix);
    out.push('"');
    let is_all = escape(out, bytes, max);
    out.push('"');
    if !is_all {
        append(out, format_args!("... ({})", counted(bytes.len(), "byte")));
    }
}

/// A mathematical value, or the first elements of a packed array.
fn write_numbers(out: &mut String, numbers: Numbers<'_>) {
    let (name, shape) = (numbers.kind().name(), numbers.shape());
    if !shape.is_packed {
        out.push_str(name);
        return write_group(out, numbers, 0, shape.count);
    }
    write_items(out, name, 0..numbers.elements(), |out, i| {
        let first = i.saturating_mul(shape.count.into());
        write_group(out, numbers, first, shape.count);
    });
}

/// `count` numbers from index `first` on, in parentheses if `count` is more than 1.
fn write_group(out: &mut String, numbers: Numbers<'_>, first: usize, count: u8) {
    let all = (first..).take(count.into()).filter_map(|i| numbers.get(i));
    for (i, number) in all.enumerate() {
        let opener = if count > 1 { "(" } else { "" };
        append(out, format_args!("{}{}", if i == 0 { opener } else { ", " }, Shortest(number)));
    }
    out.push_str(if count > 1 { ")" } else { "" });
}

/// Some elements of a packed array, as a bounded number of characters.
pub fn write_elements(out: &mut String, packed: &VariantView<'_>, range: Range<usize>) {
    let start = out.len();
    let is_one = range.len() == 1;
    // The texts are collected in one pass, since finding a text requires reading all texts before it.
    let texts: Vec<_> = match packed {
        VariantView::PackedStringArray(texts) => {
            texts.iter().skip(range.start).take(ITEMS_MAX).collect()
        }
        _ => Vec::new(),
    };
    let first = range.start;
    let write = |out: &mut String, at: usize| match (packed, packed.numbers()) {
        (VariantView::PackedStringArray(_), _) => {
            let text = texts.get(at.saturating_sub(first)).map_or(&[][..], |text| text.as_bytes());
            write_text(out, "", text, ITEM_TEXT_MAX);
        }
        (_, Some(numbers)) => {
            let count = numbers.shape().count;
            write_group(out, numbers, at.saturating_mul(count.into()), count);
        }
        _ => {}
    };
    let len = range.len();
    out.push_str(if is_one { "" } else { "(" });
    for (i, at) in range.enumerate() {
        out.push_str(if i == 0 { "" } else { ", " });
        if i == ITEMS_MAX || out.len().saturating_sub(start) > ITEMS_WIDTH {
            append(out, format_args!("... {}", counted(len, "element")));
            break;
        }
        write(out, at);
    }
    out.push_str(if is_one { "" } else { ")" });
}

fn write_strings(out: &mut String, name: &str, packed: &PackedStrings<'_>) {
    write_items(out, name, packed.iter(), |out, item| {
        write_text(out, "", item.as_bytes(), ITEM_TEXT_MAX);
    });
}

fn write_items<T>(
    out: &mut String,
    name: &str,
    items: impl ExactSizeIterator<Item = T>,
    write: impl Fn(&mut String, T),
) {
    let len = items.len();
    append(out, format_args!("{name}[{len}]"));
    let start = out.len();
    for (i, item) in items.enumerate() {
        out.push_str(if i == 0 { "(" } else { ", " });
        if i == ITEMS_MAX || out.len().saturating_sub(start) > ITEMS_WIDTH {
            out.push_str("...");
            break;
        }
        write(out, item);
    }
    if len > 0 {
        out.push(')');
    }
}

fn write_image(out: &mut String, image: &ImageView<'_>) {
    let (width, height, format) = (image.width(), image.height(), image.format());
    append(out, format_args!("Image({width} x {height}, format {format}, "));
    append(out, format_args!("{})", counted(image.data().len(), "byte")));
}

fn write_event(out: &mut String, event: &InputEventView<'_>) {
    let what = match event.event() {
        1 => "key",
        2 => "mouse motion",
        3 => "mouse button",
        4 => "joystick motion",
        5 => "joystick button",
        6 => "touch",
        _ => "other",
    };
    append(out, format_args!("InputEvent({what}, device {}", event.device()));
    for (i, byte) in event.payload().iter().enumerate() {
        out.push_str(if i == 0 { ", " } else { " " });
        append(out, format_args!("{byte:02x}"));
    }
    out.push(')');
}

/// Writing to a string cannot fail.
fn append(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use variant_owned::{encode, from_text};
    use variant_view::{Dialect, Document, Options};

    /// The literal of a value of Godot 4. The value is given as 32-bit words.
    fn literal(words: &[u32]) -> String {
        literal_of(Dialect::Godot4, words)
    }

    fn literal_of(dialect: Dialect, words: &[u32]) -> String {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        text(&Document::new(&bytes, Options::engine(dialect)).root().unwrap())
    }

    const FLAG: u32 = 1 << 16;

    fn word(text: [u8; 4]) -> u32 {
        u32::from_le_bytes(text)
    }

    #[test]
    fn scalars() {
        assert_eq!(literal(&[0]), "null");
        assert_eq!(literal(&[1, 1]), "true");
        assert_eq!(literal(&[2, 0xffff_ffff]), "-1");
        assert_eq!(literal(&[FLAG + 2, 0, 1]), "4294967296");
        assert_eq!(literal(&[3, 1.0_f32.to_bits()]), "1.0");
        assert_eq!(literal(&[3, 0.1_f32.to_bits()]), "0.1");
        assert_eq!(literal(&[3, 1e20_f32.to_bits()]), "1e20");
        assert_eq!(literal(&[3, f32::NAN.to_bits()]), "nan");
        assert_eq!(literal(&[23, 13, 0]), "RID(13)");
        assert_eq!(literal(&[25]), "Callable()");
    }

    #[test]
    fn texts() {
        assert_eq!(literal(&[4, 3, word(*b"a\x1b\"\0")]), "\"a\\u{1b}\\\"\"");
        assert_eq!(literal(&[21, 2, word(*b"hp\0\0")]), "&\"hp\"");
        assert_eq!(literal(&[22, 0x8000_0001, 0, 1, 1, word(*b"a\0\0\0")]), "^\"/a\"");
        assert_eq!(literal(&[26, 1, word(*b"s\0\0\0"), 9, 0]), "Signal(object 9, \"s\")");
        let long = [&[4, 400][..], &[word(*b"aaaa"); 100]].concat();
        assert_eq!(literal(&long), format!("\"{}\"... (400 bytes)", "a".repeat(100)));
    }

    #[test]
    fn mathematics() {
        let one = 1.0_f32.to_bits();
        assert_eq!(literal(&[9, one, 0, one]), "Vector3(1, 0, 1)");
        assert_eq!(literal(&[6, 1, 0xffff_fffe]), "Vector2i(1, -2)");
        let minus_half = (-0.5_f32).to_bits();
        assert_eq!(literal(&[7, one, minus_half, 0, one]), "Rect2(1, -0.5, 0, 1)");
        assert_eq!(literal(&[FLAG + 5, 0x9999_999a, 0x3fb9_9999, 0, 0]), "Vector2(0.1, 0)");
        assert_eq!(literal(&[20, one, 0, 0, one]), "Color(1, 0, 0, 1)");
    }

    #[test]
    fn packed_arrays_show_their_first_elements() {
        let numbers = [&[30, 1000][..], &[7; 1000]].concat();
        assert_eq!(literal(&numbers), "PackedInt32Array[1000](7, 7, 7, 7, 7, 7, 7, 7, ...)");
        assert_eq!(literal(&[29, 2, word([1, 255, 0, 0])]), "PackedByteArray[2](1, 255)");
        assert_eq!(literal(&[32, 0]), "PackedFloat32Array[0]");
        assert_eq!(literal(&[34, 1, 2, word(*b"a\0\0\0")]), "PackedStringArray[1](\"a\")");
        let half = 0.5_f32.to_bits();
        assert_eq!(literal(&[35, 1, half, half]), "PackedVector2Array[1]((0.5, 0.5))");
    }

    /// No element follows if the elements before it have more than 72 bytes.
    #[test]
    fn long_elements_are_left_out() {
        for (len, is_all) in [(19, true), (20, false), (21, false)] {
            let texts = [20, 20, len, 1].map(|len| format!("\"{}\"", "x".repeat(len)));
            let [a, b, c, d] = &texts;
            let array = format!("PackedStringArray({})", texts.join(", "));
            let bytes = encode(&from_text(&array).unwrap(), Dialect::Godot4).unwrap();
            let view = Document::new(&bytes, Dialect::Godot4).root().unwrap();
            let last = if is_all { d } else { "..." };
            assert_eq!(text(&view), format!("PackedStringArray[4]({a}, {b}, {c}, {last})"));
            let mut elements = String::new();
            write_elements(&mut elements, &view, 0..4);
            let last = if is_all { d } else { "... 4 elements" };
            assert_eq!(elements, format!("({a}, {b}, {c}, {last})"));
        }
    }

    #[test]
    fn input_events_show_their_type() {
        for (words, expected) in [
            (&[1, 0, 20, 0x0100_0002, 65][..], "key, device 0, 02 00 00 01 41 00 00 00"),
            (&[2, 3, 12], "mouse motion, device 3"),
            (&[3, 0, 16, 1], "mouse button, device 0, 01 00 00 00"),
            (&[4, 1, 16, 2], "joystick motion, device 1, 02 00 00 00"),
            (&[4, 1, 20, 2, 0], "joystick motion, device 1, 02 00 00 00 00 00 00 00"),
            (&[5, 1, 16, 7], "joystick button, device 1, 07 00 00 00"),
            (&[6, 0, 16, 1], "touch, device 0, 01 00 00 00"),
            (&[7, 0, 12], "other, device 0"),
        ] {
            let literal = literal_of(Dialect::Godot2, &[&[19], words].concat());
            assert_eq!(literal, format!("InputEvent({expected})"));
        }
    }

    #[test]
    fn containers_show_type_and_size() {
        assert_eq!(literal(&[27, 0]), "{}");
        assert_eq!(literal(&[28, 0]), "[]");
        assert_eq!(literal(&[28, 1, 0]), "Array (1)");
        assert_eq!(literal(&[FLAG + 28, 2, 0]), "Array[int] (0)");
        assert_eq!(literal(&[FLAG + 27, 4, 1, 0, 0]), "Dictionary[String, Variant] (1)");
        let class = [FLAG + FLAG + 28, 4, word(*b"Node"), 0];
        assert_eq!(literal(&class), "Array[Node] (0)");
    }

    #[test]
    fn objects_show_what_they_are() {
        assert_eq!(literal(&[FLAG + 24, 7, 0]), "Object(id 7)");
        assert_eq!(literal(&[24, 0]), "Object(null)");
        assert_eq!(literal(&[24, 4, word(*b"Node"), 3, 0]), "Object Node (3 properties)");
    }
}
