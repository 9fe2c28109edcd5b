//! [`Reading`]: the serializable options for reading files, which plans contain.

use serde::{Deserialize, Serialize};
use variant_document::names::password_of;
use variant_io::Key;
use variant_table::{MisfitPolicy, ReadOptions, Reading as Named};

/// The options for reading files, as names. Plans contain them. Instead of a password, they have the name of an
/// environment variable, which each process reads from its environment.
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
    /// The maximum size of a decompressed and decrypted file, in bytes.
    pub max_unpacked: Option<u64>,
    /// The treatment of values that do not have the type of their column.
    pub misfits: MisfitPolicy,
    /// Whether each value is validated as a whole.
    pub validate: bool,
}

impl Reading {
    /// The read options, without a key.
    ///
    /// # Errors
    /// A name is unknown. The error has the name and the expected names.
    pub fn without_key(&self) -> Result<ReadOptions, String> {
        Ok(self.with(self.named()?))
    }

    /// The read options, with the key from this process's environment.
    ///
    /// # Errors
    /// A name is unknown, or the variable is not set.
    pub fn options(&self) -> Result<ReadOptions, String> {
        let mut reading = self.named()?;
        if let Some(variable) = &self.password_env {
            let password = password_of(variable)
                .map_err(|why| format!("password_env {why} in the process that reads the files"))?;
            reading.layers = reading.layers.key(Key::from_password(&password));
        }
        Ok(self.with(reading))
    }

    fn named(&self) -> Result<Named, String> {
        let Self { dialect, framing, reals, .. } = self;
        let named = Named::named(dialect.as_deref(), framing.as_deref(), reals.as_deref());
        let mut reading = named.map_err(|error| error.to_string())?;
        if let Some(len) = self.max_unpacked {
            reading.layers = reading.layers.max_len(len);
        }
        Ok(reading)
    }

    fn with(&self, reading: Named) -> ReadOptions {
        ReadOptions::new().reading(reading).misfits(self.misfits).validate(self.validate)
    }
}
