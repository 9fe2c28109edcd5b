//! [`Ident`]: the identity of keys, in any dialect.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hash as _, Hasher, RandomState};
use std::num::NonZeroU128;

use variant_view::{Document, Error, Event, Kind, Number, Options, VariantView};

use super::alike;
use super::half::Cursor;
use super::rule::Rule;

/// A digest of 128 bits, computed with a random secret. Nobody can make a file in which two keys have the same digest,
/// so digests are kept instead of keys.
pub(super) type Ident = NonZeroU128;

#[derive(Debug, Default)]
pub(super) struct Idents {
    states: (RandomState, RandomState),
    /// Whether a `String` and a `StringName` of the same text are one key.
    pub(super) is_one_text: bool,
}

impl Idents {
    /// The digest of a text.
    pub(super) fn of_bytes(&self, bytes: &[u8]) -> Ident {
        self.of(|hasher| hasher.write(bytes))
    }

    pub(super) fn of_leaf(&self, view: &VariantView<'_>) -> Ident {
        self.of(|hasher| self.write(hasher, view))
    }

    /// The digest of a value of any kind. O(bytes).
    pub(super) fn of_value(&self, bytes: &[u8], options: Options) -> Result<Ident, Error> {
        let document = Document::new(bytes, options);
        // This pass finds the damage, because the closure below cannot return an error.
        document.walk().try_for_each(|event| event.map(drop))?;
        Ok(self.of(|hasher| {
            for event in document.walk().flatten() {
                match event {
                    Event::Enter(node) | Event::Leaf(node) => self.write(hasher, &node.view),
                    Event::Exit { .. } => hasher.write_u8(u8::MAX),
                }
            }
        }))
    }

    /// A guess at the identity of an element, from its first values. O(1).
    pub(super) fn of_start(&self, start: Cursor<'_>, rule: &Rule) -> Option<Ident> {
        let mut hasher = self.states.0.build_hasher();
        alike::start_of(start, rule, &mut hasher, |hasher, view| self.write(hasher, view));
        Ident::new(hasher.finish().into())
    }

    /// A guess at the identity of bytes, from their number and the first bytes. O(1).
    #[inline]
    pub(super) fn of_head(&self, bytes: &[u8]) -> Option<Ident> {
        const HEAD: usize = 512;
        let mut hasher = self.states.0.build_hasher();
        hasher.write_usize(bytes.len());
        hasher.write(bytes.get(..HEAD).unwrap_or(bytes));
        Ident::new(hasher.finish().into())
    }

    fn of(&self, write: impl Fn(&mut dyn Hasher)) -> Ident {
        let (low, high) = &self.states;
        let [low, high] = [low, high].map(|state| {
            let mut hasher = state.build_hasher();
            write(&mut hasher);
            u128::from(hasher.finish())
        });
        Ident::new(low | high << 64).unwrap_or(Ident::MIN)
    }

    fn write(&self, mut hasher: &mut dyn Hasher, view: &VariantView<'_>) {
        use VariantView as V;
        let kind = match view.kind() {
            Kind::StringName if self.is_one_text => Kind::String,
            kind => kind,
        };
        kind.hash(&mut hasher);
        match view {
            // The items of a container are written to the hasher as separate values.
            V::Nil(_)
            | V::Callable(_)
            | V::Dictionary(_)
            | V::Array(_)
            | V::TypedArray(_)
            | V::PackedTypedArray(_) => {}
            V::Object(object) => {
                hasher.write(object.class().map_or(&[], |class| class.engine_bytes()));
                hasher.write_u64(object.id().unwrap_or(0));
            }
            V::Bool(bool) => hasher.write_u8(bool.value().into()),
            V::Int(int) => hasher.write_i64(int.value()),
            V::Float(float) => hasher.write_u64(canonical(float.value())),
            V::String(text) | V::StringName(text) => hasher.write(text.engine_bytes()),
            V::NodePath(path) => hasher.write(path.to_string().as_bytes()),
            V::Rid(rid) => hasher.write_u64(rid.value()),
            V::Signal(signal) => {
                hasher.write_u64(signal.object_id());
                hasher.write(signal.name().engine_bytes());
            }
            V::PackedStringArray(texts) => {
                for text in texts.iter() {
                    hasher.write_usize(text.engine_bytes().len());
                    hasher.write(text.engine_bytes());
                }
            }
            _ => match view.numbers() {
                Some(numbers) => numbers.iter().for_each(|number| match number {
                    Number::Int(int) => hasher.write_i64(int),
                    real => hasher.write_u64(canonical(real.to_f64())),
                }),
                // Images and input events are hashed by their bytes.
                None => hasher.write(view.raw_bytes().unwrap_or_default()),
            },
        }
    }
}

/// The same bits for all floats that are equal as keys.
fn canonical(float: f64) -> u64 {
    if float.is_nan() { f64::NAN.to_bits() } else { (float + 0.0).to_bits() }
}

/// Marks an item without a partner.
pub(super) const ALONE: u32 = u32::MAX;

/// For each old item, the index of its partner among the new items. Partners have the same digest. Items that share a
/// digest are paired in their order, and so are items without a digest. O(old and new) expected.
pub(super) fn partners(old: &[Option<Ident>], new: &[Option<Ident>]) -> Vec<u32> {
    // `first` has, for each digest, its first new item that is still free. `next` has, for each new item, the next item
    // with the same digest.
    let mut first: HashMap<Option<Ident>, u32> = HashMap::with_capacity(new.len());
    let mut next = vec![ALONE; new.len()];
    for (at, ident) in new.iter().enumerate().rev() {
        let after = first.insert(*ident, u32::try_from(at).unwrap_or(ALONE));
        if let Some(place) = next.get_mut(at) {
            *place = after.unwrap_or(ALONE);
        }
    }
    let partner = |ident| {
        let found = first.get_mut(ident)?;
        let at = *found;
        *found = next.get(usize::try_from(at).ok()?).copied().unwrap_or(ALONE);
        Some(at)
    };
    old.iter().map(partner).map(|found| found.unwrap_or(ALONE)).collect()
}
