//! A file for each verb: `run` writes to a `Terminal` and returns a `Status`.

pub(crate) mod browse;
pub(crate) mod change;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod debug;
pub(crate) mod detect;
pub(crate) mod diff;
pub(crate) mod edit;
pub(crate) mod flatten;
pub(crate) mod from;
pub(crate) mod fuzz_save;
pub(crate) mod get;
pub(crate) mod grep;
pub(crate) mod hex;
pub(crate) mod json;
pub(crate) mod keys;
pub(crate) mod man;
#[cfg_attr(not(feature = "mcp"), path = "verbs/no_mcp.rs")]
pub(crate) mod mcp;
pub(crate) mod merge;
pub(crate) mod migrate;
pub(crate) mod salvage;
pub(crate) mod scan;
pub(crate) mod schema;
pub(crate) mod stats;
#[cfg_attr(not(feature = "table"), path = "verbs/no_table.rs")]
pub(crate) mod table;
pub(crate) mod text;
pub(crate) mod tree;
pub(crate) mod wrap;
