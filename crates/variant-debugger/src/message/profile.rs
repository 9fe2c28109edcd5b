//! [`Profile`] and its parts. Times are in seconds, except those of [`VisualArea`].

use std::borrow::Cow;

use super::row::row;
use crate::error::{Error, SendError};
use crate::family::Version;
use crate::list::List;
use crate::list::Row;
use crate::pen::Pen;
use crate::reader::Reader;

/// The profile of a frame, or the sums since the start.
#[derive(Clone, Debug, Default)]
pub struct Profile<'a> {
    /// The number of the frame.
    pub frame: i64,
    /// The time of the frame, in seconds.
    pub frame_time: f64,
    /// The time of `_process`, in seconds.
    pub process_time: f64,
    /// The time of `_physics_process`, in seconds.
    pub physics_time: f64,
    /// The time between physics frames, in seconds.
    pub physics_frame_time: f64,
    /// The time of scripts, in seconds.
    pub script_time: f64,
    /// The time of the engine's servers.
    pub categories: List<'a, Category<'a>>,
    /// The functions of scripts; empty in release builds.
    pub functions: List<'a, FunctionProfile>,
}

/// The time of a server, such as `physics_2d`.
#[derive(Clone, Debug)]
pub struct Category<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// Its parts.
    pub spans: List<'a, Span<'a>>,
}

/// A named time.
#[derive(Clone, Debug, PartialEq)]
pub struct Span<'a> {
    /// What took the time.
    pub name: Cow<'a, str>,
    /// Seconds.
    pub seconds: f64,
}

/// The time of a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FunctionProfile {
    /// The number of [`Message::FunctionSignature`](super::Message::FunctionSignature).
    pub signature: i64,
    /// The number of calls.
    pub calls: i64,
    /// Seconds, with the functions that it called.
    pub total: f64,
    /// Seconds in the function alone.
    pub own: f64,
    /// Seconds in the engine; `None` where the engine does not send it.
    pub internal: Option<f64>,
}

/// The time of an area of the renderer (Godot 4).
#[derive(Clone, Debug, PartialEq)]
pub struct VisualArea<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// Milliseconds of the processor.
    pub cpu: f64,
    /// Milliseconds of the graphics processor.
    pub gpu: f64,
}

impl<'a> Profile<'a> {
    pub(crate) fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Self {
            frame: reader.int()?,
            frame_time: reader.float()?,
            process_time: reader.float()?,
            physics_time: reader.float()?,
            physics_frame_time: reader.float()?,
            script_time: reader.float()?,
            ..Self::lists(reader)?
        })
    }

    /// The lists at the end. In Godot 4 the count of functions is after the categories, in the other engines before.
    fn lists(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let categories = reader.count()?;
        let mut functions = 0;
        if !reader.family().is_array() {
            functions = reader.count()?;
        }
        let start = reader.clone();
        for _ in 0..categories {
            Category::read(reader)?;
        }
        let categories = List::read(reader.since(start));
        let functions = if reader.family().is_array() {
            reader.counted()?
        } else {
            reader.take(functions.saturating_mul(4))?
        };
        Ok(Self { categories, functions: List::read(functions), ..Self::default() })
    }

    pub(crate) fn write(&self, pen: &mut Pen) -> Result<(), SendError> {
        pen.int(self.frame)?;
        let Self { frame_time, process_time, physics_time, .. } = *self;
        let Self { physics_frame_time, script_time, .. } = *self;
        for time in [frame_time, process_time, physics_time, physics_frame_time, script_time] {
            pen.float(time)?;
        }
        if pen.family.is_array() {
            pen.counted(&self.categories, 1, |pen, category| category.write(pen))?;
            let stride = if FunctionProfile::has_internal(pen) { 5 } else { 4 };
            return pen.counted(&self.functions, stride, |pen, function| function.write(pen));
        }
        pen.counted(&self.categories, 1, |_, _| Ok(()))?;
        pen.counted(&self.functions, 1, |_, _| Ok(()))?;
        pen.each(&self.categories, |pen, category| category.write(pen))?;
        pen.each(&self.functions, |pen, function| function.write(pen))
    }
}

impl<'a> Row<'a> for Category<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let name = reader.text()?;
        let spans = if reader.family().is_array() { reader.counted()? } else { reader.array()? };
        Ok(Self { name, spans: List::read(spans) })
    }
}

impl Category<'_> {
    /// Godot 3 writes the name as `String`, the others as `StringName`.
    fn write(&self, pen: &mut Pen) -> Result<(), SendError> {
        pen.name(&self.name)?;
        if pen.family.is_array() {
            return pen.counted(&self.spans, 2, |pen, span| {
                pen.name(&span.name)?;
                pen.float(span.seconds)
            });
        }
        pen.array(|pen| pen.each(&self.spans, |pen, span| span.write(pen)))
    }
}

row!(Span<'a>, 'a, { name: text, seconds: float });

row!(VisualArea<'a>, 'a, { name: text, cpu: float, gpu: float });

impl Row<'_> for FunctionProfile {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let (signature, calls) = (reader.int()?, reader.int()?);
        let (first, second) = (reader.float()?, reader.float()?);
        let (total, own) =
            if reader.family().is_array() { (second, first) } else { (first, second) };
        // The next function begins with a number.
        let has_internal = reader.peek() == Some(variant_view::Kind::Float);
        let internal = has_internal.then(|| reader.float()).transpose()?;
        Ok(Self { signature, calls, total, own, internal })
    }
}

impl FunctionProfile {
    fn has_internal(pen: &Pen) -> bool {
        pen.family.is_array() && pen.versions.reach(Version::new(4, 4)) == Some(true)
    }

    fn write(&self, pen: &mut Pen) -> Result<(), SendError> {
        pen.int(self.signature)?;
        pen.int(self.calls)?;
        let (total, own) = (self.total, self.own);
        let (first, second) = if pen.family.is_array() { (own, total) } else { (total, own) };
        pen.float(first)?;
        pen.float(second)?;
        if Self::has_internal(pen) { pen.float(self.internal.unwrap_or_default()) } else { Ok(()) }
    }
}
