//! [`Palette`]: the colours of the output, or none.

use anstyle::{AnsiColor, Style};

use crate::cli::SeverityArg;

/// A style for each role of text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Palette {
    /// Keys, names and indices.
    pub(crate) key: Style,
    /// Text values.
    pub(crate) text: Style,
    /// Other leaves.
    pub(crate) value: Style,
    pub(crate) container: Style,
    /// Text that is not data: offsets, counts of omitted values.
    pub(crate) note: Style,
    pub(crate) good: Style,
    pub(crate) error: Style,
}

impl Palette {
    pub(crate) const fn new(is_coloured: bool) -> Self {
        let plain = Style::new();
        if !is_coloured {
            let (key, text, value, container) = (plain, plain, plain, plain);
            return Self { key, text, value, container, note: plain, good: plain, error: plain };
        }
        Self {
            key: AnsiColor::Cyan.on_default(),
            text: AnsiColor::Green.on_default(),
            value: AnsiColor::Yellow.on_default(),
            container: plain.bold(),
            note: plain.dimmed(),
            good: AnsiColor::Green.on_default(),
            error: AnsiColor::Red.on_default().bold(),
        }
    }

    /// The style of a finding.
    pub(crate) const fn of(self, severity: SeverityArg) -> Style {
        match severity {
            SeverityArg::Info => self.note,
            SeverityArg::Warning => self.key,
            SeverityArg::Error => self.error,
        }
    }
}
