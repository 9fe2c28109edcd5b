//! [`Store`]: the known places of values, so that each place is searched once.

use std::collections::HashMap;

use super::children::{Children, Known};
use super::spot::Child;
use crate::plain::Plain;

/// The known places of the children in a file, so that a page of a long container is found at once. A store is valid
/// for one file only; after a change, create a new store.
#[derive(Clone, Debug, Default)]
pub struct Store {
    file: Option<Known>,
    /// The known places, by two offsets: that of the container's key or name, and that of the container. Both are
    /// needed, since a key and its pair start at the same byte.
    containers: HashMap<(usize, usize), Known>,
}

/// The maximum number of containers whose places are kept: more than fit on a screen.
const MOST_KEPT: usize = 1_000;

impl Store {
    /// The values of a file.
    pub fn of_file<'a>(&mut self, file: Plain<'a>) -> Children<'a> {
        let children = Children::of_file(file);
        match self.file.take() {
            Some(known) => children.with_known(known),
            None => children,
        }
    }

    /// The children of a value, if it has any.
    pub fn of<'a>(&mut self, child: &Child<'a>) -> Option<Children<'a>> {
        let children = Children::of(child)?;
        Some(match self.containers.remove(&place(child)) {
            Some(known) => children.with_known(known),
            None => children,
        })
    }

    /// Keeps the known places of the children of a value, or of the file if `of` is `None`.
    pub fn keep(&mut self, of: Option<&Child<'_>>, children: Children<'_>) {
        let known = children.into_known();
        match of {
            None => self.file = Some(known),
            Some(_) if self.containers.len() >= MOST_KEPT => self.containers.clear(),
            Some(child) => drop(self.containers.insert(place(child), known)),
        }
    }
}

fn place(child: &Child<'_>) -> (usize, usize) {
    (child.start(), child.spot.start)
}
