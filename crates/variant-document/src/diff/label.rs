//! [`Label`]: the key or name before an item, or nothing.

use variant_view::{Key, Kind, VariantView};

use super::half::{Damage, Half};
use super::ident::{Ident, Idents};
use super::level::Place;
use crate::nested::is_open;
use crate::query::key_of;

#[derive(Debug)]
pub(super) struct Label<'a> {
    pub(super) place: Place<'a>,
    /// The offset of the key or name. If there is none, the offset of the item.
    pub(super) start: usize,
    /// The key, if it has no children.
    pub(super) key: Option<VariantView<'a>>,
    /// The digest of the key, if it has children.
    ident: Option<Ident>,
}

impl<'a> Label<'a> {
    /// Reads the label, and leaves the cursor before the value. O(bytes of the key).
    pub(super) fn read(
        half: &mut Half<'a>,
        kind: Kind,
        position: u32,
        idents: &Idents,
    ) -> Result<Self, Damage> {
        let start = half.cursor.offset();
        let place = Place {
            position,
            is_pair: matches!(kind, Kind::Dictionary | Kind::Object),
            ..Place::default()
        };
        let mut label = Self { place, start, key: None, ident: None };
        match kind {
            Kind::Object => {
                let name = half.cursor.name()?.engine_bytes();
                label.place.key = Some(Key::String(name));
            }
            Kind::Dictionary if is_open(half.cursor.kind()?) => {
                let ident = idents.of_value(half.cursor.skip()?, *half.document.options());
                label.ident = Some(ident.map_err(|error| (half.side, error))?);
            }
            Kind::Dictionary => {
                let (view, _) = half.cursor.next()?;
                label.place.key = key_of(&view);
                label.place.other = Some(view).filter(|_| label.place.key.is_none());
                label.key = Some(view);
            }
            _ => {}
        }
        Ok(label)
    }

    pub(super) fn ident(&self, idents: &Idents) -> Option<Ident> {
        match (self.ident, &self.key, self.place.key) {
            (Some(ident), _, _) => Some(ident),
            (_, Some(key), _) => Some(idents.of_leaf(key)),
            (_, _, Some(Key::String(name))) => Some(idents.of_bytes(name)),
            _ => None,
        }
    }

    pub(super) fn is_same(&self, other: &Self, idents: &Idents) -> bool {
        use VariantView as V;
        match (&self.key, &other.key) {
            (Some(V::String(key)), Some(V::String(other)))
            | (Some(V::StringName(key)), Some(V::StringName(other))) => {
                key.engine_bytes() == other.engine_bytes()
            }
            (Some(V::Int(key)), Some(V::Int(other))) => key.value() == other.value(),
            (None, None) if self.ident.is_none() && other.ident.is_none() => {
                self.place.key == other.place.key
            }
            _ => self.ident(idents) == other.ident(idents),
        }
    }

    /// Whether one key is a `String` and the other a `StringName`.
    pub(super) fn has_other_kind(&self, other: &Self) -> bool {
        let kind = |label: &Self| label.key.as_ref().map(VariantView::kind);
        kind(self) != kind(other)
    }
}
