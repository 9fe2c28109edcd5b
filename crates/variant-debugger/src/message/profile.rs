//! [`Profile`] and its parts. Times are in seconds, except those of [`VisualArea`].

use std::borrow::Cow;

use crate::list::List;

/// The profile of a frame, or the sums since the start.
#[derive(Clone, Debug)]
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
