//! [`JsonWriter`]: the consumer that writes JSON of every form.

use std::borrow::Cow;
use std::io::{self, Write};

use variant_view::{Consumer, Document, Head, Input, Leaf, NodePathLeaf, Options, Texts};

use super::exact::Exact;
use super::losses::{LossKind, Losses};
use super::native::Native;
use super::options::{Form, WriteOptions};
use super::out::Out;
use super::plain::Plain;
use crate::leaf::path_bytes;
use crate::path::PathTracker;

/// Writes a value, received as events, as JSON in one of the three forms. O(bytes of the text).
///
/// Memory: O(depth) and the largest leaf; in the plain form also the keys of the open dictionaries.
/// [`json::write`](super::write()) feeds it a whole value.
///
/// ```
/// use variant_owned::json::{Form, JsonWriter, WriteOptions};
/// use variant_view::{ArrayHead, Consumer, Head, Input, Leaf};
///
/// let mut text = Vec::new();
/// let mut writer = JsonWriter::new(&WriteOptions::new(Form::Plain), Input::default(), &mut text);
/// writer.enter(Head::Array(ArrayHead::default()))?;
/// writer.leaf(Leaf::String(b"axe"))?;
/// writer.leaf(Leaf::Bool(true))?;
/// writer.exit()?;
/// assert!(writer.finish()?.is_empty());
/// assert_eq!(text, br#"["axe",true]"#);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct JsonWriter<'o, W: Write> {
    sheet: Sheet<W>,
    grammar: Grammar<'o>,
    /// The closing brackets of each open container.
    open: Vec<&'static [&'static str]>,
    /// The number of open containers in a key. The form omits the contents of such a key.
    skipped: usize,
}

/// The part of writing that depends on the form.
#[derive(Debug)]
enum Grammar<'o> {
    Exact(Exact<'o>),
    Native(Native<'o>),
    Plain(Plain<'o>),
}

/// Calls a method of the current form.
macro_rules! in_form {
    ($grammar:expr, $form:ident => $call:expr) => {
        match $grammar {
            Grammar::Exact($form) => $call,
            Grammar::Native($form) => $call,
            Grammar::Plain($form) => $call,
        }
    };
}

impl<'o, W: Write> JsonWriter<'o, W> {
    /// Creates a writer to `to`. `input` describes the producer's input. The exact form writes the dialect of the
    /// input, and needs it to keep bytes that the encoder would write differently.
    pub fn new(options: &WriteOptions<'o>, input: Input, to: W) -> Self {
        let grammar = match options.form {
            Form::Exact => Grammar::Exact(Exact::new(*options, input)),
            Form::Native => Grammar::Native(Native { name: options.name }),
            Form::Plain => Grammar::Plain(Plain::new(options.name)),
        };
        let sheet = Sheet {
            out: Out::new(to, options.is_pretty),
            keeps_wire: options.form == Form::Exact && input.dialect.and(input.reals).is_some(),
            offset: 0,
            end: 0,
            wire: Vec::new(),
            losses: Losses::default(),
            path: PathTracker::default(),
        };
        Self { sheet, grammar, open: Vec::new(), skipped: 0 }
    }

    /// Writes the end of the text. Returns the losses: the parts that the form cannot hold.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(mut self) -> io::Result<Losses> {
        let stands_in_object = match &self.grammar {
            Grammar::Exact(exact) => exact.has_envelope(),
            Grammar::Native(Native { name }) | Grammar::Plain(Plain { name, .. }) => name.is_some(),
        };
        if stands_in_object {
            self.sheet.out.end("}")?;
        }
        self.sheet.out.finish()?;
        Ok(self.sheet.losses)
    }

    fn lead(&mut self) -> io::Result<()> {
        in_form!(&mut self.grammar, form => form.lead(&mut self.sheet))
    }

    fn trail(&mut self) -> io::Result<()> {
        if let Grammar::Exact(_) = &self.grammar {
            Exact::trail(&mut self.sheet)?;
        }
        Ok(())
    }
}

impl<W: Write> Consumer for JsonWriter<'_, W> {
    type Error = io::Error;

    const WANTS_ORIGINS: bool = true;

    fn leaf(&mut self, leaf: Leaf<'_>) -> io::Result<()> {
        if self.skipped > 0 {
            return Ok(());
        }
        self.sheet.path.leaf(&leaf);
        self.lead()?;
        in_form!(&mut self.grammar, form => form.leaf(&mut self.sheet, &leaf))?;
        self.trail()
    }

    fn enter(&mut self, head: Head<'_>) -> io::Result<()> {
        if self.skipped > 0 {
            self.skipped = self.skipped.saturating_add(1);
            return Ok(());
        }
        self.sheet.path.enter(&head);
        self.lead()?;
        match in_form!(&mut self.grammar, form => form.enter(&mut self.sheet, &head))? {
            Some(ends) => self.open.push(ends),
            None => self.skipped = 1,
        }
        Ok(())
    }

    fn name(&mut self, name: &[u8]) -> io::Result<()> {
        if self.skipped > 0 {
            return Ok(());
        }
        self.sheet.path.name(name);
        if let Grammar::Exact(exact) = &mut self.grammar {
            exact.name(&self.sheet.wire, name);
        }
        Ok(())
    }

    fn exit(&mut self) -> io::Result<()> {
        match self.skipped {
            0 => {
                let ends = self.open.pop().unwrap_or_default();
                ends.iter().try_for_each(|end| self.sheet.out.end(end))?;
                if let Grammar::Plain(plain) = &mut self.grammar {
                    plain.exit();
                }
            }
            1 => self.skipped = 0,
            levels => {
                self.skipped = levels.saturating_sub(1);
                return Ok(());
            }
        }
        let sheet = &mut self.sheet;
        sheet.path.exit();
        sheet.losses.left(&sheet.path);
        self.trail()
    }

    fn origin(&mut self, offset: usize, bytes: &[u8]) {
        let sheet = &mut self.sheet;
        sheet.offset = offset;
        sheet.end = offset.saturating_add(bytes.len());
        if sheet.keeps_wire {
            sheet.wire.clear();
            sheet.wire.extend_from_slice(bytes);
        }
    }

    fn source(&mut self, bytes: &[u8], options: &Options) -> io::Result<()> {
        let sheet = &mut self.sheet;
        sheet.losses.find_paths(&Document::new(bytes, *options));
        let behind = bytes.get(sheet.end..).unwrap_or_default();
        if let (Grammar::Exact(_), false) = (&self.grammar, behind.is_empty()) {
            sheet.out.key("behind")?.hex(behind)?;
        }
        Ok(())
    }
}

/// The output shared by the forms, and the state of the current value.
#[derive(Debug)]
pub(super) struct Sheet<W: Write> {
    pub(super) out: Out<W>,
    keeps_wire: bool,
    /// The start and the end of the current value in the producer's input.
    offset: usize,
    end: usize,
    /// The bytes of the current value; for a container, up to its first child. Empty if bytes are not kept.
    pub(super) wire: Vec<u8>,
    losses: Losses,
    pub(super) path: PathTracker,
}

impl<W: Write> Sheet<W> {
    /// Records a loss of the current value.
    pub(super) fn lost(&mut self, kind: LossKind) {
        self.losses.add(kind, self.offset, &self.path);
    }

    /// Opens the object around a named value: its name is the only key.
    pub(super) fn begin_named(&mut self, name: Option<&[u8]>) -> io::Result<()> {
        let Some(name) = name else { return Ok(()) };
        self.out.begin("{")?;
        let text = self.lossy(name);
        self.out.key(&text)?;
        Ok(())
    }

    /// Decodes text. U+FFFD replaces invalid UTF-8, which counts as a loss.
    pub(super) fn lossy<'t>(&mut self, text: &'t [u8]) -> Cow<'t, str> {
        let lossy = String::from_utf8_lossy(text);
        if let Cow::Owned(_) = lossy {
            self.lost(LossKind::Text);
        }
        lossy
    }

    /// Writes a string with a prefix.
    pub(super) fn string(&mut self, prefix: &str, text: &[u8]) -> io::Result<()> {
        let text = self.lossy(text);
        if prefix.is_empty() {
            self.out.string(&text)
        } else {
            self.out.string(&format!("{prefix}{text}"))
        }
    }

    /// Writes an array of strings; each text that is not UTF-8 counts as a loss.
    pub(super) fn strings(&mut self, texts: Texts<'_>) -> io::Result<()> {
        self.out.begin("[")?;
        texts.iter().try_for_each(|text| self.string("", text))?;
        self.out.end("]")
    }

    /// Writes a path as the engine prints it. The path counts as at most one loss, even if several of its texts are not
    /// UTF-8.
    pub(super) fn node_path(&mut self, prefix: &str, path: &NodePathLeaf<'_>) -> io::Result<()> {
        let printed = path_bytes(path);
        self.string(prefix, &printed)
    }
}
