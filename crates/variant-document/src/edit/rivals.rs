//! [`Rivals`]: the other engines that may have written a file. Changes that depend on the engine are refused, not
//! guessed.

use variant_io::{Fit, Framing, Guess, Verdict};
use variant_view::{Dialect, Options};

use super::{Draft, Edit};
use crate::patch::Patches;
use crate::plain::{Piece, Plain};
use crate::trouble::EditError;

/// Other readings of a file that are as likely as the chosen reading. Changes are refused if these readings disagree.
/// [`Rivals::default`] has no other readings and refuses nothing. Use it for a file whose dialect is certain.
///
/// ```
/// use variant_document::Plain;
/// use variant_document::edit::{Action, Draft, Edit, Rivals, literal};
/// use variant_io::Framing;
/// use variant_view::{Dialect, Options};
///
/// let file = [8, 0, 0, 0, 2, 0, 0, 0, 50, 0, 0, 0]; // store_var(50), the same from every engine
/// let detection = Framing::detect(&file);
/// let plain = Plain::new(&file, detection.best().framing(), Options::engine(Dialect::Godot4));
/// let rivals = Rivals::of(detection.best(), plain.options);
/// let mut draft = Draft::new(plain);
/// let mut set = |text| {
///     let action = Action::Set(literal(text, Dialect::Godot4)?);
///     let edit = Edit { frame: None, path: String::new(), action };
///     Ok::<_, String>(rivals.make(&mut draft, &edit))
/// };
/// // The id of an Array differs between engines; the id of an int does not.
/// assert!(set("[1, 2]")?.unwrap_err().candidates().contains(&Dialect::Godot3));
/// assert!(set("51")?.is_ok());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rivals(Vec<Options>);

impl Rivals {
    /// The readings of a guess in other dialects than the chosen dialect: those with the same values and, if the guess
    /// is not certain, those that are equally likely.
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

    /// Whether there are no other readings.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes a change, as [`Draft::make`] does. Copies the file if there are rivals, and makes the change once for each
    /// of them, in O(bytes of the file).
    ///
    /// # Errors
    /// The errors of [`Draft::make`]. Also an error if a rival would write bytes for the change that differ from those
    /// of the chosen reading ([`EditError::candidates`]). The draft stays as it was.
    pub fn make(&self, draft: &mut Draft<'_>, edit: &Edit) -> Result<Patches, EditError> {
        self.agreed(draft, |draft| draft.make(edit))
    }

    /// Makes changes as one, as [`Draft::make_all`] does. Costs as much as [`Rivals::make`] for each.
    ///
    /// # Errors
    /// Those of [`Rivals::make`]. The draft stays as it was before the first change.
    pub fn make_all(
        &self,
        draft: &mut Draft<'_>,
        edits: &[Edit],
    ) -> Result<Vec<Patches>, EditError> {
        self.agreed(draft, |draft| draft.make_all(edits))
    }

    /// Changes the draft by `change`, unless a rival would write other bytes.
    fn agreed<T>(
        &self,
        draft: &mut Draft<'_>,
        change: impl Fn(&mut Draft<'_>) -> Result<T, EditError>,
    ) -> Result<T, EditError> {
        if self.is_empty() {
            return change(draft);
        }
        let before = draft.clone();
        let made = change(draft)?;
        let is_same = |rival: &Options| {
            let mut trial = before.clone().read_with(*rival);
            change(&mut trial).is_ok_and(|_| trial.bytes() == draft.bytes())
        };
        if self.0.iter().all(is_same) {
            return Ok(made);
        }
        let chosen = before.plain().options;
        *draft = before;
        Err(self.refusal(chosen))
    }

    /// Refuses new values that a rival reads differently. `chosen` are the options of the file. O(bytes).
    ///
    /// # Errors
    /// A rival reads a value differently ([`EditError::candidates`]).
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

    /// [`Rivals::check`] of the values of `after` that differ from those of `before`. O(bytes).
    ///
    /// # Errors
    /// Those of [`Rivals::check`].
    pub fn check_changed(&self, before: Plain<'_>, after: Plain<'_>) -> Result<(), EditError> {
        let pairs = before.pieces().flatten().zip(after.pieces().flatten());
        let changed = pairs.filter(|(old, new)| old.bytes != new.bytes).map(|(_, new)| new);
        self.check(before.options, changed)
    }

    fn is_read_alike(&self, bytes: &[u8], chosen: Options) -> bool {
        let guess = Framing::Bare.examine(bytes);
        let dialects = guess.dialects();
        let mut all = dialects.iter();
        let chosen = all.find(|fit| (fit.dialect(), fit.reals()) == (chosen.dialect, chosen.reals));
        let Some(chosen) = chosen else { return false };
        let alike: Vec<Dialect> = dialects.alike(chosen).map(Fit::dialect).collect();
        self.0.iter().all(|other| alike.contains(&other.dialect))
    }

    fn refusal(&self, chosen: Options) -> EditError {
        let all = std::iter::once(&chosen).chain(&self.0);
        EditError::undecided(all.map(|options| options.dialect).collect())
    }
}
