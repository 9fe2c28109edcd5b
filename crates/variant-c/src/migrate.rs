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

/// The file with its values in the newest version of a game, by a text of steps (`docs/migrate.md`). The other bytes of the
/// file are kept. O(steps × bytes). The bytes are freed by variant_bytes_free.
///
/// `report` may be NULL. Otherwise it receives a JSON object: `status`, which is `migrated`, or `current` without a change;
/// `values`, each with `from`, `to` and `steps`; `change_count` and `changes`. variant_bytes_free frees it.
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
        // SAFETY: the promise of the caller about texts with a length.
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
