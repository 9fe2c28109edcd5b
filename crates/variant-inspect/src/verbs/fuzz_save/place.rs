//! [`Place`]: a value to change. A shape has one for each path and kind, so that equal items of a list are one place.

use std::collections::HashSet;

use variant_document::query::{Query, Stop, address_text, select};
use variant_document::shape::{Shapes, Type};
use variant_document::{Piece, edit};
use variant_io::Framing;
use variant_owned::Variant;
use variant_view::{Dialect, Document, Error, Kind};

use super::change::Change;
use crate::values::Values;
use variant_document::edit::Action;

/// The longest text that is set, in bytes: more than the size of buffers that games choose.
const LONG: usize = 1 << 16;

/// A key that no game uses.
const EXTRA: &str = "variant_inspect_extra";

/// A value to change.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The path of the value, which selects only this value.
    pub(super) path: String,
    /// The path in the shape, with `[*]` for all items.
    pub(super) shape: String,
    kind: Kind,
    /// The container of the value; `None` for the root.
    container: Option<Kind>,
    /// A number, or the first element of an array.
    sample: Option<Variant>,
}

/// The places of a file whose shapes are wanted, at most `most` of them. O(bytes × places).
pub(super) fn places(
    file: &Values,
    most: usize,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<Place>, Error> {
    let mut all = Vec::new();
    each_shape(file, |pieces, shape| {
        for place in shape.places() {
            // A path that queries do not read, such as one with many steps, is left out.
            let Ok(query) = Query::parse(&place.path) else { continue };
            if all.len() >= most {
                break;
            }
            let name = shape_name(pieces, &place.path);
            if !is_wanted(&name) {
                continue;
            }
            let wanted = place.kinds.len();
            let mut found = Found { shape: &name, wanted, file, places: Vec::new() };
            for piece in pieces {
                found.look(piece, &query)?;
            }
            all.append(&mut found.places);
        }
        Ok(())
    })?;
    all.truncate(most);
    Ok(all)
}

/// The paths of the shapes of a file, as [`Place::shape`] has them. O(bytes).
pub(super) fn shapes(file: &Values) -> Result<HashSet<String>, Error> {
    let mut all = HashSet::new();
    each_shape(file, |pieces, shape| {
        all.extend(shape.places().iter().map(|place| shape_name(pieces, &place.path)));
        Ok(())
    })?;
    Ok(all)
}

/// Calls `work` with each shape, and the values that have it: a setting has its own shape, and all frames have one.
fn each_shape(
    file: &Values,
    mut work: impl FnMut(&[Piece<'_>], &Type) -> Result<(), Error>,
) -> Result<(), Error> {
    let pieces: Vec<_> = file.plain().pieces().map_while(Result::ok).collect();
    let each = if file.choice.framing == Framing::Settings { 1 } else { pieces.len().max(1) };
    for pieces in pieces.chunks(each) {
        let mut shapes = Shapes::new();
        for piece in pieces {
            shapes.add(file.plain().document(piece.bytes))?;
        }
        work(pieces, &shapes.into_type())?;
    }
    Ok(())
}

/// A path of a shape. In a file of settings, it begins with the name of the setting.
fn shape_name(pieces: &[Piece<'_>], path: &str) -> String {
    let setting = pieces.first().filter(|piece| piece.framing == Framing::Settings);
    setting.map_or_else(|| path.to_owned(), |piece| address_text(piece, path))
}

/// The first values of each kind at a path of a shape.
struct Found<'f> {
    shape: &'f str,
    /// The number of kinds.
    wanted: usize,
    file: &'f Values,
    places: Vec<Place>,
}

impl Found<'_> {
    fn look(&mut self, piece: &Piece<'_>, query: &Query) -> Result<(), Error> {
        if self.places.len() >= self.wanted {
            return Ok(());
        }
        let document = self.file.plain().document(piece.bytes);
        let is_alone = self.file.is_one_frame();
        let selected = select(&document, query, |found| {
            let kind = found.value.kind();
            if self.places.iter().any(|place| place.kind == kind) {
                return Ok(());
            }
            let text = found.text();
            let path = if is_alone { text } else { address_text(piece, &text) };
            let sample = sample(found.value.raw_bytes().unwrap_or_default(), &document);
            let (shape, container) = (self.shape.to_owned(), found.slot.map(|slot| slot.kind));
            self.places.push(Place { path, shape, kind, container, sample });
            if self.places.len() >= self.wanted { Err(()) } else { Ok(()) }
        });
        match selected {
            Err(Stop::Data(error)) => Err(error),
            Ok(()) | Err(Stop::Caller(())) => Ok(()),
        }
    }
}

/// A number, or the first element of an array.
fn sample(bytes: &[u8], document: &Document<'_>) -> Option<Variant> {
    let value = Document::new(bytes, *document.options());
    let root = value.root().ok()?;
    if matches!(root.kind(), Kind::Int | Kind::Float) {
        return Variant::from_producer(root).ok();
    }
    let first = value.at("[0]").ok()?;
    Variant::from_producer(first).ok()
}

impl Place {
    /// The changes of the value, the likeliest fault first: a missing key, another type, a limit.
    pub(super) fn changes(&self, dialect: Dialect) -> Vec<Change> {
        let mut changes = Vec::new();
        let number = self.sample.as_ref().and_then(Variant::as_i64);
        if let Some(version) = number.filter(|_| self.is_version() && self.kind == Kind::Int) {
            changes.push(self.set(version.saturating_sub(1)));
        }
        if self.container.is_some() {
            changes.push(self.edit(Action::Delete));
        }
        changes.extend(self.others(dialect));
        changes.extend(self.limits());
        changes.extend(self.more());
        changes
    }

    fn is_version(&self) -> bool {
        self.shape.to_lowercase().contains("version")
    }

    /// Values of other types.
    fn others(&self, dialect: Dialect) -> Vec<Change> {
        let of = |text: &str| edit::literal(text, dialect).ok().map(|value| self.set(value));
        let other = match self.kind {
            Kind::String | Kind::StringName | Kind::NodePath => "7",
            Kind::Dictionary => "[]",
            Kind::Array => "{}",
            _ => "\"text\"",
        };
        let texts = ["null", other].into_iter().filter(|_| self.kind != Kind::Nil);
        texts.filter_map(of).collect()
    }

    /// Values of the same type at its limits.
    fn limits(&self) -> Vec<Change> {
        match self.kind {
            Kind::Int => {
                let limits = [0, -1, i32::MAX.into(), i32::MIN.into(), i64::MAX, i64::MIN];
                limits.map(|int: i64| self.set(int)).to_vec()
            }
            Kind::Float => {
                let limits = [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX];
                limits.map(|float| self.set(float)).to_vec()
            }
            Kind::String => vec![self.set(""), self.set("a".repeat(LONG))],
            Kind::Array => vec![self.set(Vec::<Variant>::new())],
            Kind::Dictionary => vec![self.set(variant_owned::Dictionary::new())],
            _ => Vec::new(),
        }
    }

    /// Additional items.
    fn more(&self) -> Vec<Change> {
        let inside = |step: &str| {
            let path = self.path.trim_end_matches(variant_document::query::ROOT);
            let dot = if path.is_empty() || path.ends_with(' ') || step.starts_with('[') {
                ""
            } else {
                "."
            };
            format!("{path}{dot}{step}")
        };
        let insert = |step: &str, value| Change::edit(&inside(step), Action::Insert(value));
        match self.kind {
            Kind::Dictionary => vec![insert(EXTRA, Variant::default())],
            Kind::Array => {
                let again = self.sample.clone().map(|first| insert("[+]", first));
                again.into_iter().chain([insert("[+]", Variant::default())]).collect()
            }
            _ => Vec::new(),
        }
    }

    fn set(&self, value: impl Into<Variant>) -> Change {
        self.edit(Action::Set(value.into()))
    }

    fn edit(&self, action: Action) -> Change {
        Change::edit(&self.path, action)
    }
}
