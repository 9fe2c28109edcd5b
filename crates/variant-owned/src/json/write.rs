//! A document as JSON, without a tree of it.

use std::io::{self, Write};

use variant_view::{Document, Event, NodePathView, Role, StrView, VariantView};

use super::error::JsonError;
use super::losses::{LossKind, Losses, Step, path};
use super::out::Out;

/// How the values of a form look.
pub(super) trait Grammar<W: Write> {
    /// Opens what stands around a value in its container, such as a pair.
    fn lead(&mut self, sheet: &mut Sheet<'_, W>, role: Role<'_>) -> io::Result<()>;

    /// A value without children.
    fn leaf(&mut self, sheet: &mut Sheet<'_, W>, view: &VariantView<'_>) -> io::Result<()>;

    /// What precedes the children of a container; gives back what comes behind them.
    fn open(
        &mut self,
        sheet: &mut Sheet<'_, W>,
        view: &VariantView<'_>,
    ) -> io::Result<&'static [&'static str]>;

    /// The end of a container has come.
    fn closed(&mut self) {}

    /// A key; if it says that, what is in it is skipped and `leaf` and `open` are not called.
    fn key(&mut self, _: &mut Sheet<'_, W>, _: &VariantView<'_>) -> io::Result<bool> {
        Ok(false)
    }

    /// Closes what `lead` has opened.
    fn trail(&mut self, sheet: &mut Sheet<'_, W>, role: Role<'_>) -> io::Result<()>;
}

/// What a grammar writes on.
pub(super) struct Sheet<'a, W: Write> {
    pub(super) out: Out<W>,
    losses: Losses,
    /// The way to the current value, itself included.
    steps: Vec<Step<'a>>,
}

impl<W: Write> Sheet<'_, W> {
    pub(super) fn lost(&mut self, kind: LossKind, offset: usize) {
        self.losses.add(kind, offset, || path(&self.steps));
    }

    /// A path as the engine prints it.
    pub(super) fn node_path(&mut self, prefix: &str, path: &NodePathView<'_>) -> io::Result<()> {
        let mut texts = path.names().chain(path.subnames()).chain(path.plain());
        if texts.any(|text| text.to_str().is_err()) {
            self.lost(LossKind::Text, path.offset());
        }
        self.out.string(&format!("{prefix}{path}"))
    }

    /// A string, in which U+FFFD stands for what is not UTF-8.
    pub(super) fn lossy(&mut self, prefix: &str, text: StrView<'_>) -> io::Result<()> {
        let lossy = text.to_str_lossy();
        if matches!(lossy, std::borrow::Cow::Owned(_)) {
            self.lost(LossKind::Text, text.offset());
        }
        if prefix.is_empty() {
            return self.out.string(&lossy);
        }
        self.out.string(&format!("{prefix}{lossy}"))
    }
}

/// Goes through a document, and lets a grammar write each value.
pub(super) fn write<W: Write>(
    document: &Document<'_>,
    mut grammar: impl Grammar<W>,
    to: W,
    is_pretty: bool,
) -> Result<Losses, JsonError> {
    let out = Out::new(to, is_pretty);
    let mut sheet = Sheet { out, losses: Losses::default(), steps: Vec::new() };
    let mut open: Vec<(&[&str], Role<'_>, Option<VariantView<'_>>)> = Vec::new();
    // The last key of the innermost container.
    let mut key = None;
    let mut walker = document.walk();
    // Set while a key is skipped.
    let mut skipped = None;
    while let Some(event) = walker.next() {
        let (node, is_container) = match event? {
            Event::Leaf(node) => (node, false),
            Event::Enter(node) => (node, true),
            Event::Exit { .. } if skipped.take().is_some() => {
                sheet.steps.pop();
                continue;
            }
            Event::Exit { .. } => {
                let Some((ends, role, own)) = open.pop() else { break };
                ends.iter().try_for_each(|end| sheet.out.end(end))?;
                grammar.closed();
                grammar.trail(&mut sheet, role)?;
                sheet.steps.pop();
                key = own;
                continue;
            }
        };
        let role = node.role();
        if matches!(role, Role::Key(_)) {
            key = Some(node.view);
        }
        sheet.steps.push((role, key));
        grammar.lead(&mut sheet, role)?;
        if matches!(role, Role::Key(_)) && grammar.key(&mut sheet, &node.view)? {
            if is_container {
                walker.skip_rest()?;
                skipped = Some(());
                continue;
            }
        } else if is_container {
            open.push((grammar.open(&mut sheet, &node.view)?, role, key.take()));
            continue;
        } else {
            grammar.leaf(&mut sheet, &node.view)?;
        }
        grammar.trail(&mut sheet, role)?;
        sheet.steps.pop();
    }
    sheet.out.finish()?;
    Ok(sheet.losses)
}
