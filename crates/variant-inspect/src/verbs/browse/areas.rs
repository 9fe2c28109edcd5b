//! [`Areas`]: the parts of the screen.

use ratatui::layout::Rect;

/// The maximum indentation of a row, in quarters of the width of the screen.
const INDENTED: u16 = 2;

/// The parts of the screen, from the top.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Areas {
    pub(super) path: Rect,
    pub(super) rows: Rect,
    pub(super) hex: Rect,
    /// Messages and typed lines.
    pub(super) foot: Rect,
}

impl Areas {
    /// The parts of a screen. The rows of values get the remaining lines, at least one.
    pub(super) fn of(screen: Rect, has_hex: bool) -> Self {
        let mut left = screen.height;
        let mut take = |height: u16| {
            let taken = height.min(left.saturating_sub(1));
            left = left.saturating_sub(taken);
            taken
        };
        let foot = take(1);
        let path = take(1);
        let hex = if has_hex { take((screen.height / 3).max(2)) } else { 0 };
        let at = |y: u16, height: u16| Rect { y: screen.y.saturating_add(y), height, ..screen };
        let below = path.saturating_add(left);
        Self {
            path: at(0, path),
            rows: at(path, left),
            hex: at(below, hex),
            foot: at(below.saturating_add(hex), foot),
        }
    }

    /// The column at which a row of a level starts. Deep rows start at the middle of the screen.
    pub(super) fn indent(&self, level: usize) -> u16 {
        let columns = u16::try_from(level.saturating_sub(1).saturating_mul(2)).unwrap_or(u16::MAX);
        columns.min((self.rows.width / 4).saturating_mul(INDENTED))
    }
}
