//! [`run`]: a query, from its text to its result.

use std::io::{Read as _, stdin};
use std::sync::Arc;

use datafusion::common::Result;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::physical_plan::execute_stream;
use datafusion::prelude::{SessionConfig, SessionContext};
use futures_util::StreamExt as _;
use variant_document::count::counted;
use variant_sql::{Stores, VariantSource, VariantTable, cluster, register};

use crate::arguments::Arguments;
use crate::failure::{Failure, Status};
use crate::output::{Output, form};

/// Runs the query, and returns a summary of the read values.
pub(crate) async fn run(arguments: &Arguments) -> Result<String, Failure> {
    let sql = sql(arguments)?;
    let form = form(arguments.form, &arguments.output)?;
    let context = context(arguments).await?;
    if !arguments.files.is_empty() {
        context.register_table("saves", Arc::new(table(arguments, &context)?))?;
    }
    let frame = context.sql(&sql).await?;
    let task = Arc::new(frame.task_ctx());
    let plan = frame.create_physical_plan().await?;
    let mut output = Output::start(form, &arguments.output, &plan.schema())?;
    let mut batches = execute_stream(Arc::clone(&plan), task)?;
    let mut rows = 0_usize;
    while let Some(batch) = batches.next().await {
        let batch = batch?;
        rows = rows.saturating_add(batch.num_rows());
        output.write(&batch)?;
    }
    output.finish()?;
    let result = format!("{} in the result", counted(rows, "row"));
    let scans = VariantSource::summaries(&plan);
    let told: Vec<_> = scans.iter().map(ToString::to_string).chain([result]).collect();
    Ok(told.join("\n"))
}

fn sql(arguments: &Arguments) -> Result<String, Failure> {
    if arguments.sql != "-" {
        return Ok(arguments.sql.clone());
    }
    if arguments.files.iter().any(|file| file == "-") {
        let why = "standard input is the statement or a file, not both";
        return Err(Failure::new(Status::Usage, why.to_owned()));
    }
    let mut sql = String::new();
    let read = stdin().lock().read_to_string(&mut sql);
    read.map_err(|error| Failure::new(Status::Io, format!("standard input: {error}")))?;
    Ok(sql)
}

async fn context(arguments: &Arguments) -> Result<SessionContext, Failure> {
    let jobs = arguments.jobs.map(Into::into);
    if let Some(scheduler) = &arguments.cluster {
        return Ok(cluster::client(scheduler, jobs).await?);
    }
    let mut config = SessionConfig::new().with_information_schema(true);
    if let Some(jobs) = jobs {
        config = config.with_target_partitions(jobs);
    }
    let mut runtime = Stores::runtime();
    if let Some(bytes) = arguments.memory {
        runtime = runtime.with_memory_pool(Arc::new(FairSpillPool::new(bytes)));
    }
    // `enable_url_table` lets a query name a file such as 'result.parquet' as a table.
    let context =
        SessionContext::new_with_config_rt(config, runtime.build_arc()?).enable_url_table();
    register(&context)?;
    Ok(context)
}

fn table(arguments: &Arguments, context: &SessionContext) -> Result<VariantTable, Failure> {
    let format =
        arguments.format().map_err(|error| Failure::new(Status::Usage, error.to_string()))?;
    Ok(VariantTable::new(arguments.files.clone(), format, &context.runtime_env())?)
}
