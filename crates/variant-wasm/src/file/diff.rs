//! Compares two files.

use core::convert::Infallible;

use variant_document::diff::{self, Change, Difference, Rule, Sink, Stop, Value};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::File;
use super::rows::number_of;
use crate::failure;
use crate::object::{Object, count, list};

#[wasm_bindgen]
impl File {
    /// The differences between this file and another file, at most `most`. O(bytes of both files) expected.
    ///
    /// # Errors
    /// Damage in one of the files.
    pub fn diff(&self, other: &File, most: u32) -> Result<JsValue, JsValue> {
        let rule = Rule { limit: Some(most.into()), ..Rule::default() };
        let mut told = Told::default();
        let summary = diff::files(self.draft.plain(), other.draft.plain(), &rule, &mut told);
        let summary = summary.map_err(|stop| refused(&stop))?;
        Ok(Object::new()
            .with("found", list(told.0))
            .with("changed", count(summary.changed))
            .with("added", count(summary.added))
            .with("removed", count(summary.removed))
            .with("reordered", count(summary.reordered))
            .into())
    }
}

/// The differences as objects.
#[derive(Debug, Default)]
struct Told(Vec<Object>);

impl<'a> Sink<'a> for Told {
    type Error = Infallible;

    fn difference(&mut self, difference: Difference<'a>) -> Result<(), Infallible> {
        self.0.push(object(&difference));
        Ok(())
    }
}

fn object(difference: &Difference<'_>) -> Object {
    let called = difference.piece.called();
    let number = number_of(&difference.piece);
    let object = Object::new().with("frame", count(number)).with_some("called", called);
    let of = |object: Object, change: &str, old: Option<&Value<'_>>, new: Option<&Value<'_>>| {
        let path = old.or(new).map(|value| place(&value.path));
        let moved = new.map(|value| place(&value.path)).filter(|new| Some(*new) != path);
        object
            .with("change", change)
            .with_some("path", path)
            .with_some("pathAfter", moved)
            .with_some("before", old.map(Value::literal))
            .with_some("after", new.map(Value::literal))
            .with_some("offsetBefore", old.map(|value| value.offset))
            .with_some("offsetAfter", new.map(|value| value.offset))
    };
    match &difference.change {
        Change::Changed { old, new } => of(object, "changed", Some(old), Some(new)),
        Change::Removed(old) => of(object, "removed", Some(old), None),
        Change::Added(new) => of(object, "added", None, Some(new)),
        Change::Others { path, elements, ranges } => {
            let more = format!("{elements} more elements in {ranges} ranges");
            object.with("change", "changed").with("path", place(path)).with("after", more)
        }
        Change::Reordered { path } => object.with("change", "order").with("path", place(path)),
    }
}

/// Converts a path of a comparison, in which the root has a name, to a path of the file.
fn place(path: &str) -> &str {
    if path == "(root)" { "" } else { path }
}

fn refused(stop: &Stop<'_, Infallible>) -> JsValue {
    let class = match stop {
        Stop::Data { error, .. } => failure::class(error.class()),
        Stop::Cut { .. } | Stop::Caller(_) => "truncated",
    };
    failure::plain(class, &stop.to_string())
}
