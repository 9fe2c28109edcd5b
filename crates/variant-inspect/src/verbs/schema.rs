//! `schema`: prints the shape of the values of files: kinds, optional keys, ranges.

mod drift;
mod gdscript;
mod names;
mod program;
mod python;
mod rust;
mod text;
mod typescript;

use std::path::Path;

use serde_json::json;
use variant_document::Plain;
use variant_document::shape::{Lock, Place, Shapes, Type};
use variant_view::{Document, Objects};

use self::drift::Drift;
use crate::cli::SchemaArgs;
use crate::failure::{Failure, Status};
use crate::files::Files;
use crate::terminal::Terminal;
use crate::values::Values;

pub(crate) fn run(args: &SchemaArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let files = Files::of(&args.files, terminal)?;
    let mut all: Option<(Type, Plain<'static>)> = None;
    let mut drift = Drift::default();
    let worst = files.each(terminal, shape, |(name, shape, plain), _| {
        if args.drift {
            drift.add(name, shape);
            return Ok(Status::Fine);
        }
        match &mut all {
            None => all = Some((shape, plain)),
            Some((merged, _)) => merged.merge(shape),
        }
        Ok(Status::Fine)
    })?;
    if let Some((mut shape, plain)) = all {
        shape.settle();
        if args.json {
            for place in shape.places() {
                terminal.json(&object(&place))?;
            }
            return Ok(worst);
        }
        let text = if args.lock {
            Lock::of(&shape).to_string()
        } else if args.json_schema {
            shape.to_json_schema(args.ranges)
        } else if args.rust {
            rust::module(&shape, plain)
        } else if args.gdscript {
            gdscript::classes(&shape, plain.options.dialect)
        } else if args.typescript {
            typescript::module(&shape, plain.options.dialect)
        } else if args.python {
            python::module(&shape, plain)
        } else {
            text::tree(&shape, terminal.palette())
        };
        terminal.out.write_all(text.as_bytes())?;
    }
    let has_drift = drift.print(args.json, terminal)?;
    Ok(if has_drift { worst.max(Status::Invalid) } else { worst })
}

fn object(place: &Place) -> serde_json::Value {
    let (kinds, Place { path, is_optional, values, .. }) = (place.names(), place);
    json!({ "path": path, "kinds": kinds, "is_optional": is_optional, "values": values })
}

/// The name of a file, its shape, and how it is read.
fn shape(
    path: &Path,
    terminal: &mut Terminal<'_>,
) -> Result<(String, Type, Plain<'static>), Failure> {
    let file = Values::open(path, terminal)?;
    let mut shapes = Shapes::new();
    let status = file.each_of(terminal, |piece, options, _| {
        shapes.add(Document::new(piece.bytes, options.objects(Objects::Accept)))?;
        Ok(Status::Fine)
    })?;
    if status != Status::Fine {
        return Err(Failure::Told(status));
    }
    Ok((file.input.name.clone(), shapes.into_type(), file.plain().with_bytes(&[])))
}
