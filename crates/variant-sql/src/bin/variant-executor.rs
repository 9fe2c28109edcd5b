//! The program `variant-executor`: runs tasks of a scheduler.

use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;

use clap::Parser;
use variant_sql::cluster::{Executor, Patience};

/// Runs tasks of a scheduler, until Ctrl-C. The executor reads the saves that queries name, so it must find them under
/// the same names as the client. It reads passwords from its environment.
///
/// There is no authentication: any client that reaches its ports can run tasks. Without --bind, only this machine
/// reaches them.
#[derive(Debug, Parser)]
#[command(name = "variant-executor", version)]
struct Arguments {
    #[arg(help = "Address of the scheduler", value_name = "URL", value_parser = scheduler, default_value = "df://127.0.0.1:50050")]
    scheduler: (String, u16),

    /// Address to listen on, for results and tasks.
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,

    /// Name by which scheduler, clients and other executors reach this executor [default: the address].
    #[arg(long, value_name = "HOST")]
    host: Option<String>,

    /// Port for results; 0 for a free port.
    #[arg(long, default_value_t = 0)]
    port: u16,

    /// Port for tasks; 0 for a free port.
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    task_port: u16,

    /// Number of partitions that run at a time [default: one per core].
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZero<usize>>,

    /// Limit for the memory of sorts, joins and groups, in bytes [default: 70 % of the machine's memory].
    #[arg(long, value_name = "BYTES")]
    memory: Option<u64>,

    /// Folder for results that wait to be fetched [default: a new folder, which is removed at the end].
    #[arg(long, value_name = "FOLDER")]
    work: Option<PathBuf>,

    /// Seconds without a heartbeat after which an executor is lost; the scheduler must have the same number.
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    executor_timeout: u64,
}

fn scheduler(text: &str) -> Result<(String, u16), String> {
    let address = text.strip_prefix("df://").unwrap_or(text);
    let parts = address
        .rsplit_once(':')
        .and_then(|(host, port)| Some((host.to_owned(), port.parse().ok()?)));
    parts.ok_or_else(|| "expected HOST:PORT, as in df://127.0.0.1:50050".to_owned())
}

#[tokio::main]
async fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    match run(Arguments::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("variant-executor: {why}");
            ExitCode::from(3)
        }
    }
}

async fn run(arguments: Arguments) -> Result<(), Box<dyn std::error::Error>> {
    let (scheduler_host, scheduler_port) = arguments.scheduler;
    // The folder is removed when it is dropped.
    let own = tempfile::tempdir()?;
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let executor = Executor {
        scheduler_host,
        scheduler_port,
        bind: arguments.bind,
        host: arguments.host.unwrap_or_else(|| arguments.bind.to_string()),
        port: arguments.port,
        task_port: arguments.task_port,
        tasks: arguments.jobs.map_or(cores, NonZero::get),
        memory: arguments.memory,
        work_folder: arguments.work.unwrap_or_else(|| own.path().to_owned()),
        patience: Patience { timeout_seconds: arguments.executor_timeout },
    };
    let executor = executor.with_ports()?;
    let address = format!("{}:{}", executor.host, executor.port);
    Ok(executor.run(move || println!("{address}: Ctrl-C ends it")).await?)
}
