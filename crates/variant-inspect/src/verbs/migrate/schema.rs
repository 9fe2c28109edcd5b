//! [`Schemas`]: the schemas that results of migrations must satisfy.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use variant_document::migration::{Migration, Stage};
use variant_view::Document;

use crate::failure::Failure;
use crate::open::{explain, name};
use crate::terminal::Terminal;
use variant_document::count::counted;

/// The schemas that a file of steps names, by their paths in it.
pub(super) struct Schemas(BTreeMap<String, Schema>);

impl Schemas {
    /// Reads the schemas, if they are needed. Their paths are relative to the file of steps.
    pub(super) fn of(
        steps: &Path,
        migration: &Migration,
        are_needed: bool,
        terminal: &mut Terminal<'_>,
    ) -> Result<Self, Failure> {
        let folder = steps.parent().unwrap_or(Path::new(""));
        let mut schemas = BTreeMap::new();
        for schema in migration.schemas().filter(|_| are_needed) {
            let path = folder.join(schema);
            let failed = |why: &str| Failure::io(format!("{}: {why}", name(&path)));
            let text = fs::read_to_string(&path).map_err(|error| failed(&explain(&error)))?;
            schemas.insert(schema.to_owned(), Schema::compile(&text).map_err(|why| failed(&why))?);
        }
        if !schemas.is_empty() && !Schema::IS_CHECKED {
            let count = counted(schemas.len(), "schema");
            terminal
                .note(&format!("{count} not checked: this program is built without schemas"))?;
        }
        Ok(Self(schemas))
    }

    /// Checks the result of a migration against its schema, if it has one.
    pub(super) fn check(&self, document: Document<'_>, stage: Stage<'_>) -> Result<(), String> {
        let schema = stage.schema.and_then(|schema| self.0.get(schema));
        schema.map_or(Ok(()), |schema| schema.check(document))
    }
}

// INTEGRATOR: the single place for the feature `schema` of `variant-document`. Replace this type by its schema: `check`
// returns the first violation, with its path.

/// A schema, which this program does not check.
struct Schema {
    _text: String,
}

#[expect(clippy::unnecessary_wraps, reason = "a schema may be damaged, and a check may fail")]
impl Schema {
    const IS_CHECKED: bool = false;

    fn compile(text: &str) -> Result<Self, String> {
        Ok(Self { _text: text.to_owned() })
    }

    #[expect(clippy::unused_self, reason = "there is nothing to check")]
    const fn check(&self, _document: Document<'_>) -> Result<(), String> {
        Ok(())
    }
}
