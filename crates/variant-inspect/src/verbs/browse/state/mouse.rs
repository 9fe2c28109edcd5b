//! Handles events of the mouse.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::{Mode, State};
use crate::verbs::browse::keys::KEYS;

impl State<'_> {
    pub(super) fn point(&mut self, mouse: MouseEvent) {
        let here = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::ScrollDown => self.scroll(3),
            MouseEventKind::ScrollUp => self.scroll(-3),
            MouseEventKind::Down(MouseButton::Left) if self.areas.rows.contains(here) => {
                let below = usize::from(mouse.row.saturating_sub(self.areas.rows.y));
                self.click(below, mouse.column.saturating_sub(self.areas.rows.x));
            }
            _ => {}
        }
    }

    fn scroll(&mut self, by: isize) {
        match &mut self.mode {
            Mode::Help(line) => *line = line.saturating_add_signed(by).min(KEYS.len()),
            Mode::Rows => {
                self.top = self.top.saturating_add_signed(by);
                self.step(by);
            }
            _ => {}
        }
    }

    fn click(&mut self, below: usize, column: u16) {
        if !matches!(self.mode, Mode::Rows) {
            return;
        }
        let Some(way) = self.visible().into_iter().nth(below) else { return };
        let marker = self.areas.indent(way.len());
        self.at = way;
        if (marker..marker.saturating_add(2)).contains(&column) {
            self.toggle();
        }
    }
}
