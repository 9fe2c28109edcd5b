//! `open`: what a file or a folder is.

use std::fs;
use std::path::Path;

use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::cli::{DetectArgs, FilesArgs, TreeArgs};
use crate::failure::{Failure, Status};
use crate::open::{explain, name};
use crate::terminal::Terminal;
use crate::verbs::mcp::host::Host;
use crate::verbs::mcp::tool::{Call, Output, Reply};
use crate::verbs::{detect, tree};

/// Shows what a file is, or what a folder has. For a file, `summary` has the engine, the framing, the size, compression
/// and encryption, and `text` is the upper part of the values as a tree. Without a path, lists the allowed folders.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::verbs::mcp) struct Open {
    /// A file or a folder.
    path: Option<String>,
    /// The number of levels of the tree. Without it, 2.
    depth: Option<u32>,
    /// The maximum number of values of each container and of frames in the tree. Without it, 20.
    children: Option<u32>,
}

impl Call for Open {
    const NAME: &'static str = "open";

    fn call(self, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        let Some(path) = &self.path else {
            for folder in &host.folders.all {
                let may_change = host.folders.may_change(folder);
                terminal.json(&json!({ "folder": name(folder), "may_change": may_change }))?;
            }
            return Ok(Output::Values.with(Status::Fine));
        };
        let place = host.folders.place(path)?;
        if place.is_dir() { entries(&place, terminal) } else { self.file(path, host, terminal) }
    }
}

impl Open {
    fn file(&self, path: &str, host: &Host, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
        let file = host.folders.file(path)?;
        let summary = Some(detected(&file, terminal)?);
        let args = TreeArgs {
            file,
            depth: Some(self.depth.unwrap_or(2)),
            limit: Some(self.children.unwrap_or(20)),
            offsets: false,
            at: None,
            nested: false,
        };
        let status = tree::run(&args, terminal)?;
        Ok(Reply { status, output: Output::Text, summary })
    }
}

/// The object that `detect --json` prints.
fn detected(file: &Path, terminal: &mut Terminal<'_>) -> Result<Value, Failure> {
    let files = FilesArgs { files: vec![file.to_owned()], ..FilesArgs::default() };
    let args = DetectArgs { files, scan: false, limit: 0, json: true };
    let mut out = Vec::new();
    let mut inner = Terminal { out: &mut out, ..terminal.with(terminal.common) };
    let status = detect::run(&args, &mut inner)?;
    if out.is_empty() {
        return Err(Failure::Told(status));
    }
    Ok(serde_json::from_slice(&out).unwrap_or_default())
}

/// Prints the files of a folder and the folders in it, by name.
fn entries(folder: &Path, terminal: &mut Terminal<'_>) -> Result<Reply, Failure> {
    let failed = |error| Failure::io(format!("{}: {}", name(folder), explain(&error)));
    let mut entries =
        fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(failed)?;
    entries.sort_unstable_by_key(fs::DirEntry::file_name);
    for entry in entries {
        // The type and the size are those of a link, since its target may be outside the folders.
        let Ok(found) = entry.metadata() else { continue };
        let kind = match found.file_type() {
            kind if kind.is_dir() => "folder",
            kind if kind.is_file() => "file",
            kind if kind.is_symlink() => "link",
            _ => "other",
        };
        let bytes = found.is_file().then_some(found.len());
        terminal.json(&json!({ "path": name(&entry.path()), "kind": kind, "bytes": bytes }))?;
    }
    Ok(Output::Values.with(Status::Fine))
}
