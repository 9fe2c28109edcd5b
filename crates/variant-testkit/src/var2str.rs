//! [`var2str`]: the text that Godot 3.2.3 prints for a value, to compare with the engine-made records.
//!
//! Written from the records and docs/spec/format.md#text, docs/spec/format.md#containers and docs/spec/text.md. No
//! record covers these, which are known only from reading about the engine: the escapes other than of quotes and
//! backslashes, the order of keys that are arrays, and how the sort leaves more than sixteen keys that have no order.
//!
//! Properties of an object come from the wire here; the engine prints the properties of its class.

mod keys;
mod number;
mod order;
mod text;

use std::fmt::{Display, Write as _};

use variant_view::{
    ArrayView, Color, DictionaryView, NodePathView, ObjectForm, ObjectView, Result, StrView,
    VariantView, Vector2, Vector3,
};

/// The text that Godot 3.2.3's `var2str` gives for `view`, as that engine decodes it.
///
/// Recursive: deep nesting needs a large stack. Code points that a Rust text cannot hold become U+FFFD, as in the
/// records.
///
/// # Errors
/// Any error inside a container.
pub fn var2str(view: VariantView<'_>) -> Result<String> {
    let mut out = String::new();
    push(&mut out, view)?;
    Ok(out)
}

fn push(out: &mut String, view: VariantView<'_>) -> Result<()> {
    match view {
        VariantView::Nil(_) => out.push_str("null"),
        VariantView::Bool(value) => push_all(out, [value.value()]),
        VariantView::Int(value) => push_all(out, [value.value()]),
        VariantView::Float(value) => out.push_str(&number::float(&value)),
        VariantView::String(value) => text::push_quoted(out, value, text::escape_quotes),
        VariantView::NodePath(path) => push_node_path(out, path),
        // The engine prints nothing for it: an array of two reads `[ ,  ]`.
        VariantView::Rid(_) => {}
        VariantView::Object(object) => push_object(out, object)?,
        VariantView::Dictionary(dictionary) => push_dictionary(out, dictionary)?,
        VariantView::Array(array) => push_array(out, array)?,
        _ => push_constructor(out, view),
    }
    Ok(())
}

/// The kinds that print as `Name( a, b )`.
fn push_constructor(out: &mut String, view: VariantView<'_>) {
    let name = constructor(view);
    let _ = write!(out, "{name}( ");
    match view {
        VariantView::PackedByteArray(bytes) => push_all(out, bytes.iter()),
        VariantView::PackedInt32Array(ints) => push_all(out, ints.iter()),
        VariantView::PackedStringArray(strings) => {
            separated(out, ", ", strings.iter(), |out, string| {
                text::push_quoted(out, string, text::escape_c);
            });
        }
        _ => push_all(out, reals(view).into_iter().map(number::real)),
    }
    out.push_str(" )");
}

fn push_all<T: Display>(out: &mut String, items: impl IntoIterator<Item = T>) {
    separated(out, ", ", items, |out, item| {
        let _ = write!(out, "{item}");
    });
}

fn separated<T>(
    out: &mut String,
    separator: &str,
    items: impl IntoIterator<Item = T>,
    mut item: impl FnMut(&mut String, T),
) {
    for (i, value) in items.into_iter().enumerate() {
        if i > 0 {
            out.push_str(separator);
        }
        item(out, value);
    }
}

/// Godot 3's name; Godot 4's for a kind that Godot 3 lacks.
fn constructor(view: VariantView<'_>) -> &'static str {
    match view {
        VariantView::Quaternion(_) => "Quat",
        VariantView::Transform3D(_) => "Transform",
        VariantView::PackedByteArray(_) => "PoolByteArray",
        VariantView::PackedInt32Array(_) => "PoolIntArray",
        VariantView::PackedFloat32Array(_) => "PoolRealArray",
        VariantView::PackedStringArray(_) => "PoolStringArray",
        VariantView::PackedVector2Array(_) => "PoolVector2Array",
        VariantView::PackedVector3Array(_) => "PoolVector3Array",
        VariantView::PackedColorArray(_) => "PoolColorArray",
        _ => view.kind().name(),
    }
}

/// The reals of a mathematical value or of a packed array of reals, in the order of the text.
fn reals(view: VariantView<'_>) -> Vec<f32> {
    match view {
        VariantView::Vector2(v) => vector2(v.f32()).to_vec(),
        VariantView::Vector3(v) => vector3(v.f32()).to_vec(),
        VariantView::Color(v) => color(v.value()).to_vec(),
        VariantView::PackedFloat32Array(packed) => packed.iter().collect(),
        VariantView::PackedVector2Array(packed) => packed.iter().flat_map(vector2).collect(),
        VariantView::PackedVector3Array(packed) => packed.iter().flat_map(vector3).collect(),
        VariantView::PackedColorArray(packed) => packed.iter().flat_map(color).collect(),
        _ => composed_reals(view),
    }
}

fn composed_reals(view: VariantView<'_>) -> Vec<f32> {
    match view {
        VariantView::Rect2(v) => {
            let v = v.f32();
            [v.position, v.size].into_iter().flat_map(vector2).collect()
        }
        VariantView::Transform2D(v) => {
            let v = v.f32();
            [v.x, v.y, v.origin].into_iter().flat_map(vector2).collect()
        }
        VariantView::Plane(v) => {
            let v = v.f32();
            vector3(v.normal).into_iter().chain([v.d]).collect()
        }
        VariantView::Quaternion(v) => {
            let v = v.f32();
            vec![v.x, v.y, v.z, v.w]
        }
        VariantView::Aabb(v) => {
            let v = v.f32();
            [v.position, v.size].into_iter().flat_map(vector3).collect()
        }
        VariantView::Basis(v) => {
            let v = v.f32();
            [v.row0, v.row1, v.row2].into_iter().flat_map(vector3).collect()
        }
        VariantView::Transform3D(v) => {
            let v = v.f32();
            let b = v.basis;
            [b.row0, b.row1, b.row2, v.origin].into_iter().flat_map(vector3).collect()
        }
        // Not in Godot 3.
        _ => Vec::new(),
    }
}

fn vector2(v: Vector2) -> [f32; 2] {
    [v.x, v.y]
}

fn vector3(v: Vector3) -> [f32; 3] {
    [v.x, v.y, v.z]
}

fn color(v: Color) -> [f32; 4] {
    [v.r, v.g, v.b, v.a]
}

fn push_node_path(out: &mut String, path: NodePathView<'_>) {
    out.push_str("NodePath(\"");
    let (names, subnames) = (path.names(), path.subnames());
    // An absolute path without any name is the empty path.
    if path.is_absolute() && names.len().saturating_add(subnames.len()) > 0 {
        out.push('/');
    }
    separated(out, "/", names, |out, name| text::push(out, name, text::escape_c));
    for subname in subnames {
        out.push(':');
        text::push(out, subname, text::escape_c);
    }
    out.push_str("\")");
}

fn push_array(out: &mut String, array: ArrayView<'_>) -> Result<()> {
    out.push_str("[ ");
    for (i, element) in array.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        push(out, element?)?;
    }
    out.push_str(" ]");
    Ok(())
}

/// Sorted, whatever the order on the wire.
fn push_dictionary(out: &mut String, dictionary: DictionaryView<'_>) -> Result<()> {
    let mut entries = keys::entries(dictionary)?;
    order::sort(&mut entries, &|a, b| a.key.is_less(&b.key));
    out.push_str("{\n");
    for (i, entry) in entries.iter().enumerate() {
        if i > 0 {
            out.push_str(",\n");
        }
        push(out, entry.name)?;
        out.push_str(": ");
        push(out, entry.value)?;
    }
    out.push_str("\n}");
    Ok(())
}

fn push_object(out: &mut String, object: ObjectView<'_>) -> Result<()> {
    match object.form() {
        ObjectForm::Null | ObjectForm::Id(0) => out.push_str("null"),
        ObjectForm::Id(id) => {
            // The stand-in for an object of another process; the property is a signed integer.
            let id = id.cast_signed();
            let _ = writeln!(out, "Object(EncodedObjectAsID,\"object_id\":{id},\"script\":null)");
        }
        ObjectForm::Full(class) => push_full_object(out, class, object)?,
    }
    Ok(())
}

fn push_full_object(out: &mut String, class: StrView<'_>, object: ObjectView<'_>) -> Result<()> {
    if let Some(path) = file_of(object)? {
        let _ = write!(out, "Resource( \"{path}\")");
        return Ok(());
    }
    out.push_str("Object(");
    text::push(out, class, text::verbatim);
    push_properties(out, object)?;
    out.push_str(")\n");
    Ok(())
}

fn push_properties(out: &mut String, object: ObjectView<'_>) -> Result<()> {
    let mut has_script = false;
    for property in object.properties() {
        let (name, value) = property?;
        let name = text::plain(name);
        let _ = write!(out, ",\"{name}\":");
        if name == "script" {
            has_script = true;
            push_script(out, value)?;
        } else {
            push(out, value)?;
        }
    }
    // Every class has this property.
    if !has_script {
        out.push_str(",\"script\":null");
    }
    Ok(())
}

/// A script is an object; other values are ignored.
fn push_script(out: &mut String, value: VariantView<'_>) -> Result<()> {
    match value {
        VariantView::Object(_) => push(out, value)?,
        _ => out.push_str("null"),
    }
    Ok(())
}

/// The file of a resource; if there is one, only that is printed.
fn file_of(object: ObjectView<'_>) -> Result<Option<String>> {
    let Some(VariantView::String(path)) = object.get("resource_path")? else { return Ok(None) };
    let path = text::plain(path);
    // With `::` it is part of another file.
    Ok((path.starts_with("res://") && !path.contains("::")).then_some(path))
}

#[cfg(test)]
mod tests {
    use variant_view::{Dialect, Document};

    use super::*;

    fn text(words: &[u32]) -> String {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        var2str(Document::new(&bytes, Dialect::Godot3).root().unwrap()).unwrap()
    }

    #[test]
    fn numbers() {
        assert_eq!(text(&[2, 7]), "7");
        assert_eq!(text(&[3, 0x3f80_0000]), "1.0");
        assert_eq!(text(&[3, 0x8000_0000]), "0.0");
        assert_eq!(text(&[0x1_0003, 0, 0xfff0_0000]), "-inf.0");
        assert_eq!(text(&[3, 0xffc0_0000]), "-nan.0");
        assert_eq!(text(&[5, 0x3f80_0000, 0x7fc0_0000]), "Vector2( 1, nan )");
    }

    #[test]
    fn text_is_what_the_engine_reads() {
        assert_eq!(text(&[4, 4, u32::from_le_bytes(*b"a\"\\\n")]), "\"a\\\"\\\\\n\"");
        assert_eq!(text(&[4, 4, u32::from_le_bytes(*b"a\0bc")]), "\"a\"");
        assert_eq!(text(&[4, 6, 0xb8bd_a0ed, 0x80b8]), "\"\u{fffd}\"");
        assert_eq!(text(&[4, 6, 0xedbd_a0ed, 0x80b8]), "\"\u{1f600}\"");
    }

    #[test]
    fn containers() {
        assert_eq!(text(&[19, 0]), "[  ]");
        assert_eq!(text(&[18, 0]), "{\n\n}");
        assert_eq!(text(&[19, 2, 16, 20, 0]), "[ , PoolByteArray(  ) ]");
    }

    #[test]
    fn keys_are_sorted_and_the_last_value_wins() {
        let pairs = [18, 4, 2, 2, 0, 3, 0, 0, 2, 1, 0, 2, 2, 1, 1];
        assert_eq!(text(&pairs), "{\n1: null,\n2: true,\n0.0: null\n}");
        let dictionaries = [18, 2, 18, 0, 2, 1, 18, 0, 2, 2];
        assert_eq!(text(&dictionaries), "{\n{\n\n}: 1,\n{\n\n}: 2\n}");
    }

    #[test]
    fn objects() {
        assert_eq!(text(&[0x1_0011, 0, 0]), "null");
        let by_id = "Object(EncodedObjectAsID,\"object_id\":-1,\"script\":null)\n";
        assert_eq!(text(&[0x1_0011, u32::MAX, u32::MAX]), by_id);
    }
}
