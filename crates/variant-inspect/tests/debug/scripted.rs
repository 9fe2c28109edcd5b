//! A game of any engine that follows a script: [`Game`] of `variant-debugger` on a socket.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Instant;

use variant_debugger::{
    Command, ErrorReport, Family, FunctionProfile, Game, GameOptions, Line, LineKind, List,
    Message, Node, Object, Profile, Property, Scope, StackFrame, Stop, Time, Value, Variable,
    Version,
};
use variant_owned::{Variant, dictionary};
use variant_view::Dialect;

/// The engines, one of each family, and both forms of Godot 4.2 and later.
pub(crate) const ENGINES: [(Family, Dialect, Version); 5] = [
    (Family::Frames, Dialect::Godot3, Version::new(3, 2)),
    (Family::FramesThreads, Dialect::Pandemonium5, Version::new(5, 3)),
    (Family::Array, Dialect::Godot4, Version::new(4, 1)),
    (Family::ArrayThreads, Dialect::Godot4, Version::new(4, 4)),
    (Family::ArrayThreads, Dialect::Godot4, Version::new(4, 5)),
];

/// The arguments that a user gives for an engine whose messages do not show it.
pub(crate) fn arguments_of((_, dialect, version): (Family, Dialect, Version)) -> Vec<String> {
    let mut arguments = vec!["--dialect".to_owned(), dialect.name().to_owned()];
    if dialect == Dialect::Godot4 {
        arguments.extend(["--engine-version".to_owned(), version.to_string()]);
    }
    arguments
}

/// What a command asks, without what it borrows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Asked {
    Tree,
    Inspect(i64),
    Set(String, Variant),
    Breakpoint(bool),
    Run,
    Step,
    Break,
    Stack,
    Variables,
    Evaluate(String),
    Profile(bool),
    Own(String, Vec<Variant>),
    Other,
}

impl Asked {
    fn of(command: &Command<'_>) -> Self {
        match command {
            Command::SceneTree => Self::Tree,
            Command::InspectObject { id } => Self::Inspect(*id),
            Command::InspectObjects { ids, .. } => {
                Self::Inspect(ids.clone().next().unwrap().unwrap())
            }
            Command::SetProperty { name, value, .. } => {
                Self::Set(name.to_string(), value.to_variant().unwrap())
            }
            Command::Breakpoint { set, .. } => Self::Breakpoint(*set),
            Command::Continue => Self::Run,
            Command::Step | Command::Next => Self::Step,
            Command::Break => Self::Break,
            Command::StackDump => Self::Stack,
            Command::StackFrameVars { .. } => Self::Variables,
            Command::Evaluate { expression, .. } => Self::Evaluate(expression.to_string()),
            Command::Profile { enable, .. } => Self::Profile(*enable),
            Command::Custom { name, arguments } => Self::Own(
                name.to_string(),
                arguments.clone().map(|value| value.unwrap().to_variant().unwrap()).collect(),
            ),
            _ => Self::Other,
        }
    }
}

/// A game that follows a script.
pub(crate) struct Scripted {
    stream: TcpStream,
    game: Game,
    version: Version,
    dialect: Dialect,
    pub(crate) hp: Variant,
    line: i64,
    /// Whether the game stops again after each `Continue`.
    pub(crate) stops_again: bool,
    pub(crate) asked: Vec<Asked>,
}

impl Scripted {
    /// Connects to a debugger, and sends what an engine sends at its start.
    pub(crate) fn connect(
        address: SocketAddr,
        (family, dialect, version): (Family, Dialect, Version),
    ) -> Self {
        let mut options = GameOptions::GODOT_4;
        (options.family, options.dialect, options.version) = (family, dialect, version);
        let stream = TcpStream::connect(address).unwrap();
        let (game, hp) = (Game::new(options), 10.into());
        let (line, stops_again, asked) = (30, false, Vec::new());
        let mut game = Self { stream, game, version, dialect, hp, line, stops_again, asked };
        if family.is_array() {
            game.send(&Message::SetPid { pid: 7 });
        }
        game.print("ready");
        game
    }

    pub(crate) fn send(&mut self, message: &Message<'_>) {
        let bytes = self.game.send(message).unwrap();
        // The debugger may have ended.
        let _ = self.stream.write_all(&bytes);
    }

    /// Works as [`Scripted::send`], from a thread.
    pub(crate) fn send_from(&mut self, thread: Option<i64>, message: &Message<'_>) {
        let Some(thread) = thread else { return self.send(message) };
        let bytes = self.game.send_from(thread, message).unwrap();
        let _ = self.stream.write_all(&bytes);
    }

    pub(crate) fn print(&mut self, text: &str) {
        let lines = [Line { text: text.into(), kind: LineKind::Log, thread: None }];
        self.send(&Message::Output(List::from(&lines)));
    }

    pub(crate) fn report(&mut self, text: &str, is_warning: bool) {
        let frame = StackFrame { file: "res://main.gd".into(), line: 33, function: "open".into() };
        let report = ErrorReport {
            time: Time::default(),
            file: "core/error.cpp".into(),
            function: "push_error".into(),
            line: 7,
            error: text.into(),
            description: "".into(),
            is_warning,
            stack: List::from(std::slice::from_ref(&frame)),
        };
        self.send(&Message::Error(Box::new(report)));
    }

    /// Stops as at a script error or a breakpoint.
    pub(crate) fn stop(&mut self, reason: &str) {
        self.stop_thread(None, reason);
    }

    /// Works as [`Scripted::stop`], for a thread.
    pub(crate) fn stop_thread(&mut self, thread: Option<i64>, reason: &str) {
        let has_threads = self.version >= Version::new(4, 5) && self.dialect == Dialect::Godot4;
        let is_frames = self.dialect == Dialect::Godot3;
        let stop = Stop {
            can_continue: reason.starts_with("Breakpoint"),
            reason: reason.into(),
            has_stack: (!is_frames).then_some(true),
            thread_name: (!is_frames && !has_threads && self.version != Version::new(4, 1))
                .then(|| "Main Thread".into()),
            thread_id: has_threads.then_some(thread.unwrap_or(1)),
        };
        self.send_from(thread, &Message::DebugEnter(stop));
    }

    /// Answers until the debugger closes the connection.
    pub(crate) fn serve(&mut self) {
        self.serve_until(|_| false);
    }

    /// Answers until a command was answered that ends it.
    pub(crate) fn serve_until(&mut self, is_last: impl Fn(&Asked) -> bool) {
        let mut bytes = vec![0; 1 << 16];
        loop {
            while let Some(request) = self.game.next_request() {
                let request = request.unwrap();
                let (asked, thread) = (Asked::of(&request.command().unwrap()), request.thread());
                if asked == Asked::Run {
                    self.send_from(thread, &Message::DebugExit);
                    if self.stops_again {
                        self.stop_thread(thread, "Breakpoint");
                    }
                } else {
                    self.answer(&asked);
                }
                self.asked.push(asked.clone());
                if is_last(&asked) {
                    return;
                }
            }
            let Ok(len @ 1..) = self.stream.read(&mut bytes) else { return };
            self.game.handle(&bytes[..len], Instant::now());
        }
    }

    /// Ends as a game does: the socket is closed.
    pub(crate) fn end(self) {
        let _ = self.stream.shutdown(Shutdown::Write);
    }

    fn answer(&mut self, asked: &Asked) {
        match asked {
            Asked::Tree => self.tree(),
            Asked::Inspect(id) => self.object(*id),
            Asked::Set(name, value) => {
                if name == "Members/hp" {
                    self.hp = value.clone();
                }
                let hp = format!("hp is {}", self.hp);
                self.print(&hp);
            }
            Asked::Breakpoint(true) | Asked::Break => self.stop("Breakpoint"),
            Asked::Step => {
                self.line += 1;
                self.send(&Message::DebugExit);
                self.stop("Breakpoint");
            }
            Asked::Stack => {
                let frame = |function: &'static str, line| StackFrame {
                    file: "res://main.gd".into(),
                    line,
                    function: function.into(),
                };
                let frames = [frame("beat", self.line), frame("_process", 19)];
                self.send(&Message::StackDump(List::from(&frames)));
            }
            Asked::Variables => self.variables(),
            Asked::Evaluate(text) => {
                let value = Variant::from(20);
                let value = Variable {
                    name: text.as_str().into(),
                    scope: Scope::Evaluation,
                    type_id: Some(2),
                    value: Value::from(&value),
                };
                self.send(&Message::EvaluationReturn(value));
            }
            Asked::Profile(true) => self.send(&Message::FunctionSignature {
                signature: "res://main.gd::21::beat".into(),
                number: 0,
            }),
            Asked::Profile(false) => self.profile(),
            Asked::Own(name, values) if name == "mine:ask" => {
                let values: Vec<_> = values.iter().map(Value::from).collect();
                self.send(&Message::Custom {
                    name: "mine:answer".into(),
                    elements: List::from(&values),
                });
            }
            Asked::Breakpoint(false) | Asked::Run | Asked::Own(..) | Asked::Other => {}
        }
    }

    fn tree(&mut self) {
        let is_array = self.dialect == Dialect::Godot4;
        let node = |children, name: &'static str, class: &'static str, id| Node {
            children,
            name: name.into(),
            class: class.into(),
            id,
            scene: is_array.then(|| "".into()),
            flags: is_array.then_some(0),
        };
        let nodes = [
            node(1, "root", "Viewport", 1),
            node(2, "Main", "Node2D", 2),
            node(0, "Door", "Sprite", 3),
            node(0, "Window", "Node2D", 4),
        ];
        self.send(&Message::SceneTree(List::from(&nodes)));
    }

    fn object(&mut self, id: i64) {
        let bag: Variant = dictionary! { "gold" => 3 }.into();
        let (dictionary, hp) = (self.dialect.id(bag.kind()).unwrap(), self.hp.clone());
        let property = |name: &'static str, type_id, value| Property {
            name: name.into(),
            type_id,
            hint: 0,
            hint_text: "".into(),
            usage: 6,
            value,
        };
        let properties = [
            property("Members/hp", 2, Value::from(&hp)),
            property("Members/bag", dictionary.into(), Value::from(&bag)),
        ];
        let object = Object { id, class: "Node2D".into(), properties: List::from(&properties) };
        if self.version >= Version::new(4, 5) && self.dialect == Dialect::Godot4 {
            let objects = [object];
            self.send(&Message::InspectObjects(List::from(&objects)));
        } else {
            self.send(&Message::InspectObject(Some(object)));
        }
    }

    fn variables(&mut self) {
        let (beat, hp) = (Variant::from(4), self.hp.clone());
        let type_id = (self.dialect == Dialect::Godot4).then_some(2);
        let variable = |name: &'static str, scope, value| Variable {
            name: name.into(),
            scope,
            type_id,
            value: Value::from(value),
        };
        let variables =
            [variable("count", Scope::Local, &beat), variable("hp", Scope::Member, &hp)];
        if self.dialect != Dialect::Godot4 {
            let variables = List::from(&variables);
            return self.send(&Message::StackFrameVars { count: 2, variables });
        }
        self.send(&Message::StackFrameVars { count: 2, variables: List::default() });
        for variable in variables {
            self.send(&Message::StackFrameVar(variable));
        }
    }

    fn profile(&mut self) {
        let internal = (self.version >= Version::new(4, 4)).then_some(0.0);
        let internal = internal.filter(|_| self.dialect == Dialect::Godot4);
        let functions =
            [FunctionProfile { signature: 0, calls: 12, total: 0.5, own: 0.25, internal }];
        let profile = Profile {
            frame: 9,
            frame_time: 0.016,
            process_time: 0.01,
            physics_time: 0.0,
            physics_frame_time: 0.0,
            script_time: 0.005,
            categories: List::default(),
            functions: List::from(&functions),
        };
        self.send(&Message::ProfileTotal(Box::new(profile)));
    }
}
