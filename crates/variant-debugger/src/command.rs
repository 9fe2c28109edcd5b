//! [`Command`]: what a debugger asks of a game, in one form for all families.

mod live;
mod read;
mod write;

use std::borrow::Cow;

use crate::list::List;
use crate::value::Value;

/// A command to a game, in one form for all families. [`Session::send`](crate::Session::send) writes it, and refuses
/// what the game does not know or would not survive.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Command<'a> {
    /// Stops the main thread.
    Break,
    /// Runs to the next line, into calls.
    Step,
    /// Runs to the next line of the function.
    Next,
    /// Runs to the end of the function (Godot 4.7).
    Out,
    /// Runs on.
    Continue,
    /// Asks for the stack: [`Message::StackDump`](crate::Message::StackDump).
    StackDump,
    /// Asks for the variables of a frame: [`Message::StackFrameVars`](crate::Message::StackFrameVars).
    StackFrameVars {
        /// The frame, 0 is the innermost.
        level: i64,
    },
    /// Evaluates an expression in a frame (Godot 4.4 and later). Runs code of the expression: treat it as a shell.
    Evaluate {
        /// The expression.
        expression: Cow<'a, str>,
        /// The frame, 0 is the innermost.
        level: i64,
    },
    /// Sets or removes a breakpoint. Not answered.
    Breakpoint {
        /// The script, as `res://...`.
        file: Cow<'a, str>,
        /// The line, from 1.
        line: i64,
        /// Whether to set it.
        set: bool,
    },
    /// Whether breakpoints are skipped.
    SkipBreakpoints(bool),
    /// Whether script errors do not stop the game (Godot 4.5 and later).
    IgnoreErrorBreaks(bool),
    /// Reloads these scripts (Godot 4.4 and later), or all if the list is empty.
    ReloadScripts(List<'a, Cow<'a, str>>),
    /// Asks for the id of the main thread (Pandemonium 4 and 5).
    MainThreadId,
    /// Asks for the scene tree: [`Message::SceneTree`](crate::Message::SceneTree).
    SceneTree,
    /// Asks for the properties of an object: [`Message::InspectObject`](crate::Message::InspectObject), or from Godot
    /// 4.5 [`Message::InspectObjects`](crate::Message::InspectObjects).
    InspectObject {
        /// Its id.
        id: i64,
    },
    /// Asks for the properties of objects (Godot 4.5 and later).
    InspectObjects {
        /// Their ids.
        ids: List<'a, i64>,
        /// Whether the game selects and shows them. The answer is then
        /// [`Message::ObjectsSelected`](crate::Message::ObjectsSelected).
        select: bool,
    },
    /// Selects nothing (Godot 4.5 and later).
    ClearSelection,
    /// Sets a property. Setters run. Not answered.
    SetProperty {
        /// The id of the object.
        id: i64,
        /// The name, as [`Property::name`](crate::Property::name).
        name: Cow<'a, str>,
        /// The value.
        value: Value<'a>,
    },
    /// Sets one field of a compound value (Godot 4.5 and later).
    SetPropertyField {
        /// The id of the object.
        id: i64,
        /// The name of the property.
        name: Cow<'a, str>,
        /// The whole value.
        value: Value<'a>,
        /// The field that is set, such as `x`.
        field: Cow<'a, str>,
    },
    /// Writes a node as a scene, where the game may write.
    SaveNode {
        /// The id of the node.
        id: i64,
        /// The file.
        path: Cow<'a, str>,
    },
    /// Asks for the video memory in use: [`Message::VideoMemory`](crate::Message::VideoMemory).
    VideoMemory,
    /// Draws a frame (Godot 4): [`Message::Drawn`](crate::Message::Drawn).
    Draw,
    /// Brings the window of the game to the front (Godot 4).
    Foreground,
    /// Starts or stops a profiler.
    Profile {
        /// Which.
        profiler: Profiler<'a>,
        /// Whether to start it.
        enable: bool,
        /// For [`Profiler::Scripts`]: the number of functions per frame; in Godot 4.4 and later also a Bool, whether
        /// calls of the engine count.
        options: List<'a, Value<'a>>,
    },
    /// Asks for nodes by their ids (Godot 4): [`Message::MultiplayerCache`](crate::Message::MultiplayerCache).
    MultiplayerCache(List<'a, i64>),
    /// Takes over the camera.
    Camera(Camera<'a>),
    /// Stops frames; messages are still read (Godot 4.4 and later).
    Suspend(bool),
    /// Runs one frame of a suspended game (Godot 4.4 and later).
    NextFrame,
    /// Sets the speed of the game, 1 is normal (Godot 4.5 and later).
    Speed(f64),
    /// Mutes the sound (Godot 4.4 and later).
    MuteAudio(bool),
    /// Reloads files that have changed (Godot 4.4 and later).
    ReloadFiles(List<'a, Cow<'a, str>>),
    /// Changes scenes that run.
    Live(LiveEdit<'a>),
    /// Any message by its name on the wire: one of a script (`prefix:rest`, Godot 4), or of an engine. If the name is an
    /// engine's, too few arguments are refused.
    Custom {
        /// The name.
        name: Cow<'a, str>,
        /// The arguments.
        arguments: List<'a, Value<'a>>,
    },
    /// The bytes of a frame, without its length word. Nothing is checked: a game may block or end.
    Raw(&'a [u8]),
}

/// A profiler of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Profiler<'a> {
    /// Scripts and servers: `servers` in Godot 4.
    Scripts,
    /// Remote calls by node: `multiplayer:rpc` in Godot 4.
    Network,
    /// `multiplayer:bandwidth` (Godot 4).
    Bandwidth,
    /// `multiplayer:replication` (Godot 4).
    Replication,
    /// The renderer: `visual` (Godot 4).
    Visual,
    /// The monitors: `performance` (Godot 4), on from the start.
    Performance,
    /// A profiler of a script (Godot 4).
    Other(Cow<'a, str>),
}

/// A command to the camera of the game.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Camera<'a> {
    /// Whether the debugger has the camera (Godot 4.4 and later).
    Override {
        /// Whether it has it.
        enable: bool,
        /// Whether the position is that of the editor.
        from_editor: bool,
    },
    /// Whether the debugger has the camera of 2D (before Godot 4.4).
    Override2D(bool),
    /// Whether the debugger has the camera of 3D (before Godot 4.4).
    Override3D(bool),
    /// Moves the camera of 2D.
    Transform2D(Value<'a>),
    /// Moves the camera of 3D.
    Transform3D {
        /// A `Transform3D`.
        transform: Value<'a>,
        /// Whether it is a perspective.
        perspective: bool,
        /// Size, or field of view in degrees.
        size: f64,
        /// The near plane.
        near: f64,
        /// The far plane.
        far: f64,
    },
}

/// A change of running scenes: all instances of a scene file below a node. [`LiveEdit::SetRoot`] comes first, then a
/// number for each path that is used.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum LiveEdit<'a> {
    /// Names the scene file, and the node that its instances are below.
    SetRoot {
        /// A `NodePath`, `/root` for the main scene.
        root: Value<'a>,
        /// The scene file.
        scene: Cow<'a, str>,
    },
    /// Gives a number to the path of a node, relative to each instance.
    NodePath {
        /// A `NodePath`.
        path: Value<'a>,
        /// The number.
        number: i64,
    },
    /// Gives a number to the path of a resource.
    ResourcePath {
        /// The file.
        path: Cow<'a, str>,
        /// The number.
        number: i64,
    },
    /// Sets a property.
    Set {
        /// Of a node or a resource.
        target: Target,
        /// The name of the property.
        name: Cow<'a, str>,
        /// The value.
        value: Value<'a>,
    },
    /// Sets a property to a resource that the game loads.
    SetResource {
        /// Of a node or a resource.
        target: Target,
        /// The name of the property.
        name: Cow<'a, str>,
        /// The file of the resource.
        path: Cow<'a, str>,
    },
    /// Calls any method: treat it as a shell.
    Call {
        /// Of a node or a resource.
        target: Target,
        /// The method.
        method: Cow<'a, str>,
        /// The arguments; at most 8 in Godot 3 and Pandemonium.
        arguments: List<'a, Value<'a>>,
    },
    /// Creates a node of a class.
    Create {
        /// The `NodePath` of the parent.
        parent: Value<'a>,
        /// The class.
        class: Cow<'a, str>,
        /// The name.
        name: Cow<'a, str>,
    },
    /// Creates the nodes of a scene.
    Instantiate {
        /// The `NodePath` of the parent.
        parent: Value<'a>,
        /// The scene file.
        scene: Cow<'a, str>,
        /// The name.
        name: Cow<'a, str>,
    },
    /// Removes a node.
    Remove {
        /// Its `NodePath`.
        path: Value<'a>,
    },
    /// Removes a node and keeps it under a number.
    RemoveAndKeep {
        /// Its `NodePath`.
        path: Value<'a>,
        /// The number.
        keep: i64,
    },
    /// Restores a node that was kept.
    Restore {
        /// The number.
        keep: i64,
        /// The `NodePath` of the parent.
        path: Value<'a>,
        /// The position among the children.
        position: i64,
    },
    /// Duplicates a node.
    Duplicate {
        /// Its `NodePath`.
        path: Value<'a>,
        /// The name of the copy.
        name: Cow<'a, str>,
    },
    /// Moves a node.
    Reparent {
        /// Its `NodePath`.
        path: Value<'a>,
        /// The `NodePath` of the new parent.
        parent: Value<'a>,
        /// The new name.
        name: Cow<'a, str>,
        /// The position among the children.
        position: i64,
    },
}

/// What a live edit changes: the number that [`LiveEdit::NodePath`] or [`LiveEdit::ResourcePath`] gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A node.
    Node(i64),
    /// A resource.
    Resource(i64),
}
