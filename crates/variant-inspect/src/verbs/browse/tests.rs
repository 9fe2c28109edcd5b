//! Compares screens, as text, with the files in `tests/browse`. The variable `WRITE_SCREENS` rewrites the files.

use std::path::PathBuf;

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::backend::TestBackend;
use ratatui::style::Modifier;

use super::*;

mod writing;

fn corpus(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus").join(path)
}

fn with_terminal<R>(work: impl FnOnce(&mut Terminal<'_>) -> R) -> R {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    work(&mut Terminal::of(&mut out, &mut err))
}

fn open_at(path: &Path, common: &CommonArgs) -> Values {
    with_terminal(|terminal| Values::open(path, &mut terminal.with(common)).unwrap())
}

fn open_corpus(path: &str) -> Values {
    open_at(&corpus(path), &CommonArgs::default())
}

/// A state, and the screen on which it is drawn.
struct Session<'a> {
    state: State<'a>,
    screen: ratatui::Terminal<TestBackend>,
    done: Vec<Action>,
}

impl<'a> Session<'a> {
    fn new(file: &'a File<'a>, width: u16, height: u16) -> Self {
        let screen = ratatui::Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut session = Self { state: State::new(file), screen, done: Vec::new() };
        session.draw();
        session
    }

    fn draw(&mut self) {
        self.screen.draw(|frame| draw(frame, &mut self.state, Theme::new(true))).unwrap();
    }

    fn send(&mut self, event: &Event) {
        let action = self.state.handle(event);
        self.done.extend(Some(action).filter(|action| *action != Action::Nothing));
        while self.state.is_busy() {
            self.state.work();
        }
        self.draw();
    }

    /// Presses the keys in a text: characters, and named keys such as `<Enter>`.
    fn press(&mut self, keys: &str) -> &mut Self {
        let mut rest = keys;
        while let Some(c) = rest.chars().next() {
            let named = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
            let code = if let Some((name, behind)) = named {
                rest = behind;
                key(name)
            } else {
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
                KeyEvent::from(KeyCode::Char(c))
            };
            self.send(&Event::Key(code));
        }
        self
    }

    fn mouse(&mut self, kind: MouseEventKind, column: u16, row: u16) {
        let modifiers = KeyModifiers::NONE;
        self.send(&Event::Mouse(MouseEvent { kind, column, row, modifiers }));
    }

    /// The screen as text. The selected row begins with `>`.
    fn text(&self) -> String {
        let buffer = self.screen.backend().buffer();
        let width = usize::from(buffer.area.width);
        let mut text = String::new();
        for cells in buffer.content().chunks(width) {
            let is_selected = cells[0].modifier.contains(Modifier::REVERSED);
            let line: String = cells.iter().map(ratatui::buffer::Cell::symbol).collect();
            text.push(if is_selected { '>' } else { ' ' });
            text.push_str(&line);
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        text
    }

    #[track_caller]
    fn expect(&self, name: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/browse/{name}.txt"));
        let text = self.text();
        if std::env::var_os("WRITE_SCREENS").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        let lines = expected.lines().zip(text.lines());
        let other: Vec<_> = lines.filter(|(a, b)| a != b).collect();
        assert!(expected == text, "{name}: expected and found {other:#?}\nfound:\n{text}");
    }

    fn foot(&self) -> String {
        self.text().lines().last().unwrap().trim().to_owned()
    }
}

fn key(name: &str) -> KeyEvent {
    let code = match name {
        "space" => KeyCode::Char(' '),
        "esc" => KeyCode::Esc,
        "enter" => KeyCode::Enter,
        "tab" => KeyCode::Tab,
        "back" => KeyCode::Backspace,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "down" => KeyCode::Down,
        "up" => KeyCode::Up,
        "pgdn" => KeyCode::PageDown,
        "pgup" => KeyCode::PageUp,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "del" => KeyCode::Delete,
        control => {
            let letter = control.strip_prefix("c-").and_then(|name| name.chars().next());
            return KeyEvent::new(KeyCode::Char(letter.unwrap()), KeyModifiers::CONTROL);
        }
    };
    KeyEvent::from(code)
}

const SAVE: &str = "godot3/saves/rpg_save.bin";

/// Opens a file of the corpus on a screen of 80 by 20.
macro_rules! session {
    ($session:ident, $path:expr) => {
        if crate::is_packed() {
            return;
        }
        let values = open_corpus($path);
        let file = File::new(&values);
        let mut $session = Session::new(&file, 80, 20);
    };
}

#[test]
fn keys_lead_to_screens() {
    for (path, steps) in [
        (SAVE, &[("", "first")][..]),
        (SAVE, &[("gjjjjjjjjl", "unfolded"), ("hh<enter>", "folded"), ("*G", "all_unfolded")]),
        (SAVE, &[("?", "help"), ("<pgdn><pgdn><pgdn>", "help_end")]),
        ("godot3/saves/store_var_seq.bin", &[("jjl", "frames"), ("G", "frames_end")]),
        ("godot3/saves/project.binary", &[("", "settings")]),
    ] {
        session!(session, path);
        for (keys, screen) in steps {
            session.press(keys).expect(screen);
        }
    }
}

#[test]
fn a_search_looks_into_what_is_folded() {
    session!(session, SAVE);
    session.press("/HP_M").press("<esc>/hp_m");
    session.expect("search");
    session.press("<enter>n").press("/stormr<enter>");
    session.expect("search_text");
    session.press("n");
    assert_eq!(session.foot(), "found around the end of the file");
    session.press("g/nowhere");
    assert!(session.foot().ends_with("nothing has nowhere"), "{}", session.foot());
}

#[test]
fn searching_back_finds_the_same_places() {
    session!(session, SAVE);
    session.press("/sword blessed<enter>");
    let mut there = vec![session.state.at().to_vec()];
    loop {
        session.press("n");
        let at = session.state.at().to_vec();
        if at == there[0] {
            break;
        }
        there.push(at);
    }
    assert!(there.len() > 3, "{there:?}");
    for at in there.iter().rev() {
        session.press("N");
        assert_eq!(session.state.at(), at);
    }
}

#[test]
fn a_filter_shows_what_a_path_selects() {
    session!(session, SAVE);
    session.press("&..name<enter>");
    session.expect("filter");
    session.press("<esc>f..[<enter>");
    session.expect("filter_error");
    session.press("<esc>");
    assert!(session.state.filter().is_none());
}

#[test]
fn the_bytes_follow_the_selected_row() {
    session!(session, SAVE);
    session.press("/level<enter>x");
    session.expect("hex");
    session.press("<tab>");
    assert_eq!(session.state.areas.hex.height, 0);
}

#[test]
fn a_value_is_changed_and_taken_back() {
    session!(session, SAVE);
    session.press("/level<enter>i");
    assert_eq!(session.foot(), "value: 37");
    session.press("<back><back>[4<enter>");
    session.expect("edit_error");
    session.press("<c-u>42<enter>");
    session.expect("edited");
    let change = &session.state.changes.all[0];
    assert_eq!((change.piece, change.path.as_str()), (1, "player.level"));
    session.press("q");
    assert!(session.foot().starts_with("unwritten changes"), "{}", session.foot());
    assert_eq!(session.press("n").done, []);
    session.press("i<c-u>42.5<enter>");
    assert_eq!(session.foot(), "now float, before int; the game may expect int");
    session.press("uwu");
    session.expect("undone");
    session.press("q");
    assert_eq!(session.done, [Action::Write, Action::Quit]);
}

#[test]
fn paths_and_values_are_copied() {
    session!(session, SAVE);
    session.press("/stats<enter>yY");
    let [Action::Copy(path), Action::Copy(value)] = &session.done[..] else { panic!("copies") };
    assert_eq!(path, "player.stats");
    assert!(value.starts_with('{') && value.contains("\"hp\": 87.5"), "{value}");
    let mut out = Vec::new();
    clipboard::copy(&mut out, path).unwrap();
    assert_eq!(out, b"\x1b]52;c;cGxheWVyLnN0YXRz\x07");
}

#[test]
fn marks_lead_back() {
    session!(session, SAVE);
    session.press("/hp<enter>ma");
    let at = session.state.at().to_vec();
    session.press("g").press("c").press("'a");
    assert_eq!(session.state.at(), at);
    session.press("'b");
    assert_eq!(session.foot(), "no mark b");
}

#[test]
fn damage_is_a_row() {
    if crate::is_packed() {
        return;
    }
    let (dialect, framing) = (Some(variant_view::Dialect::Godot4), crate::cli::FramingArg::Bare);
    let common = CommonArgs { dialect, framing, ..CommonArgs::default() };
    for name in ["cut_short", "unknown_type", "huge_count"] {
        let values = open_at(&corpus(&format!("damaged/{name}.variant")), &common);
        let file = File::new(&values);
        let mut session = Session::new(&file, 80, 12);
        session.press("*G");
        session.expect(&format!("damaged_{name}"));
    }
}

#[test]
fn the_mouse_selects_folds_and_scrolls() {
    session!(session, SAVE);
    let click = MouseEventKind::Down(MouseButton::Left);
    session.mouse(click, 10, 4);
    assert_eq!(session.state.at(), [0, 2]);
    session.mouse(click, 0, 1);
    assert_eq!(session.state.at(), [0]);
    assert!(!session.state.rows().is_open(&[0]));
    session.mouse(click, 1, 1);
    assert!(session.state.rows().is_open(&[0]));
    session.mouse(MouseEventKind::ScrollDown, 9, 9);
    assert_eq!(session.state.at(), [0, 2]);
}

#[test]
fn a_narrow_screen_shows_what_fits() {
    if crate::is_packed() {
        return;
    }
    let values = open_corpus(SAVE);
    let file = File::new(&values);
    let session = Session::new(&file, 20, 5);
    session.expect("narrow");
    for (width, height) in [(1, 1), (3, 2), (20, 5), (7, 40), (200, 3)] {
        let mut session = Session::new(&file, width, height);
        session.press("x?<esc>*G/hp<enter>i<esc>&..name<enter>jj");
    }
}

/// Presses random keys, eight times as many with `VARIANT_RECORDS=all`. No sequence of keys may cause a panic or select
/// a row that does not exist.
#[test]
fn any_keys_can_follow_each_other() {
    let all = "j k h l g G <c-d> <c-u> <pgdn> <pgup> <space> <enter> e c /a /1<enter> n N &..x<enter> \
               f[*]<enter> <esc> <esc> <tab> i 7 <back> u y Y ma 'a w ? <home> <end> <left> <right> <del>";
    let all: Vec<_> = all.split(' ').collect();
    if crate::is_packed() {
        return;
    }
    // The first file gets fewer keys: a search in it takes as long as a hundred searches in the other files.
    let files = [
        (SAVE, 200),
        ("godot3/saves/store_var_seq.bin", 2_000),
        ("godot3/saves/objects_full.bin", 2_000),
        ("godot3/saves/project.binary", 2_000),
        ("godot4/saves/nested_18k.variant", 2_000),
    ];
    let mut seed = 7_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    for (path, keys) in files {
        let values = open_corpus(path);
        let file = File::new(&values);
        let mut session = Session::new(&file, 60, 14);
        let is_whole = std::env::var_os("VARIANT_RECORDS").is_some_and(|which| which == "all");
        for _ in 0..if is_whole { keys } else { keys / 8 } {
            if random(20) == 0 {
                let column = u16::try_from(random(60)).unwrap();
                let row = u16::try_from(random(14)).unwrap();
                session.mouse(MouseEventKind::Down(MouseButton::Left), column, row);
            }
            session.press(all[random(all.len())]);
            let at = session.state.at().to_vec();
            assert!(session.state.rows().entry(&at).is_some(), "{path}: {at:?}");
        }
    }
}
