//! [`Reading`]: the serializable options for reading files, carried by plans.

use std::env::{self, VarError};

use serde::{Deserialize, Serialize};
use variant_io::{Framing, Key};
use variant_table::{MisfitPolicy, ReadOptions};
use variant_view::{Dialect, Reals};

/// The options for reading files, as names: plans carry them from the client to the executors. Contains only the name
/// of a password's variable; each process reads its environment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// The name of the engine; detected for each file if not given.
    pub dialect: Option<String>,
    /// `bare`, `frames`, `frames-be`, `settings` or `sequence`; detected for each file if not given.
    pub framing: Option<String>,
    /// `by-flag` or `always64`; detected for each file if not given.
    pub reals: Option<String>,
    /// The environment variable with the password of encrypted files.
    pub password_env: Option<String>,
    /// The most bytes of a file without its compression and encryption.
    pub max_unpacked: Option<u64>,
    /// The treatment of values whose types differ from their columns'.
    pub misfits: MisfitPolicy,
    /// Whether each value is validated as a whole.
    pub validate: bool,
}

impl Reading {
    /// The read options, without a key.
    ///
    /// # Errors
    /// A name is unknown; the error names it and the expected ones.
    pub fn without_key(&self) -> Result<ReadOptions, String> {
        let mut options = ReadOptions::new().misfits(self.misfits).validate(self.validate);
        if let Some(name) = &self.dialect {
            options = options.dialect(Some(dialect(name)?));
        }
        if let Some(name) = &self.framing {
            // Files are read in their own dialects.
            let framing = Framing::named(name, Dialect::Godot4);
            let framing = framing.ok_or_else(|| unknown("framing", name, Framing::NAMES))?;
            options = options.framing(Some(framing));
        }
        if let Some(name) = &self.reals {
            let names = [Reals::ByFlag, Reals::Always64].map(Reals::name);
            let reals = name.parse().map_err(|_| unknown("reals", name, names))?;
            options = options.reals(Some(reals));
        }
        if let Some(len) = self.max_unpacked {
            options = options.max_len(len);
        }
        Ok(options)
    }

    /// The read options, with the key from this process's environment.
    ///
    /// # Errors
    /// A name is unknown, or the variable is not set.
    pub fn options(&self) -> Result<ReadOptions, String> {
        let options = self.without_key()?;
        let Some(variable) = &self.password_env else { return Ok(options) };
        // The message shows neither value nor name: by mistake, the name may be the password itself.
        let password = env::var(variable).map_err(|error| {
            let why = match error {
                VarError::NotPresent => "is not set",
                VarError::NotUnicode(_) => "is not UTF-8",
            };
            format!("password_env expects the name of an environment variable; this one {why} in the process that reads the files")
        })?;
        Ok(options.key(Key::from_password(&password)))
    }
}

/// The dialect with this name.
pub(crate) fn dialect(name: &str) -> Result<Dialect, String> {
    let names = || Dialect::ALL.iter().map(|dialect| dialect.name());
    name.parse().map_err(|_| unknown("dialect", name, names()))
}

pub(crate) fn unknown<'n>(
    what: &str,
    name: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> String {
    let known: Vec<_> = known.into_iter().collect();
    format!("{what} '{name}' is unknown, expected one of {}", known.join(", "))
}
