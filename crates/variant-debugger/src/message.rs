//! [`Message`]: what a game sends, in one form for all families.

mod error_report;
mod memory;
mod network;
mod object;
mod output;
mod profile;
mod read;
pub(crate) mod row;
mod scene;
mod stack;
mod write;

pub use error_report::{ErrorReport, Time};
pub use memory::VideoResource;
pub use network::{CachedNode, NodeTraffic, RpcTraffic, SyncTraffic};
pub use object::{Object, Property};
pub use output::{Line, LineKind};
pub use profile::{Category, FunctionProfile, Profile, Span, VisualArea};
pub use scene::Node;
pub use stack::{Scope, StackFrame, Stop, Variable};

use std::borrow::Cow;

use crate::error::Error;
use crate::list::List;
use crate::value::Value;

/// A message from a game, in one form for all families. Lists borrow from the bytes, and are read on iteration.
///
/// A script can send any name with any elements: nothing here is to be trusted. A message with the name of an engine's
/// message and another shape is [`Message::Malformed`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Message<'a> {
    /// The process id of the game (Godot 4): the first message. Never signal this process: a script can send any id.
    SetPid {
        /// The id.
        pid: i64,
    },
    /// Lines of output.
    Output(List<'a, Line<'a>>),
    /// An error or a warning.
    Error(Box<ErrorReport<'a>>),
    /// The monitors, once a second, in the order of `Performance.Monitor`. Own monitors follow.
    Performance(List<'a, Value<'a>>),
    /// The names of the script's own monitors (Godot 4).
    MonitorNames {
        /// The names.
        names: List<'a, Cow<'a, str>>,
        /// 0 quantity, 1 memory, 2 time, 3 percentage; `None` before Godot 4.6.
        kinds: Option<List<'a, i64>>,
    },
    /// A thread of the game has stopped.
    DebugEnter(Stop<'a>),
    /// A thread of the game runs again.
    DebugExit,
    /// The stack of the stopped thread, innermost first.
    StackDump(List<'a, StackFrame<'a>>),
    /// The variables of a frame. Godot 4 sends each as a [`Message::StackFrameVar`] afterwards, and `variables` is
    /// empty.
    StackFrameVars {
        /// The number of variables.
        count: i64,
        /// The variables, in the other engines.
        variables: List<'a, Variable<'a>>,
    },
    /// A variable of a frame (Godot 4).
    StackFrameVar(Variable<'a>),
    /// The value of an expression; its name is the expression (Godot 4.4 and later).
    EvaluationReturn(Variable<'a>),
    /// All nodes, depth first.
    SceneTree(List<'a, Node<'a>>),
    /// The properties of an object; `None` if the id is unknown (Godot 4.6; the others do not answer).
    InspectObject(Option<Object<'a>>),
    /// The properties of objects (Godot 4.5 and later).
    InspectObjects(List<'a, Object<'a>>),
    /// The objects that were selected, in the game or by a command (Godot 4.5 and later).
    ObjectsSelected(List<'a, Object<'a>>),
    /// A node was clicked in the game (Godot 4.4).
    NodeClicked {
        /// The id of the node.
        id: i64,
    },
    /// No object is selected (Godot 4.5 and later).
    NothingSelected,
    /// Some of the ids are unknown (Godot 4.5 and later).
    SelectionInvalidated(List<'a, i64>),
    /// More objects were selected than the game allows (Godot 4.5 and later).
    SelectionLimit,
    /// Ctrl and a click on a Control.
    ClickCtrl {
        /// The path of the node.
        path: Value<'a>,
        /// Its class.
        class: Cow<'a, str>,
    },
    /// The video memory in use.
    VideoMemory(List<'a, VideoResource<'a>>),
    /// The number by which profiles name a function.
    FunctionSignature {
        /// `file::line::function`.
        signature: Cow<'a, str>,
        /// The number.
        number: i64,
    },
    /// The profile of a frame.
    ProfileFrame(Box<Profile<'a>>),
    /// The profile since its start.
    ProfileTotal(Box<Profile<'a>>),
    /// Remote calls by node (Godot 3, Pandemonium).
    NetworkProfile(List<'a, NodeTraffic<'a>>),
    /// Bytes a second.
    Bandwidth {
        /// Received.
        incoming: i64,
        /// Sent.
        outgoing: i64,
    },
    /// Remote calls by node (Godot 4).
    MultiplayerRpc(List<'a, RpcTraffic<'a>>),
    /// Synchronizers (Godot 4).
    MultiplayerSyncs(List<'a, SyncTraffic>),
    /// Nodes by id (Godot 4).
    MultiplayerCache(List<'a, CachedNode<'a>>),
    /// The hardware (Godot 4.4 and later).
    VisualHardware {
        /// The processor.
        processor: Cow<'a, str>,
        /// The graphics adapter.
        adapter: Cow<'a, str>,
    },
    /// Times of the renderer (Godot 4).
    VisualFrame {
        /// The number of the frame.
        frame: i64,
        /// Its areas.
        areas: List<'a, VisualArea<'a>>,
    },
    /// The game has drawn a frame, as [`Command::Draw`](crate::Command::Draw) asked.
    Drawn,
    /// The game asks to be ended: F8 in its window.
    RequestQuit,
    /// The answer to [`Command::MainThreadId`](crate::Command::MainThreadId). The id is the thread of the message.
    MainThreadId,
    /// Files that the game has written (Godot 4).
    FilesUpdated(List<'a, Cow<'a, str>>),
    /// The title of the game's window (Godot 4.5 and later).
    WindowTitle {
        /// The title.
        title: Cow<'a, str>,
    },
    /// Messages that were not sent, or exceeded the limit `messages` of this session.
    Dropped {
        /// Their number.
        messages: u64,
    },
    /// Another message: of a script (Godot 4), or of an engine that this crate does not know.
    Custom {
        /// The name.
        name: Cow<'a, str>,
        /// The elements.
        elements: List<'a, Value<'a>>,
    },
    /// A message with the name of an engine's message, whose elements have another shape.
    Malformed {
        /// The name.
        name: Cow<'a, str>,
        /// All elements.
        elements: List<'a, Value<'a>>,
        /// The first difference.
        error: Error,
    },
}
