//! [`Store`]: the known places of values, so that they are found only once.

use std::collections::HashMap;

use super::children::{Children, Known};
use super::spot::Child;
use crate::plain::Plain;

/// The known places of the children of a file's containers, so that a page of a long one is found at once. Belongs to
/// one file, unchanged: after a change there is another store.
#[derive(Clone, Debug, Default)]
pub struct Store {
    file: Option<Known>,
    /// By the offset of the container with its key, and of the container itself: the key may be another container.
    containers: HashMap<(usize, usize), Known>,
}

/// The most containers whose places are kept: more than are on a screen.
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
