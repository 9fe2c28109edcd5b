//! [`KEYS`]: the table of keys. The program and its help use it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A command, its keys and its help.
pub(super) struct Binding {
    pub(super) command: Command,
    keys: &'static [Press],
    /// The keys and their effect, as the help prints them.
    pub(super) help: [&'static str; 2],
}

/// A key, alone or with Control.
enum Press {
    Plain(KeyCode),
    Control(char),
}

use KeyCode::{Char, End, Esc, Home, PageDown, PageUp, Tab};
use Press::{Control, Plain};

macro_rules! keys {
    ($($command:ident: $($key:expr),+; $shown:literal, $does:literal.)+) => {
        /// A command of a key.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Command {
            $($command,)+
        }

        /// What each key does.
        pub(super) const KEYS: &[Binding] = &[
            $(Binding { command: Command::$command, keys: &[$($key),+], help: [$shown, $does] },)+
        ];
    };
}

keys! {
    Down: Plain(Char('j')), Plain(KeyCode::Down); "j, down", "the next row".
    Up: Plain(Char('k')), Plain(KeyCode::Up); "k, up", "the row before".
    In: Plain(Char('l')), Plain(KeyCode::Right); "l, right", "unfold, then the first value inside".
    Out: Plain(Char('h')), Plain(KeyCode::Left); "h, left", "fold, then the container around".
    Toggle: Plain(Char(' ')); "space", "fold or unfold".
    Enter: Plain(KeyCode::Enter); "enter", "fold or unfold; change a value without parts".
    UnfoldAll: Plain(Char('*')), Plain(Char('e')); "*, e", "unfold everything inside".
    Fold: Plain(Char('c')); "c", "fold everything inside".
    HalfDown: Control('d'); "ctrl-d", "half a page down".
    HalfUp: Control('u'); "ctrl-u", "half a page up".
    PageDown: Plain(PageDown), Control('f'); "page down", "a page down".
    PageUp: Plain(PageUp), Control('b'); "page up", "a page up".
    First: Plain(Char('g')), Plain(Home); "g, home", "the first row".
    Last: Plain(Char('G')), Plain(End); "G, end", "the last row".
    Search: Plain(Char('/')); "/", "search in keys and texts; small letters find capital ones".
    Again: Plain(Char('n')); "n", "the next one found".
    Back: Plain(Char('N')); "N", "the one found before".
    Filter: Plain(Char('f')), Plain(Char('&')); "f, &", "only what a path selects: items[?hp<10]".
    Cancel: Plain(Esc); "esc", "all values again; end a search".
    Hex: Plain(Tab), Plain(Char('x')); "tab, x", "show the bytes".
    Edit: Plain(Char('i')); "i", "change a value".
    Undo: Plain(Char('u')); "u", "take the last change back".
    Write: Plain(Char('w')); "w", "write the changes".
    CopyPath: Plain(Char('y')); "y", "copy the path".
    CopyValue: Plain(Char('Y')); "Y", "copy the value".
    Mark: Plain(Char('m')); "m letter", "mark the row".
    Jump: Plain(Char('\'')); "' letter", "go to a mark".
    Help: Plain(Char('?')), Plain(KeyCode::F(1)); "?", "this help".
    Quit: Plain(Char('q')), Control('c'); "q", "quit".
}

pub(super) fn command(key: KeyEvent) -> Option<Command> {
    let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
    let is_pressed = |press: &Press| match press {
        Plain(code) => !is_control && key.code == *code,
        Control(letter) => is_control && key.code == Char(*letter),
    };
    let binding = KEYS.iter().find(|binding| binding.keys.iter().any(is_pressed))?;
    Some(binding.command)
}
