//! [`Migration`]: steps that bring old saves to the newest version of a game.
//!
//! A file of steps is TOML. `docs/migrate.md` describes each kind of step.
//!
//! ```
//! use variant_document::migration::Migration;
//! use variant_owned::{Variant, dictionary};
//! use variant_view::Dialect;
//!
//! let steps = r#"
//!     version = "version"
//!
//!     [[migration]]
//!     from = 1
//!     to = 2
//!     steps = [
//!       { rename = "player.hp", to = "health" },
//!       { default = "player.mana", value = 50 },
//!     ]
//! "#;
//! let migration = Migration::parse(steps, "steps.toml")?;
//! let mut save = Variant::from(dictionary! { "version" => 1, "player" => dictionary! { "hp" => 7 } });
//! migration.apply(&mut save, Dialect::Godot4)?;
//! let newest = dictionary! {
//!     "version" => 2,
//!     "player" => dictionary! { "health" => 7, "mana" => 50 },
//! };
//! assert_eq!(save, Variant::from(newest));
//! # Ok::<(), variant_document::migration::MigrationError>(())
//! ```

mod chain;
mod error;
mod pairs;
mod read;
mod retype;
mod run;
mod step;
mod tree;
mod version;

use variant_owned::{Variant, encode};
use variant_view::{Dialect, Document, Limits, Objects, Options};

use self::chain::{Chain, Link};
use self::error::Fault;
pub use self::error::MigrationError;
use self::retype::{float, whole};
use self::run::run;
use self::tree::{Tree, as_declared, at, encoding, fitting, open, open_step};
pub use self::version::Version;
use crate::edit::{Draft, Graft};
use crate::plain::Plain;
use crate::query::Query;
use crate::trouble::{EditError, Trouble};

/// The steps from each version of a save to the next.
#[derive(Clone, Debug)]
pub struct Migration {
    /// The name of the file of steps, for messages.
    name: String,
    /// The path of the field that has the version.
    field: Query,
    field_text: String,
    /// The version of a value that lacks this field. `None` if such a value is refused.
    default: Option<Version>,
    frame: Option<Frame>,
    chain: Chain,
}

/// Which values of a file are saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// All values.
    All,
    /// The frame or setting of this number, counted from 1.
    Number(u64),
}

/// What a migration did to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The version before the migration.
    pub from: Version,
    /// The version after the migration, which is the newest version.
    pub to: Version,
    /// The number of steps that changed the value.
    pub steps: u64,
}

/// The state after one migration of a value: the value now has version `to`.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Stage<'m> {
    /// The version before the migration.
    pub from: &'m Version,
    /// The version after the migration.
    pub to: &'m Version,
    /// The path of the schema that the value must now satisfy. The path is relative to the file of steps.
    pub schema: Option<&'m str>,
}

/// A check of a value after each migration. An error ends the migration.
pub type Check<'c> = dyn FnMut(Document<'_>, Stage<'_>) -> Result<(), String> + 'c;

impl Migration {
    /// Reads a file of steps. `name` is the name of the file, for messages. O(bytes).
    ///
    /// # Errors
    /// The first fault, with its line and column.
    pub fn parse(text: &str, name: &str) -> Result<Self, MigrationError> {
        read::migration(text, name)
    }

    /// The version that all migrations lead to.
    pub const fn newest(&self) -> &Version {
        &self.chain.newest
    }

    /// The versions that can be migrated, and the newest.
    pub fn versions(&self) -> impl Iterator<Item = &Version> {
        self.chain.versions()
    }

    /// The paths of the schemas, relative to the file of steps.
    pub fn schemas(&self) -> impl Iterator<Item = &str> {
        self.chain.links().filter_map(|link| link.schema.as_deref())
    }

    /// Brings a value to the newest version. Paths and literals of the steps are read by the rules of `dialect`.
    /// O(steps × bytes of the value). Takes memory for a copy of the value, and for its encoded bytes.
    ///
    /// # Errors
    /// A version that is missing or unknown; a step that cannot be made. The value is then unchanged.
    pub fn apply(&self, value: &mut Variant, dialect: Dialect) -> Result<Applied, MigrationError> {
        self.apply_checked(value, dialect, &mut |_, _| Ok(()))
    }

    /// [`Migration::apply`] with a check after each migration.
    ///
    /// # Errors
    /// Those of [`Migration::apply`], and those of the check. The value is then unchanged.
    pub fn apply_checked(
        &self,
        value: &mut Variant,
        dialect: Dialect,
        check: &mut Check<'_>,
    ) -> Result<Applied, MigrationError> {
        let options = Options::engine(dialect).limits(Limits::FILE).objects(Objects::Accept);
        let from = self.version_of(value)?;
        if from == self.chain.newest {
            return Ok(Applied { to: from.clone(), from, steps: 0 });
        }
        let (changed, applied) = self.migrated(value.clone(), from, options, check)?;
        *value = changed.value;
        Ok(applied)
    }

    /// Brings the values of a file to the newest version. Parts that do not change keep their bytes. Returns what was
    /// done to each value. O(steps × bytes of the file). If the dialect is uncertain, check the changed file with
    /// [`Rivals::check_changed`].
    ///
    /// [`Rivals::check_changed`]: crate::edit::Rivals::check_changed
    ///
    /// # Errors
    /// Damage; those of [`Migration::apply`]; a file of several values, if the steps do not name a frame. The draft
    /// stays as it was.
    pub fn migrate(&self, draft: &mut Draft<'_>) -> Result<Vec<Applied>, EditError> {
        let mut all = Vec::new();
        self.check_frame(&draft.plain()).map_err(|error| EditError::new(error.to_string()))?;
        draft.graft(|value, document| {
            let Some((graft, applied)) = self.graft(value.number, document, &mut |_, _| Ok(()))?
            else {
                return Ok(None);
            };
            all.push(applied);
            Ok(graft)
        })?;
        Ok(all)
    }

    /// Refuses a file of several values if the steps do not name a frame, and a file without the named frame. O(frames).
    ///
    /// # Errors
    /// The reason, and how to name the frame.
    pub fn check_frame(&self, file: &Plain<'_>) -> Result<(), MigrationError> {
        let refused = |why: String| Err(MigrationError::new(&self.name, why));
        match self.frame {
            None if file.has_several() => refused(
                "the file has several values; name them in the file of steps: frame = \"all\", or a number"
                    .to_owned(),
            ),
            Some(Frame::Number(number)) => {
                let mut pieces = file.pieces().map_while(Result::ok);
                if pieces.any(|piece| piece.number == number) {
                    return Ok(());
                }
                refused(format!("frame = {number}: the file has no such value"))
            }
            _ => Ok(()),
        }
    }

    /// For [`Draft::graft`]: the new content of value `number` of a file, and the versions and steps of its migration.
    /// `None` if the steps are for another frame. The content is `None` if the value already has the newest version.
    /// O(steps × bytes of the value).
    ///
    /// # Errors
    /// Damage; those of [`Migration::apply_checked`].
    pub fn graft(
        &self,
        number: u64,
        document: Document<'_>,
        check: &mut Check<'_>,
    ) -> Result<Option<(Option<Graft>, Applied)>, Trouble> {
        if matches!(self.frame, Some(Frame::Number(own)) if own != number) {
            return Ok(None);
        }
        let value = Variant::from_document(&document)?;
        let from = self.version_of(&value)?;
        if from == self.chain.newest {
            return Ok(Some((None, Applied { to: from.clone(), from, steps: 0 })));
        }
        let options = *document.options();
        let base = encode(&value, encoding(options)).map_err(|error| Trouble::message(&error))?;
        let (changed, applied) = self.migrated(value, from, options, check)?;
        let graft = Graft { base, new: changed.into_bytes(), is_merge: false };
        Ok(Some((Some(graft), applied)))
    }

    /// The version of a value.
    fn version_of(&self, value: &Variant) -> Result<Version, MigrationError> {
        let refused = |why: String| MigrationError::new(&self.name, why);
        let version = match (at(value, self.field.steps()), &self.default) {
            (Some(field), _) => Version::of(field).map_err(refused)?,
            (None, Some(default)) => default.clone(),
            (None, None) => {
                let how = "`default = 1` in the file of steps is the version of such values";
                return Err(refused(format!(
                    "the value has no version at {}; {how}",
                    self.field_text
                )));
            }
        };
        if version != self.chain.newest && self.chain.next(&version).is_none() {
            return Err(refused(self.chain.unknown(&version)));
        }
        Ok(version)
    }

    /// The value after all migrations from a version on.
    fn migrated(
        &self,
        value: Variant,
        from: Version,
        options: Options,
        check: &mut Check<'_>,
    ) -> Result<(Tree, Applied), MigrationError> {
        let failed = |fault| MigrationError::of(&self.name, fault);
        let mut tree = Tree::new(value, options).map_err(failed)?;
        let (mut version, mut steps) = (&from, 0_u64);
        while let Some(link) = self.chain.next(version) {
            steps = steps.saturating_add(run(&mut tree, &link.steps).map_err(failed)?);
            self.mark(&mut tree, link).map_err(failed)?;
            let stage = Stage { from: &link.from, to: &link.to, schema: link.schema.as_deref() };
            check(tree.document(), stage).map_err(|why| {
                MigrationError::new(&self.name, format!("after version {}: {why}", link.to))
            })?;
            version = &link.to;
        }
        let to = version.clone();
        Ok((tree, Applied { from, to, steps }))
    }

    /// Sets the version of a value.
    fn mark(&self, tree: &mut Tree, link: &Link) -> Result<(), Fault> {
        let (steps, rule) = (self.field.steps(), tree.rule());
        let new = link.to.to_field(at(&tree.value, steps));
        match steps.split_last() {
            None => tree.value = new,
            Some((last, parent)) => {
                let container = open(&mut tree.value, parent, rule)?;
                let new = match &*container {
                    Variant::Dictionary(pairs) => as_declared(new, pairs.value_type()),
                    _ => new,
                };
                *open_step(container, last, rule)? = new;
                fitting(container)?;
            }
        }
        tree.settle()
    }
}
