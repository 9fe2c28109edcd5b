//! [`ReadingArgs`]: the arguments of all tools that read files.

use std::borrow::Cow;

use clap::ValueEnum;
use rmcp::schemars::{self, JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use variant_document::names::{self, UnknownName};
use variant_view::Dialect;

use crate::cli::{CommonArgs, FramingArg, RealsArg};
use crate::failure::Failure;

/// How files are read, if the guess is wrong.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct ReadingArgs {
    /// The engine that wrote the files. Without it, the engine is guessed, and `notes` has the guess.
    #[schemars(extend("enum" = dialects()))]
    dialect: Option<String>,
    /// The separation of the values in the files.
    framing: Option<Named<FramingArg>>,
    /// The width of the reals in vectors.
    reals: Option<Named<RealsArg>>,
    /// The number of bytes before the first value, such as a version number.
    skip: Option<u64>,
}

impl ReadingArgs {
    /// The options of the command with these arguments.
    pub(super) fn over(self, common: &CommonArgs) -> Result<CommonArgs, Failure> {
        let mut common = common.clone();
        if let Some(name) = self.dialect {
            common.dialect = Some(dialect(&name)?);
            common.as_documented = None;
        }
        common.framing = self.framing.map_or(common.framing, |framing| framing.0);
        common.reals = self.reals.map(|reals| reals.0).or(common.reals);
        common.skip = self.skip.unwrap_or(common.skip);
        Ok(common)
    }
}

fn dialects() -> Vec<&'static str> {
    Dialect::ALL.iter().map(|dialect| dialect.name()).collect()
}

pub(super) fn dialect(name: &str) -> Result<Dialect, Failure> {
    names::dialect(name).map_err(|error| Failure::usage(error.to_string()))
}

/// The value of an option of the command, by its name.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Named<T>(pub(super) T);

fn all_names<T: ValueEnum>() -> Vec<String> {
    let all = T::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    all.map(|value| value.get_name().to_owned()).collect()
}

impl<'de, T: ValueEnum> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let known = all_names::<T>();
        let known = known.iter().map(String::as_str);
        let unknown = |_| D::Error::custom(UnknownName::new("the name", &name, known));
        T::from_str(&name, false).map(Self).map_err(unknown)
    }
}

impl<T: ValueEnum> JsonSchema for Named<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Name".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": all_names::<T>() })
    }
}
