//! `mcp`: a server of the Model Context Protocol, which gives agents the operations of the command as tools. The client
//! starts the program, writes requests to its standard input, and reads answers from its standard output.

mod debugger;
mod folders;
mod host;
mod input;
mod outcome;
mod page;
mod reading;
mod server;
mod tool;
mod tools;

use std::io::{IsTerminal as _, stdin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rmcp::serve_server;
use rmcp::service::ServerInitializeError;
use tokio::io::{AsyncReadExt as _, DuplexStream, duplex};
use tokio::runtime::Builder;

use self::debugger::Debugger;
use self::host::Host;
use self::input::Input;
use self::server::{CALLS, Server};
use crate::cli::McpArgs;
use crate::failure::{Failure, Status};
use crate::open::keys_of;
use crate::stop::Stop;
use crate::terminal::Terminal;
use variant_document::count::counted;

/// The time that a call may take to end after the client has left.
const PATIENCE: Duration = Duration::from_secs(5);

/// Serves a client until it closes the connection, or until a signal.
pub(crate) fn run(args: &McpArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    // The keys are read at the start, because a tool must not run the command of --password-command.
    keys_of(terminal.common)?;
    let host = Host::new(args, terminal.common)?;
    let debugger = host.debugger.clone();
    end_on_signal(Stop::of_process()?, debugger.clone());
    if stdin().is_terminal() {
        terminal
            .note("a client of the Model Context Protocol starts this command; Ctrl-C ends it")?;
    }
    let runtime = Builder::new_current_thread()
        .enable_time()
        // Standard input takes one thread more than the calls.
        .max_blocking_threads(CALLS.saturating_add(1))
        .build()
        .map_err(|error| Failure::io(format!("the server cannot start: {error}")))?;
    let served = runtime.block_on(serve(Server::new(host), terminal));
    runtime.shutdown_timeout(PATIENCE);
    debugger.leave();
    served
}

/// Lets the game run after a signal, and ends the process. A client that reads no answers may keep the other threads
/// waiting.
#[cfg(unix)]
fn end_on_signal(stop: Stop, debugger: Debugger) {
    /// The time between two looks at the signals.
    const TICK: Duration = Duration::from_millis(50);
    std::thread::spawn(move || {
        while !stop.is_asked() {
            std::thread::sleep(TICK);
        }
        debugger.leave();
        stop.groups.exit(0);
    });
}

/// There are no signals.
#[cfg(not(unix))]
fn end_on_signal(_: Stop, _: Debugger) {}

async fn serve(server: Server, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let (mut answers, output) = duplex(1 << 16);
    let is_over = Arc::new(AtomicBool::new(false));
    let requests = Input::new(tokio::io::stdin(), Arc::clone(&is_over));
    let service = tokio::spawn(async move {
        let running = serve_server(server, (requests, output)).await?;
        let _ = running.waiting().await;
        Ok::<_, Box<ServerInitializeError>>(())
    });
    forward(&mut answers, terminal).await?;
    if is_over.load(Ordering::Relaxed) {
        let most = counted(input::BYTES, "byte");
        return Err(Failure::invalid(format!("a request of the client is longer than {most}")));
    }
    match service.await {
        Ok(Err(error)) if !matches!(*error, ServerInitializeError::ConnectionClosed(_)) => {
            Err(Failure::invalid(format!("the client cannot be served: {error}")))
        }
        Ok(_) => Ok(Status::Fine),
        Err(error) => Err(Failure::io(format!("the server failed: {error}"))),
    }
}

/// Writes the answers to the output of the command. The program holds the lock of standard output, so the service cannot
/// write there.
async fn forward(answers: &mut DuplexStream, terminal: &mut Terminal<'_>) -> Result<(), Failure> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        let len = answers.read(&mut buffer).await?;
        if len == 0 {
            return Ok(());
        }
        terminal.out.write_all(buffer.get(..len).unwrap_or_default())?;
        terminal.out.flush()?;
    }
}
