//! [`convert`] and [`convert_into`]: conversion between dialects, with a report of losses.

mod admit;
mod fitting;
mod groups;
mod leaf;
mod report;
mod same_keys;

use std::borrow::Cow;
use std::fmt;

pub use report::{Change, ConvertError, Group, Loss, Report};
use variant_view::{
    ArrayHead, Consumer, Dialect, DictionaryHead, ElementType, FeedError, Head, Kind, Leaf,
    Producer, Reals,
};

use crate::encode::legal;
use crate::event::{self, Collector};
use crate::key::KeyRule;
use crate::path::{PathTracker, Role, path_in, text_within};
use crate::variant::Variant;
use admit::Admits;
use fitting::Unfit;
use groups::Groups;
use report::What;
use same_keys::SameKeys;

/// The target dialect, and whether losses are errors.
///
/// ```
/// use variant_owned::{ConvertOptions, convert};
/// use variant_view::Dialect;
///
/// let strict = ConvertOptions::new(Dialect::Godot3).strict(true);
/// assert!(convert(&7.into(), strict).is_ok());
/// assert!(convert(&(3, 4).into(), strict).is_err()); // no Vector2i there
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ConvertOptions {
    /// The target dialect.
    pub to: Dialect,
    /// Whether the first change is an error.
    pub is_strict: bool,
    /// The width of reals that will be written, as in
    /// [`EncodeOptions::reals`](crate::EncodeOptions::reals). [`Reals::Always64`] keeps 64-bit reals in
    /// every dialect.
    pub reals: Reals,
}

impl ConvertOptions {
    /// Options to convert to `dialect` and report losses.
    pub const fn new(to: Dialect) -> Self {
        Self { to, is_strict: false, reals: Reals::ByFlag }
    }

    /// Returns the options. If `is_strict`, the first change is an error.
    #[must_use]
    pub const fn strict(mut self, is_strict: bool) -> Self {
        self.is_strict = is_strict;
        self
    }

    /// Returns the options with this width of reals.
    #[must_use]
    pub const fn reals(mut self, reals: Reals) -> Self {
        self.reals = reals;
        self
    }
}

impl From<Dialect> for ConvertOptions {
    fn from(dialect: Dialect) -> Self {
        Self::new(dialect)
    }
}

impl From<&Self> for ConvertOptions {
    fn from(options: &Self) -> Self {
        *options
    }
}

/// Converts a value to the nearest one that `options.to` can hold; returns it with a report of changes.
///
/// A value whose kind the target has keeps its kind. Other kinds become the nearest kind by the rules of
/// docs/dialects.md. A reversible change of kind is also reported, as [`Loss::Kind`]. In typed containers, elements and
/// keys are converted as the target's reader converts them. If an element or key does not fit a type declaration, the
/// declaration is dropped, since the reader would drop the item (docs/spec/format.md#typed-containers). O(bytes), no
/// recursion; the size of the report is bounded.
///
/// ```
/// use variant_owned::{Variant, array, convert};
/// use variant_view::{Dialect, Kind, Reals};
///
/// let value = array![1, (2, 3)].into(); // an int and a Vector2i
/// let (converted, report) = convert(&value, Dialect::Godot3)?;
/// assert_eq!(converted[1].kind(), Kind::Vector2);
/// assert_eq!(report.changes()[0].to_string(), "[1]: Vector2i became Vector2");
/// # Ok::<(), variant_owned::ConvertError>(())
/// ```
///
/// # Errors
/// If `is_strict` is set, the first change is an error.
pub fn convert(
    value: &Variant,
    options: impl Into<ConvertOptions>,
) -> Result<(Variant, Report), ConvertError> {
    let options = options.into();
    let mut collector = Collector::with_rule(KeyRule::of(options.to));
    let Ok(unfit) = Unfit::of(value, options.to);
    let mut converter = Converter::new(options, unfit, &mut collector);
    converter.tree = Some(value);
    let outcome =
        event::feed(value, &mut converter, &|value: &Variant, converter: &mut Converter<'_, _>| {
            let is_mixed = matches!(value, Variant::NodePath(path) if path.is_mixed());
            value.with_leaf(|leaf| converter.value(leaf, is_mixed))
        });
    match outcome {
        Ok(()) => {
            let report = converter.finish();
            Ok((collector.finish().unwrap_or_default(), report))
        }
        Err(ConverterError::Change(error)) => Err(error),
        Err(ConverterError::Consumer(never)) => match never {},
    }
}

/// Converts the value of a producer and feeds it to a consumer, without a tree: from bytes to bytes, text or JSON.
///
/// The result decodes to the value of [`convert()`], with the same report, except:
/// * keys that the target's reader treats as equal are all fed to the consumer, and reported as [`Loss::Keys`]. That
///   reader keeps the last value, as `convert` does;
/// * keys that only the source's reader treats as equal stay separate;
/// * paths in the report contain the name of a property even if a later property of the object has the same name.
///   `convert` uses the position of such a property instead.
///
/// Reads the input twice if containers of the target can declare types: the first pass finds elements that do not fit.
/// O(input). Memory: O(depth), the report, about 16 bytes per key of the open dictionaries, and each key that is a
/// container.
///
/// ```
/// use variant_owned::{Writer, array, convert_into, encode};
/// use variant_view::{Dialect, Document};
///
/// let bytes = encode(&array![(2, 3)].into(), Dialect::Godot4)?;
/// let mut converted = Vec::new();
/// let mut writer = Writer::new(&mut converted, Dialect::Godot3);
/// let document = Document::new(&bytes, Dialect::Godot4);
/// let report = convert_into(document, Dialect::Godot3, &mut writer)?;
/// writer.finish()?;
/// assert_eq!(report.changes()[0].to_string(), "[0]: Vector2i became Vector2");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// The first error of the input or of the consumer. If `is_strict` is set, the first change is also an error.
pub fn convert_into<P: Producer + Clone, C: Consumer>(
    producer: P,
    options: impl Into<ConvertOptions>,
    consumer: &mut C,
) -> Result<Report, FeedError<P::Error, ConverterError<C::Error>>> {
    let options = options.into();
    let unfit = Unfit::of(producer.clone(), options.to).map_err(FeedError::Producer)?;
    let mut converter = Converter::new(options, unfit, consumer);
    producer.feed(&mut converter)?;
    Ok(converter.finish())
}

/// Why a conversion stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConverterError<C> {
    /// The first change, which is an error if [`ConvertOptions::is_strict`] is set.
    Change(ConvertError),
    /// The consumer refused the converted value.
    Consumer(C),
}

impl<C> From<ConvertError> for ConverterError<C> {
    fn from(error: ConvertError) -> Self {
        Self::Change(error)
    }
}

impl<C: fmt::Display> fmt::Display for ConverterError<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Change(error) => error.fmt(f),
            Self::Consumer(error) => error.fmt(f),
        }
    }
}

impl<C: std::error::Error> std::error::Error for ConverterError<C> {}

/// A consumer that converts each event, and feeds the result to the consumer `inner`.
struct Converter<'v, C> {
    target: Dialect,
    has_wide_reals: bool,
    is_strict: bool,
    inner: C,
    path: PathTracker,
    /// The tree that is converted; `None` for a stream. With a tree, every path in the report is exact. Without a tree,
    /// a path is not exact if an object on it has two properties of one name.
    tree: Option<&'v Variant>,
    open: Vec<Container>,
    unfit: Unfit,
    keys: SameKeys,
    groups: Groups,
    report: Report,
}

struct Container {
    /// How the target's reader treats the elements or keys of the container.
    admits: Admits,
    /// Whether the names of properties are fed to the consumer. False for an object that becomes an array.
    has_names: bool,
}

impl<C: Consumer> Converter<'_, C> {
    fn new(options: ConvertOptions, unfit: Unfit, inner: C) -> Self {
        let rule = KeyRule::of(options.to);
        Self {
            target: options.to,
            has_wide_reals: options.reals == Reals::Always64 || options.to.has_wide_reals(),
            is_strict: options.is_strict,
            inner,
            path: PathTracker::default(),
            tree: None,
            open: Vec::new(),
            unfit,
            keys: SameKeys::new(rule),
            groups: Groups::default(),
            report: Report::default(),
        }
    }

    fn finish(self) -> Report {
        self.report.with_groups(self.groups.finish())
    }

    fn changed(&mut self, from: Kind, to: Kind, loss: Loss) -> Result<(), ConvertError> {
        let what = What { from, to, loss };
        let (path, tree) = (&self.path, self.tree);
        let text = |bytes| match tree {
            Some(tree) => text_within(path_in(tree, path.positions(), None), bytes),
            None => path.text_within(bytes),
        };
        if self.is_strict {
            let change = Change::new(text(usize::MAX).unwrap_or_default(), what);
            return Err(ConvertError::new(change, self.target));
        }
        self.report.add(what, text);
        self.groups.add(what, path, text);
        Ok(())
    }

    fn has(&self, kind: Kind) -> bool {
        self.target.id(kind).is_some()
    }

    /// Begins a value. `path` has already received the event of the value.
    fn begin(&mut self) {
        // A property began at the event of its name, so only other values begin here.
        if self.path.role() != Role::Property {
            self.groups.enter();
        }
    }

    /// Text that the target's reader accepts; borrowed if unchanged.
    fn text<'t>(&mut self, text: &'t [u8], kind: Kind) -> Result<Cow<'t, [u8]>, ConvertError> {
        if self.target.check_text(text).is_ok() {
            return Ok(Cow::Borrowed(text));
        }
        self.changed(kind, kind, Loss::Text)?;
        Ok(Cow::Owned(String::from_utf8_lossy(text).into_owned().into_bytes()))
    }

    fn array<'h>(&mut self, head: &ArrayHead<'h>) -> Result<ArrayHead<'h>, ConvertError> {
        let has_typed_kinds = self.has(Kind::TypedArray);
        let typed = if has_typed_kinds { Kind::TypedArray } else { Kind::Array };
        let (from, declared) = (head.kind, head.element_type);
        let fits = self.unfit.fits(&declared);
        let kept = self.element_type(declared, typed, fits);
        let to = match from {
            _ if kept.is_any() || !has_typed_kinds => Kind::Array,
            Kind::PackedTypedArray => Kind::PackedTypedArray,
            _ => Kind::TypedArray,
        };
        if kept != declared && declared != ElementType::Builtin(Kind::Nil) {
            self.changed(from, to, Loss::ElementType)?;
        } else if from != to {
            self.changed(from, to, Loss::Kind)?;
        }
        Ok(ArrayHead { kind: to, element_type: kept, is_shared: false, len: head.len })
    }

    /// The type declaration of a container of this kind in the target.
    fn element_type<'h>(
        &self,
        declared: ElementType<&'h [u8]>,
        kind: Kind,
        fits: bool,
    ) -> ElementType<&'h [u8]> {
        let is_kept = fits && legal::element_type(&declared, kind, self.target).is_ok();
        if is_kept { declared } else { ElementType::Any }
    }

    fn dictionary<'h>(
        &mut self,
        head: &DictionaryHead<'h>,
    ) -> Result<DictionaryHead<'h>, ConvertError> {
        let fits = self.unfit.fits(&head.key_type);
        let key_type = self.element_type(head.key_type, Kind::Dictionary, fits);
        let value_type = self.element_type(head.value_type, Kind::Dictionary, true);
        if (key_type, value_type) != (head.key_type, head.value_type) {
            self.changed(Kind::Dictionary, Kind::Dictionary, Loss::ElementType)?;
        }
        let rule = Some(KeyRule::of(self.target));
        Ok(DictionaryHead { key_type, value_type, is_shared: false, rule, len: head.len })
    }

    /// The class in the target. `None` if the target has no objects or the class is empty: the object
    /// becomes an array of its values.
    fn class<'h>(&mut self, class: &'h [u8]) -> Result<Option<Cow<'h, [u8]>>, ConvertError> {
        let class = self.text(class, Kind::Object)?;
        if self.target.writes_objects() && legal::class(&class).is_ok() {
            return Ok(Some(class));
        }
        self.changed(Kind::Object, Kind::Array, Loss::Object)?;
        Ok(None)
    }

    fn give(&mut self, head: Head<'_>) -> Result<(), ConverterError<C::Error>> {
        let admits = Admits::of(&head, self.target);
        self.open.push(Container { admits, has_names: matches!(head, Head::Object { .. }) });
        let Ok(()) = self.keys.enter(head);
        self.inner.enter(head).map_err(ConverterError::Consumer)
    }
}

impl<C: Consumer> Consumer for Converter<'_, C> {
    type Error = ConverterError<C::Error>;

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), Self::Error> {
        self.value(leaf, false)
    }

    fn enter(&mut self, head: Head<'_>) -> Result<(), Self::Error> {
        self.path.enter(&head);
        self.begin();
        match head {
            Head::Array(head) => {
                let head = self.array(&head)?;
                self.give(Head::Array(head))
            }
            Head::Dictionary(head) => {
                let head = self.dictionary(&head)?;
                self.give(Head::Dictionary(head))
            }
            Head::Object { class, len, .. } => match self.class(class)? {
                Some(class) => {
                    let rule = Some(KeyRule::of(self.target));
                    self.give(Head::Object { class: &class, rule, len })
                }
                None => self.give(Head::Array(ArrayHead { len, ..ArrayHead::default() })),
            },
        }
    }

    fn name(&mut self, name: &[u8]) -> Result<(), Self::Error> {
        self.path.name(name);
        self.groups.enter();
        let name = self.text(name, Kind::Object)?;
        if self.open.last().is_some_and(|container| container.has_names) {
            let Ok(()) = self.keys.name(&name);
            self.inner.name(&name).map_err(ConverterError::Consumer)?;
        }
        Ok(())
    }

    fn exit(&mut self) -> Result<(), Self::Error> {
        self.path.exit();
        if self.keys.are_merged() {
            self.changed(Kind::Dictionary, Kind::Dictionary, Loss::Keys)?;
        }
        let Ok(()) = self.keys.exit();
        self.inner.exit().map_err(ConverterError::Consumer)?;
        self.open.pop();
        self.groups.leave();
        Ok(())
    }
}
