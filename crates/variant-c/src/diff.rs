//! Compares two files.

use std::convert::Infallible;
use std::mem::MaybeUninit;

use serde_json::{Map, Value, json};
use variant_document::diff::{self, Change, Difference, Rule, Side, Sink, Stop, Summary};

use crate::border::call;
use crate::bytes::{self, Bytes};
use crate::code::{Code, VARIANT_ERROR_TRUNCATED};
use crate::error::{Error, Failure};
use crate::file::{File, given};
use crate::report::Report;

/// The differences between the values of two files, which may differ in dialect, compression and encryption. Frames are
/// matched by number, and settings by name. O(bytes of both files) expected.
///
/// `differences` receives JSON objects, one a line. The object of a difference has `change` (`added`, `removed` or
/// `changed`), `frame` and `path`. It describes the old value by `before`, `kind_before` and `offset_before`, and the
/// new value by `after`, `kind_after` and `offset_after`. At most `most` differences are listed. The last object has
/// the numbers `changed`, `added`, `removed` and `reordered`. variant_bytes_free frees `differences`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_diff(
    old: Option<&File>,
    new: Option<&File>,
    most: u64,
    differences: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let (old, new) = (given(old)?, given(new)?);
        let rule = Rule { limit: Some(most), ..Rule::default() };
        let mut lines = Lines::default();
        let summary = diff::files(old.plain(), new.plain(), &rule, &mut lines);
        let of = |side| if side == Side::Old { old } else { new };
        lines.finish(&summary.map_err(|stop| stopped(stop, of))?);
        bytes::give(differences, lines.0.into_bytes())
    })
}

fn stopped<'f>(stop: Stop<'f, Infallible>, of: impl Fn(Side) -> &'f File) -> Failure<'f> {
    match stop {
        Stop::Data { side, piece, error } => {
            of(side).place(&piece).failure(error).in_frame(piece.number)
        }
        cut @ Stop::Cut { .. } => Failure::new(VARIANT_ERROR_TRUNCATED, cut.to_string()),
        Stop::Caller(never) => match never {},
    }
}

#[derive(Debug, Default)]
struct Lines(Report);

impl<'a> Sink<'a> for Lines {
    type Error = Infallible;

    fn difference(&mut self, difference: Difference<'a>) -> Result<(), Infallible> {
        let Difference { piece, change } = difference;
        let frame = piece.called().map(|_| piece.number);
        let of = |change: &str, old, new| values(change, frame, old, new);
        self.0.add(&match &change {
            Change::Changed { old, new } => of("changed", Some(old), Some(new)),
            Change::Removed(old) => of("removed", Some(old), None),
            Change::Added(new) => of("added", None, Some(new)),
            Change::Others { path, elements, ranges } => json!({
                "change": "changed", "frame": frame, "path": path, "elements": elements,
                "ranges": ranges,
            }),
            Change::Reordered { path } => json!({"change": "order", "frame": frame, "path": path}),
        });
        Ok(())
    }
}

impl Lines {
    fn finish(&mut self, summary: &Summary) {
        let Summary { changed, added, removed, reordered, .. } = *summary;
        self.0.add(&json!({
            "changed": changed, "added": added, "removed": removed, "reordered": reordered,
        }));
    }
}

/// The JSON object of a difference, which has the old value, the new value, or both.
fn values(
    change: &str,
    frame: Option<u64>,
    old: Option<&diff::Value<'_>>,
    new: Option<&diff::Value<'_>>,
) -> Value {
    let mut object = Map::new();
    let mut set = |name: String, value: Value| object.insert(name, value);
    set("change".to_owned(), change.into());
    if let Some(frame) = frame {
        set("frame".to_owned(), frame.into());
    }
    let path = old.or(new).map(|value| value.path.as_str());
    set("path".to_owned(), path.into());
    if let Some(moved) = new.map(|new| new.path.as_str()).filter(|new| path != Some(*new)) {
        set("path_after".to_owned(), moved.into());
    }
    for (value, when) in [(old, "before"), (new, "after")] {
        let Some(value) = value else { continue };
        set(when.to_owned(), value.literal().into());
        set(format!("kind_{when}"), value.view.kind().name().into());
        set(format!("offset_{when}"), value.offset.into());
    }
    object.into()
}
