//! [`Sample`]: one value of a file, read with every dialect.

use variant_view::{Dialect, Reals};

use crate::detect::{Candidate, Candidates, detect};

#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// The position among the values of the file, from 0.
    pub(super) index: usize,
    /// The length in bytes.
    pub(super) len: usize,
    pub(super) candidates: Candidates,
}

/// The worth of a [`Sample`] as evidence for a dialect; greater is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    /// No dialect reads the value.
    Damaged,
    /// All dialects read the bytes as the same value.
    Neutral,
    /// Dialects read the bytes differently, or only some dialects read the bytes.
    Telling,
}

impl Sample {
    pub(super) fn new(index: usize, bytes: &[u8]) -> Self {
        Self { index, len: bytes.len(), candidates: detect(bytes) }
    }

    fn worth(&self) -> Worth {
        let Some(first) = self.candidates.iter().find(|c| c.is_complete()) else {
            return Worth::Damaged;
        };
        let others = self.candidates.alike(first).filter(|c| c.is_complete()).count();
        if others.saturating_add(1) == Dialect::ALL.len() { Worth::Neutral } else { Worth::Telling }
    }

    /// Whether no dialect reads the value.
    pub(super) fn is_damaged(&self) -> bool {
        self.worth() == Worth::Damaged
    }

    /// The samples of the greatest [`Worth`].
    pub(super) fn worthiest(all: Vec<Self>) -> Vec<Self> {
        let best = all.iter().map(Self::worth).max();
        all.into_iter().filter(|sample| Some(sample.worth()) == best).collect()
    }

    pub(super) fn candidate(&self, dialect: Dialect, reals: Reals) -> Option<&Candidate> {
        self.candidates.iter().find(|c| c.dialect() == dialect && c.reals() == reals)
    }
}
