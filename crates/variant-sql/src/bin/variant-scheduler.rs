//! The program `variant-scheduler`: splits queries into tasks for executors.

use std::net::SocketAddr;
use std::process::ExitCode;

use clap::Parser;
use tokio::net::TcpListener;
use tokio::signal;
use variant_sql::cluster::{Patience, schedule};

/// Splits queries over Godot's and Pandemonium's saves into tasks for executors, until Ctrl-C.
///
/// There is no authentication: any client that reaches the port can run queries. Without --listen, only this machine
/// reaches it.
#[derive(Debug, Parser)]
#[command(name = "variant-scheduler", version)]
struct Arguments {
    /// Address to listen on; port 0 for a free port, which is printed.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:50050")]
    listen: SocketAddr,

    /// Seconds without a heartbeat after which an executor is lost, and its tasks run again.
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    executor_timeout: u64,
}

#[tokio::main]
async fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    let arguments = Arguments::parse();
    let patience = Patience { timeout_seconds: arguments.executor_timeout };
    let listening = TcpListener::bind(arguments.listen).await;
    let (listener, address) =
        match listening.and_then(|listener| Ok((listener.local_addr()?, listener))) {
            Ok((address, listener)) => (listener, address),
            Err(error) => return failed(&format!("{}: {error}", arguments.listen)),
        };
    println!("df://{address}: Ctrl-C ends it");
    tokio::select! {
        outcome = schedule(listener, patience) => match outcome {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => failed(&error.to_string()),
        },
        _ = signal::ctrl_c() => ExitCode::SUCCESS,
    }
}

fn failed(why: &str) -> ExitCode {
    eprintln!("variant-scheduler: {why}");
    ExitCode::from(3)
}
