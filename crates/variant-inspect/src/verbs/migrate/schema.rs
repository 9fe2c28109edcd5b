//! [`Schemas`]: the schemas that results of migrations must satisfy.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use variant_document::migration::{Migration, Stage};
use variant_document::schema::Schema;
use variant_view::Document;

use crate::failure::Failure;
use crate::open::{explain, name};

/// The schemas, by the paths that the file of steps has for them.
pub(super) struct Schemas(BTreeMap<String, Schema>);

impl Schemas {
    /// Reads the schemas, if they are needed. Their paths are relative to the file of steps.
    pub(super) fn of(
        steps: &Path,
        migration: &Migration,
        are_needed: bool,
    ) -> Result<Self, Failure> {
        let folder = steps.parent().unwrap_or(Path::new(""));
        let mut schemas = BTreeMap::new();
        for schema in migration.schemas().filter(|_| are_needed) {
            let path = folder.join(schema);
            let text = fs::read_to_string(&path)
                .map_err(|error| Failure::io(format!("{}: {}", name(&path), explain(&error))))?;
            let compiled = Schema::compile(&text)
                .map_err(|error| Failure::usage(format!("{}: {error}", name(&path))))?;
            schemas.insert(schema.to_owned(), compiled);
        }
        Ok(Self(schemas))
    }

    /// Checks the result of a migration against its schema, if it has one. The error message has the first breach, and
    /// the number of further ones.
    pub(super) fn check(&self, document: Document<'_>, stage: Stage<'_>) -> Result<(), String> {
        let schema = stage.schema.and_then(|name| Some((name, self.0.get(name)?)));
        let Some((name, schema)) = schema else { return Ok(()) };
        let breaches = schema.check(document, 1).map_err(|error| error.to_string())?;
        let Some(first) = breaches.list.first() else { return Ok(()) };
        let others = breaches.count.saturating_sub(1);
        let more = if others > 0 { format!("; {others} more") } else { String::new() };
        Err(format!("{name}: {first}{more}"))
    }
}
