//! [`Rivals`]: the other engines that may have written a file. Changes that depend on the engine are refused, not guessed.

use variant_io::{Fit, Guess, Verdict};
use variant_view::{Candidate, Dialect, Options, detect};

use super::{Draft, Edit};
use crate::patch::Patches;
use crate::plain::Piece;
use crate::trouble::EditError;

/// The readings of a file that are as likely as the one that was chosen. Without any, as [`Rivals::default`], every
/// change is made: the dialect is named, or determined.
///
/// ```
/// use variant_document::Plain;
/// use variant_document::edit::{Action, Draft, Edit, Rivals, literal};
/// use variant_io::Framing;
/// use variant_view::{Dialect, Options};
///
/// let file = [8, 0, 0, 0, 2, 0, 0, 0, 50, 0, 0, 0]; // store_var(50), the same of every engine
/// let detection = Framing::detect(&file);
/// let plain = Plain::new(&file, detection.best().framing(), Options::new(Dialect::Godot4));
/// let rivals = Rivals::of(detection.best(), plain.options);
/// let mut draft = Draft::new(plain);
/// let mut set = |text| {
///     let action = Action::Set(literal(text, Dialect::Godot4)?);
///     let edit = Edit { frame: None, path: String::new(), action };
///     Ok::<_, String>(rivals.make(&mut draft, &edit))
/// };
/// // The id of an Array differs, that of an int does not.
/// assert!(set("[1, 2]")?.unwrap_err().candidates().contains(&Dialect::Godot3));
/// assert!(set("51")?.is_ok());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rivals(Vec<Options>);

impl Rivals {
    /// The readings that a guess has beside the chosen one: those of the same values, and where the guess is not clear,
    /// those that fit as well.
    pub fn of(guess: &Guess, chosen: Options) -> Self {
        let dialects = guess.dialects();
        let verdict = guess.verdict();
        let Some(fit) = verdict.fit().or_else(|| dialects.best()) else { return Self::default() };
        let is_sure = matches!(verdict, Verdict::Any(_) | Verdict::Clear(_) | Verdict::Likely(_));
        let others = (!is_sure).then(|| dialects.rivals(fit)).into_iter().flatten();
        let others = dialects.alike(fit).chain(others);
        let others = others.filter(|fit| fit.dialect() != chosen.dialect);
        let options = |fit: &Fit| {
            let mut options = chosen.reals(fit.reals());
            options.dialect = fit.dialect();
            options
        };
        Self(others.map(options).collect())
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes a change, as [`Draft::make`] does. With rivals O(bytes of the file) for each of them and twice for the draft.
    ///
    /// # Errors
    /// Those of [`Draft::make`]; a rival writes the change in other bytes ([`EditError::candidates`]). The draft stays as
    /// it was.
    pub fn make(&self, draft: &mut Draft<'_>, edit: &Edit) -> Result<Patches, EditError> {
        if !self.is_empty() {
            let chosen = draft.plain().options;
            let written = |options| {
                let mut trial = Draft::new(draft.plain()).read_with(options);
                trial.is_of_each = draft.is_of_each;
                trial.make(edit).map(|_| trial.into_bytes())
            };
            let bytes = written(chosen)?;
            if !self.0.iter().all(|rival| written(*rival).is_ok_and(|other| other == bytes)) {
                return Err(self.refusal(chosen));
            }
        }
        draft.make(edit)
    }

    /// Refuses new values that a rival reads as something else. `chosen` is how the file is read. O(bytes).
    ///
    /// # Errors
    /// The rivals ([`EditError::candidates`]).
    pub fn check<'p>(
        &self,
        chosen: Options,
        mut pieces: impl Iterator<Item = Piece<'p>>,
    ) -> Result<(), EditError> {
        if self.is_empty() || pieces.all(|piece| self.is_read_alike(piece.bytes, chosen)) {
            return Ok(());
        }
        Err(self.refusal(chosen))
    }

    fn is_read_alike(&self, bytes: &[u8], chosen: Options) -> bool {
        let candidates = detect(bytes);
        let mut all = candidates.iter();
        let chosen = all.find(|one| (one.dialect(), one.reals()) == (chosen.dialect, chosen.reals));
        let Some(chosen) = chosen else { return false };
        let alike: Vec<Dialect> = candidates.alike(chosen).map(Candidate::dialect).collect();
        self.0.iter().all(|other| alike.contains(&other.dialect))
    }

    fn refusal(&self, chosen: Options) -> EditError {
        let all = std::iter::once(&chosen).chain(&self.0);
        EditError::undecided(all.map(|options| options.dialect).collect())
    }
}
