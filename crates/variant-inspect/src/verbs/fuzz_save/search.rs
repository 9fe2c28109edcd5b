//! [`Search`]: runs the game with changed saves, and shrinks what it finds. How the game runs is the caller's part.

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::rc::Rc;
use std::time::Instant;

use super::change::{Change, Save, Saves};
use super::fault::{Fault, failures};
use super::shrink;
use crate::cli::FailOnArg;
use crate::failure::Failure;
use crate::verbs::debug::Finding;

/// The bounds of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The number of runs.
    pub(super) runs: u32,
    /// The time after which no run begins.
    pub(super) end: Option<Instant>,
    pub(super) fail_on: FailOnArg,
}

/// A finding, and the smallest changes that were found to cause it.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) finding: Finding,
    pub(super) save: Save,
}

/// What came of a save.
pub(super) enum Tried {
    /// The game ran. These are its findings.
    Ran(Rc<[Finding]>),
    /// The changes cannot be made.
    Refused,
    /// The bounds are reached, or the user asks to end.
    Over,
}

/// Runs the game with a save. `None` if the user asks to end.
pub(super) type Play<'s> = dyn FnMut(&[u8]) -> Result<Option<Vec<Finding>>, Failure> + 's;

/// A search for saves on which a game fails.
pub(super) struct Search<'s> {
    saves: &'s Saves<'s>,
    play: &'s mut Play<'s>,
    bounds: Bounds,
    /// The findings of the saves that were tried, by the hash of their bytes: a hash needs less memory than a save.
    tried: HashMap<u64, Rc<[Finding]>>,
    known: BTreeSet<Fault>,
    pub(super) results: Results,
}

/// What a search has found.
#[derive(Debug, Default)]
pub(super) struct Results {
    pub(super) found: Vec<Found>,
    /// The number of runs.
    pub(super) runs: u32,
    /// The number of saves that cannot be made, and the first reason.
    pub(super) refused: u64,
    pub(super) why: Option<Failure>,
    /// Whether no further run begins: the bounds are reached, the user asks to end, or a run has failed.
    is_over: bool,
    /// The failure of the system that ended the search. The findings before it count.
    pub(super) ended: Option<Failure>,
}

impl<'s> Search<'s> {
    /// A search. The findings of the unchanged save do not count.
    pub(super) fn new(
        saves: &'s Saves<'s>,
        unchanged: &[Finding],
        bounds: Bounds,
        play: &'s mut Play<'s>,
    ) -> Self {
        let known = unchanged.iter().map(Fault::of).collect();
        let (tried, results) = (HashMap::new(), Results::default());
        Self { saves, play, bounds, tried, known, results }
    }

    /// Tries each item of the plan, and then pairs of them. Each new finding is shrunk at once, so that it is complete
    /// if the bounds are reached.
    pub(super) fn run(&mut self, plan: &[Vec<Change>], seed: u64) -> Result<(), Failure> {
        for changes in plan {
            if self.is_over() || self.step(changes)? {
                return Ok(());
            }
        }
        // Equal pairs cost no run, so a small save needs a bound for them.
        let mut random = fastrand::Rng::with_seed(seed);
        for _ in 0..self.bounds.runs.saturating_mul(4) {
            let mut one = || plan.get(random.usize(..plan.len().max(1))).map(Vec::as_slice);
            let (Some([first]), Some([second])) = (one(), one()) else { continue };
            if self.is_over() || self.step(&[first.clone(), second.clone()])? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Tries a save, and shrinks each new finding. Returns whether the search is over.
    fn step(&mut self, changes: &[Change]) -> Result<bool, Failure> {
        let findings = match self.outcome(changes)? {
            Tried::Ran(findings) => findings,
            Tried::Refused => return Ok(false),
            Tried::Over => return Ok(true),
        };
        for finding in findings.iter() {
            let fault = Fault::of(finding);
            if !self.known.insert(fault.clone()) {
                continue;
            }
            let smallest = shrink::shrink(changes.to_vec(), self.saves, &mut |changes| {
                Ok(match self.outcome(changes)? {
                    Tried::Ran(findings) => Some(shows(&findings, &fault)),
                    Tried::Refused => Some(false),
                    Tried::Over => None,
                })
            })?;
            let finding = match self.outcome(&smallest)? {
                Tried::Ran(findings) => {
                    findings.iter().find(|other| Fault::of(other) == fault).cloned()
                }
                Tried::Refused | Tried::Over => None,
            }
            .unwrap_or_else(|| finding.clone());
            self.results.found.push(Found { finding, save: self.saves.make(&smallest)? });
        }
        Ok(false)
    }

    /// Runs the game with these changes, unless it already ran with the same bytes.
    fn outcome(&mut self, changes: &[Change]) -> Result<Tried, Failure> {
        let save = match self.saves.make(changes) {
            Ok(save) => save,
            Err(failure @ Failure::File { .. }) => {
                self.results.refused = self.results.refused.saturating_add(1);
                self.results.why.get_or_insert(failure);
                return Ok(Tried::Refused);
            }
            Err(failure) => return Err(failure),
        };
        let mut hasher = DefaultHasher::new();
        save.bytes.hash(&mut hasher);
        let hash = hasher.finish();
        if let Some(findings) = self.tried.get(&hash) {
            return Ok(Tried::Ran(Rc::clone(findings)));
        }
        if self.is_over() || self.results.runs >= self.bounds.runs {
            return Ok(Tried::Over);
        }
        self.results.runs = self.results.runs.saturating_add(1);
        let Some(findings) = self.play(&save.bytes) else { return Ok(Tried::Over) };
        // A game may print without end, and only failures are needed again.
        let failures = failures(&findings, self.bounds.fail_on);
        let findings: Rc<[Finding]> = failures.into_iter().cloned().collect();
        self.tried.insert(hash, Rc::clone(&findings));
        Ok(Tried::Ran(findings))
    }

    /// Runs the game. `None` if the search is over.
    fn play(&mut self, save: &[u8]) -> Option<Vec<Finding>> {
        let played = (self.play)(save);
        self.results.is_over = !matches!(played, Ok(Some(_)));
        played.unwrap_or_else(|failure| {
            self.results.ended = Some(failure);
            None
        })
    }

    fn is_over(&self) -> bool {
        self.results.is_over || self.bounds.end.is_some_and(|end| end <= Instant::now())
    }
}

fn shows(findings: &[Finding], fault: &Fault) -> bool {
    findings.iter().any(|finding| Fault::of(finding) == *fault)
}
