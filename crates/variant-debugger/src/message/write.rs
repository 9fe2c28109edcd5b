//! Writes a message of a game.

use std::borrow::Cow;

use super::{Message, Scope, Variable};
use crate::error::SendError;
use crate::family::{Family, Version};
use crate::list::List;
use crate::pen::Pen;

type Result<T = (), E = SendError> = std::result::Result<T, E>;

impl Message<'_> {
    /// Writes the elements; returns the name. `thread` is the thread that sends.
    pub(crate) fn write(&self, pen: &mut Pen, thread: i64) -> Result<Cow<'_, str>> {
        let name = self.name(pen.family)?;
        match self {
            Self::SetPid { pid: number } | Self::NodeClicked { id: number } => pen.int(*number)?,
            Self::Output(lines) => write_lines(lines, pen, thread)?,
            Self::Error(report) => report.write(pen)?,
            Self::Performance(monitors) if pen.family.is_array() => {
                pen.each(monitors, Pen::value)?;
            }
            Self::Performance(monitors) => pen.array(|pen| pen.each(monitors, Pen::value))?,
            Self::MonitorNames { names, kinds } => write_names(names, kinds.as_ref(), pen)?,
            Self::DebugEnter(stop) => stop.write(pen, thread)?,
            Self::StackDump(frames) if pen.family.is_array() => {
                pen.counted(frames, 3, |pen, frame| frame.write(pen))?;
            }
            Self::StackDump(frames) => pen.each(frames, |pen, frame| frame.write(pen))?,
            Self::StackFrameVars { count, variables } => write_variables(*count, variables, pen)?,
            Self::StackFrameVar(variable) | Self::EvaluationReturn(variable) => {
                variable.write(pen)?;
            }
            Self::Custom { elements, .. } | Self::Malformed { elements, .. } => {
                pen.each(elements, Pen::value)?;
            }
            other => other.write_scene(pen)?,
        }
        Ok(name)
    }

    fn write_scene(&self, pen: &mut Pen) -> Result {
        match self {
            Self::SceneTree(nodes) => pen.each(nodes, |pen, node| node.write(pen)),
            Self::InspectObject(object) => {
                object.as_ref().map_or(Ok(()), |object| object.write_parts(pen))
            }
            Self::InspectObjects(objects) | Self::ObjectsSelected(objects) => {
                pen.each(objects, |pen, object| object.write(pen))
            }
            Self::SelectionInvalidated(ids) => {
                pen.array(|pen| pen.each(ids, |pen, id| pen.int(*id)))
            }
            Self::ClickCtrl { path, class } => {
                pen.value(path)?;
                pen.text(class)
            }
            Self::VideoMemory(resources) if pen.family.is_array() => {
                pen.counted(resources, 4, |pen, resource| resource.write(pen))
            }
            Self::VideoMemory(resources) => {
                pen.each(resources, |pen, resource| resource.write(pen))
            }
            Self::FilesUpdated(files) => pen.each(files, |pen, file| pen.text(file)),
            Self::WindowTitle { title } => pen.text(title),
            other => other.write_profile(pen),
        }
    }

    fn write_profile(&self, pen: &mut Pen) -> Result {
        match self {
            Self::FunctionSignature { signature, number } => {
                pen.text(signature)?;
                pen.int(*number)
            }
            Self::ProfileFrame(profile) | Self::ProfileTotal(profile) => profile.write(pen),
            Self::NetworkProfile(nodes) => pen.each(nodes, |pen, node| node.write(pen)),
            Self::Bandwidth { incoming, outgoing } => {
                pen.int(*incoming)?;
                pen.int(*outgoing)
            }
            Self::MultiplayerRpc(nodes) => pen.counted(nodes, 6, |pen, node| node.write(pen)),
            Self::MultiplayerSyncs(syncs) => pen.counted(syncs, 7, |pen, sync| sync.write(pen)),
            Self::MultiplayerCache(nodes) => pen.each(nodes, |pen, node| node.write(pen)),
            Self::VisualHardware { processor, adapter } => {
                pen.text(processor)?;
                pen.text(adapter)
            }
            Self::VisualFrame { frame, areas } => {
                pen.int(*frame)?;
                pen.counted(areas, 3, |pen, area| area.write(pen))
            }
            _ => Ok(()),
        }
    }

    /// The name on the wire.
    fn name(&self, family: Family) -> Result<Cow<'_, str>> {
        let (frames, array) = match self {
            Self::Custom { name, .. } | Self::Malformed { name, .. } => {
                return Ok(Cow::Borrowed(name));
            }
            Self::Dropped { messages } => {
                let text = format!("message:Too many messages! {messages} messages were dropped.");
                return if family.is_array() {
                    Err(absent("Dropped", family))
                } else {
                    Ok(text.into())
                };
            }
            Self::Output(_) => (Some("output"), Some("output")),
            Self::Error(_) => (Some("error"), Some("error")),
            Self::Performance(_) => (Some("performance"), Some("performance:profile_frame")),
            Self::DebugEnter(_) => (Some("debug_enter"), Some("debug_enter")),
            Self::DebugExit => (Some("debug_exit"), Some("debug_exit")),
            Self::StackDump(_) => (Some("stack_dump"), Some("stack_dump")),
            Self::StackFrameVars { .. } => (Some("stack_frame_vars"), Some("stack_frame_vars")),
            Self::SceneTree(_) => (Some("message:scene_tree"), Some("scene:scene_tree")),
            Self::InspectObject(_) => {
                (Some("message:inspect_object"), Some("scene:inspect_object"))
            }
            Self::ClickCtrl { .. } => (Some("message:click_ctrl"), Some("scene:click_ctrl")),
            Self::VideoMemory(_) => (Some("message:video_mem"), Some("servers:memory_usage")),
            Self::FunctionSignature { .. } => {
                (Some("profile_sig"), Some("servers:function_signature"))
            }
            Self::ProfileFrame(_) => (Some("profile_frame"), Some("servers:profile_frame")),
            Self::ProfileTotal(_) => (Some("profile_total"), Some("servers:profile_total")),
            Self::Bandwidth { .. } => (Some("network_bandwidth"), Some("multiplayer:bandwidth")),
            Self::RequestQuit => (Some("kill_me"), Some("request_quit")),
            Self::NetworkProfile(_) => (Some("network_profile"), None),
            Self::MainThreadId => (Some("main_thread_id"), None),
            other => (None, other.array_name()),
        };
        let name = if family.is_array() { array } else { frames };
        let other = frames.or(array).unwrap_or_default();
        name.map(Cow::Borrowed).ok_or_else(|| absent(other, family))
    }

    /// The name of a message that Godot 4 alone has.
    const fn array_name(&self) -> Option<&'static str> {
        Some(match self {
            Self::SetPid { .. } => "set_pid",
            Self::MonitorNames { .. } => "performance:profile_names",
            Self::StackFrameVar(_) => "stack_frame_var",
            Self::EvaluationReturn(_) => "evaluation_return",
            Self::InspectObjects(_) => "scene:inspect_objects",
            Self::ObjectsSelected(_) => "remote_objects_selected",
            Self::NodeClicked { .. } => "remote_node_clicked",
            Self::NothingSelected => "remote_nothing_selected",
            Self::SelectionInvalidated(_) => "remote_selection_invalidated",
            Self::SelectionLimit => "show_selection_limit_warning",
            Self::MultiplayerRpc(_) => "multiplayer:rpc",
            Self::MultiplayerSyncs(_) => "multiplayer:syncs",
            Self::MultiplayerCache(_) => "multiplayer:cache",
            Self::VisualHardware { .. } => "visual:hardware_info",
            Self::VisualFrame { .. } => "visual:profile_frame",
            Self::Drawn => "servers:drawn",
            Self::FilesUpdated(_) => "filesystem:update_file",
            Self::WindowTitle { .. } => "window:title",
            _ => return None,
        })
    }
}

const fn absent(name: &'static str, family: Family) -> SendError {
    SendError::NotInFamily { name, family }
}

/// Godot 4 sends lines as two packed arrays, the other engines each as an array.
fn write_lines(lines: &List<'_, super::Line<'_>>, pen: &mut Pen, thread: i64) -> Result {
    if !pen.family.is_array() {
        return pen.each(lines, |pen, line| line.write(pen, thread));
    }
    let (mut texts, mut kinds) = (Vec::new(), Vec::new());
    for line in lines.clone() {
        let line = line?;
        kinds.push(i32::try_from(line.kind.number()).unwrap_or_default());
        texts.push(line.text);
    }
    pen.strings(&texts)?;
    pen.numbers(&kinds)
}

/// Before 4.6 the elements are the names, a typed array.
fn write_names(
    names: &List<'_, Cow<'_, str>>,
    kinds: Option<&List<'_, i64>>,
    pen: &mut Pen,
) -> Result {
    let Some(kinds) = kinds.filter(|_| pen.versions.reach(Version::new(4, 6)) == Some(true)) else {
        pen.declare_names();
        return pen.each(names, |pen, name| pen.name(name));
    };
    pen.array(|pen| pen.each(names, |pen, name| pen.name(name)))?;
    pen.array(|pen| pen.each(kinds, |pen, kind| pen.int(*kind)))
}

/// Godot 4 sends the count, and each variable as a message.
fn write_variables(count: i64, variables: &List<'_, Variable<'_>>, pen: &mut Pen) -> Result {
    if pen.family.is_array() {
        return pen.int(count);
    }
    for scope in [Scope::Local, Scope::Member, Scope::Global] {
        let mut of_scope = Vec::new();
        for variable in variables.clone() {
            let variable = variable?;
            if variable.scope == scope {
                of_scope.push(variable);
            }
        }
        pen.int(i64::try_from(of_scope.len()).unwrap_or(i64::MAX))?;
        for variable in of_scope {
            pen.text(&variable.name)?;
            pen.value(&variable.value)?;
        }
    }
    Ok(())
}
