//! [`shrink`]: finds smaller changes with the same effect.

use super::change::{Change, Saves};
use crate::failure::Failure;

/// The greatest number of tries for a finding.
const TRIES: u32 = 32;

/// Whether the game still fails in the same way with these changes. `None` if the search is over.
pub(super) type Fails<'f> = dyn FnMut(&[Change]) -> Result<Option<bool>, Failure> + 'f;

/// Leaves out changes, and makes the others smaller, while the game fails in the same way.
pub(super) fn shrink(
    changes: Vec<Change>,
    saves: &Saves<'_>,
    fails: &mut Fails<'_>,
) -> Result<Vec<Change>, Failure> {
    let mut shrinking = Shrinking { changes, left: TRIES, fails };
    shrinking.leave_out()?;
    for at in 0..shrinking.changes.len() {
        shrinking.simplify(at)?;
        shrinking.lengthen(at, saves)?;
    }
    Ok(shrinking.changes)
}

struct Shrinking<'s, 'f> {
    changes: Vec<Change>,
    /// The number of tries that are left.
    left: u32,
    fails: &'s mut Fails<'f>,
}

impl Shrinking<'_, '_> {
    /// Keeps these changes if the game still fails. Returns whether it does.
    fn keep(&mut self, changes: Vec<Change>) -> Result<bool, Failure> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(false) };
        self.left = left;
        match (self.fails)(&changes)? {
            Some(true) => {
                self.changes = changes;
                Ok(true)
            }
            Some(false) => Ok(false),
            None => {
                self.left = 0;
                Ok(false)
            }
        }
    }

    /// Leaves out halves, then quarters, and so on to single changes.
    fn leave_out(&mut self) -> Result<(), Failure> {
        let mut size = self.changes.len().div_ceil(2);
        while size > 0 && self.changes.len() > 1 {
            let mut start = 0;
            while start < self.changes.len() && self.changes.len() > 1 {
                let end = start.saturating_add(size).min(self.changes.len());
                let mut fewer = self.changes.clone();
                drop(fewer.drain(start..end));
                if fewer.is_empty() || !self.keep(fewer)? {
                    start = end;
                }
            }
            size /= 2;
        }
        Ok(())
    }

    /// Tries simpler values.
    fn simplify(&mut self, at: usize) -> Result<(), Failure> {
        let simpler = self.changes.get(at).map(Change::simpler).unwrap_or_default();
        for change in simpler {
            if self.replace(at, change)? {
                break;
            }
        }
        Ok(())
    }

    /// Looks for the longest part of a cut file on which the game fails.
    fn lengthen(&mut self, at: usize, saves: &Saves<'_>) -> Result<(), Failure> {
        let (mut short, all, cut): (_, _, fn(usize) -> Change) = match self.changes.get(at) {
            Some(Change::CutFile(len)) => (*len, saves.len(), Change::CutFile),
            Some(Change::CutContents(len)) => {
                (*len, saves.contents_len().unwrap_or(*len), Change::CutContents)
            }
            _ => return Ok(()),
        };
        let mut long = all;
        while long.saturating_sub(short) > 1 && self.left > 0 {
            let middle = short.midpoint(long);
            if self.replace(at, cut(middle))? {
                short = middle;
            } else {
                long = middle;
            }
        }
        Ok(())
    }

    fn replace(&mut self, at: usize, change: Change) -> Result<bool, Failure> {
        let mut changes = self.changes.clone();
        if let Some(old) = changes.get_mut(at) {
            *old = change;
        }
        self.keep(changes)
    }
}
