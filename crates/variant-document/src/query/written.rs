//! [`WrittenKey`]: a key written as a literal in a path, such as `[Vector2i(1, 0)]`.

use std::fmt;

use variant_owned::{
    Dictionary, KeyRule, ParseOptions, TextOptions, TextStyle, Variant, from_text_at, to_text,
};
use variant_view::{Dialect, Error, Kind, VariantView, is_invisible};

/// A key that is neither text nor an integer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WrittenKey(pub(super) Variant);

/// The maximum length of a key's literal in a printed path, and the maximum size in bytes of such a key.
const LONGEST: usize = 64;
const MOST_BYTES: usize = 256;

impl WrittenKey {
    pub(crate) const fn value(&self) -> &Variant {
        &self.0
    }

    /// Whether this key equals the key of a pair, as the engine compares keys. O(bytes of the key).
    pub(crate) fn is(&self, key: &VariantView<'_>, rule: KeyRule) -> bool {
        let is_text = |kind| matches!(kind, Kind::String | Kind::StringName);
        let (own, other) = (self.0.kind(), key.kind());
        if own != other && !(is_text(own) && is_text(other)) {
            return false;
        }
        let Ok(key) = Variant::from_producer(*key) else { return false };
        let mut alone = Dictionary::with_rule(rule);
        alone.insert(key, Variant::Nil);
        alone.get_variant(&self.0).is_some()
    }

    /// The value of the last pair with this key; `None` if the container is not a dictionary. O(bytes of the
    /// dictionary).
    ///
    /// # Errors
    /// The dictionary is damaged.
    pub(crate) fn value_in<'a>(
        &self,
        container: &VariantView<'a>,
    ) -> Result<Option<VariantView<'a>>, Error> {
        let VariantView::Dictionary(pairs) = container else { return Ok(None) };
        let rule = KeyRule::of(pairs.dialect());
        let mut found = None;
        for pair in pairs {
            let (key, value) = pair?;
            if self.is(&key, rule) {
                found = Some(value);
            }
        }
        Ok(found)
    }
}

impl fmt::Display for WrittenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}]", self.0)
    }
}

/// Whether a key has few bytes. Reads a bounded number of bytes of a longer key.
fn is_short(key: &VariantView<'_>) -> bool {
    let walk = match key {
        VariantView::Array(list)
        | VariantView::TypedArray(list)
        | VariantView::PackedTypedArray(list) => Some(list.walk()),
        VariantView::Dictionary(pairs) => Some(pairs.walk()),
        VariantView::Object(object) => Some(object.walk()),
        _ => None,
    };
    // Each event except the end of a container takes at least four bytes, so a short key has few events.
    let are_few = walk.is_none_or(|events| events.take(MOST_BYTES).count() < MOST_BYTES);
    are_few && key.raw_bytes().is_ok_and(|bytes| bytes.len() <= MOST_BYTES)
}

/// A key as a step, such as `[Vector2i(1, 0)]`. `None` if the literal is long, or if it would be read as another key.
/// O(1).
pub fn written_step(key: &VariantView<'_>, dialect: Dialect) -> Option<String> {
    if !is_short(key) {
        return None;
    }
    let value = Variant::from_producer(*key).ok()?;
    let text = to_text(&value, &TextOptions::new(TextStyle::from(dialect)));
    let text = text.trim_end();
    if text.len() > LONGEST || text.chars().any(is_invisible) || text.starts_with(['*', '?', '@']) {
        return None;
    }
    let (again, end) = from_text_at(text, 0, &ParseOptions::new()).ok()?;
    let is_same = end == text.len() && WrittenKey(again).is(key, KeyRule::of(dialect));
    is_same.then(|| format!("[{text}]"))
}
