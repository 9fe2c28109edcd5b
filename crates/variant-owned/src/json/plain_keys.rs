//! [`PlainKeys`]: the keys of one container in the plain form.

use std::borrow::Cow;
use std::collections::HashMap;
use std::convert::Infallible;

use variant_view::{Consumer, Head, Kind, Leaf, Number, Producer as _, VariantView};

use crate::leaf::{Float, path_bytes};
use crate::text_form::Signed;

/// The keys of one container as the plain form writes them: every key is text, and no two keys are equal.
///
/// ```
/// use variant_owned::json::PlainKeys;
///
/// let mut keys = PlainKeys::default();
/// assert_eq!(["hp", "mp", "hp", "hp"].map(|key| keys.add(key)), ["hp", "mp", "hp#2", "hp#3"]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct PlainKeys {
    /// The number of the last suffix that was added to each key.
    used: HashMap<String, u64>,
}

impl PlainKeys {
    /// Adds a key. Returns the key, with a suffix if it is repeated. O(bytes) expected.
    pub fn add<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        if !self.used.contains_key(text) {
            self.used.insert(text.to_owned(), 1);
            return text.into();
        }
        // The search starts where the last search for this key ended, so repeated keys cost linear time.
        let mut number = self.used.get(text).copied().unwrap_or(1);
        let unused = loop {
            number = number.saturating_add(1);
            let candidate = format!("{text}#{number}");
            if !self.used.contains_key(&candidate) {
                break candidate;
            }
        };
        self.used.insert(text.to_owned(), number);
        self.used.insert(unused.clone(), 1);
        unused.into()
    }

    /// The text of a key, without a suffix: text as it is, a scalar or a mathematical value as text, and the name of
    /// its kind for any other key. O(bytes of the text).
    ///
    /// ```
    /// use variant_owned::json::PlainKeys;
    /// use variant_view::{Dialect, Document};
    ///
    /// let five = Document::new(b"\x02\0\0\0\x05\0\0\0", Dialect::Godot4);
    /// assert_eq!(PlainKeys::text(&five.root()?), "5");
    /// # Ok::<(), variant_view::Error>(())
    /// ```
    pub fn text<'a>(key: &VariantView<'a>) -> Cow<'a, str> {
        match key {
            VariantView::String(text) | VariantView::StringName(text) => text.to_str_lossy(),
            VariantView::Array(_)
            | VariantView::TypedArray(_)
            | VariantView::PackedTypedArray(_)
            | VariantView::Dictionary(_)
            | VariantView::Object(_) => key.kind().name().into(),
            _ => {
                let mut text = KeyText(key.kind(), None);
                // A view whose bytes are damaged has the name of its kind.
                let _ = key.feed(&mut text);
                text.1.map_or_else(|| text.0.name().into(), Cow::Owned)
            }
        }
    }
}

/// Receives a leaf, and keeps its text.
struct KeyText(Kind, Option<String>);

impl Consumer for KeyText {
    type Error = Infallible;

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Infallible> {
        self.1 = Some(key_text(&leaf));
        Ok(())
    }

    fn enter(&mut self, _: Head<'_>) -> Result<(), Infallible> {
        Ok(())
    }

    fn name(&mut self, _: &[u8]) -> Result<(), Infallible> {
        Ok(())
    }

    fn exit(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// The text of a non-text key: a scalar, a node path or a mathematical value as text; for any other key, its kind.
pub(super) fn key_text(leaf: &Leaf<'_>) -> String {
    match *leaf {
        Leaf::Nil => "null".to_owned(),
        Leaf::Bool(value) => value.to_string(),
        Leaf::Int { value, .. } => value.to_string(),
        Leaf::Float { bits, width } => format!("{:?}", Float::from_wire(bits, width).value()),
        Leaf::NodePath(path) => String::from_utf8_lossy(&path_bytes(path)).into_owned(),
        Leaf::Rid(id) => format!("RID({id})"),
        Leaf::Numbers(numbers) if !numbers.shape().is_packed => {
            let numbers: Vec<_> = numbers.iter().map(number_text).collect();
            format!("({})", numbers.join(", "))
        }
        other => other.kind().name().to_owned(),
    }
}

/// The text of a number in a key.
fn number_text(number: Number) -> String {
    if number.is_nan() { "NaN".to_owned() } else { Signed(number).to_string() }
}
