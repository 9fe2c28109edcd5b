//! Commands by their names in Python.

use std::borrow::Cow;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use variant_debugger::{Camera, Command, List, LiveEdit, Profiler, Target, Value};
use variant_document::count::counted;
use variant_document::names::{UnknownName, one_of};
use variant_owned::Variant;

/// The names of the commands, and of their arguments. A name after `*` takes all that follow.
#[rustfmt::skip] // a row each
const COMMANDS: &[(&str, &[&str])] = &[
    ("break", &[]),
    ("step", &[]),
    ("next", &[]),
    ("out", &[]),
    ("continue", &[]),
    ("stack_dump", &[]),
    ("stack_frame_vars", &["level"]),
    ("evaluate", &["expression", "level"]),
    ("breakpoint", &["file", "line", "set"]),
    ("skip_breakpoints", &["skip"]),
    ("ignore_error_breaks", &["ignore"]),
    ("reload_scripts", &["*paths"]),
    ("main_thread_id", &[]),
    ("scene_tree", &[]),
    ("inspect_object", &["id"]),
    ("inspect_objects", &["select", "*ids"]),
    ("clear_selection", &[]),
    ("set_property", &["id", "name", "value"]),
    ("set_property_field", &["id", "name", "value", "field"]),
    ("save_node", &["id", "path"]),
    ("video_memory", &[]),
    ("draw", &[]),
    ("foreground", &[]),
    ("profile", &["profiler", "enable", "*options"]),
    ("multiplayer_cache", &["*ids"]),
    ("camera_override", &["enable", "from_editor"]),
    ("camera_override_2d", &["enable"]),
    ("camera_override_3d", &["enable"]),
    ("camera_transform_2d", &["transform"]),
    ("camera_transform_3d", &["transform", "perspective", "size", "near", "far"]),
    ("suspend", &["suspend"]),
    ("next_frame", &[]),
    ("speed", &["speed"]),
    ("mute_audio", &["mute"]),
    ("reload_files", &["*files"]),
    ("live_set_root", &["root", "scene"]),
    ("live_node_path", &["path", "number"]),
    ("live_resource_path", &["path", "number"]),
    ("live_set", &["target", "number", "name", "value"]),
    ("live_set_resource", &["target", "number", "name", "path"]),
    ("live_call", &["target", "number", "method", "*arguments"]),
    ("live_create", &["parent", "class_name", "name"]),
    ("live_instantiate", &["parent", "scene", "name"]),
    ("live_remove", &["path"]),
    ("live_remove_and_keep", &["path", "keep"]),
    ("live_restore", &["keep", "path", "position"]),
    ("live_duplicate", &["path", "name"]),
    ("live_reparent", &["path", "parent", "name", "position"]),
    ("custom", &["name", "*arguments"]),
    ("raw", &["frame"]),
];

/// The names of the commands.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|(name, _)| *name)
}

/// A command that is not there, or whose arguments do not fit.
#[derive(Debug)]
pub(super) enum Misused {
    Unknown(UnknownName),
    Arguments(String),
}

impl Misused {
    pub(super) fn into_error(self) -> PyErr {
        match self {
            Self::Unknown(error) => PyValueError::new_err(error.to_string()),
            Self::Arguments(message) => PyTypeError::new_err(message),
        }
    }
}

type Result<T, E = Misused> = std::result::Result<T, E>;

fn parameters(name: &str) -> Result<&'static [&'static str]> {
    one_of("command", name, COMMANDS).map_err(Misused::Unknown)
}

/// The name and the arguments of a command.
pub(super) fn signature(name: &str) -> Result<String> {
    Ok(format!("{name}({})", parameters(name)?.join(", ")))
}

/// Calls `work` with the command `name`.
///
/// # Errors
/// An unknown name, or arguments of other numbers or types.
pub(super) fn with<T>(
    name: &str,
    given: &[Variant],
    work: impl FnOnce(&Command<'_>) -> T,
) -> Result<T> {
    let parameters = parameters(name)?;
    let tail = parameters.iter().position(|parameter| parameter.starts_with('*'));
    let fits = match tail {
        Some(tail) => given.len() >= tail,
        None => given.len() == parameters.len(),
    };
    let given = Given { name, parameters, all: given };
    if !fits {
        let are = if given.all.len() == 1 { "is" } else { "are" };
        return Err(given.misused(&format!("{} {are} given", counted(given.all.len(), "argument"))));
    }
    let rest = given.all.get(tail.unwrap_or(given.all.len())..).unwrap_or_default();
    let values: Vec<_> = rest.iter().map(Value::from).collect();
    let texts: Vec<_> = rest.iter().filter_map(Variant::as_str).map(Cow::Borrowed).collect();
    let ids: Vec<_> = rest.iter().filter_map(Variant::as_i64).collect();
    let command =
        given.command(Rest { count: rest.len(), values: &values, texts: &texts, ids: &ids })?;
    Ok(work(&command))
}

/// The arguments of a command.
#[derive(Clone, Copy)]
struct Given<'a> {
    name: &'a str,
    parameters: &'static [&'static str],
    all: &'a [Variant],
}

/// The arguments from the parameter with `*` on: all as values, those that are texts, and those that are integers.
#[derive(Clone, Copy)]
struct Rest<'a> {
    count: usize,
    values: &'a [Value<'a>],
    texts: &'a [Cow<'a, str>],
    ids: &'a [i64],
}

impl<'a> Given<'a> {
    fn misused(&self, what: &str) -> Misused {
        Misused::Arguments(format!("{}({}): {what}", self.name, self.parameters.join(", ")))
    }

    fn typed<T>(
        &self,
        index: usize,
        expected: &str,
        take: impl FnOnce(&'a Variant) -> Option<T>,
    ) -> Result<T> {
        let value = self.all.get(index);
        value.and_then(take).ok_or_else(|| {
            let found = value.map_or("missing", |value| value.kind().name());
            let parameter = self.parameters.get(index).unwrap_or(&"an argument");
            self.misused(&format!("{parameter} is {found}, expected {expected}"))
        })
    }

    fn int(&self, index: usize) -> Result<i64> {
        self.typed(index, "an int", Variant::as_i64)
    }

    fn bool(&self, index: usize) -> Result<bool> {
        self.typed(index, "a bool", Variant::as_bool)
    }

    fn float(&self, index: usize) -> Result<f64> {
        self.typed(index, "a float", Variant::as_f64)
    }

    fn text(&self, index: usize) -> Result<Cow<'a, str>> {
        self.typed(index, "a str", Variant::as_str).map(Cow::Borrowed)
    }

    fn value(&self, index: usize) -> Result<Value<'a>> {
        self.typed(index, "a value", Some).map(Value::from)
    }

    fn bytes(&self, index: usize) -> Result<&'a [u8]> {
        self.typed(index, "bytes", |value| match value {
            Variant::PackedByteArray(bytes) => Some(bytes.as_slice()),
            _ => None,
        })
    }

    fn texts(&self, rest: Rest<'a>) -> Result<List<'a, Cow<'a, str>>> {
        if rest.texts.len() == rest.count {
            return Ok(List::from(rest.texts));
        }
        Err(self.misused("an argument is not a str"))
    }

    fn ids(&self, rest: Rest<'a>) -> Result<List<'a, i64>> {
        if rest.ids.len() == rest.count {
            return Ok(List::from(rest.ids));
        }
        Err(self.misused("an id is not an int"))
    }

    fn command(&self, rest: Rest<'a>) -> Result<Command<'a>> {
        Ok(match self.name {
            "break" => Command::Break,
            "step" => Command::Step,
            "next" => Command::Next,
            "out" => Command::Out,
            "continue" => Command::Continue,
            "stack_dump" => Command::StackDump,
            "stack_frame_vars" => Command::StackFrameVars { level: self.int(0)? },
            "evaluate" => Command::Evaluate { expression: self.text(0)?, level: self.int(1)? },
            "breakpoint" => {
                Command::Breakpoint { file: self.text(0)?, line: self.int(1)?, set: self.bool(2)? }
            }
            "skip_breakpoints" => Command::SkipBreakpoints(self.bool(0)?),
            "ignore_error_breaks" => Command::IgnoreErrorBreaks(self.bool(0)?),
            "reload_scripts" => Command::ReloadScripts(self.texts(rest)?),
            "main_thread_id" => Command::MainThreadId,
            "video_memory" => Command::VideoMemory,
            "draw" => Command::Draw,
            "foreground" => Command::Foreground,
            "profile" => Command::Profile {
                profiler: profiler(self.text(0)?),
                enable: self.bool(1)?,
                options: List::from(rest.values),
            },
            "multiplayer_cache" => Command::MultiplayerCache(self.ids(rest)?),
            "custom" => Command::Custom { name: self.text(0)?, arguments: List::from(rest.values) },
            "raw" => Command::Raw(self.bytes(0)?),
            name if name.starts_with("live_") => Command::Live(self.live(rest)?),
            name if name.starts_with("camera_") => Command::Camera(self.camera()?),
            _ => return self.of_scene(rest),
        })
    }

    /// Commands about nodes, and about the running of frames.
    fn of_scene(&self, rest: Rest<'a>) -> Result<Command<'a>> {
        Ok(match self.name {
            "scene_tree" => Command::SceneTree,
            "inspect_object" => Command::InspectObject { id: self.int(0)? },
            "inspect_objects" => {
                Command::InspectObjects { ids: self.ids(rest)?, select: self.bool(0)? }
            }
            "clear_selection" => Command::ClearSelection,
            "set_property" => Command::SetProperty {
                id: self.int(0)?,
                name: self.text(1)?,
                value: self.value(2)?,
            },
            "set_property_field" => Command::SetPropertyField {
                id: self.int(0)?,
                name: self.text(1)?,
                value: self.value(2)?,
                field: self.text(3)?,
            },
            "save_node" => Command::SaveNode { id: self.int(0)?, path: self.text(1)? },
            "suspend" => Command::Suspend(self.bool(0)?),
            "next_frame" => Command::NextFrame,
            "speed" => Command::Speed(self.float(0)?),
            "mute_audio" => Command::MuteAudio(self.bool(0)?),
            "reload_files" => Command::ReloadFiles(self.texts(rest)?),
            _ => return Err(self.misused("it cannot be sent")),
        })
    }

    fn camera(&self) -> Result<Camera<'a>> {
        Ok(match self.name {
            "camera_override" => {
                Camera::Override { enable: self.bool(0)?, from_editor: self.bool(1)? }
            }
            "camera_override_2d" => Camera::Override2D(self.bool(0)?),
            "camera_override_3d" => Camera::Override3D(self.bool(0)?),
            "camera_transform_2d" => Camera::Transform2D(self.value(0)?),
            _ => Camera::Transform3D {
                transform: self.value(0)?,
                perspective: self.bool(1)?,
                size: self.float(2)?,
                near: self.float(3)?,
                far: self.float(4)?,
            },
        })
    }

    fn live(&self, rest: Rest<'a>) -> Result<LiveEdit<'a>> {
        Ok(match self.name {
            "live_set_root" => LiveEdit::SetRoot { root: self.value(0)?, scene: self.text(1)? },
            "live_node_path" => LiveEdit::NodePath { path: self.value(0)?, number: self.int(1)? },
            "live_resource_path" => {
                LiveEdit::ResourcePath { path: self.text(0)?, number: self.int(1)? }
            }
            "live_set" => {
                LiveEdit::Set { target: self.target()?, name: self.text(2)?, value: self.value(3)? }
            }
            "live_set_resource" => LiveEdit::SetResource {
                target: self.target()?,
                name: self.text(2)?,
                path: self.text(3)?,
            },
            "live_call" => LiveEdit::Call {
                target: self.target()?,
                method: self.text(2)?,
                arguments: List::from(rest.values),
            },
            _ => return self.live_nodes(),
        })
    }

    /// Live edits that create, remove and move nodes.
    fn live_nodes(&self) -> Result<LiveEdit<'a>> {
        Ok(match self.name {
            "live_create" => LiveEdit::Create {
                parent: self.value(0)?,
                class: self.text(1)?,
                name: self.text(2)?,
            },
            "live_instantiate" => LiveEdit::Instantiate {
                parent: self.value(0)?,
                scene: self.text(1)?,
                name: self.text(2)?,
            },
            "live_remove" => LiveEdit::Remove { path: self.value(0)? },
            "live_remove_and_keep" => {
                LiveEdit::RemoveAndKeep { path: self.value(0)?, keep: self.int(1)? }
            }
            "live_restore" => LiveEdit::Restore {
                keep: self.int(0)?,
                path: self.value(1)?,
                position: self.int(2)?,
            },
            "live_duplicate" => LiveEdit::Duplicate { path: self.value(0)?, name: self.text(1)? },
            "live_reparent" => LiveEdit::Reparent {
                path: self.value(0)?,
                parent: self.value(1)?,
                name: self.text(2)?,
                position: self.int(3)?,
            },
            _ => return Err(self.misused("it cannot be sent")),
        })
    }

    fn target(&self) -> Result<Target> {
        let number = self.int(1)?;
        match &*self.text(0)? {
            "node" => Ok(Target::Node(number)),
            "resource" => Ok(Target::Resource(number)),
            _ => Err(self.misused("target is \"node\" or \"resource\"")),
        }
    }
}

fn profiler(name: Cow<'_, str>) -> Profiler<'_> {
    match &*name {
        "scripts" => Profiler::Scripts,
        "network" => Profiler::Network,
        "bandwidth" => Profiler::Bandwidth,
        "replication" => Profiler::Replication,
        "visual" => Profiler::Visual,
        "performance" => Profiler::Performance,
        _ => Profiler::Other(name),
    }
}
