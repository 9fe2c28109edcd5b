//! [`Lock`]: the paths of a shape and their kinds, as a text file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use variant_view::Kind;

use super::difference::Difference;
use super::places::{Place, PlaceKind};
use super::types::{Declared, Type};
use crate::escape::neutral;

/// The first line of a lock file: the name and the version of the format.
const HEADER: &str = "variant-inspect lock 1";

/// The word that is written instead of kinds that a limit leaves out.
const OPEN: &str = "...";

/// The texts at a path are listed if each occurs at least this many times on average. So the names of a few character
/// classes are listed, but names of players are not.
const REPEATS: u64 = 4;

/// The shape of files, to be kept as a text file: one line for each path, in the order of the paths.
///
/// ```
/// use variant_document::shape::{Change, Lock, Shapes};
/// use variant_view::{Dialect, Document};
///
/// let mut shapes = Shapes::new();
/// // [5]
/// let array = b"\x1c\0\0\0\x01\0\0\0\x02\0\0\0\x05\0\0\0";
/// shapes.add(Document::new(array, Dialect::Godot4))?;
/// let shape = shapes.into_type();
/// let text = Lock::of(&shape).to_string();
/// assert_eq!(text, "variant-inspect lock 1\n(root)\tArray\n[*]\tint\n");
///
/// let lock = Lock::parse(&text.replace("int", "int | float"))?;
/// let differences = lock.differences(&shape);
/// assert_eq!((differences[0].change, differences[0].line), (Change::Narrowed, Some(3)));
/// assert_eq!(differences[0].to_string(), "found int; the lock has float | int");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lock {
    /// For each path, its line in the file, and its kinds.
    places: BTreeMap<String, (u64, Place)>,
}

/// Why a lock file is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockError {
    /// The line, from 1.
    pub line: u64,
    /// What was found, and what was expected.
    pub message: String,
}

impl fmt::Display for LockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for LockError {}

impl Lock {
    /// The lock of a shape. It lists the texts at a path if each occurs at least four times on average. O(places).
    pub fn of(shape: &Type) -> Self {
        let mut places: BTreeMap<_, _> = of_shape(shape);
        for (line, (own, place)) in (2..).zip(places.values_mut()) {
            *own = line;
            place.kinds.iter_mut().for_each(keep_choices);
        }
        Self { places }
    }

    /// Reads a lock file. Empty lines, and lines that begin with `#`, are skipped. O(bytes).
    ///
    /// # Errors
    ///
    /// The first line that does not have the form in which [`Lock`] writes lines.
    pub fn parse(text: &str) -> Result<Self, LockError> {
        let mut lines = (1..).zip(text.lines());
        let first = lines.next().map(|(_, line)| line.trim_end());
        if first != Some(HEADER) {
            let found = neutral(&first.unwrap_or_default().chars().take(60).collect::<String>());
            let message = format!(
                "found {found:?}; expected {HEADER:?}, the first line of a lock file of this version"
            );
            return Err(LockError { line: 1, message });
        }
        let mut places = BTreeMap::new();
        for (line, text) in lines {
            if text.trim().is_empty() || text.starts_with('#') {
                continue;
            }
            let place = place(text).map_err(|message| LockError { line, message })?;
            let path = place.path.clone();
            if places.insert(path.clone(), (line, place)).is_some() {
                let message = format!("the path {path} has a line before; expected one line");
                return Err(LockError { line, message });
            }
        }
        Ok(Self { places })
    }

    /// The differences between the lock and the shape of files, in the order of the paths. O(places of both).
    pub fn differences(&self, shape: &Type) -> Vec<Difference> {
        let now = of_shape(shape);
        let paths: BTreeSet<_> = self.places.keys().chain(now.keys()).collect();
        let pair = |path: &String| {
            let before = self.places.get(path);
            let line = before.map(|(line, _)| *line);
            let after = now.get(path).map(|(_, place)| place);
            Difference::of(line, before.map(|(_, place)| place), after)
        };
        paths.into_iter().filter_map(pair).collect()
    }
}

/// The paths of a shape and their kinds. The paths have the form of a lock file: one line, without control characters.
fn of_shape(shape: &Type) -> BTreeMap<String, (u64, Place)> {
    let places = shape.places().into_iter().map(|place| {
        let path = neutral(&place.path);
        (path.clone(), (0, Place { path, ..place }))
    });
    places.collect()
}

impl fmt::Display for Lock {
    /// Writes the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}")?;
        for (path, (_, place)) in &self.places {
            writeln!(f, "{path}\t{}", kinds_text(place))?;
        }
        Ok(())
    }
}

/// The kinds at a path, in the form of a lock file.
pub(super) fn kinds_text(place: &Place) -> String {
    let mut kinds: Vec<_> = place.kinds.iter().map(kind_text).collect();
    if place.is_open {
        kinds.push(OPEN.to_owned());
    }
    let optional = if place.is_optional { "optional " } else { "" };
    format!("{optional}{}", kinds.join(" | "))
}

fn kind_text(of: &PlaceKind) -> String {
    let mut text = of.kind.name().to_owned();
    let name = |kind: Option<Kind>| kind.map_or("Variant", Kind::name);
    // Writing to a string cannot fail.
    let _ = match of.declared {
        Declared { items: None, keys: None } => Ok(()),
        Declared { items, keys: None } if of.kind != Kind::Dictionary => {
            write!(text, " of {}", name(items))
        }
        Declared { items, keys } => write!(text, " of {} to {}", name(keys), name(items)),
    };
    if let Some(texts) = &of.texts {
        let list = serde_json::to_string(texts).unwrap_or_default();
        let _ = write!(text, " in {list}");
    }
    text
}

/// Keeps the texts only if they look like a fixed set of choices: each occurs often.
fn keep_choices(of: &mut PlaceKind) {
    let values = of.values;
    of.texts.take_if(|texts| {
        let count = u64::try_from(texts.len()).unwrap_or(u64::MAX);
        count == 0 || count.saturating_mul(REPEATS) > values
    });
}

/// Reads a line: a path, a tab and kinds.
fn place(line: &str) -> Result<Place, String> {
    let Some((path, kinds)) = line.split_once('\t') else {
        return Err("found no tab; expected a path, a tab, and the kinds of its values".to_owned());
    };
    let mut rest = kinds.trim();
    let is_optional = take(&mut rest, "optional ");
    let (mut found, mut is_open) = (Vec::new(), false);
    loop {
        if take(&mut rest, OPEN) {
            is_open = true;
        } else {
            found.push(kind(&mut rest)?);
        }
        if rest.is_empty() {
            break;
        }
        if !take(&mut rest, " | ") {
            return Err(format!(
                "found {:?} after a kind; expected \" | \" and another kind",
                shown(rest)
            ));
        }
    }
    found.sort_unstable_by_key(|of| of.kind.name());
    Ok(Place { path: path.to_owned(), kinds: found, is_optional, is_open, values: 0 })
}

/// Skips a word at the start of the text. Returns whether the text began with it.
fn take(rest: &mut &str, word: &str) -> bool {
    let after = rest.strip_prefix(word);
    *rest = after.unwrap_or(rest);
    after.is_some()
}

/// Reads a kind with its declared types and its texts.
fn kind(rest: &mut &str) -> Result<PlaceKind, String> {
    let kind = name(rest)?.ok_or("found Variant; expected the name of a kind")?;
    let mut declared = Declared::default();
    if take(rest, " of ") {
        declared.items = name(rest)?;
        if take(rest, " to ") {
            declared = Declared { keys: declared.items, items: name(rest)? };
        }
    }
    let texts = if take(rest, " in ") { Some(texts(rest)?) } else { None };
    Ok(PlaceKind { kind, declared, texts, values: 0 })
}

/// Reads the name of a kind; `None` for `Variant`.
fn name(rest: &mut &str) -> Result<Option<Kind>, String> {
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let (word, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let found = Kind::ALL.iter().copied().find(|kind| kind.name() == word);
    if found.is_none() && word != "Variant" {
        return Err(format!(
            "found {:?}; expected the name of a kind, such as int or Vector2",
            shown(rest)
        ));
    }
    *rest = after;
    Ok(found)
}

/// Reads texts: a JSON array of strings.
fn texts(rest: &mut &str) -> Result<BTreeSet<String>, String> {
    let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<BTreeSet<String>>();
    let Some(Ok(texts)) = stream.next() else {
        let found = shown(rest);
        return Err(format!("found {found:?}; expected texts, such as [\"mage\",\"rogue\"]"));
    };
    *rest = rest.get(stream.byte_offset()..).unwrap_or_default();
    Ok(texts)
}

/// The start of a text, for messages.
fn shown(text: &str) -> String {
    neutral(&text.chars().take(40).collect::<String>())
}
