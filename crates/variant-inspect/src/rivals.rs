//! [`Rivals`]: the other engines that may have written a file. Changes that depend on the engine are refused, not guessed.

use variant_document::Piece;
use variant_io::{Framing, Verdict};
use variant_view::{Candidate, Dialect, Limits, Objects, Options, detect};

use crate::choice::{Choice, guess};
use crate::cli::CommonArgs;
use crate::failure::{Failure, Status};
use crate::open::Input;

/// The readings of a file that are as likely as the one that was chosen; none if the dialect is named.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rivals {
    chosen: Option<Options>,
    others: Vec<Options>,
}

impl Rivals {
    pub(crate) fn of(input: &Input, choice: Choice, common: &CommonArgs) -> Self {
        let chosen = Some(choice.options);
        if common.dialect().is_some() {
            return Self { chosen, others: Vec::new() };
        }
        let detection = Framing::detect(&input.source);
        let guess = guess(&detection, common);
        let dialects = guess.dialects();
        let verdict = guess.verdict();
        let alike = verdict.fit().into_iter().flat_map(|fit| dialects.alike(fit));
        let tied = match verdict {
            Verdict::Tied(fit) => Some(dialects.rivals(fit)),
            _ => None,
        };
        let options = |dialect, reals| {
            Options::new(dialect).reals(reals).limits(Limits::FILE).objects(Objects::Accept)
        };
        let others = alike.chain(tied.into_iter().flatten());
        let others = others.filter(|fit| fit.dialect() != choice.options.dialect);
        let others = others.map(|fit| options(fit.dialect(), fit.reals())).collect();
        Self { chosen, others }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Options> {
        self.others.iter().copied()
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.others.is_empty()
    }

    /// Refuses values that another candidate reads as something else.
    pub(crate) fn check<'p>(
        &self,
        name: &str,
        mut pieces: impl Iterator<Item = Piece<'p>>,
    ) -> Result<(), Failure> {
        let Some(chosen) = self.chosen.filter(|_| !self.is_empty()) else { return Ok(()) };
        if pieces.all(|piece| self.is_read_alike(piece.bytes, chosen)) {
            return Ok(());
        }
        Err(self.refusal(name))
    }

    fn is_read_alike(&self, bytes: &[u8], chosen: Options) -> bool {
        let candidates = detect(bytes);
        let mut all = candidates.iter();
        let chosen = all.find(|one| (one.dialect(), one.reals()) == (chosen.dialect, chosen.reals));
        let Some(chosen) = chosen else { return false };
        let alike: Vec<Dialect> = candidates.alike(chosen).map(Candidate::dialect).collect();
        self.others.iter().all(|other| alike.contains(&other.dialect))
    }

    /// The failure of a change that the candidates write in different bytes.
    pub(crate) fn refusal(&self, name: &str) -> Failure {
        let all = self.chosen.iter().chain(&self.others).map(|options| options.dialect.name());
        let all: Vec<_> = all.collect();
        let first = all.first().copied().unwrap_or("godot4");
        let message = format!(
            "{name}: several engines may have written this file, and they write this change in different bytes: {}; \
             name the engine, for example --dialect {first}",
            all.join(", ")
        );
        Failure::file(Status::Usage, message)
    }
}
