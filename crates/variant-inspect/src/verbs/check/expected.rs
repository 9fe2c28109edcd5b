//! [`Expected`]: the schema and the lock file with which the values are compared.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use serde_json::json;
use variant_document::schema::Schema;
use variant_document::shape::{Change, Lock, Type};

use super::Checked;
use super::finding::Findings;
use crate::cli::CheckArgs;
use crate::failure::{Failure, Status};
use crate::open::name;

/// The maximum size of a schema and of a lock file, in bytes.
const LARGEST: u64 = 64 << 20;

pub(super) struct Expected {
    pub(super) schema: Option<Schema>,
    /// The name of the lock file, and its contents.
    lock: Option<(String, Lock)>,
}

impl Expected {
    /// Reads the files that the arguments name.
    pub(super) fn read(args: &CheckArgs) -> Result<Self, Failure> {
        let schema = args.schema.as_deref().map(|path| {
            Schema::compile(&text(path)?)
                .map_err(|error| Failure::usage(format!("{}: {error}", name(path))))
        });
        let lock = args.lock.as_deref().map(|path| {
            let lock = Lock::parse(&text(path)?)
                .map_err(|error| Failure::usage(format!("{}: {error}", name(path))))?;
            Ok::<_, Failure>((name(path), lock))
        });
        Ok(Self { schema: schema.transpose()?, lock: lock.transpose()? })
    }

    pub(super) const fn has_lock(&self) -> bool {
        self.lock.is_some()
    }

    /// The differences between the lock file and the shape of all files, as findings in the lock file. `None` if there
    /// is nothing to compare.
    pub(super) fn differences(&self, shape: Option<Type>, args: &CheckArgs) -> Option<Checked> {
        let ((name, lock), mut shape) = self.lock.as_ref().zip(shape)?;
        shape.settle();
        let allowed: Vec<_> = args.allow.iter().map(|change| Change::from(*change)).collect();
        let mut findings = Findings::new(args.limit);
        let differences = lock.differences(&shape);
        for one in differences.into_iter().filter(|one| !allowed.contains(&one.change)) {
            findings.add_difference(one);
        }
        let status = if findings.counts.is_empty() { Status::Fine } else { Status::Invalid };
        let word = if status == Status::Fine { "ok" } else { "invalid" };
        let verdict = Some(json!({ "file": name, "status": word }));
        let (name, findings) = (name.clone(), Some(findings));
        Some(Checked { name, status, verdict, findings, unread: None, shape: None, is_lock: true })
    }
}

/// The text of a file, in UTF-8, of bounded size.
fn text(path: &Path) -> Result<String, Failure> {
    let fail = |why: &str| format!("{}: {why}", name(path));
    let file = File::open(path).map_err(|error| Failure::io(fail(&error.to_string())))?;
    let mut bytes = Vec::new();
    let read = file.take(LARGEST).read_to_end(&mut bytes);
    read.map_err(|error| Failure::io(fail(&error.to_string())))?;
    String::from_utf8(bytes).map_err(|_| Failure::usage(fail("this is not text in UTF-8")))
}
