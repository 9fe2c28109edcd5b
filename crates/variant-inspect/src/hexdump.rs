//! A hex dump of the rows around a byte.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::style::Palette;

pub(crate) const ROW: usize = 16;

/// Writes the row of byte `at` and two rows before and after it, with a marker under the byte. `at` may be the end of
/// `bytes`.
pub(crate) fn excerpt(
    out: &mut dyn Write,
    bytes: &[u8],
    at: usize,
    palette: &Palette,
) -> io::Result<()> {
    let marked = at.min(bytes.len());
    let marked_row = marked.checked_div(ROW).unwrap_or(0);
    for row in marked_row.saturating_sub(2)..=marked_row.saturating_add(2) {
        let start = row.saturating_mul(ROW);
        let rest = bytes.get(start..).unwrap_or_default();
        let cells = rest.get(..ROW).unwrap_or(rest);
        let column = (row == marked_row).then(|| marked.saturating_sub(start));
        if cells.is_empty() && column.is_none() {
            break;
        }
        writeln!(out, "{}", format_row(start, cells, column, palette))?;
        if let Some(column) = column {
            let style = palette.error;
            writeln!(out, "{:1$}{style}^^{style:#}", "", marker_indent(column))?;
        }
    }
    Ok(())
}

/// One row: offset, bytes, and the bytes as ASCII.
fn format_row(start: usize, cells: &[u8], marked: Option<usize>, palette: &Palette) -> String {
    let note = palette.note;
    let mut line = format!("  {note}{start:08x}{note:#} ");
    for (column, byte) in cells.iter().enumerate() {
        let style = if marked == Some(column) { palette.error } else { anstyle::Style::new() };
        let _ = write!(line, "{}{style}{byte:02x}{style:#}", gap(column));
    }
    (cells.len()..ROW).for_each(|column| {
        line.push_str(gap(column));
        line.push_str("  ");
    });
    if cells.is_empty() {
        return line.trim_end().to_owned();
    }
    line.push_str("  ");
    line.extend(cells.iter().map(|byte| ascii(*byte)));
    line
}

/// A row of at most 16 bytes, in hexadecimal and as ASCII, padded to a fixed width.
pub(crate) fn cells(cells: &[u8]) -> String {
    let ascii_from = 50;
    let mut line = String::new();
    for (column, byte) in cells.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(line, "{}{byte:02x}", gap(column));
    }
    line = format!("{line:<ascii_from$}");
    line.extend(cells.iter().map(|byte| ascii(*byte)));
    let wide = ascii_from + ROW;
    format!("{line:<wide$}")
}

/// The character that represents a byte.
fn ascii(byte: u8) -> char {
    if matches!(byte, b' '..=b'~') { char::from(byte) } else { '.' }
}

/// The space before a column.
const fn gap(column: usize) -> &'static str {
    if column == 8 { "  " } else { " " }
}

/// The number of characters of a row before a column.
const fn marker_indent(column: usize) -> usize {
    column.saturating_mul(3).saturating_add(if column < 8 { 12 } else { 13 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dump(len: u8, at: usize) -> String {
        let bytes: Vec<u8> = (0..len).collect();
        let mut out = Vec::new();
        excerpt(&mut out, &bytes, at, &Palette::default()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_marker_stands_under_its_byte() {
        for at in [0, 7, 8, 15, 16, 0x41, 0x5f] {
            let dump = dump(0x60, at);
            let lines: Vec<_> = dump.lines().collect();
            let marker = lines.iter().position(|line| line.ends_with("^^")).unwrap();
            let column = lines[marker].find('^').unwrap();
            let over = lines[marker - 1].get(column..column + 2);
            assert_eq!(over, Some(format!("{at:02x}").as_str()));
            assert!(lines.len() <= 6);
        }
    }

    #[test]
    fn the_end_can_be_marked() {
        assert_eq!(dump(16, 16).lines().last(), Some("            ^^"));
        assert!(dump(17, 99).contains("00000010  10"));
        assert_eq!(dump(0, 0), "  00000000\n            ^^\n");
    }
}
