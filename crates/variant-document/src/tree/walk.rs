//! [`Walk`]: goes from value to value of a file, in the order of its bytes.

use super::children::{Children, Entry};
use super::spot::Child;
use super::store::Store;
use crate::plain::Plain;

/// A walk over all values of a file.
#[derive(Debug)]
pub struct Walk<'a> {
    levels: Vec<Level<'a>>,
}

/// The children at a level, and the index of the current child.
#[derive(Debug)]
struct Level<'a> {
    children: Children<'a>,
    index: usize,
    /// The current child, once it has been read: its head may have many texts.
    child: Option<Child<'a>>,
}

impl<'a> Level<'a> {
    const fn new(children: Children<'a>, index: usize) -> Self {
        Self { children, index, child: None }
    }

    fn go_to(&mut self, index: usize) {
        if index != self.index {
            (self.index, self.child) = (index, None);
        }
    }

    fn child(&mut self) -> Option<Child<'a>> {
        if self.child.is_none() {
            self.child = match self.children.get(self.index)? {
                Entry::Child(child) => Some(child),
                Entry::Damage(_) => None,
            };
        }
        self.child.clone()
    }
}

impl<'a> Walk<'a> {
    /// A walk that begins at a row. `way` is the index of the child at each level, outermost first.
    pub fn to(top: Children<'a>, way: &[usize]) -> Self {
        let mut walk = Self { levels: vec![Level::new(top, 0)] };
        for (level, index) in way.iter().enumerate() {
            if level > 0 && !walk.enter() {
                break;
            }
            if let Some(last) = walk.levels.last_mut() {
                last.go_to(*index);
            }
        }
        walk
    }

    /// A walk at the value to which `way` leads. `way` is the index of a value of the file, and then the index at each
    /// deeper level. `None` if there is no such value. O(bytes of the rows before it at each level), or less if `store`
    /// already has the places of the values.
    pub fn to_way(file: Plain<'a>, way: &[usize], store: &mut Store) -> Option<Self> {
        let mut walk = Self { levels: Vec::new() };
        for index in way {
            let children = match walk.levels.last_mut() {
                None => Some(store.of_file(file)),
                Some(level) => level.child().and_then(|child| store.of(&child)),
            };
            let Some(children) = children else { break };
            walk.levels.push(Level::new(children, *index));
        }
        if walk.levels.len() == way.len() && walk.child().is_some() {
            return Some(walk);
        }
        walk.keep(store);
        None
    }

    /// A walk at the innermost value whose bytes, key or name contain a byte of the file. `None` if there is no such
    /// value. O(bytes before it in the file), or less if `store` already has the places of the values.
    pub fn to_byte(file: Plain<'a>, offset: usize, store: &mut Store) -> Option<Self> {
        let mut walk = Self { levels: Vec::new() };
        let mut children = Some(store.of_file(file));
        while let Some(mut here) = children.take() {
            let Some(index) = here.index_of(offset) else {
                store.keep(walk.child().as_ref(), here);
                break;
            };
            walk.levels.push(Level::new(here, index));
            children = walk.child().and_then(|child| store.of(&child));
        }
        (!walk.levels.is_empty()).then_some(walk)
    }

    /// Moves forward to the innermost value that holds a byte. O(bytes in between), for each level of containers.
    pub fn forth_to(&mut self, offset: usize) {
        let is_left = |level: &mut Level<'_>| {
            let found = level.children.index_of(offset);
            let is_left = found != Some(level.index);
            level.go_to(found.unwrap_or(level.index));
            is_left.then_some(found.is_some())
        };
        let left = self.levels.iter_mut().enumerate().find_map(|(level, at)| {
            let has_child = is_left(at)?;
            // If no child contains the byte, the byte is in the head of the container itself.
            Some(level.saturating_add(usize::from(has_child)))
        });
        if let Some(left) = left {
            self.levels.truncate(left.max(1));
        }
        while let Some(mut children) = self.child().and_then(|child| Children::of(&child)) {
            let Some(index) = children.index_of(offset) else { break };
            self.levels.push(Level::new(children, index));
        }
    }

    /// The current value and the values around it, outermost first, each with its index among its siblings.
    pub fn chain(&mut self) -> Vec<(usize, Child<'a>)> {
        self.levels.iter_mut().map_while(|level| Some((level.index, level.child()?))).collect()
    }

    /// Keeps the places that the walk found.
    pub fn keep(mut self, store: &mut Store) {
        let around = self.chain();
        let around = std::iter::once(None).chain(around.iter().map(|(_, child)| Some(child)));
        for (of, level) in around.zip(self.levels) {
            store.keep(of, level.children);
        }
    }

    /// The index of the child at each level.
    pub fn way(&self) -> Vec<usize> {
        self.levels.iter().map(|level| level.index).collect()
    }

    /// The current value; `None` if it is damaged.
    pub fn child(&mut self) -> Option<Child<'a>> {
        self.levels.last_mut().and_then(Level::child)
    }

    /// The value around the current value.
    pub fn around(&mut self) -> Option<Child<'a>> {
        let (_, around) = self.levels.split_last_mut()?;
        around.last_mut()?.child()
    }

    fn enter(&mut self) -> bool {
        let inside = self.child().and_then(|child| Children::of(&child));
        let is_some = inside.is_some();
        self.levels.extend(inside.map(|children| Level::new(children, 0)));
        is_some
    }

    /// Moves to the next value. A container is followed by its first child. Returns false if there is no next value.
    pub fn forth(&mut self) -> bool {
        if self.enter() {
            return true;
        }
        while let Some(level) = self.levels.last_mut() {
            let next = level.index.saturating_add(1);
            if level.children.get(next).is_some() {
                level.go_to(next);
                return true;
            }
            if self.levels.len() == 1 {
                return false;
            }
            self.levels.pop();
        }
        false
    }

    /// Moves to the previous value. Returns false if there is no previous value.
    pub fn back(&mut self) -> bool {
        let Some(level) = self.levels.last_mut() else { return false };
        match level.index.checked_sub(1) {
            Some(before) => {
                level.go_to(before);
                self.sink();
                true
            }
            None if self.levels.len() == 1 => false,
            None => self.levels.pop().is_some(),
        }
    }

    /// Moves to the last row inside the current value.
    fn sink(&mut self) {
        while self.enter() {
            if let Some(level) = self.levels.last_mut()
                && let Some((last, _)) = level.children.last()
            {
                level.go_to(last);
            }
        }
    }

    /// Moves to the first or the last row of the file.
    pub fn wrap(&mut self, is_to_first: bool) -> bool {
        self.levels.truncate(1);
        let Some(level) = self.levels.last_mut() else { return false };
        level.go_to(0);
        if !is_to_first {
            let Some((last, _)) = level.children.last() else { return false };
            level.go_to(last);
            self.sink();
        }
        true
    }
}
