//! Brings an old save to the newest version of a game.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use serde_json::{Value, json};
use variant_document::edit::{Changes, Draft};
use variant_document::migration::{Applied, Migration, Version};

use crate::border::{Result, call, text_of};
use crate::bytes::{self, Bytes};
use crate::code::{Code, VARIANT_ERROR_TEXT};
use crate::edit::refused;
use crate::error::{Error, Failure};
use crate::file::{File, given};
use crate::report::{Report, of_change};

/// Migrates the values of the file to the newest version of a game. `steps` is the text of a file of steps
/// (`docs/migrate.md`). `migrated` receives the whole new file, whose other bytes are kept. O(steps × bytes).
/// variant_bytes_free frees `migrated`.
///
/// `report` may be NULL. Otherwise it receives a JSON object: `status`, which is `migrated`, or `current` if all values
/// have the newest version; `values`, a list of objects with `from`, `to` and `steps`; `change_count` and `changes`.
/// variant_bytes_free frees `report`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_migrate(
    file: Option<&File>,
    steps: *const c_char,
    len: usize,
    migrated: Option<&mut MaybeUninit<Bytes>>,
    report: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        // SAFETY: the caller promises `len` bytes of text that do not change.
        let (file, steps) = (given(file)?, unsafe { text_of(steps, len) }?);
        let wrong = |what: String| Failure::new(VARIANT_ERROR_TEXT, what);
        let steps =
            Migration::parse(steps, "the steps").map_err(|error| wrong(error.to_string()))?;
        let mut draft = Draft::new(file.plain());
        let applied = migrate(file, &steps, &mut draft)?;
        bytes::give(migrated, file.source.wrap(draft.bytes())?)?;
        let mut lines = Report::default();
        lines.add(&object(&applied, &draft.changes));
        lines.give(report);
        Ok(())
    })
}

fn migrate<'a>(file: &File, steps: &Migration, draft: &mut Draft<'_>) -> Result<'a, Vec<Applied>> {
    let applied = steps.migrate(draft).map_err(|error| refused(&error))?;
    let checked = file.rivals().check_changed(file.plain(), draft.plain());
    checked.map_err(|error| refused(&error))?;
    Ok(applied)
}

fn object(applied: &[Applied], changes: &Changes) -> Value {
    let is_current = applied.iter().all(|applied| applied.from == applied.to);
    let version = |version: &Version| match version {
        Version::Number(number) => json!(number),
        Version::Text(text) => json!(text),
    };
    let values = applied.iter().map(|Applied { from, to, steps }| {
        json!({"from": version(from), "to": version(to), "steps": steps})
    });
    json!({
        "status": if is_current { "current" } else { "migrated" },
        "values": values.collect::<Vec<_>>(),
        "change_count": changes.count,
        "changes": changes.first.iter().map(of_change).collect::<Vec<_>>(),
    })
}
