//! Reads a message by its name.

use std::borrow::Cow;

use variant_view::Kind;

use super::{ErrorReport, Message, Object, Profile, Stop, Variable};
use crate::error::Error;
use crate::list::{List, Row};
use crate::reader::Reader;

impl<'a> Message<'a> {
    /// The message `name` with the elements of `reader`.
    pub(crate) fn read(name: Cow<'a, str>, reader: &Reader<'a>) -> Self {
        match Self::known(&name, &mut reader.clone()) {
            Ok(Some(message)) => message,
            Ok(None) => Self::Custom { name, elements: List::read(reader.clone()) },
            Err(error) => Self::malformed(name, reader, error),
        }
    }

    /// A message whose elements are not what its name needs, or are damaged.
    #[cold]
    pub(crate) fn malformed(name: Cow<'a, str>, reader: &Reader<'a>, error: Error) -> Self {
        Self::Malformed { name, elements: List::read(reader.clone()), error }
    }

    fn known(name: &str, reader: &mut Reader<'a>) -> Result<Option<Self>, Error> {
        let both = match name {
            "error" => Self::Error(Box::new(ErrorReport::read(reader)?)),
            "debug_enter" => Self::DebugEnter(Stop::read(reader)?),
            "debug_exit" => Self::DebugExit,
            "stack_dump" => Self::stack_dump(reader)?,
            "stack_frame_vars" => Self::stack_frame_vars(reader)?,
            _ if reader.family().is_array() => return Self::of_array(name, reader),
            _ => return Self::of_frames(name, reader),
        };
        Ok(Some(both))
    }

    /// Godot 4.
    fn of_array(name: &str, reader: &mut Reader<'a>) -> Result<Option<Self>, Error> {
        Ok(Some(match name {
            "output" => Self::Output(List::read(reader.lines()?)),
            "performance:profile_frame" => Self::Performance(List::read(reader.rest())),
            "performance:profile_names" => Self::monitor_names(reader)?,
            "set_pid" => Self::SetPid { pid: reader.int()? },
            "stack_frame_var" => Self::StackFrameVar(<Variable<'_> as Row<'_>>::read(reader)?),
            "evaluation_return" => Self::EvaluationReturn(<Variable<'_> as Row<'_>>::read(reader)?),
            "remote_node_clicked" => Self::NodeClicked { id: reader.int()? },
            "remote_nothing_selected" => Self::NothingSelected,
            "remote_selection_invalidated" => {
                Self::SelectionInvalidated(List::read(reader.array()?))
            }
            "show_selection_limit_warning" => Self::SelectionLimit,
            "remote_objects_selected" => Self::ObjectsSelected(List::read(reader.rest())),
            "request_quit" => Self::RequestQuit,
            "filesystem:update_file" => Self::FilesUpdated(List::read(reader.rest())),
            "window:title" => Self::WindowTitle { title: reader.text()? },
            _ => return Self::with_prefix(name, reader),
        }))
    }

    /// Godot 4: scenes and profiles.
    fn with_prefix(name: &str, reader: &mut Reader<'a>) -> Result<Option<Self>, Error> {
        Ok(Some(match name {
            "scene:scene_tree" => Self::SceneTree(List::read(reader.rest())),
            "scene:inspect_object" => Self::inspect_object(reader)?,
            "scene:inspect_objects" => Self::InspectObjects(List::read(reader.rest())),
            "scene:click_ctrl" => Self::click_ctrl(reader)?,
            "servers:function_signature" => Self::function_signature(reader)?,
            "servers:profile_frame" => Self::ProfileFrame(Box::new(Profile::read(reader)?)),
            "servers:profile_total" => Self::ProfileTotal(Box::new(Profile::read(reader)?)),
            "servers:memory_usage" => Self::VideoMemory(List::read(reader.counted()?)),
            "servers:drawn" => Self::Drawn,
            "visual:hardware_info" => {
                Self::VisualHardware { processor: reader.text()?, adapter: reader.text()? }
            }
            "visual:profile_frame" => {
                Self::VisualFrame { frame: reader.int()?, areas: List::read(reader.counted()?) }
            }
            "multiplayer:bandwidth" => Self::bandwidth(reader)?,
            "multiplayer:rpc" => Self::MultiplayerRpc(List::read(reader.counted()?)),
            "multiplayer:syncs" => Self::MultiplayerSyncs(List::read(reader.counted()?)),
            "multiplayer:cache" => Self::MultiplayerCache(List::read(reader.rest())),
            _ => return Ok(None),
        }))
    }

    /// Godot 3 and Pandemonium.
    fn of_frames(name: &str, reader: &mut Reader<'a>) -> Result<Option<Self>, Error> {
        Ok(Some(match name {
            "output" => Self::Output(List::read(reader.rest())),
            "performance" => Self::Performance(List::read(reader.array()?)),
            "message:scene_tree" => Self::SceneTree(List::read(reader.rest())),
            "message:inspect_object" => Self::inspect_object(reader)?,
            "message:video_mem" => Self::VideoMemory(List::read(reader.rest())),
            "message:click_ctrl" => Self::click_ctrl(reader)?,
            "profile_sig" => Self::function_signature(reader)?,
            "profile_frame" => Self::ProfileFrame(Box::new(Profile::read(reader)?)),
            "profile_total" => Self::ProfileTotal(Box::new(Profile::read(reader)?)),
            "network_profile" => Self::NetworkProfile(List::read(reader.rest())),
            "network_bandwidth" => Self::bandwidth(reader)?,
            "kill_me" => Self::RequestQuit,
            "main_thread_id" => Self::MainThreadId,
            _ => return Ok(dropped(name).map(|messages| Self::Dropped { messages })),
        }))
    }

    fn stack_dump(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let frames = if reader.family().is_array() { reader.counted()? } else { reader.rest() };
        Ok(Self::StackDump(List::read(frames)))
    }

    fn stack_frame_vars(reader: &mut Reader<'a>) -> Result<Self, Error> {
        if reader.family().is_array() {
            return Ok(Self::StackFrameVars { count: reader.int()?, variables: List::default() });
        }
        // Each variable has a name and a value, and each of the three scopes a count.
        let variables = reader.left().saturating_sub(3).checked_div(2).unwrap_or_default();
        let count = i64::try_from(variables).unwrap_or(i64::MAX);
        Ok(Self::StackFrameVars { count, variables: List::read(reader.rest()) })
    }

    fn monitor_names(reader: &mut Reader<'a>) -> Result<Self, Error> {
        if reader.peek() != Some(Kind::Array) {
            return Ok(Self::MonitorNames { names: List::read(reader.rest()), kinds: None });
        }
        let names = List::read(reader.array()?);
        Ok(Self::MonitorNames { names, kinds: Some(List::read(reader.array()?)) })
    }

    fn inspect_object(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let is_known = reader.left() > 0;
        let object = is_known.then(|| Object::read_parts(reader)).transpose()?;
        Ok(Self::InspectObject(object))
    }

    fn click_ctrl(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Self::ClickCtrl { path: reader.value()?.into(), class: reader.text()? })
    }

    fn function_signature(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Self::FunctionSignature { signature: reader.text()?, number: reader.int()? })
    }

    fn bandwidth(reader: &mut Reader<'a>) -> Result<Self, Error> {
        Ok(Self::Bandwidth { incoming: reader.int()?, outgoing: reader.int()? })
    }
}

/// The number in `message:Too many messages! N messages were dropped.`
fn dropped(name: &str) -> Option<u64> {
    let text = name.strip_prefix("message:Too many messages! ")?;
    text.strip_suffix(" messages were dropped.")?.parse().ok()
}

impl Message<'_> {
    /// Reads every item of every list.
    ///
    /// A message is read on iteration, so that a list may end in an error. O(bytes).
    ///
    /// ```
    /// use variant_debugger::{List, Message};
    ///
    /// assert!(Message::SceneTree(List::default()).check().is_ok());
    /// ```
    ///
    /// # Errors
    /// The first element that is not what its message needs. Elements of [`Message::Custom`] may be anything.
    pub fn check(&self) -> Result<(), Error> {
        match self {
            Self::Output(list) => all(list),
            Self::Error(report) => all(&report.stack),
            Self::Performance(list) => all(list),
            Self::MonitorNames { names, kinds } => {
                all(names)?;
                kinds.as_ref().map_or(Ok(()), all)
            }
            Self::StackDump(list) => all(list),
            Self::StackFrameVars { variables, .. } => all(variables),
            Self::SceneTree(list) => all(list),
            Self::InspectObject(object) => {
                object.as_ref().map_or(Ok(()), |object| all(&object.properties))
            }
            Self::InspectObjects(list) | Self::ObjectsSelected(list) => {
                list.clone().try_for_each(|object| all(&object?.properties))
            }
            Self::SelectionInvalidated(list) => all(list),
            Self::VideoMemory(list) => all(list),
            Self::ProfileFrame(profile) | Self::ProfileTotal(profile) => {
                let mut categories = profile.categories.clone();
                categories.try_for_each(|category| all(&category?.spans))?;
                all(&profile.functions)
            }
            Self::NetworkProfile(list) => all(list),
            Self::MultiplayerRpc(list) => all(list),
            Self::MultiplayerSyncs(list) => all(list),
            Self::MultiplayerCache(list) => all(list),
            Self::VisualFrame { areas, .. } => all(areas),
            Self::FilesUpdated(list) => all(list),
            Self::Custom { elements, .. } => all(elements),
            Self::Malformed { error, .. } => Err(*error),
            _ => Ok(()),
        }
    }
}

fn all<'a, T: Row<'a>>(list: &List<'a, T>) -> Result<(), Error> {
    list.clone().try_for_each(|item| item.map(drop))
}
