//! Draws a [`State`].

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::keys::KEYS;
use super::state::{Mode, Pane, Purpose, Role, State};
use crate::verbs::browse::draw::Theme;
use variant_document::escape::neutral;

/// The width of the help, in columns.
const HELP: u16 = 64;

/// Draws the whole screen.
pub(super) fn draw(frame: &mut Frame<'_>, state: &mut State, theme: Theme) {
    let [upper, log, foot] =
        Layout::vertical([Constraint::Percentage(60), Constraint::Min(1), Constraint::Length(1)])
            .areas(frame.area());
    let halves = [Constraint::Percentage(45), Constraint::Percentage(55)];
    let [tree, details] = Layout::horizontal(halves).areas(upper);
    for (pane, area) in [(Pane::Tree, tree), (Pane::Properties, details), (Pane::Log, log)] {
        self::pane(frame, state, pane, area, theme);
    }
    self::foot(frame, state, foot, theme);
    if let Mode::Help(from) = state.mode {
        help(frame, from, theme);
    }
}

/// Draws a part: a frame with a title, and the rows that fit.
fn pane(frame: &mut Frame<'_>, state: &mut State, pane: Pane, area: Rect, theme: Theme) {
    let is_focused = state.pane == pane;
    let title =
        Span::styled(title(state, pane), if is_focused { Theme::bar() } else { Style::new() });
    let block = Block::bordered().title(title);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let (count, height) = (state.count(pane), usize::from(inner.height));
    if is_focused {
        state.page = height.max(1);
    }
    state.rows_mut(pane).fit(count, height);
    let (at, top) = (state.rows(pane).at, state.rows(pane).top);
    let rows = rows(state, pane, top, height, theme);
    for ((number, line), y) in (top..).zip(rows).zip(inner.y..) {
        let is_selected = is_focused && number == at;
        let style = if is_selected { Theme::own() } else { Style::new() };
        let area = Rect { y, height: 1, ..inner };
        frame.render_widget(Paragraph::new(line).style(style), area);
    }
}

fn title(state: &State, pane: Pane) -> String {
    match pane {
        Pane::Tree => format!("tree ({})", state.nodes.all.len()),
        Pane::Properties => match (&state.stopped, &state.object) {
            (Some(reason), _) => format!("stopped: {}", neutral(reason)),
            (None, Some(object)) => format!("{} #{}", neutral(&object.class), object.id),
            (None, None) => "properties".to_owned(),
        },
        Pane::Log => "log".to_owned(),
    }
}

/// The rows of a part that are on the screen.
fn rows(state: &State, pane: Pane, top: usize, height: usize, theme: Theme) -> Vec<Line<'static>> {
    let of_role = |(role, text): (Role, String)| Line::styled(neutral(&text), style(role, theme));
    match pane {
        Pane::Tree => {
            let nodes = state.tree().into_iter().skip(top).take(height);
            nodes
                .map(|node| {
                    let indent = usize::try_from(node.depth.min(16)).unwrap_or(0).saturating_mul(2);
                    let mark = if state.is_folded(node) { "+ " } else { "" };
                    let [name, class] = [&node.name, &node.class].map(|text| neutral(text));
                    Line::from(vec![
                        Span::raw(format!("{}{mark}", " ".repeat(indent))),
                        Span::styled(name, theme.key()),
                        Span::raw(format!(" {class}")),
                    ])
                })
                .collect()
        }
        Pane::Properties => {
            state.details.iter().skip(top).take(height).cloned().map(of_role).collect()
        }
        Pane::Log => state.log.iter().skip(top).take(height).cloned().map(of_role).collect(),
    }
}

fn style(role: Role, theme: Theme) -> Style {
    match role {
        Role::Plain => Style::new(),
        Role::Heading => Theme::bar(),
        Role::Note => theme.key(),
        Role::Error => theme.error(),
    }
}

/// Draws the line at the bottom: typed text, a message, or the state of the game.
fn foot(frame: &mut Frame<'_>, state: &State, area: Rect, theme: Theme) {
    let Mode::Line(purpose, line) = &state.mode else {
        let (role, text) = state.message.clone().unwrap_or_else(|| (Role::Plain, status(state)));
        let line = Line::styled(neutral(&text), style(role, theme));
        return frame.render_widget(Paragraph::new(line), area);
    };
    let [before, after] = line.shown();
    let spans = vec![Span::styled(prompt(purpose), Theme::bar()), Span::raw(before)];
    let column = u16::try_from(Line::from(spans.clone()).width()).unwrap_or(u16::MAX);
    let spans: Vec<_> = spans.into_iter().chain([Span::raw(after)]).collect();
    // A line that is longer than the screen is scrolled, so that the cursor stays visible.
    let hidden = column.saturating_sub(area.width.saturating_sub(1));
    frame.render_widget(Paragraph::new(Line::from(spans)).scroll((0, hidden)), area);
    frame.set_cursor_position((area.x.saturating_add(column.saturating_sub(hidden)), area.y));
}

fn prompt(purpose: &Purpose) -> String {
    match purpose {
        Purpose::Search => "/".to_owned(),
        Purpose::Breakpoint => "breakpoint FILE:LINE: ".to_owned(),
        Purpose::Value(name) => format!("{}: ", neutral(name)),
    }
}

fn status(state: &State) -> String {
    match &state.stopped {
        _ if state.has_ended => "the game has ended  q quits".to_owned(),
        Some(_) => "stopped  s step, o over, c continue  ? help".to_owned(),
        None => "running  p stop, b breakpoint  ? help".to_owned(),
    }
}

/// Draws the help over the other parts.
fn help(frame: &mut Frame<'_>, from: usize, theme: Theme) {
    let area = frame.area();
    let lines = KEYS.iter().skip(from).map(|binding| {
        let [keys, does] = binding.help;
        Line::from(vec![Span::styled(format!("{keys:<11}"), theme.key()), Span::raw(does)])
    });
    let lines: Vec<_> = lines.collect();
    let height = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_add(2).min(area.height);
    let width = HELP.min(area.width);
    let x = area.x.saturating_add(area.width.saturating_sub(width) / 2);
    let area = Rect { x, width, height, ..area };
    frame.render_widget(Clear, area);
    let block = Block::bordered().title("keys (j and k scroll, any other key closes)");
    frame.render_widget(Paragraph::new(lines).block(block), area);
}
