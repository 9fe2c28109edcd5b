//! [`plan`]: the changes to try, in order.

use std::collections::HashSet;

use variant_document::edit::Action;
use variant_view::Dialect;

use super::change::{Change, Saves};
use super::place::Place;

/// The changes to try, in order: older saves; then, in rounds, one change of each place, and truncations after the
/// first round.
pub(super) fn plan(saves: &Saves<'_>, places: &[Place], old: &[Vec<Change>]) -> Vec<Vec<Change>> {
    let dialect: Dialect = saves.file.choice.options.dialect;
    let mut all: Vec<_> =
        (0..saves.older_count()).map(|index| vec![Change::Older(index)]).collect();
    all.extend(old.iter().filter(|changes| !changes.is_empty()).cloned());
    let mut left: Vec<_> = places.iter().map(|place| place.changes(dialect).into_iter()).collect();
    let mut cuts = Some(cuts(saves));
    loop {
        let round: Vec<_> = left.iter_mut().filter_map(Iterator::next).collect();
        let is_last = round.is_empty();
        all.extend(round.into_iter().map(|change| vec![change]));
        all.extend(cuts.take().into_iter().flatten().map(|cut| vec![cut]));
        if is_last {
            return all;
        }
    }
}

/// Truncations: the last byte, a half, and everything is missing.
fn cuts(saves: &Saves<'_>) -> Vec<Change> {
    let of = |len: usize, cut: fn(usize) -> Change| {
        [len.saturating_sub(1), len / 2, 0].into_iter().filter(move |end| *end < len).map(cut)
    };
    let contents = saves.contents_len().into_iter();
    let contents = contents.flat_map(|len| of(len, Change::CutContents));
    of(saves.len(), Change::CutFile).chain(contents).collect()
}

/// The changes that remove the keys that an older save lacks. `old` has the paths of its shape.
pub(super) fn lacking(places: &[Place], old: &HashSet<String>) -> Vec<Change> {
    let mut gone: Vec<&Place> = Vec::new();
    for place in places.iter().filter(|place| !old.contains(&place.shape)) {
        // The items of a removed container are removed with it.
        let rest = |outer: &Place| place.shape.strip_prefix(&outer.shape).map(str::to_owned);
        let is_inside = |outer: &&Place| {
            rest(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        if !gone.iter().any(is_inside) {
            gone.push(place);
        }
    }
    gone.into_iter().map(|place| Change::edit(&place.path, Action::Delete)).collect()
}
