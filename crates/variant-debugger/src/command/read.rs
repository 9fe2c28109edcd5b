//! Reads a command by its name.

use std::borrow::Cow;

use super::{Camera, Command, LiveEdit, Profiler};
use crate::error::Error;
use crate::list::List;
use crate::reader::Reader;

impl<'a> Command<'a> {
    /// The command `name` with the arguments of `reader`.
    pub(crate) fn read(name: &Cow<'a, str>, reader: &Reader<'a>) -> Result<Self, Error> {
        let known = Self::known(name, &mut reader.clone())?;
        Ok(known.unwrap_or_else(|| Self::Custom {
            name: name.clone(),
            arguments: List::read(reader.clone()),
        }))
    }

    fn known(name: &str, reader: &mut Reader<'a>) -> Result<Option<Self>, Error> {
        Ok(Some(match name {
            "break" => Self::Break,
            "step" => Self::Step,
            "next" => Self::Next,
            "continue" => Self::Continue,
            "get_stack_dump" => Self::StackDump,
            "get_stack_frame_vars" => Self::StackFrameVars { level: reader.int()? },
            "breakpoint" => {
                Self::Breakpoint { file: reader.text()?, line: reader.int()?, set: reader.bool()? }
            }
            "set_skip_breakpoints" => Self::SkipBreakpoints(reader.bool()?),
            "reload_scripts" => Self::ReloadScripts(List::read(reader.rest())),
            _ if reader.family().is_array() => return Self::of_array(name, reader),
            _ => return Self::of_frames(name, reader),
        }))
    }

    /// Godot 3 and Pandemonium.
    fn of_frames(name: &str, reader: &mut Reader<'a>) -> Result<Option<Self>, Error> {
        Ok(Some(match name {
            "get_main_thread_id" => Self::MainThreadId,
            "request_video_mem" => Self::VideoMemory,
            "request_scene_tree" => Self::SceneTree,
            "start_profiling" => Self::profile(Profiler::Scripts, true, reader.rest()),
            "stop_profiling" => Self::profile(Profiler::Scripts, false, reader.rest()),
            "start_network_profiling" => Self::profile(Profiler::Network, true, reader.rest()),
            "stop_network_profiling" => Self::profile(Profiler::Network, false, reader.rest()),
            _ => return Self::of_scene(name, reader),
        }))
    }

    /// Godot 4.
    fn of_array(name: &str, reader: &mut Reader<'a>) -> Result<Option<Self>, Error> {
        if let Some(name) = name.strip_prefix("scene:") {
            return match Self::of_scene(name, reader)? {
                None => Self::of_godot_4_scene(name, reader),
                found => Ok(found),
            };
        }
        if let Some(name) = name.strip_prefix("profiler:") {
            return Self::profiler(name, reader).map(Some);
        }
        Ok(Some(match name {
            "out" => Self::Out,
            "evaluate" => Self::Evaluate { expression: reader.text()?, level: reader.int()? },
            "set_ignore_error_breaks" => Self::IgnoreErrorBreaks(reader.bool()?),
            "reload_all_scripts" => Self::ReloadScripts(List::default()),
            "servers:memory" => Self::VideoMemory,
            "servers:draw" => Self::Draw,
            "servers:foreground" => Self::Foreground,
            "multiplayer:cache" => Self::MultiplayerCache(List::read(reader.rest())),
            _ => return Ok(None),
        }))
    }

    /// Commands that have the prefix `scene:` in Godot 4, and none in the other engines.
    fn of_scene(name: &str, reader: &mut Reader<'a>) -> Result<Option<Self>, Error> {
        Ok(Some(match name {
            "request_scene_tree" => Self::SceneTree,
            "inspect_object" => Self::InspectObject { id: reader.int()? },
            "set_object_property" => Self::SetProperty {
                id: reader.int()?,
                name: reader.text()?,
                value: reader.value()?.into(),
            },
            "save_node" => Self::SaveNode { id: reader.int()?, path: reader.text()? },
            "override_camera_2D:set" => Self::Camera(Camera::Override2D(reader.bool()?)),
            "override_camera_3D:set" => Self::Camera(Camera::Override3D(reader.bool()?)),
            "override_camera_2D:transform" => {
                Self::Camera(Camera::Transform2D(reader.value()?.into()))
            }
            "override_camera_3D:transform" => Self::transform_3d(reader)?,
            _ => return Ok(LiveEdit::read(name, reader)?.map(Self::Live)),
        }))
    }

    fn of_godot_4_scene(name: &str, reader: &mut Reader<'a>) -> Result<Option<Self>, Error> {
        Ok(Some(match name {
            "inspect_objects" => {
                Self::InspectObjects { ids: List::read(reader.array()?), select: reader.bool()? }
            }
            "clear_selection" => Self::ClearSelection,
            "set_object_property_field" => Self::SetPropertyField {
                id: reader.int()?,
                name: reader.text()?,
                value: reader.value()?.into(),
                field: reader.text()?,
            },
            "suspend_changed" => Self::Suspend(reader.bool()?),
            "next_frame" => Self::NextFrame,
            "speed_changed" => Self::Speed(reader.float()?),
            "debug_mute_audio" => Self::MuteAudio(reader.bool()?),
            "reload_cached_files" => Self::ReloadFiles(List::read(reader.texts()?)),
            "override_cameras" => Self::Camera(Camera::Override {
                enable: reader.bool()?,
                from_editor: reader.bool()?,
            }),
            "transform_camera_2d" => Self::Camera(Camera::Transform2D(reader.value()?.into())),
            "transform_camera_3d" => Self::transform_3d(reader)?,
            _ => return Ok(None),
        }))
    }

    const fn profile(profiler: Profiler<'a>, enable: bool, options: Reader<'a>) -> Self {
        Self::Profile { profiler, enable, options: List::read(options) }
    }

    fn profiler(name: &str, reader: &mut Reader<'a>) -> Result<Self, Error> {
        let enable = reader.bool()?;
        let options = if reader.left() > 0 { List::read(reader.array()?) } else { List::default() };
        let profiler = match name {
            "servers" => Profiler::Scripts,
            "multiplayer:rpc" => Profiler::Network,
            "multiplayer:bandwidth" => Profiler::Bandwidth,
            "multiplayer:replication" => Profiler::Replication,
            "visual" => Profiler::Visual,
            "performance" => Profiler::Performance,
            other => Profiler::Other(other.to_owned().into()),
        };
        Ok(Self::Profile { profiler, enable, options })
    }

    fn transform_3d(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Self::Camera(Camera::Transform3D {
            transform: reader.value()?.into(),
            perspective: reader.bool()?,
            size: reader.float()?,
            near: reader.float()?,
            far: reader.float()?,
        }))
    }
}
