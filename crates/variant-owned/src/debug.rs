//! `Debug` without recursion: one line, similar to `GDScript`.

use std::fmt;

use crate::array::Array;
use crate::dictionary::Dictionary;
use crate::object::{Object, Properties};
use crate::tree::{Place, Visit, Walk};
use crate::variant::Variant;

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut closers = Vec::new();
        let mut is_first = true;
        for visit in Walk::new(self) {
            if let Visit::Leaf(_, place) | Visit::Enter(_, place) = visit {
                separate(f, place, is_first)?;
            }
            is_first = false;
            match visit {
                Visit::Leaf(value, _) => value.show(f)?,
                Visit::Enter(value, _) => {
                    closers.push(open(f, value)?);
                    is_first = true;
                }
                Visit::Exit => f.write_str(closers.pop().unwrap_or_default())?,
            }
        }
        Ok(())
    }
}

fn separate(f: &mut fmt::Formatter<'_>, place: Place<'_>, is_first: bool) -> fmt::Result {
    match place {
        Place::Value(_) => return f.write_str(": "),
        _ if !is_first => f.write_str(", ")?,
        _ => {}
    }
    match place {
        Place::Property(name) => write!(f, "{name}: "),
        _ => Ok(()),
    }
}

/// Writes the opening bracket of a container, or the class of an object and a bracket. Returns the closing bracket.
fn open(f: &mut fmt::Formatter<'_>, value: &Variant) -> Result<&'static str, fmt::Error> {
    match value {
        Variant::Dictionary(_) => f.write_str("{").map(|()| "}"),
        Variant::Object(object) => match &**object {
            Object::Full { class, .. } => write!(f, "{class}(").map(|()| ")"),
            Object::Null | Object::Id(_) => Ok(""),
        },
        _ => f.write_str("[").map(|()| "]"),
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl fmt::Debug for Properties {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.as_slice().iter().map(|(name, value)| (name, value))).finish()
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("Object(null)"),
            Self::Id(id) => write!(f, "Object#{id}"),
            Self::Full { class, properties } => write!(f, "{class} {properties:?}"),
        }
    }
}
