//! `debug`: a debugger of a running game, instead of the engine's editor.

mod child;
mod desk;
mod finding;
mod home;
mod link;
mod listen;
mod log;
mod orders;
mod proxy;
mod record;
mod recording;
mod replay;
mod session;
mod shown;
mod trial;
mod ui;

use crate::cli::{DebugArgs, DebugVerb};
use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
pub(crate) use finding::{Finding, Findings, Rule, Run};
pub(crate) use home::Home;
pub(crate) use listen::project;
pub(crate) use trial::{Outcome, Trial};

pub(crate) fn run(args: &DebugArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    match &args.verb {
        DebugVerb::Listen(args) => listen::run(args, terminal),
        DebugVerb::Session(args) => session::run(args, terminal),
        DebugVerb::Once(once) => session::once(once, terminal),
        DebugVerb::Record(args) => record::run(args, terminal),
        DebugVerb::Replay(args) => replay::run(args, terminal),
        DebugVerb::Proxy(args) => proxy::run(args, terminal),
        DebugVerb::Ui(args) => ui::run(args, terminal),
    }
}
