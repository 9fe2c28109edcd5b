//! [`Address`]: a path in a file of several values, such as `frame 3: player.level`.

use std::borrow::Cow;

use variant_io::Framing;
use variant_view::{Key, PathStep, write_path};

use super::{Query, ROOT, Step, grammar};
use crate::plain::Piece;

/// A path, and optionally the number of a frame.
///
/// ```
/// use variant_document::query::Address;
///
/// let address = Address::parse("frame 3: player.level")?;
/// assert_eq!((address.frame(), address.path()), (Some(3), "player.level"));
/// // A key that looks like an address must be in quotes.
/// assert_eq!(Address::parse("[\"frame 3: player\"].hp")?.frame(), None);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct Address {
    frame: Option<u64>,
    path: String,
    query: Query,
}

/// The part of an address inside one value of a file.
#[derive(Clone, Debug)]
pub struct Part<'q> {
    /// The path, from the root of the value.
    pub path: &'q str,
    /// The path as a query.
    pub query: Cow<'q, Query>,
}

impl Address {
    /// Reads an address: a path, optionally after `frame N: ` or `setting N: `. O(bytes).
    ///
    /// # Errors
    /// The fault of the path, and its column.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (frame, path) = split_frame(text);
        let query = Query::parse(path)?;
        let path = if path == ROOT { "" } else { path };
        Ok(Self { frame, path: path.to_owned(), query })
    }

    /// The number of the frame, if the text begins with one, and the rest of the text. The rest need not be a path.
    pub fn split(text: &str) -> (Option<u64>, &str) {
        split_frame(text)
    }

    /// The same address in this frame. Without a frame, the address is unchanged.
    ///
    /// # Errors
    /// The address already has the number of another frame.
    pub fn in_frame(self, frame: Option<u64>) -> Result<Self, String> {
        match (self.frame, frame) {
            (Some(own), Some(other)) if own != other => {
                Err(format!("the path is in frame {own}, not in frame {other}"))
            }
            (own, other) => Ok(Self { frame: own.or(other), ..self }),
        }
    }

    /// The number of the frame or setting; `None` for any frame.
    pub const fn frame(&self) -> Option<u64> {
        self.frame
    }

    /// The path without the frame.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The path without the frame, as a query.
    pub const fn query(&self) -> &Query {
        &self.query
    }

    /// The part of the address inside a value of a file; `None` if the address leads to another value. In a file of
    /// settings, the first step is the name of a setting, unless the address has the number of a setting.
    pub fn part(&self, piece: &Piece<'_>) -> Option<Part<'_>> {
        let whole = Part { path: &self.path, query: Cow::Borrowed(&self.query) };
        match self.frame {
            Some(frame) => return (frame == piece.number).then_some(whole),
            None if piece.framing != Framing::Settings => return Some(whole),
            None => {}
        }
        let Some((first, inner)) = self.query.steps.split_first() else { return Some(whole) };
        let name = piece.name.unwrap_or_default();
        let is_it = match first {
            Step::Name(wanted) | Step::StringName(wanted) => wanted.as_bytes() == name,
            Step::Position(position) => u64::from(*position).checked_add(1) == Some(piece.number),
            Step::Any => true,
            Step::Deep => {
                // `..name` selects the setting of this name. In other settings, the whole path is searched.
                let is_named =
                    matches!(inner.first(), Some(Step::Name(wanted)) if wanted.as_bytes() == name);
                if !is_named {
                    return Some(whole);
                }
                let query = Query { steps: inner.get(1..).unwrap_or_default().to_vec() };
                return Some(Part { path: &self.path, query: Cow::Owned(query) });
            }
            _ => false,
        };
        let (_, path) = grammar::split_first(&self.path).filter(|_| is_it)?;
        Some(Part { path, query: Cow::Owned(Query { steps: inner.to_vec() }) })
    }

    /// Whether the address selects several values in a file of this framing: its first step is `..` or `*` instead of
    /// the name of a setting.
    pub fn names_several(&self, framing: Framing) -> bool {
        framing == Framing::Settings
            && matches!(self.query.steps.first(), Some(Step::Any | Step::Deep))
    }
}

/// The text of an address, which [`Address::parse`] reads. In a file of several values, it begins with the number of
/// the frame, as in `frame 3: player.level`. In a file of settings, it begins with the name of the setting.
pub fn address_text(piece: &Piece<'_>, path: &str) -> String {
    let unit = match piece.framing {
        Framing::Bare => return path.to_owned(),
        Framing::Frames(_) | Framing::Sequence(_) => "frame",
        Framing::Settings => match piece.name.and_then(setting_step) {
            Some(name) if path == ROOT => return name,
            // A byte offset must be the first step of a path, so it comes after the number of the setting, not after
            // the name.
            Some(name) if !path.starts_with('@') => {
                let dot = if path.starts_with(['[', '{', '.']) { "" } else { "." };
                return format!("{name}{dot}{path}");
            }
            _ => "setting",
        },
    };
    format!("{unit} {}: {path}", piece.number)
}

/// The name of a setting as a step. Slashes need no quotes, as in the documentation of the engine.
fn setting_step(name: &[u8]) -> Option<String> {
    let step = PathStep::of_key(Key::String(name))?;
    let PathStep::Name(text) = step else { return None };
    let is_bare = |c: char| c.is_alphanumeric() || c == '_' || c == '/';
    if !text.is_empty() && text.chars().all(is_bare) {
        return Some(text.to_owned());
    }
    let mut out = String::new();
    write_path(&mut out, [step]).ok()?;
    Some(out)
}

/// The number of the frame at the start of an address, and the path. Also accepts the form of messages:
/// `frame 1,234: hp`, `setting 3, run/main_scene: (root)`.
fn split_frame(text: &str) -> (Option<u64>, &str) {
    read_frame(text).map_or((None, text), |(frame, path)| (Some(frame), path))
}

fn read_frame(text: &str) -> Option<(u64, &str)> {
    let number = text.strip_prefix("frame ").or_else(|| text.strip_prefix("setting "))?;
    let end = number.find(|c: char| !c.is_ascii_digit() && c != ',')?;
    let (digits, rest) = number.split_at_checked(end)?;
    let path = match digits.strip_suffix(',') {
        Some(_) => rest.split_once(": ")?.1,
        None => rest.strip_prefix(": ")?,
    };
    let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
    Some((digits.parse().ok()?, path))
}
