//! [`KEYS`]: the table of keys. The screen and its help use it.

use crossterm::event::KeyCode::{
    self, Char, Down, Enter, Esc, Left, PageDown, PageUp, Right, Tab, Up,
};
use crossterm::event::{KeyEvent, KeyModifiers};

/// A command, its keys and its help.
pub(super) struct Binding {
    command: Command,
    keys: &'static [KeyCode],
    /// The keys and their effect, as the help prints them.
    pub(super) help: [&'static str; 2],
}

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
    Pane: Tab; "tab", "the next part of the screen".
    Down: Char('j'), Down; "j, down", "the next row".
    Up: Char('k'), Up; "k, up", "the row before".
    PageDown: PageDown; "page down", "a page down".
    PageUp: PageUp; "page up", "a page up".
    First: Char('g'), KeyCode::Home; "g, home", "the first row".
    Last: Char('G'), KeyCode::End; "G, end", "the last row; the log follows the game there".
    Fold: Char('h'), Left; "h, left", "fold a node".
    Unfold: Char('l'), Right; "l, right", "unfold a node".
    Enter: Enter; "enter", "show a node, or change a property".
    Search: Char('/'); "/", "search in the part of the screen".
    Again: Char('n'); "n", "the next one found".
    Tree: Char('r'); "r", "read the tree again".
    Breakpoint: Char('b'); "b", "set a breakpoint, or remove it: main.gd:33".
    Pause: Char('p'); "p", "stop the game".
    Step: Char('s'); "s", "to the next line, also into a function".
    Over: Char('o'); "o", "to the next line of the function".
    Continue: Char('c'); "c", "let the game run".
    Help: Char('?'), KeyCode::F(1); "?", "this help".
    Cancel: Esc; "esc", "leave a line".
    Quit: Char('q'); "q, ctrl-c", "quit".
}

pub(super) fn command(key: KeyEvent) -> Option<Command> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return (key.code == Char('c')).then_some(Command::Quit);
    }
    let binding = KEYS.iter().find(|binding| binding.keys.contains(&key.code))?;
    Some(binding.command)
}
