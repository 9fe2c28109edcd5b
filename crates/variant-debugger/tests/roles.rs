//! A game and a debugger of this crate understand each other, in every family.

use std::time::Instant;

use variant_debugger::{
    CachedNode, Camera, Category, Command, ErrorReport, Family, FunctionProfile, Game, GameOptions,
    Line, LineKind, List, LiveEdit, Message, Node, NodeTraffic, Object, Profile, Profiler,
    Property, RpcTraffic, Scope, Session, SessionOptions, Span, StackFrame, Stop, SyncTraffic,
    Target, Time, Value, Variable, Version, VideoResource, VisualArea, messages,
};
use variant_debugger::{Direction, SendError};
use variant_owned::{Variant, array};
use variant_view::Dialect;

/// A game of each family, and of the versions of Godot 4 that differ.
fn games() -> Vec<GameOptions> {
    let four = |minor| GameOptions::godot_4(Version::new(4, minor));
    let mut games: Vec<GameOptions> = [0, 2, 4, 5, 6, 7].map(four).to_vec();
    for (family, dialect) in [
        (Family::Frames, Dialect::Godot3),
        (Family::Frames, Dialect::Pandemonium3),
        (Family::FramesThreads, Dialect::Pandemonium4),
        (Family::FramesThreads, Dialect::Pandemonium5),
    ] {
        games.push(GameOptions::GODOT_3.dialect(family, dialect).main_thread(3));
    }
    games
}

fn session_of(game: &GameOptions) -> Session {
    let options = SessionOptions::default().family(game.family).dialect(game.dialect);
    let mut session = Session::new(options.versions(game.version));
    let hello = [Line { text: "hello".into(), kind: LineKind::Log, thread: None }];
    let bytes = Game::new(*game).send(&Message::Output(List::from(&hello))).unwrap();
    session.handle(&bytes, Instant::now());
    session.next_event().unwrap().unwrap();
    session
}

/// Calls `check` with one message of every kind.
fn every_message(check: &mut dyn FnMut(&Message<'_>)) {
    let (seven, path) = (Variant::from(7), Variant::from("res://a.gd"));
    let text = || "main".into();
    let value = || Value::from(&seven);
    let frames = [StackFrame { file: text(), line: 3, function: "_process".into() }];
    let spans = [Span { name: text(), seconds: 0.5 }];
    let lines = [Line { text: "hello".into(), kind: LineKind::Error, thread: Some(3) }];
    let values = [value(), value()];
    let variable = |scope| Variable { name: text(), scope, type_id: Some(2), value: value() };
    let variables = [variable(Scope::Local), variable(Scope::Member), variable(Scope::Global)];
    let nodes = [Node {
        children: 0,
        name: text(),
        class: text(),
        id: 9,
        scene: Some(text()),
        flags: Some(6),
    }];
    let property =
        Property { name: text(), type_id: 2, hint: 0, hint_text: text(), usage: 6, value: value() };
    let properties = [property.clone(), property];
    let object = || Object { id: 4, class: text(), properties: List::from(&properties) };
    let objects = [object()];
    let names = ["game/hp".into()];
    let resources = [VideoResource { path: text(), kind: text(), format: text(), bytes: 64 }];
    let function =
        FunctionProfile { signature: 1, calls: 2, total: 0.5, own: 0.25, internal: None };
    let functions = [function, function, function, function];
    let categories = [Category { name: text(), spans: List::from(&spans) }];
    let profile = || {
        Box::new(Profile {
            frame: 6,
            frame_time: 0.5,
            process_time: 0.25,
            physics_time: 0.125,
            physics_frame_time: 0.5,
            script_time: 1.5,
            categories: List::from(&categories),
            functions: List::from(&functions),
        })
    };
    let traffic =
        [NodeTraffic { id: 1, path: text(), rpc_in: 1, rset_in: 2, rpc_out: 3, rset_out: 4 }];
    let rpcs =
        [RpcTraffic { id: 1, path: text(), calls_in: 1, bytes_in: 2, calls_out: 3, bytes_out: 4 }];
    let syncs = [SyncTraffic {
        synchronizer: 1,
        config: 2,
        root: 3,
        syncs_in: 4,
        bytes_in: 5,
        syncs_out: 6,
        bytes_out: 7,
    }];
    let cached = [CachedNode { id: 1, class: text(), path: text() }];
    let areas = [VisualArea { name: text(), cpu: 0.5, gpu: 0.25 }];
    let report = ErrorReport {
        time: Time { hours: 1, minutes: 2, seconds: 3, milliseconds: 4 },
        file: "a.cpp".into(),
        function: "f".into(),
        line: 8,
        error: "e".into(),
        description: "d".into(),
        is_warning: true,
        stack: List::from(&frames),
    };
    let stop = Stop {
        can_continue: false,
        reason: "Breakpoint".into(),
        has_stack: Some(true),
        thread_name: Some("Main Thread".into()),
        thread_id: Some(3),
    };
    let all = [
        Message::SetPid { pid: 5 },
        Message::Output(List::from(&lines)),
        Message::Error(Box::new(report)),
        Message::Performance(List::from(&values)),
        Message::MonitorNames { names: List::from(&names), kinds: Some(List::from(&[2])) },
        Message::DebugEnter(stop),
        Message::DebugExit,
        Message::StackDump(List::from(&frames)),
        Message::StackFrameVars { count: 3, variables: List::from(&variables) },
        Message::StackFrameVar(variable(Scope::Local)),
        Message::EvaluationReturn(variable(Scope::Evaluation)),
        Message::SceneTree(List::from(&nodes)),
        Message::InspectObject(Some(object())),
        Message::InspectObjects(List::from(&objects)),
        Message::ObjectsSelected(List::from(&objects)),
        Message::NodeClicked { id: 6 },
        Message::NothingSelected,
        Message::SelectionInvalidated(List::from(&[1, 2])),
        Message::SelectionLimit,
        Message::ClickCtrl { path: Value::from(&path), class: text() },
        Message::VideoMemory(List::from(&resources)),
        Message::FunctionSignature { signature: text(), number: 1 },
        Message::ProfileFrame(profile()),
        Message::ProfileTotal(profile()),
        Message::NetworkProfile(List::from(&traffic)),
        Message::Bandwidth { incoming: 1, outgoing: 2 },
        Message::MultiplayerRpc(List::from(&rpcs)),
        Message::MultiplayerSyncs(List::from(&syncs)),
        Message::MultiplayerCache(List::from(&cached)),
        Message::VisualHardware { processor: text(), adapter: text() },
        Message::VisualFrame { frame: 3, areas: List::from(&areas) },
        Message::Drawn,
        Message::RequestQuit,
        Message::MainThreadId,
        Message::FilesUpdated(List::from(&names)),
        Message::WindowTitle { title: text() },
        Message::Dropped { messages: 12 },
        Message::Custom { name: "mine:ask".into(), elements: List::from(&values) },
    ];
    for message in &all {
        check(message);
    }
}

/// What a message says, without the parts that a family does not have.
fn gist(message: &Message<'_>, game: &GameOptions) -> String {
    let has_threads = game.family.has_threads() && !game.family.is_array();
    let is_array = game.family.is_array();
    match message.clone() {
        Message::Output(lines) => {
            let thread = |line: Line<'_>| line.thread.filter(|_| has_threads);
            let lines =
                lines.map(Result::unwrap).map(|line| (line.text.clone(), line.kind, thread(line)));
            format!("{:?}", lines.collect::<Vec<_>>())
        }
        Message::DebugEnter(stop) => format!("{} {}", stop.can_continue, stop.reason),
        Message::StackFrameVars { count, variables } => {
            let variables =
                variables.map(Result::unwrap).map(|v| (v.name, v.scope)).collect::<Vec<_>>();
            if is_array { count.to_string() } else { format!("{count} {variables:?}") }
        }
        Message::SceneTree(nodes) => {
            let parts = |n: Node<'_>| {
                format!(
                    "{} {} {} {} {:?}",
                    n.children,
                    n.name,
                    n.class,
                    n.id,
                    n.scene.filter(|_| is_array)
                )
            };
            format!("{:?}", nodes.map(Result::unwrap).map(parts).collect::<Vec<_>>())
        }
        Message::MonitorNames { names, kinds } => {
            let kinds = kinds.filter(|_| game.version >= Version::new(4, 6));
            format!("{names:?} {kinds:?}")
        }
        Message::ProfileFrame(profile) | Message::ProfileTotal(profile) => {
            let function = |f: FunctionProfile| (f.signature, f.calls, f.total, f.own);
            let functions = profile.functions.clone().map(Result::unwrap).map(function);
            let functions = functions.collect::<Vec<_>>();
            format!(
                "{} {} {:?} {functions:?}",
                profile.frame, profile.script_time, profile.categories
            )
        }
        other => with_values(&other),
    }
}

/// `Debug` shows borrowed and given values differently.
fn with_values(message: &Message<'_>) -> String {
    let variant = |value: Value<'_>| value.to_variant().unwrap();
    let properties = |list: &List<'_, Property<'_>>| {
        let parts = |p: Property<'_>| {
            format!("{} {} {} {:?}", p.name, p.type_id, p.usage, variant(p.value))
        };
        format!("{:?}", list.clone().map(Result::unwrap).map(parts).collect::<Vec<_>>())
    };
    match message.clone() {
        Message::Performance(list) | Message::Custom { elements: list, .. } => {
            format!("{:?}", list.map(Result::unwrap).map(variant).collect::<Vec<_>>())
        }
        Message::StackFrameVar(v) | Message::EvaluationReturn(v) => {
            format!("{} {:?} {:?} {:?}", v.name, v.scope, v.type_id, variant(v.value))
        }
        Message::InspectObject(object) => object.map_or(String::new(), |o| {
            format!("{} {} {}", o.id, o.class, properties(&o.properties))
        }),
        Message::InspectObjects(objects) | Message::ObjectsSelected(objects) => {
            let parts =
                |o: Object<'_>| format!("{} {} {}", o.id, o.class, properties(&o.properties));
            format!("{:?}", objects.map(Result::unwrap).map(parts).collect::<Vec<_>>())
        }
        Message::ClickCtrl { path, class } => format!("{:?} {class}", variant(path)),
        other => format!("{other:?}"),
    }
}

#[test]
fn every_message_reaches_the_debugger() {
    for options in games() {
        let (game, mut arrived) = (Game::new(options), 0);
        every_message(&mut |message| {
            let mut session = session_of(&options);
            let bytes = match game.send_from(3, message) {
                Ok(bytes) => bytes,
                Err(SendError::NotInFamily { .. }) => return,
                Err(error) => panic!("{message:?}: {error}"),
            };
            session.handle(&bytes, Instant::now());
            let event = session.next_event().unwrap().unwrap();
            let found = event.message();
            found.check().unwrap_or_else(|error| panic!("{options:?} {message:?}: {error}"));
            assert_eq!(
                std::mem::discriminant(&found),
                std::mem::discriminant(message),
                "{found:?}"
            );
            assert_eq!(gist(&found, &options), gist(message, &options), "{options:?}");
            arrived += 1;
        });
        assert!(arrived >= 19, "{arrived} of {options:?}");
    }
}

/// Calls `check` with one command of every kind.
fn every_command(check: &mut dyn FnMut(&Command<'_>)) {
    let (seven, path) = (Variant::from(7), Variant::from("/root"));
    let (value, node) = (|| Value::from(&seven), || Value::from(&path));
    let paths = ["res://a.gd".into()];
    let options = [value()];
    let all_options = [value(), value()];
    let text = || "main".into();
    let transform = Variant::from(array![1.5]);
    let moved = || Value::from(&transform);
    let edits = [
        LiveEdit::SetRoot { root: node(), scene: text() },
        LiveEdit::NodePath { path: node(), number: 1 },
        LiveEdit::ResourcePath { path: text(), number: 1 },
        LiveEdit::Set { target: Target::Node(1), name: text(), value: value() },
        LiveEdit::Set { target: Target::Resource(1), name: text(), value: value() },
        LiveEdit::SetResource { target: Target::Node(1), name: text(), path: text() },
        LiveEdit::SetResource { target: Target::Resource(1), name: text(), path: text() },
        LiveEdit::Call { target: Target::Node(1), method: text(), arguments: List::from(&options) },
        LiveEdit::Call { target: Target::Resource(1), method: text(), arguments: List::default() },
        LiveEdit::Create { parent: node(), class: text(), name: text() },
        LiveEdit::Instantiate { parent: node(), scene: text(), name: text() },
        LiveEdit::Remove { path: node() },
        LiveEdit::RemoveAndKeep { path: node(), keep: 1 },
        LiveEdit::Restore { keep: 1, path: node(), position: 0 },
        LiveEdit::Duplicate { path: node(), name: text() },
        LiveEdit::Reparent { path: node(), parent: node(), name: text(), position: 0 },
    ];
    let cameras = [
        Camera::Override { enable: true, from_editor: false },
        Camera::Override2D(true),
        Camera::Override3D(false),
        Camera::Transform2D(moved()),
        Camera::Transform3D {
            transform: moved(),
            perspective: true,
            size: 70.0,
            near: 0.5,
            far: 9.0,
        },
    ];
    let profilers = [
        Profiler::Scripts,
        Profiler::Network,
        Profiler::Bandwidth,
        Profiler::Replication,
        Profiler::Visual,
        Profiler::Performance,
        Profiler::Other("own".into()),
    ];
    let mut all = vec![
        Command::Break,
        Command::Step,
        Command::Next,
        Command::Out,
        Command::Continue,
        Command::StackDump,
        Command::StackFrameVars { level: 1 },
        Command::Evaluate { expression: "1 + 1".into(), level: 0 },
        Command::Breakpoint { file: text(), line: 3, set: true },
        Command::SkipBreakpoints(true),
        Command::IgnoreErrorBreaks(false),
        Command::ReloadScripts(List::default()),
        Command::ReloadScripts(List::from(&paths)),
        Command::MainThreadId,
        Command::SceneTree,
        Command::InspectObject { id: -5 },
        Command::InspectObjects { ids: List::from(&[1, 2]), select: true },
        Command::ClearSelection,
        Command::SetProperty { id: 1, name: text(), value: value() },
        Command::SetPropertyField { id: 1, name: text(), value: value(), field: "x".into() },
        Command::SaveNode { id: 1, path: text() },
        Command::VideoMemory,
        Command::Draw,
        Command::Foreground,
        Command::MultiplayerCache(List::from(&[1])),
        Command::Suspend(true),
        Command::NextFrame,
        Command::Speed(2.0),
        Command::MuteAudio(true),
        Command::ReloadFiles(List::from(&paths)),
        Command::Custom { name: "mine:ask".into(), arguments: List::from(&all_options) },
    ];
    all.extend(edits.into_iter().map(Command::Live));
    all.extend(cameras.into_iter().map(Command::Camera));
    for profiler in profilers {
        let start =
            Command::Profile { profiler: profiler.clone(), enable: true, options: List::default() };
        let with = Command::Profile {
            profiler: profiler.clone(),
            enable: true,
            options: List::from(&options),
        };
        all.extend([
            start,
            with,
            Command::Profile { profiler, enable: false, options: List::default() },
        ]);
    }
    for command in &all {
        check(command);
    }
}

/// The stop that some commands need.
fn stop(session: &mut Session, game: &Game, message: &Message<'_>) {
    session.handle(&game.send(message).unwrap(), Instant::now());
    session.next_event().unwrap().unwrap();
}

#[test]
fn every_command_reaches_the_game() {
    let mut reached = std::collections::BTreeSet::new();
    for options in games() {
        every_command(&mut |command| {
            let (mut session, mut game) = (session_of(&options), Game::new(options));
            let stopped = Stop {
                can_continue: true,
                reason: "".into(),
                has_stack: Some(true),
                thread_name: None,
                thread_id: None,
            };
            let sent = match session.send(command) {
                Err(SendError::NotStopped { .. }) => {
                    stop(&mut session, &game, &Message::DebugEnter(stopped));
                    session.send(command)
                }
                other => other,
            };
            let Ok(bytes) = sent else {
                let error = sent.unwrap_err();
                let is_refused = matches!(
                    error,
                    SendError::NotInFamily { .. }
                        | SendError::NotInVersion { .. }
                        | SendError::TooFewArguments { .. }
                        | SendError::TooManyArguments { .. }
                );
                assert!(is_refused, "{options:?} {command:?}: {error}");
                return;
            };
            game.handle(&bytes, Instant::now());
            let request = game.next_request().unwrap().unwrap();
            reached.insert(request.name().to_owned());
            let found = request.command().unwrap();
            let again = session.send(&found).unwrap();
            assert_eq!(again, bytes, "{options:?} {command:?} {found:?}");
        });
    }
    assert!(reached.remove("mine:ask"));
    let rows = || messages().filter(|row| row.direction == Direction::ToGame).map(|row| row.name);
    let is_row = |name: &str, row: &str| {
        row.strip_suffix('*').map_or(row == name, |prefix| name.starts_with(prefix))
    };
    for name in &reached {
        assert!(rows().any(|row| is_row(name, row)), "{name} is not in the table");
    }
    // Commands that this crate does not type are custom.
    let untyped = ["scene:setup_", "scene:rq_screenshot", "scene:runtime_node_select_"];
    for row in rows().filter(|row| !untyped.iter().any(|prefix| row.starts_with(prefix))) {
        assert!(reached.iter().any(|name| is_row(name, row)), "{row} is not written");
    }
}

#[test]
fn every_message_is_in_the_table() {
    let mut names = std::collections::BTreeSet::new();
    for options in games() {
        let game = Game::new(options);
        every_message(&mut |message| {
            if let Ok(bytes) = game.send(message) {
                let mut session = session_of(&options);
                session.handle(&bytes, Instant::now());
                names.insert(session.next_event().unwrap().unwrap().name().to_owned());
            }
        });
    }
    let rows: Vec<&str> =
        messages().filter(|row| row.direction == Direction::FromGame).map(|row| row.name).collect();
    for name in &names {
        let is_row = rows
            .iter()
            .any(|row| row.strip_suffix('*').map_or(row == name, |p| name.starts_with(p)));
        assert!(is_row || name == "mine:ask", "{name}");
    }
    // Messages that this crate does not type are custom.
    let untyped = ["snapshot:", "game_view:", "request_embed"];
    for row in rows.iter().filter(|row| !row.ends_with('*')) {
        let is_typed = names.contains(*row);
        assert!(is_typed || untyped.iter().any(|prefix| row.starts_with(prefix)), "{row}");
    }
}

#[test]
fn variables_of_godot_4_come_one_by_one() {
    let options = GameOptions::GODOT_4;
    let seven = Variant::from(7);
    let variables = [Variable {
        name: "hp".into(),
        scope: Scope::Member,
        type_id: None,
        value: Value::from(&seven),
    }];
    let message = Message::StackFrameVars { count: 1, variables: List::from(&variables) };
    let mut session = session_of(&options);
    session.handle(&Game::new(options).send(&message).unwrap(), Instant::now());
    let first = session.next_event().unwrap().unwrap();
    assert!(matches!(first.message(), Message::StackFrameVars { count: 1, .. }));
    drop(first);
    let second = session.next_event().unwrap().unwrap();
    let Message::StackFrameVar(variable) = second.message() else { panic!("{second:?}") };
    assert_eq!((variable.name.as_ref(), variable.scope), ("hp", Scope::Member));
    assert_eq!(variable.type_id, Some(2));
}
