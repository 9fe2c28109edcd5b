//! [`TOOLS`]: all tools, a file for each.

mod check;
mod debug;
mod diff;
mod get;
mod open;
mod salvage;
mod schema;
mod select;
mod set;
mod validate;

use super::tool::Tool;

/// All tools, in the order in which clients list them.
pub(super) const TOOLS: &[Tool] = &[
    Tool::of::<open::Open>(),
    Tool::of::<get::Get>(),
    Tool::of::<select::Select>(),
    Tool::of::<set::Set>(),
    Tool::of::<diff::Diff>(),
    Tool::of::<validate::Validate>(),
    Tool::of::<check::Check>(),
    Tool::of::<salvage::Salvage>(),
    Tool::of::<schema::Schema>(),
    Tool::of::<debug::Listen>(),
    Tool::of::<debug::Log>(),
    Tool::of::<debug::Tree>(),
    Tool::of::<debug::Inspect>(),
    Tool::of::<debug::Set>(),
    Tool::of::<debug::Break>(),
    Tool::of::<debug::Run>(),
    Tool::of::<debug::Stack>(),
    Tool::of::<debug::Vars>(),
];
