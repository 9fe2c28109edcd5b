//! The text of a row: what a value has, without its type.

use variant_document::escape::escape;
use variant_document::literal;
use variant_document::tree::{Child, Children, Entry, Label, Spot};
use variant_view::VariantView;

/// The maximum number of bytes that are shown of a text.
const TEXT: usize = 100;
/// The length in bytes after which further items are not shown.
const WIDTH: usize = 48;
/// The maximum number of bytes that are read for the items of a container.
const NEAR: usize = 4_096;

/// The number of keys, properties, items or elements of a value; `None` for a value without such.
pub(super) fn count_of(view: &VariantView<'_>) -> Option<u32> {
    let elements = match view {
        VariantView::PackedStringArray(texts) => texts.iter().len(),
        _ => view.numbers().filter(|all| all.shape().is_packed)?.elements(),
    };
    u32::try_from(elements).ok()
}

/// The value in one line: `{hp, name, ...}`, `[0, 1, ...]`, `(1, 2)`, or the text without quotes. O(1).
pub(super) fn shown(spot: Spot<'_>, view: &VariantView<'_>) -> String {
    let mut out = String::new();
    match view {
        VariantView::String(text) | VariantView::StringName(text) => {
            if !escape(&mut out, text.as_bytes(), TEXT) {
                out.push_str("...");
            }
        }
        VariantView::NodePath(path) => {
            escape(&mut out, path.to_string().as_bytes(), TEXT);
        }
        VariantView::Dictionary(_) => items(&mut out, spot, ['{', '}']),
        VariantView::Object(object) if object.class().is_some() => {
            items(&mut out, spot, ['{', '}']);
        }
        VariantView::Array(_) | VariantView::TypedArray(_) | VariantView::PackedTypedArray(_) => {
            items(&mut out, spot, ['[', ']']);
        }
        view => {
            literal::write(&mut out, view);
            if view.numbers().is_some() || matches!(view, VariantView::PackedStringArray(_)) {
                return inner(&out, view);
            }
        }
    }
    out
}

/// A literal of numbers or texts without its type: `PackedInt32Array[2](1, 2)` is shown as `[1, 2]`.
fn inner(literal: &str, view: &VariantView<'_>) -> String {
    let numbers = literal.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
    let numbers = numbers.unwrap_or_default();
    let is_packed = view.numbers().is_none_or(|all| all.shape().is_packed);
    if is_packed { format!("[{numbers}]") } else { format!("({numbers})") }
}

fn items(out: &mut String, spot: Spot<'_>, [open, close]: [char; 2]) {
    out.push(open);
    let rows = |spot| Children::of(&Child { label: Label::Value, spot });
    let all = rows(spot).map_or(0, |children| children.rows());
    // Only the first bytes are read, since a value between two keys may be long.
    let near = Spot { bytes: spot.bytes.get(..NEAR).unwrap_or(spot.bytes), ..spot };
    let mut children = rows(near);
    for index in 0..all {
        let next = children.as_mut().and_then(|children| children.get(index));
        let Some(Entry::Child(child)) = next.filter(|_| out.len() <= WIDTH) else {
            out.push_str(if index == 0 { "..." } else { ", ..." });
            break;
        };
        out.push_str(if index == 0 { "" } else { ", " });
        item(out, &child);
    }
    out.push(close);
}

/// The name of an item or, for an element of an array, its value.
fn item(out: &mut String, child: &Child<'_>) {
    if !matches!(child.label, Label::Element(_)) {
        match child.name() {
            Some(name) => {
                escape(out, name, WIDTH);
            }
            None => out.push_str(&child.label()),
        }
        return;
    }
    match child.spot.head() {
        Ok((VariantView::Dictionary(_) | VariantView::Object(_), Some(1..))) => {
            out.push_str("{...}");
        }
        Ok((_, Some(1..))) => out.push_str("[...]"),
        Ok((VariantView::String(text) | VariantView::StringName(text), _)) => {
            escape(out, text.as_bytes(), WIDTH);
        }
        Ok((view, _)) if view.numbers().is_some() => {
            let mut literal = String::new();
            literal::write(&mut literal, &view);
            out.push_str(&inner(&literal, &view));
        }
        Ok((view, _)) => literal::write(out, &view),
        Err(_) => out.push_str("..."),
    }
}
