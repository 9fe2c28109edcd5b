//! The bytes of the selected value, and the bytes around them.

use std::fmt::Write as _;

use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// The number of bytes in a line: sixteen, or fewer on a narrow screen.
fn per_line(width: u16) -> usize {
    [16, 8, 4].into_iter().find(|bytes| lines_fit(*bytes, width)).unwrap_or(2)
}

fn lines_fit(bytes: usize, width: u16) -> bool {
    bytes.saturating_mul(4).saturating_add(11) <= width.into()
}

/// Lines of bytes that start at most one line before `start`. The `len` bytes of the value at `start` have `style`.
pub(super) fn lines(
    bytes: &[u8],
    (start, len): (usize, usize),
    (width, height): (u16, u16),
    style: Style,
) -> Vec<Line<'static>> {
    let per_line = per_line(width);
    let first = start.checked_div(per_line).unwrap_or(0).saturating_sub(usize::from(height > 3));
    let own = start..start.saturating_add(len);
    let numbers = first..first.saturating_add(height.into());
    let starts = numbers.map(|number| number.saturating_mul(per_line));
    starts
        .take_while(|at| *at < bytes.len())
        .map(|at| {
            let rest = bytes.get(at..).unwrap_or_default();
            let cells = rest.get(..per_line).unwrap_or(rest);
            let style = |at| if own.contains(&at) { style } else { Style::new() };
            line(at, cells, per_line, style)
        })
        .collect()
}

/// One line: offset, bytes, and the bytes as ASCII.
fn line(
    start: usize,
    cells: &[u8],
    per_line: usize,
    style: impl Fn(usize) -> Style,
) -> Line<'static> {
    let mut spans = vec![Span::raw(format!("{start:08x} "))];
    let mut text = Vec::new();
    for (at, byte) in (start..).zip(cells) {
        let mut cell = String::new();
        let _ = write!(cell, "{byte:02x}");
        spans.push(Span::raw(" "));
        spans.push(Span::styled(cell, style(at)));
        let shown = if matches!(byte, b' '..=b'~') { char::from(*byte) } else { '.' };
        text.push(Span::styled(shown.to_string(), style(at)));
    }
    let missing = per_line.saturating_sub(cells.len());
    spans.push(Span::raw(" ".repeat(missing.saturating_mul(3).saturating_add(2))));
    spans.extend(text);
    Line::from(spans)
}
