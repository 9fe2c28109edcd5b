//! Texts, even if they are not UTF-8, and node paths.

use core::fmt::{self, Write as _};

use serde_core::ser::{Serialize, SerializeSeq as _, Serializer};

use crate::event::{NodePathLeaf, Texts};

/// A text, with U+FFFD for invalid UTF-8.
pub(super) struct Text<'t>(pub(super) &'t [u8]);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_char('\u{fffd}')?;
            }
        }
        Ok(())
    }
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match core::str::from_utf8(self.0) {
            Ok(text) => to.serialize_str(text),
            Err(_) => to.collect_str(self),
        }
    }
}

/// The texts of a packed array.
pub(super) struct List<'t>(pub(super) Texts<'t>);

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut all = to.serialize_seq(Some(self.0.len()))?;
        self.0.iter().try_for_each(|text| all.serialize_element(&Text(text)))?;
        all.end()
    }
}

/// A node path, as the engine prints it.
pub(super) struct PathText<'p>(pub(super) &'p NodePathLeaf<'p>);

impl fmt::Display for PathText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (names, subnames, is_absolute) = match self.0 {
            NodePathLeaf::Plain(plain) => return Text(plain).fmt(f),
            NodePathLeaf::Names { names, subnames, is_absolute, .. } => {
                (names, subnames, is_absolute)
            }
        };
        if *is_absolute {
            f.write_char('/')?;
        }
        for (i, name) in names.iter().enumerate() {
            if i > 0 {
                f.write_char('/')?;
            }
            Text(name).fmt(f)?;
        }
        subnames.iter().try_for_each(|name| {
            f.write_char(':')?;
            Text(name).fmt(f)
        })
    }
}

impl Serialize for PathText<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}
