//! Draws a [`State`].

use std::fmt::Write as _;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};
use variant_view::{VariantView, short_path};

use super::hexpane;
use super::keys::KEYS;
use super::state::{Mode, Purpose, State};
use variant_document::count::{counted, grouped};
use variant_document::escape::neutral;
use variant_document::literal;
use variant_document::tree::Entry;
use variant_document::tree::{Child, Spot};

/// The longest byte array, in bytes, that is examined for a value inside it. Every drawing examines the array again.
const MOST_EXAMINED: usize = 1 << 20;

/// The style of each part of the screen.
#[derive(Clone, Copy, Debug)]
pub(in crate::verbs) struct Theme {
    is_coloured: bool,
}

impl Theme {
    pub(in crate::verbs) const fn new(is_coloured: bool) -> Self {
        Self { is_coloured }
    }

    fn colour(self, colour: Color) -> Style {
        if self.is_coloured { Style::new().fg(colour) } else { Style::new() }
    }

    pub(in crate::verbs) fn key(self) -> Style {
        self.colour(Color::Cyan)
    }

    pub(in crate::verbs) fn error(self) -> Style {
        self.colour(Color::Red).add_modifier(Modifier::BOLD)
    }

    pub(in crate::verbs) fn changed(self) -> Style {
        self.colour(Color::Magenta).add_modifier(Modifier::BOLD)
    }

    /// The style of the selected row, and of the bytes of its value.
    pub(in crate::verbs) const fn own() -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    pub(in crate::verbs) const fn bar() -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    fn value(self, view: &VariantView<'_>) -> Style {
        match view {
            VariantView::String(_) | VariantView::StringName(_) | VariantView::NodePath(_) => {
                self.colour(Color::Green)
            }
            VariantView::Object(_)
            | VariantView::Dictionary(_)
            | VariantView::Array(_)
            | VariantView::TypedArray(_)
            | VariantView::PackedTypedArray(_) => Style::new().add_modifier(Modifier::BOLD),
            _ => self.colour(Color::Yellow),
        }
    }
}

/// Draws the whole screen. Reads only the parts of the file that the rows on the screen show.
pub(super) fn draw(frame: &mut Frame<'_>, state: &mut State<'_>, theme: Theme) {
    state.fit(frame.area());
    let areas = state.areas;
    frame.render_widget(path(state), areas.path);
    let rows: Vec<_> = state.visible();
    for (way, y) in rows.iter().zip(areas.rows.y..) {
        let line = row(state, way, theme);
        let is_selected = way == state.at();
        let style = if is_selected { Theme::own() } else { Style::new() };
        let area = Rect { y, height: 1, ..areas.rows };
        frame.render_widget(Paragraph::new(line).style(style), area);
    }
    if areas.hex.height > 0 {
        hex(frame, state);
    }
    foot(frame, state, theme);
    if let Mode::Help(from) = state.mode {
        help(frame, from, theme);
    }
}

/// The line at the top: the file, the filter, and the path of the selected value.
fn path(state: &mut State<'_>) -> Line<'static> {
    let (_, path) = state.path();
    let at = state.at().to_vec();
    let called = state.rows().chain(&at).into_iter().next().map(|child| child.heading());
    let called = called.filter(|_| state.filter().is_none()).unwrap_or_default();
    let mut text = format!("{}  {called}{}", state.file().name, neutral(&short_path(&path)));
    if let Some(filter) = state.filter() {
        let _ = write!(text, "  & {}", neutral(filter));
    }
    if !state.changes.all.is_empty() {
        let _ = write!(text, "  [{}]", counted(state.changes.all.len(), "change"));
    }
    Line::styled(text, Theme::bar())
}

fn row(state: &mut State<'_>, way: &[usize], theme: Theme) -> Line<'static> {
    let indent = " ".repeat(state.areas.indent(way.len()).into());
    let is_open = state.rows().is_open(way);
    let entry = state.rows().entry(way);
    match entry {
        None => Line::default(),
        Some(Entry::Damage(why)) => Line::from(vec![Span::raw(indent + "  "), damage(&why, theme)]),
        Some(Entry::Child(child)) => {
            let mut spans = vec![Span::raw(indent), Span::raw(marker(&child, is_open))];
            spans.push(Span::styled(child.heading(), theme.key()));
            spans.extend(value(state, &child, theme));
            Line::from(spans)
        }
    }
}

fn damage(why: &str, theme: Theme) -> Span<'static> {
    Span::styled(format!("damaged: {}", neutral(why)), theme.error())
}

fn marker(child: &Child<'_>, is_open: bool) -> &'static str {
    let has_items = || {
        child.spot.head().is_ok_and(|(view, items)| {
            items.is_some_and(|items| items > 0)
                || view.elements().is_some_and(|elements| !elements.is_empty())
        })
    };
    match is_open {
        true => "\u{25be} ",
        false if child.wide_key().is_some() || has_items() || inside(&child.spot).is_some() => {
            "\u{25b8} "
        }
        false => "  ",
    }
}

/// Describes the value inside a byte array.
fn inside(spot: &Spot<'_>) -> Option<String> {
    let view = spot.view().ok()?;
    let VariantView::PackedByteArray(bytes) = view else { return None };
    let is_short = bytes.len() <= MOST_EXAMINED;
    spot.nested().filter(|_| is_short).map(|(_, what)| what)
}

fn value(state: &State<'_>, child: &Child<'_>, theme: Theme) -> Vec<Span<'static>> {
    if let Some(literal) = state.changes.literal_at(child.spot.start) {
        return vec![Span::styled(neutral(literal), theme.changed()), Span::raw(" (changed)")];
    }
    let view = match child.spot.view() {
        Ok(view) => view,
        Err(error) => return vec![damage(&error.to_string(), theme)],
    };
    let mut text = String::new();
    literal::write(&mut text, &view);
    let mut spans = vec![Span::styled(text, theme.value(&view))];
    spans.extend(inside(&child.spot).map(|what| Span::raw(format!(" holds {what}"))));
    spans
}

fn hex(frame: &mut Frame<'_>, state: &mut State<'_>) {
    let area = state.areas.hex;
    let Some(child) = state.selected() else { return };
    let own = (child.spot.start, child.spot.head_len());
    let block = Block::new().borders(ratatui::widgets::Borders::TOP);
    let inner = block.inner(area);
    let size = (inner.width, inner.height);
    let lines = hexpane::lines(state.file().plain.bytes, own, size, Theme::own());
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

/// Draws the line at the bottom: typed text, a message, or the selected value.
fn foot(frame: &mut Frame<'_>, state: &mut State<'_>, theme: Theme) {
    let area = state.areas.foot;
    let (prompt, typed) = match &state.mode {
        Mode::Line(purpose, line) => (prompt(purpose), Some(line.shown())),
        Mode::Mark => ("mark with the letter: ", None),
        Mode::Jump => ("go to the mark: ", None),
        Mode::Leave => ("unwritten changes; quit? y: quit, w: write, other keys: stay", None),
        Mode::Rows | Mode::Help(_) => ("", None),
    };
    let error = state.message.as_ref().map(|message| {
        let style = if message.is_error { theme.error() } else { Style::new() };
        Span::styled(neutral(&message.text), style)
    });
    let Some([before, after]) = typed else {
        let line = match error {
            Some(message) => Line::from(message),
            None if prompt.is_empty() => Line::raw(status(state)),
            None => Line::styled(prompt, Theme::bar()),
        };
        return frame.render_widget(Paragraph::new(line), area);
    };
    let mut spans = vec![Span::styled(prompt, Theme::bar()), Span::raw(before)];
    let column = u16::try_from(Line::from(spans.clone()).width()).unwrap_or(u16::MAX);
    spans.push(Span::raw(after));
    if let Some(error) = error {
        spans.extend([Span::raw("  "), error]);
    }
    // A line that is longer than the screen is scrolled, so that the cursor stays visible.
    let hidden = column.saturating_sub(area.width.saturating_sub(1));
    frame.render_widget(Paragraph::new(Line::from(spans)).scroll((0, hidden)), area);
    if area.height > 0 {
        frame.set_cursor_position((area.x.saturating_add(column.saturating_sub(hidden)), area.y));
    }
}

const fn prompt(purpose: &Purpose) -> &'static str {
    match purpose {
        Purpose::Search(_) => "/",
        Purpose::Filter => "path: ",
        Purpose::Edit => "value: ",
    }
}

/// Kind, offset and size of the selected value.
fn status(state: &mut State<'_>) -> String {
    if state.is_busy() {
        return "searching; esc ends it".to_owned();
    }
    let Some(child) = state.selected() else { return "the rest cannot be read  ? help".to_owned() };
    let Ok((view, items)) = child.spot.head() else { return "damaged  ? help".to_owned() };
    let start = grouped(child.spot.start);
    let size = match items {
        None => format!(", {}", counted(child.spot.head_len(), "byte")),
        Some(_) => String::new(),
    };
    format!("{} at byte {start}{size}  ? help", view.kind())
}

/// Draws the help over the other parts of the screen.
fn help(frame: &mut Frame<'_>, from: usize, theme: Theme) {
    let area = frame.area();
    let width = area.width.min(74);
    let lines: Vec<_> = KEYS
        .iter()
        .skip(from)
        .map(|binding| {
            let [keys, does] = binding.help;
            Line::from(vec![Span::styled(format!("{keys:<11}"), theme.key()), Span::raw(does)])
        })
        .collect();
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2).min(area.height);
    let x = area.x.saturating_add(area.width.saturating_sub(width) / 2);
    let area = Rect { x, width, height, ..area };
    frame.render_widget(Clear, area);
    let block = Block::bordered().title("keys (j and k scroll, any other key closes)");
    frame.render_widget(Paragraph::new(lines).block(block), area);
}
