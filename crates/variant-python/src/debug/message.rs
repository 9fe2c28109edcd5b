//! [`Maker`]: makes the classes of `variant_view.debug.messages` from messages of a game.

use std::borrow::Cow;
use std::sync::Arc;

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use variant_debugger::{
    CachedNode, Category, Error, ErrorReport, Event, FunctionProfile, Line, LineKind, Message,
    Node, NodeTraffic, Object, Profile, Property, RpcTraffic, Scope, Span, StackFrame, Stop,
    Stopped, SyncTraffic, Time, Value, Variable, VideoResource, VisualArea,
};
use variant_view::{FeedError, Producer as _};

use crate::builder::Builder;
use crate::failure;
use crate::source::Source;

/// Makes messages.
pub(super) struct Maker<'py> {
    py: Python<'py>,
    module: Bound<'py, PyModule>,
    /// An empty source: values are copied from the bytes of a message.
    source: Arc<Source>,
}

/// Why a message is not made: its bytes, or Python.
enum Fault {
    Bytes(Error),
    Value(variant_view::Error),
    Python(PyErr),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Bytes(error)
    }
}

impl From<PyErr> for Fault {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<std::convert::Infallible> for Fault {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

type Made<'py, T = PyAny> = Result<Bound<'py, T>, Fault>;

/// The name of a class, and the fields of an instance.
type Fields<'py> = Result<(&'static str, Bound<'py, PyTuple>), Fault>;

/// A tuple of values.
macro_rules! tuple {
    ($maker:ident: $($value:expr),* $(,)?) => {
        ($($value,)*).into_pyobject($maker.py)?
    };
}

impl<'py> Maker<'py> {
    pub(super) fn new(py: Python<'py>) -> PyResult<Self> {
        let module = py.import("variant_view.debug.messages")?;
        Ok(Self { py, module, source: Arc::new(Source::Own(Vec::new())) })
    }

    /// A message as it arrived. A damaged message is a `Damaged` with its bytes.
    pub(super) fn message(&self, event: &Event<'_>) -> PyResult<Bound<'py, PyAny>> {
        let bytes = event.bytes();
        let (class, fields) = match self.fields(event.message()) {
            Ok(made) => made,
            Err(Fault::Python(error)) => return Err(error),
            Err(Fault::Bytes(error)) => {
                let error = failure::received(self.py, &error);
                ("Damaged", (error.into_value(self.py), bytes).into_pyobject(self.py)?)
            }
            Err(Fault::Value(error)) => {
                let error = failure::in_message(self.py, &error);
                ("Damaged", (error.into_value(self.py), bytes).into_pyobject(self.py)?)
            }
        };
        self.named(class, fields, event.name(), event.thread(), bytes.len())
    }

    /// Bytes that are not a message.
    pub(super) fn damaged(&self, error: &Error) -> PyResult<Bound<'py, PyAny>> {
        let error = failure::received(self.py, error).into_value(self.py);
        self.named("Damaged", (error, [0_u8; 0].as_slice()).into_pyobject(self.py)?, "", None, 0)
    }

    /// Messages beyond the limit of a session.
    pub(super) fn dropped(&self, messages: u64) -> PyResult<Bound<'py, PyAny>> {
        self.named("Dropped", (messages,).into_pyobject(self.py)?, "", None, 0)
    }

    pub(super) fn request(
        &self,
        name: &str,
        thread: Option<i64>,
        arguments: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.module.getattr("Request")?.call1((name, thread, arguments))
    }

    pub(super) fn stopped(&self, stopped: Vec<Stopped>) -> PyResult<Bound<'py, PyTuple>> {
        let class = self.module.getattr("Stopped")?;
        let made = stopped.into_iter().map(|stop| {
            let Stopped { thread, thread_name, reason, can_continue, has_stack } = stop;
            class.call1((thread, thread_name, reason, can_continue, has_stack))
        });
        PyTuple::new(self.py, made.collect::<PyResult<Vec<_>>>()?)
    }

    fn named(
        &self,
        class: &str,
        fields: Bound<'py, PyTuple>,
        name: &str,
        thread: Option<i64>,
        size: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let head = PyDict::new(self.py);
        head.set_item("name", name)?;
        head.set_item("thread", thread)?;
        head.set_item("size", size)?;
        self.module.getattr(class)?.call(fields, Some(&head))
    }

    fn row(&self, class: &str, fields: impl PyCallArgs<'py>) -> Made<'py> {
        Ok(self.module.getattr(class)?.call1(fields)?)
    }

    fn list<T>(
        &self,
        items: impl Iterator<Item = Result<T, Error>>,
        each: impl Fn(&Self, T) -> Made<'py>,
    ) -> Made<'py, PyTuple> {
        let made = items.map(|item| each(self, item?));
        Ok(PyTuple::new(self.py, made.collect::<Result<Vec<_>, Fault>>()?)?)
    }

    fn value(&self, value: Value<'_>) -> Made<'py> {
        let mut builder = Builder::new(self.py, &self.source)?;
        value.feed(&mut builder).map_err(|error| match error {
            FeedError::Producer(error) => Fault::Value(error),
            FeedError::Consumer(error) => Fault::Python(error),
        })?;
        Ok(builder.finish())
    }

    fn text(&self, text: Cow<'_, str>) -> Made<'py> {
        Ok(text.into_pyobject(self.py)?.into_any())
    }

    fn int(&self, number: i64) -> Made<'py> {
        Ok(number.into_pyobject(self.py)?.into_any())
    }

    fn fields(&self, message: Message<'_>) -> Fields<'py> {
        Ok(match message {
            Message::SetPid { pid } => ("SetPid", tuple!(self: pid)),
            Message::Output(lines) => ("Output", tuple!(self: self.list(lines, Self::line)?)),
            Message::Error(report) => return self.error(*report),
            Message::Performance(monitors) => {
                ("Performance", tuple!(self: self.list(monitors, Self::value)?))
            }
            Message::MonitorNames { names, kinds } => {
                let kinds = kinds.map(|kinds| self.list(kinds, Self::int)).transpose()?;
                ("MonitorNames", tuple!(self: self.list(names, Self::text)?, kinds))
            }
            Message::DebugEnter(stop) => {
                let Stop { can_continue, reason, has_stack, thread_name, thread_id } = stop;
                let fields = tuple!(self: can_continue, reason, has_stack, thread_name, thread_id);
                ("DebugEnter", fields)
            }
            Message::DebugExit => ("DebugExit", tuple!(self:)),
            Message::StackDump(frames) => {
                ("StackDump", tuple!(self: self.list(frames, Self::frame)?))
            }
            Message::StackFrameVars { count, variables } => {
                ("StackFrameVars", tuple!(self: count, self.list(variables, Self::variable)?))
            }
            Message::StackFrameVar(variable) => {
                ("StackFrameVar", tuple!(self: self.variable(variable)?))
            }
            Message::EvaluationReturn(variable) => {
                ("EvaluationReturn", tuple!(self: self.variable(variable)?))
            }
            Message::Dropped { messages } => ("Dropped", tuple!(self: messages)),
            Message::Custom { elements, .. } => {
                ("Custom", tuple!(self: self.list(elements, Self::value)?))
            }
            Message::Malformed { error, .. } => return Err(error.into()),
            other => return self.scene(other),
        })
    }

    fn scene(&self, message: Message<'_>) -> Fields<'py> {
        Ok(match message {
            Message::SceneTree(nodes) => ("SceneTree", tuple!(self: self.list(nodes, Self::node)?)),
            Message::InspectObject(object) => {
                let object = object.map(|object| self.object(object)).transpose()?;
                ("InspectObject", tuple!(self: object))
            }
            Message::InspectObjects(objects) => {
                ("InspectObjects", tuple!(self: self.list(objects, Self::object)?))
            }
            Message::ObjectsSelected(objects) => {
                ("ObjectsSelected", tuple!(self: self.list(objects, Self::object)?))
            }
            Message::NodeClicked { id } => ("NodeClicked", tuple!(self: id)),
            Message::NothingSelected => ("NothingSelected", tuple!(self:)),
            Message::SelectionInvalidated(ids) => {
                ("SelectionInvalidated", tuple!(self: self.list(ids, Self::int)?))
            }
            Message::SelectionLimit => ("SelectionLimit", tuple!(self:)),
            Message::ClickCtrl { path, class } => {
                ("ClickCtrl", tuple!(self: self.value(path)?, class))
            }
            Message::RequestQuit => ("RequestQuit", tuple!(self:)),
            Message::MainThreadId => ("MainThreadId", tuple!(self:)),
            Message::FilesUpdated(files) => {
                ("FilesUpdated", tuple!(self: self.list(files, Self::text)?))
            }
            Message::WindowTitle { title } => ("WindowTitle", tuple!(self: title)),
            other => return self.measured(other),
        })
    }

    /// Profiles, and what else was measured.
    fn measured(&self, message: Message<'_>) -> Fields<'py> {
        Ok(match message {
            Message::VideoMemory(resources) => {
                ("VideoMemory", tuple!(self: self.list(resources, Self::resource)?))
            }
            Message::FunctionSignature { signature, number } => {
                ("FunctionSignature", tuple!(self: signature, number))
            }
            Message::ProfileFrame(profile) => {
                ("ProfileFrame", tuple!(self: self.profile(*profile)?))
            }
            Message::ProfileTotal(profile) => {
                ("ProfileTotal", tuple!(self: self.profile(*profile)?))
            }
            Message::NetworkProfile(nodes) => {
                ("NetworkProfile", tuple!(self: self.list(nodes, Self::traffic)?))
            }
            Message::Bandwidth { incoming, outgoing } => {
                ("Bandwidth", tuple!(self: incoming, outgoing))
            }
            Message::MultiplayerRpc(nodes) => {
                ("MultiplayerRpc", tuple!(self: self.list(nodes, Self::rpc)?))
            }
            Message::MultiplayerSyncs(syncs) => {
                ("MultiplayerSyncs", tuple!(self: self.list(syncs, Self::sync)?))
            }
            Message::MultiplayerCache(nodes) => {
                ("MultiplayerCache", tuple!(self: self.list(nodes, Self::cached)?))
            }
            Message::VisualHardware { processor, adapter } => {
                ("VisualHardware", tuple!(self: processor, adapter))
            }
            Message::VisualFrame { frame, areas } => {
                ("VisualFrame", tuple!(self: frame, self.list(areas, Self::area)?))
            }
            Message::Drawn => ("Drawn", tuple!(self:)),
            // A later version of the crate may have further messages.
            _ => ("Custom", tuple!(self: PyTuple::empty(self.py))),
        })
    }

    fn error(&self, report: ErrorReport<'_>) -> Fields<'py> {
        let Time { hours, minutes, seconds, milliseconds } = report.time;
        let time = self.row("Time", (hours, minutes, seconds, milliseconds))?;
        let ErrorReport { file, function, line, error, description, is_warning, stack, .. } =
            report;
        let stack = self.list(stack, Self::frame)?;
        let fields =
            tuple!(self: error, description, is_warning, stack, file, line, function, time);
        Ok(("ErrorReport", fields))
    }

    fn line(&self, line: Line<'_>) -> Made<'py> {
        let kind = match line.kind {
            LineKind::Log => self.text("log".into())?,
            LineKind::Error => self.text("error".into())?,
            LineKind::Rich => self.text("rich".into())?,
            LineKind::Other(number) => self.int(number)?,
        };
        self.row("Line", (line.text, kind, line.thread))
    }

    fn frame(&self, frame: StackFrame<'_>) -> Made<'py> {
        self.row("StackFrame", (frame.file, frame.line, frame.function))
    }

    fn variable(&self, variable: Variable<'_>) -> Made<'py> {
        let scope = match variable.scope {
            Scope::Local => self.text("local".into())?,
            Scope::Member => self.text("member".into())?,
            Scope::Global => self.text("global".into())?,
            Scope::Evaluation => self.text("evaluation".into())?,
            Scope::Other(number) => self.int(number)?,
        };
        let value = self.value(variable.value)?;
        self.row("Variable", (variable.name, value, scope, variable.type_id))
    }

    fn node(&self, node: Node<'_>) -> Made<'py> {
        let Node { children, name, class, id, scene, flags } = node;
        self.row("Node", (children, name, class, id, scene, flags))
    }

    fn object(&self, object: Object<'_>) -> Made<'py> {
        let properties = self.list(object.properties, Self::property)?;
        self.row("RemoteObject", (object.id, object.class, properties))
    }

    fn property(&self, property: Property<'_>) -> Made<'py> {
        let Property { name, type_id, hint, hint_text, usage, value } = property;
        let value = self.value(value)?;
        self.row("Property", (name, value, type_id, hint, hint_text, usage))
    }

    fn resource(&self, resource: VideoResource<'_>) -> Made<'py> {
        let VideoResource { path, kind, format, bytes } = resource;
        self.row("VideoResource", (path, kind, format, bytes))
    }

    fn profile(&self, profile: Profile<'_>) -> Made<'py> {
        let Profile { frame, frame_time, process_time, physics_time, .. } = profile;
        let Profile { physics_frame_time, script_time, categories, functions, .. } = profile;
        let categories = self.list(categories, Self::category)?;
        let functions = self.list(functions, Self::function)?;
        let fields = (
            frame,
            frame_time,
            process_time,
            physics_time,
            physics_frame_time,
            script_time,
            categories,
            functions,
        );
        self.row("Profile", fields)
    }

    fn category(&self, category: Category<'_>) -> Made<'py> {
        self.row("Category", (category.name, self.list(category.spans, Self::span)?))
    }

    fn span(&self, span: Span<'_>) -> Made<'py> {
        self.row("Span", (span.name, span.seconds))
    }

    fn area(&self, area: VisualArea<'_>) -> Made<'py> {
        self.row("VisualArea", (area.name, area.cpu, area.gpu))
    }

    fn function(&self, function: FunctionProfile) -> Made<'py> {
        let FunctionProfile { signature, calls, total, own, internal } = function;
        self.row("FunctionProfile", (signature, calls, total, own, internal))
    }

    fn traffic(&self, node: NodeTraffic<'_>) -> Made<'py> {
        let NodeTraffic { id, path, rpc_in, rset_in, rpc_out, rset_out } = node;
        self.row("NodeTraffic", (id, path, rpc_in, rset_in, rpc_out, rset_out))
    }

    fn rpc(&self, node: RpcTraffic<'_>) -> Made<'py> {
        let RpcTraffic { id, path, calls_in, bytes_in, calls_out, bytes_out } = node;
        self.row("RpcTraffic", (id, path, calls_in, bytes_in, calls_out, bytes_out))
    }

    fn sync(&self, sync: SyncTraffic) -> Made<'py> {
        let SyncTraffic { synchronizer, config, root, syncs_in, bytes_in, syncs_out, bytes_out } =
            sync;
        let fields = (synchronizer, config, root, syncs_in, bytes_in, syncs_out, bytes_out);
        self.row("SyncTraffic", fields)
    }

    fn cached(&self, node: CachedNode<'_>) -> Made<'py> {
        self.row("CachedNode", (node.id, node.class, node.path))
    }
}
