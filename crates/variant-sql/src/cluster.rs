//! Scheduler, executors and clients of Ballista with the functions and tables of this crate.
//!
//! There is no authentication: any client that reaches a port can run queries, with the rights of the executors. Listen on other
//! addresses than the loopback only in a private network.

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use ballista::prelude::SessionContextExt as _;
use ballista_core::extension::SessionConfigExt as _;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use ballista_core::utils::default_session_builder;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_executor::health::ExecutorHealth;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use datafusion::common::Result;
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use tokio::time::sleep;

use crate::codec::{LogicalCodec, PhysicalCodec};
use crate::format::external;
use crate::register;
use crate::stores::Stores;

/// The maximum size of a message to an executor, in bytes. A message contains tasks, and a task names each file that it
/// reads.
const MESSAGE: u32 = 64 << 20;

fn logical_codec() -> Arc<LogicalCodec> {
    Arc::new(LogicalCodec(Arc::new(BallistaLogicalExtensionCodec::default())))
}

fn physical_codec() -> Arc<PhysicalCodec> {
    Arc::new(PhysicalCodec(Arc::new(BallistaPhysicalExtensionCodec::default())))
}

/// The configuration that clients, scheduler and executors share.
fn session_config() -> SessionConfig {
    SessionConfig::new_with_ballista()
        .with_ballista_logical_extension_codec(logical_codec())
        .with_ballista_physical_extension_codec(physical_codec())
        .with_ballista_grpc_client_max_message_size(usize::try_from(MESSAGE).unwrap_or(usize::MAX))
}

fn session_state(config: SessionConfig) -> Result<SessionState> {
    let state = SessionStateBuilder::new_from_existing(default_session_builder(config)?);
    let state = state.with_runtime_env(Stores::runtime().build_arc()?).build();
    let context = SessionContext::new_with_state(state);
    register(&context)?;
    Ok(context.state())
}

/// A context whose queries run on a scheduler. `scheduler` is the address, such as `df://localhost:50050`. Splits each
/// query into `partitions` partitions.
///
/// # Errors
/// The address is invalid.
pub async fn client(scheduler: &str, partitions: Option<usize>) -> Result<SessionContext> {
    let mut config = session_config();
    if let Some(partitions) = partitions {
        config = config.with_target_partitions(partitions);
    }
    let state = SessionStateBuilder::new()
        .with_default_features()
        .with_config(config)
        .with_runtime_env(Stores::runtime().build_arc()?)
        .build();
    let context = SessionContext::remote_with_state(scheduler, state).await?;
    // Functions are registered last, since Ballista replaces all earlier functions by its own.
    register(&context)?;
    Ok(context)
}

/// The time limits for lost executors.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// The number of seconds without a heartbeat after which an executor is lost, and its tasks are
    /// run again.
    pub timeout_seconds: u64,
}

impl Patience {
    /// The interval of an executor's heartbeats. An executor is lost after several missing heartbeats.
    const fn heartbeat(self) -> u64 {
        let quarter = self.timeout_seconds / 4;
        if quarter == 0 { 1 } else { quarter }
    }
}

/// Runs a scheduler, until its task is dropped.
///
/// # Errors
/// The address cannot be listened on.
pub async fn schedule(listener: tokio::net::TcpListener, patience: Patience) -> Result<()> {
    let address = listener.local_addr()?;
    let config = SchedulerConfig {
        bind_host: address.ip().to_string(),
        bind_port: address.port(),
        external_host: address.ip().to_string(),
        executor_timeout_seconds: patience.timeout_seconds,
        no_executors_grace_period_seconds: patience.timeout_seconds,
        expire_dead_executor_interval_seconds: patience.heartbeat(),
        grpc_server_max_decoding_message_size: MESSAGE,
        grpc_server_max_encoding_message_size: MESSAGE,
        grpc_client_max_message_size: MESSAGE,
        override_config_producer: Some(Arc::new(session_config)),
        override_session_builder: Some(Arc::new(session_state)),
        override_logical_codec: Some(logical_codec()),
        override_physical_codec: Some(physical_codec()),
        ..SchedulerConfig::default()
    };
    let cluster = BallistaCluster::new_from_config(&config).await.map_err(external)?;
    let scheduler =
        create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, Arc::new(config));
    start_grpc_service_with_listener(listener, scheduler.await.map_err(external)?)
        .await
        .map_err(external)
}

/// The settings of an executor.
#[derive(Clone, Debug)]
pub struct Executor {
    /// The host of the scheduler.
    pub scheduler_host: String,
    /// The port of the scheduler.
    pub scheduler_port: u16,
    /// The address to listen on.
    pub bind: IpAddr,
    /// The name by which other machines reach the executor.
    pub host: String,
    /// The port for results; 0 for a free port.
    pub port: u16,
    /// The port for tasks; 0 for a free port.
    pub task_port: u16,
    /// The number of partitions that run at a time.
    pub tasks: usize,
    /// The maximum memory for sorts and joins, in bytes; `None` for a part of the machine's memory.
    pub memory: Option<u64>,
    /// The folder in which results wait until they are fetched.
    pub work_folder: PathBuf,
    /// The time limits, which must be the same as those of the scheduler.
    pub patience: Patience,
}

impl Executor {
    /// Replaces unset ports by free ports. Another program may take these ports before the executor
    /// does.
    ///
    /// # Errors
    /// The address cannot be listened on.
    pub fn with_ports(mut self) -> io::Result<Self> {
        // Both ports are held until both numbers are known, so that they differ.
        let free = |port| TcpListener::bind(SocketAddr::new(self.bind, port));
        let (results, tasks) = (free(self.port)?, free(self.task_port)?);
        self.port = results.local_addr()?.port();
        self.task_port = tasks.local_addr()?.port();
        Ok(self)
    }

    /// Runs the executor until a signal or the scheduler ends it. Calls `ready` once the scheduler knows the executor.
    ///
    /// # Errors
    /// The scheduler cannot be reached, or the ports are taken.
    pub async fn run(self, ready: impl FnOnce() + Send + 'static) -> Result<()> {
        let state = session_state(session_config())?;
        let health = ExecutorHealth::new();
        let known = health.clone();
        tokio::spawn(async move {
            while !known.is_ready() {
                sleep(Duration::from_millis(50)).await;
            }
            ready();
        });
        let folder = self.work_folder.clone();
        let runtime =
            move |_: &SessionConfig| Stores::runtime().with_temp_file_path(&folder).build_arc();
        let config = ExecutorProcessConfig {
            bind_host: self.bind.to_string(),
            external_host: Some(self.host),
            port: self.port,
            grpc_port: self.task_port,
            scheduler_host: self.scheduler_host,
            scheduler_port: self.scheduler_port,
            scheduler_connect_timeout_seconds: 10,
            vcores: self.tasks,
            work_dir: Some(self.work_folder.to_string_lossy().into_owned()),
            grpc_max_decoding_message_size: MESSAGE,
            grpc_max_encoding_message_size: MESSAGE,
            executor_heartbeat_interval_seconds: self.patience.heartbeat(),
            memory_pool_size: self.memory,
            override_function_registry: Some(Arc::new(BallistaFunctionRegistry::from(&state))),
            override_config_producer: Some(Arc::new(session_config)),
            override_runtime_producer: Some(Arc::new(runtime)),
            override_logical_codec: Some(logical_codec()),
            override_physical_codec: Some(physical_codec()),
            health,
            ..ExecutorProcessConfig::default()
        };
        start_executor_process(Arc::new(config)).await.map_err(external)
    }
}
