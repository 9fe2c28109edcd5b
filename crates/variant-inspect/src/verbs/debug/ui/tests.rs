//! Compares parts of screens as text.

use crossterm::event::{Event, KeyCode, KeyEvent};
use ratatui::backend::TestBackend;
use variant_debugger::{
    Line, LineKind, List, Message, Node, Object, Property, StackFrame, Stop, Value,
};
use variant_owned::Variant;

use super::draw::draw;
use super::state::{Ask, State};
use crate::cli::SourceLine;
use crate::verbs::browse::draw::Theme;

struct Session {
    state: State,
    screen: ratatui::Terminal<TestBackend>,
}

impl Session {
    fn new() -> Self {
        let screen = ratatui::Terminal::new(TestBackend::new(80, 24)).unwrap();
        let mut session = Self { state: State::new(), screen };
        let node = |children, name: &'static str, id| Node {
            children,
            name: name.into(),
            class: "Node2D".into(),
            id,
            scene: None,
            flags: None,
        };
        let nodes = [node(1, "root", 1), node(2, "Main", 2), node(0, "Door", 3), node(0, "Key", 4)];
        session.say(&Message::SceneTree(List::from(&nodes)));
        session
    }

    fn say(&mut self, message: &Message<'_>) {
        self.state.message(message);
    }

    fn print(&mut self, text: &str) {
        let lines = [Line { text: text.into(), kind: LineKind::Log, thread: None }];
        self.say(&Message::Output(List::from(&lines)));
    }

    fn press(&mut self, keys: &str) {
        for c in keys.chars() {
            let code = match c {
                '\n' => KeyCode::Enter,
                '\t' => KeyCode::Tab,
                c => KeyCode::Char(c),
            };
            self.state.refresh();
            self.state.handle(&Event::Key(KeyEvent::from(code)));
        }
    }

    fn text(&mut self) -> String {
        self.state.refresh();
        self.screen.draw(|frame| draw(frame, &mut self.state, Theme::new(true))).unwrap();
        let buffer = self.screen.backend().buffer();
        let width = usize::from(buffer.area.width);
        let rows = buffer.content().chunks(width);
        let rows = rows.map(|cells| cells.iter().map(ratatui::buffer::Cell::symbol).collect());
        rows.collect::<Vec<String>>().join("\n")
    }

    fn asks(&mut self) -> Vec<Ask> {
        std::mem::take(&mut self.state.asks)
    }
}

#[test]
fn the_log_follows_the_game_and_stays_where_it_is_read() {
    let mut session = Session::new();
    (0..50).for_each(|number| session.print(&format!("line {number}")));
    assert!(session.text().contains("line 49"));
    session.press("\t\tg");
    session.print("line 50");
    let text = session.text();
    assert!(text.contains("line 0 ") && !text.contains("line 50"), "{text}");
    session.press("/LINE 3\n");
    assert!(session.text().contains("line 3 "));
    session.press("G");
    assert!(session.text().contains("line 50"));
}

#[test]
fn control_characters_of_a_game_are_not_drawn() {
    let mut session = Session::new();
    session.print("\u{1b}[2Jgone");
    let text = session.text();
    assert!(text.contains("gone") && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn nodes_are_folded_found_and_inspected() {
    let mut session = Session::new();
    assert!(session.text().contains("Door Node2D"));
    session.press("jh");
    let text = session.text();
    assert!(text.contains("+ Main") && !text.contains("Door"), "{text}");
    session.press("l/key\n\n");
    assert_eq!(session.asks().last(), Some(&Ask::Object(4)));
}

#[test]
fn a_property_is_changed() {
    let mut session = Session::new();
    let hp = Variant::from(10);
    let property = Property {
        name: "Members/hp".into(),
        type_id: 2,
        hint: 0,
        hint_text: "".into(),
        usage: 6,
        value: Value::from(&hp),
    };
    let properties = std::slice::from_ref(&property);
    let object = Object { id: 2, class: "Node2D".into(), properties: List::from(properties) };
    session.say(&Message::InspectObject(Some(object)));
    session.state.follow(std::time::Instant::now());
    assert!(session.text().contains("hp: 10"));
    session.asks();
    session.press("\t\n2\n");
    let set = Ask::Set(2, "Members/hp".to_owned(), 102.into());
    assert_eq!(session.asks(), [set, Ask::Object(2)]);
}

#[test]
fn a_stop_shows_the_stack_and_takes_steps() {
    let mut session = Session::new();
    session.press("s");
    assert!(session.text().contains("the game runs"));
    session.press("bmain.gd:30\n");
    let line = SourceLine { file: "res://main.gd".to_owned(), line: 30 };
    assert_eq!(session.asks().last(), Some(&Ask::Breakpoint(line, true)));
    session.say(&Message::DebugEnter(Stop {
        can_continue: true,
        reason: "Breakpoint".into(),
        has_stack: None,
        thread_name: None,
        thread_id: None,
    }));
    assert_eq!(session.asks(), [Ask::Stack]);
    let frame = StackFrame { file: "res://main.gd".into(), line: 30, function: "beat".into() };
    session.say(&Message::StackDump(List::from(std::slice::from_ref(&frame))));
    assert!(session.text().contains("beat (res://main.gd:30)"));
    session.press("soc");
    assert_eq!(session.asks(), [Ask::Variables, Ask::Step, Ask::Next, Ask::Continue]);
    session.say(&Message::DebugExit);
    assert!(!session.text().contains("beat (res"));
}

#[test]
fn every_key_is_in_the_help() {
    let mut session = Session::new();
    session.press("?");
    let text = session.text();
    assert!(text.contains("this help") && text.contains("let the game run"), "{text}");
}
