//! [`Server`]: the service that a client talks to.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, JsonObject, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use super::host::Host;
use super::outcome::{NOTES, Outcome, PageArgs, shortened};
use super::page::Page;
use super::tool::{Tool, schema_of, take};
use super::tools::TOOLS;
use crate::open::name;
use crate::terminal::Terminal;

/// The maximum number of calls at the same time.
pub(super) const CALLS: usize = 8;
/// The maximum number of calls that wait for others. Each may have megabytes of arguments.
const WAITING: usize = 24;

/// The service that a client talks to. Each call runs on a thread.
#[derive(Clone, Debug)]
pub(super) struct Server {
    host: Arc<Host>,
    running: Arc<Semaphore>,
    accepted: Arc<Semaphore>,
}

impl Server {
    pub(super) fn new(host: Host) -> Self {
        let permits = |count| Arc::new(Semaphore::new(count));
        let accepted = permits(CALLS.saturating_add(WAITING));
        Self { host: Arc::new(host), running: permits(CALLS), accepted }
    }

    /// Calls a tool. Returns its result, or why it failed.
    fn call(&self, tool: Tool, mut arguments: JsonObject, stop: CancellationToken) -> Outcome {
        let mut err = Page::new(0, NOTES);
        let mut out = match take::<PageArgs>(&mut arguments) {
            Ok(args) => args.page().stopped_by(stop),
            Err(failure) => return Outcome::new(Err(failure), Page::default(), err),
        };
        let mut terminal = Terminal::of(&mut out, &mut err);
        let called = tool.call(arguments, &self.host, &mut terminal);
        Outcome::new(called, out, err)
    }

    fn instructions(&self) -> String {
        let folders = &self.host.folders;
        let lines = folders.all.iter().map(|folder| {
            let may = if folders.may_change(folder) { "read and change" } else { "read" };
            format!("- {}: {may}", name(folder))
        });
        let lines: Vec<_> = lines.collect();
        format!("{INSTRUCTIONS}\n\nFolders:\n{}", lines.join("\n"))
    }
}

/// What an agent has to know before it calls a tool.
const INSTRUCTIONS: &str = "\
Reads, checks, compares and changes saves of Godot and Pandemonium: binary Variants, also compressed and encrypted. \
Start with `open`. Relative paths start at the first folder below. Paths of values are as in `player.inventory[3].count`; \
`select` takes `items[*].id`, `items[?hp<10]`, `..gold` and `[0:100]`. `set` only shows what would change, unless `write` \
is true; the old file is then kept as FILE~. Answers are limited: `more` is the number of results that are left out, and \
`next_offset` continues. Messages name options of the command: `--dialect` is the argument `dialect`.";

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let program = Implementation::new("variant-inspect", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(program)
            .with_instructions(self.instructions())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let (page, output) = (schema_of::<PageArgs>(), schema_of::<Outcome>());
        let tools = TOOLS.iter().map(|tool| tool.listed(&page, output.clone()));
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == request.name).copied() else {
            let known: Vec<_> = TOOLS.iter().map(|tool| tool.name).collect();
            let name = shortened(&request.name);
            let message = format!("unknown tool {name}; there are {}", known.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let Ok(_accepted) = self.accepted.try_acquire() else {
            let message = format!("{WAITING} calls wait already; wait for an answer");
            return Err(ErrorData::invalid_request(message, None));
        };
        // The threads for calls never take the thread that reads requests.
        let running = tokio::select! {
            running = self.running.acquire() => running.ok(),
            () = context.ct.cancelled() => None,
        };
        let Some(_running) = running else {
            return Err(ErrorData::invalid_request("cancelled", None));
        };
        let (server, arguments) = (self.clone(), request.arguments.unwrap_or_default());
        let called = spawn_blocking(move || server.call(tool, arguments, context.ct)).await;
        match called {
            Ok(outcome) => Ok(outcome.into_result().into()),
            Err(error) => Err(ErrorData::internal_error(error.to_string(), None)),
        }
    }
}
