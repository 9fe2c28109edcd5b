//! Writes a command.

use std::borrow::Cow;

use super::{Camera, Command, Profiler};
use crate::error::SendError;
use crate::family::{Family, Version};
use crate::list::List;
use crate::pen::Pen;
use crate::value::Value;

type Result<T = (), E = SendError> = std::result::Result<T, E>;

impl Command<'_> {
    /// Writes the arguments; returns the name.
    pub(crate) fn write(&self, pen: &mut Pen) -> Result<Cow<'_, str>> {
        Ok(Cow::Borrowed(match self {
            Self::Break => "break",
            Self::Step => "step",
            Self::Next => "next",
            Self::Out => "out",
            Self::Continue => "continue",
            Self::StackDump => "get_stack_dump",
            Self::MainThreadId => "get_main_thread_id",
            Self::ClearSelection => "scene:clear_selection",
            Self::Draw => "servers:draw",
            Self::Foreground => "servers:foreground",
            Self::NextFrame => "scene:next_frame",
            Self::SceneTree => pen.either("request_scene_tree", "scene:request_scene_tree"),
            Self::VideoMemory => pen.either("request_video_mem", "servers:memory"),
            Self::StackFrameVars { level } => pen.with_int("get_stack_frame_vars", *level)?,
            Self::SkipBreakpoints(skip) => pen.with_bool("set_skip_breakpoints", *skip)?,
            Self::IgnoreErrorBreaks(ignore) => pen.with_bool("set_ignore_error_breaks", *ignore)?,
            Self::Suspend(suspend) => pen.with_bool("scene:suspend_changed", *suspend)?,
            Self::MuteAudio(mute) => pen.with_bool("scene:debug_mute_audio", *mute)?,
            Self::Evaluate { expression, level } => {
                pen.text(expression)?;
                pen.with_int("evaluate", *level)?
            }
            Self::Breakpoint { file, line, set } => {
                pen.text(file)?;
                pen.int(*line)?;
                pen.with_bool("breakpoint", *set)?
            }
            Self::Speed(speed) => {
                pen.float(*speed)?;
                "scene:speed_changed"
            }
            Self::Camera(camera) => camera.write(pen)?,
            Self::Live(edit) => edit.write(pen)?,
            Self::Profile { profiler, enable, options } => {
                let name = profiler.name(pen.family, *enable)?;
                write_profile(*enable, options, pen)?;
                return Ok(name);
            }
            Self::Custom { name, arguments } => {
                pen.each(arguments, Pen::value)?;
                name
            }
            Self::Raw(_) => "",
            other => other.write_objects(pen)?,
        }))
    }

    fn write_objects(&self, pen: &mut Pen) -> Result<&'static str> {
        Ok(match self {
            Self::InspectObject { id } => write_inspect(*id, pen)?,
            Self::InspectObjects { ids, select } => {
                pen.array(|pen| pen.each(ids, |pen, id| pen.int(*id)))?;
                pen.with_bool("scene:inspect_objects", *select)?
            }
            Self::SetProperty { id, name, value } => {
                pen.int(*id)?;
                pen.text(name)?;
                pen.value(value)?;
                pen.either("set_object_property", "scene:set_object_property")
            }
            Self::SetPropertyField { id, name, value, field } => {
                pen.int(*id)?;
                pen.text(name)?;
                pen.value(value)?;
                pen.text(field)?;
                "scene:set_object_property_field"
            }
            Self::SaveNode { id, path } => {
                pen.int(*id)?;
                pen.text(path)?;
                pen.either("save_node", "scene:save_node")
            }
            Self::MultiplayerCache(ids) => {
                pen.each(ids, |pen, id| pen.int(*id))?;
                "multiplayer:cache"
            }
            Self::ReloadFiles(files) => {
                let files: Vec<Cow<'_, str>> = files.clone().collect::<Result<_, _>>()?;
                pen.strings(&files)?;
                "scene:reload_cached_files"
            }
            Self::ReloadScripts(paths) => {
                pen.each(paths, |pen, path| pen.text(path))?;
                reload_name(pen)?
            }
            _ => "",
        })
    }
}

impl Pen {
    /// The name in the family.
    pub(crate) const fn either(
        &self,
        in_frames: &'static str,
        in_arrays: &'static str,
    ) -> &'static str {
        if self.family.is_array() { in_arrays } else { in_frames }
    }

    fn with_int(&mut self, name: &'static str, value: i64) -> Result<&'static str> {
        self.int(value).map(|()| name)
    }

    fn with_bool(&mut self, name: &'static str, value: bool) -> Result<&'static str> {
        self.bool(value).map(|()| name)
    }

    /// Whether the game has at least `version`, on which the form of the command `name` depends.
    fn has(&self, version: Version, name: &'static str) -> Result<bool> {
        self.versions.reach(version).ok_or(SendError::VersionUnknown { name, version })
    }
}

/// From 4.5 on a list of ids: 4.5.0 does not answer the older command.
fn write_inspect(id: i64, pen: &mut Pen) -> Result<&'static str> {
    if !pen.family.is_array() {
        return pen.with_int("inspect_object", id);
    }
    if pen.has(Version::new(4, 5), "scene:inspect_object")? {
        pen.array(|pen| pen.int(id))?;
        return pen.with_bool("scene:inspect_objects", false);
    }
    pen.with_int("scene:inspect_object", id)
}

fn reload_name(pen: &Pen) -> Result<&'static str> {
    let reloads_all = pen.family.is_array() && pen.len() == 0;
    let is_new = reloads_all && pen.has(Version::new(4, 4), "reload_all_scripts")?;
    Ok(if is_new { "reload_all_scripts" } else { "reload_scripts" })
}

/// In Godot 4 the options are an array; the other engines read the number of functions.
fn write_profile(enable: bool, options: &List<'_, Value<'_>>, pen: &mut Pen) -> Result {
    if !pen.family.is_array() {
        return if enable { pen.each(options, Pen::value) } else { Ok(()) };
    }
    pen.bool(enable)?;
    if options.clone().next().is_none() {
        return Ok(());
    }
    pen.array(|pen| pen.each(options, Pen::value))
}

impl Profiler<'_> {
    fn name(&self, family: Family, enable: bool) -> Result<Cow<'_, str>> {
        let frames = match (self, enable) {
            (Self::Scripts, true) => Ok("start_profiling"),
            (Self::Scripts, false) => Ok("stop_profiling"),
            (Self::Network, true) => Ok("start_network_profiling"),
            (Self::Network, false) => Ok("stop_network_profiling"),
            _ => Err(SendError::NotInFamily { name: "profiler", family }),
        };
        if !family.is_array() {
            return frames.map(Cow::Borrowed);
        }
        Ok(Cow::Borrowed(match self {
            Self::Scripts => "profiler:servers",
            Self::Network => "profiler:multiplayer:rpc",
            Self::Bandwidth => "profiler:multiplayer:bandwidth",
            Self::Replication => "profiler:multiplayer:replication",
            Self::Visual => "profiler:visual",
            Self::Performance => "profiler:performance",
            Self::Other(name) => return Ok(format!("profiler:{name}").into()),
        }))
    }
}

impl Camera<'_> {
    fn write(&self, pen: &mut Pen) -> Result<&'static str> {
        Ok(match self {
            Self::Override { enable, from_editor } => {
                pen.bool(*enable)?;
                pen.with_bool("scene:override_cameras", *from_editor)?
            }
            Self::Override2D(enable) => {
                pen.bool(*enable)?;
                pen.either("override_camera_2D:set", "scene:override_camera_2D:set")
            }
            Self::Override3D(enable) => {
                pen.bool(*enable)?;
                pen.either("override_camera_3D:set", "scene:override_camera_3D:set")
            }
            Self::Transform2D(transform) => {
                pen.value(transform)?;
                camera_name(pen, CAMERA_2D)?
            }
            Self::Transform3D { transform, perspective, size, near, far } => {
                pen.value(transform)?;
                pen.bool(*perspective)?;
                for number in [size, near, far] {
                    pen.float(*number)?;
                }
                camera_name(pen, CAMERA_3D)?
            }
        })
    }
}

/// The names of the command that moves the camera: before Godot 4, before 4.4, and from 4.4 on.
const CAMERA_2D: [&str; 3] = [
    "override_camera_2D:transform",
    "scene:override_camera_2D:transform",
    "scene:transform_camera_2d",
];
const CAMERA_3D: [&str; 3] = [
    "override_camera_3D:transform",
    "scene:override_camera_3D:transform",
    "scene:transform_camera_3d",
];

fn camera_name(pen: &Pen, [frames, old, new]: [&'static str; 3]) -> Result<&'static str> {
    if !pen.family.is_array() {
        return Ok(frames);
    }
    Ok(if pen.has(Version::new(4, 4), new)? { new } else { old })
}
