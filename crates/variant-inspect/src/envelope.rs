//! [`Envelope`]: the framing, leading bytes and layers of a file, to be applied to other values.

use std::io;
use std::path::Path;

use variant_io::{
    ByteOrder, ECFG_MAGICS, Framing, Layer, SettingsWriter, ValuesWriter, Wrapping, settings,
};
use variant_view::{Dialect, Reals};

use crate::choice::Choice;
use crate::cli::TailArg;
use crate::failure::Failure;
use crate::open::Input;
use crate::output;
use crate::terminal::Terminal;
use variant_document::count::counted;

/// The framing, the leading bytes and the layers (compression and encryption) around the values of a file.
#[derive(Clone, Debug)]
pub(crate) struct Envelope {
    framing: Framing,
    /// A settings file without settings, with the magic bytes of the original.
    settings: Vec<u8>,
    /// The bytes before the first value.
    head: Vec<u8>,
    /// The bytes after the values.
    tail: Vec<u8>,
    wrapping: Option<Wrapping>,
    origin: Origin,
}

/// Facts about the file from which an envelope was made, for the report of changed and dropped parts.
#[derive(Clone, Debug, Default)]
struct Origin {
    /// The framing of the original file; none if there is no original.
    framing: Option<Framing>,
    /// The widths of reals in the original and in the output, if one differs from the engines' default.
    reals: Option<(Reals, Reals)>,
    dropped: Vec<String>,
    /// A description of the bytes after the end of the compressed or encrypted data; none if there are none.
    behind_layers: Option<String>,
}

impl Envelope {
    /// An envelope with a framing, and without layers, leading bytes and trailing bytes.
    pub(crate) fn new(framing: Framing) -> Self {
        Self {
            framing,
            settings: Vec::new(),
            head: Vec::new(),
            tail: Vec::new(),
            wrapping: None,
            origin: Origin::default(),
        }
    }

    /// The envelope of a file that is read with `choice`.
    pub(crate) fn of(input: &Input, choice: Choice) -> Self {
        let framing = choice.framing;
        let wrapping = input.source.opened.wrapping();
        let settings = settings(&input.source);
        Self {
            framing,
            settings: settings.map_or_else(|_| Vec::new(), |all| [all.magic(), [0; 4]].concat()),
            head: input.source.head().to_vec(),
            tail: input.source.plain(choice).after().to_vec(),
            wrapping: (!wrapping.is_empty()).then(|| wrapping.clone()),
            origin: Origin {
                framing: Some(framing),
                behind_layers: input.source.behind_layers(),
                ..Origin::default()
            },
        }
    }

    /// Replaces the bytes after the values by `tail`.
    pub(crate) fn before(self, tail: &[u8]) -> Self {
        Self { tail: tail.to_vec(), ..self }
    }

    /// Drops the bytes after the values and after the layers if `tail` is [`TailArg::Drop`].
    pub(crate) fn with_tail(mut self, tail: TailArg) -> Self {
        if tail == TailArg::Drop {
            self.origin.dropped.extend(self.told_tail());
            self.origin.dropped.extend(self.origin.behind_layers.take());
            self.tail = Vec::new();
            self.wrapping = self.wrapping.map(|wrapping| wrapping.keep_tails(false));
        }
        self
    }

    /// Replaces the framing, if one is given.
    pub(crate) fn with_framing(mut self, framing: Option<Framing>) -> Self {
        self.framing = framing.unwrap_or(self.framing);
        self
    }

    /// Drops compression and encryption if `is_plain`.
    pub(crate) fn plain_if(mut self, is_plain: bool) -> Self {
        if is_plain && let Some(wrapping) = self.wrapping.take() {
            self.origin.dropped.extend(self.origin.behind_layers.take());
            self.origin.dropped.extend(wrapping.layers().iter().map(describe_dropped));
        }
        self
    }

    /// Records that names are dropped, if values have names and the framing cannot keep names.
    pub(crate) fn with_names_if(mut self, have_names: bool) -> Self {
        if have_names && !self.keeps_names() {
            self.origin.dropped.push("the names of the settings".to_owned());
        }
        self
    }

    pub(crate) fn keeps_names(&self) -> bool {
        self.framing == Framing::Settings
    }

    /// Records the width of reals in the original and the output.
    pub(crate) fn with_reals(mut self, was: Reals, is: Reals) -> Self {
        self.origin.reals = [was, is].contains(&Reals::Always64).then_some((was, is));
        self
    }

    pub(crate) const fn framing(&self) -> Framing {
        self.framing
    }

    /// A writer for values of `dialect` in this framing.
    pub(crate) fn writer(&self, dialect: Dialect) -> ValuesWriter {
        match self.framing {
            // Without an original file, settings get the magic of their engine.
            Framing::Settings if self.settings.is_empty() && dialect == Dialect::Pandemonium5 => {
                let first = SettingsWriter::new().magic(ECFG_MAGICS[1]).finish();
                self.framing.values(&first).writer(dialect)
            }
            Framing::Settings => self.framing.values(&self.settings).writer(dialect),
            other => other.writer(),
        }
    }

    /// Writes the file, and prints which parts were kept, changed and dropped.
    pub(crate) fn write(
        &self,
        values: ValuesWriter,
        output: &Path,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        let file = self.seal(values.finish())?;
        output::write(output, &file, terminal)?;
        self.tell(terminal).map_err(Failure::from)
    }

    fn seal(&self, values: Vec<u8>) -> Result<Vec<u8>, Failure> {
        let is_alone = self.head.is_empty() && self.tail.is_empty();
        let plain = if is_alone { values } else { [&self.head[..], &values, &self.tail].concat() };
        let Some(wrapping) = &self.wrapping else { return Ok(plain) };
        wrapping.wrap(&plain).map_err(|error| {
            Failure::invalid(format!(
                "{error}; --plain writes the file without compression and encryption"
            ))
        })
    }

    fn tell(&self, terminal: &mut Terminal<'_>) -> io::Result<()> {
        let layers = self.wrapping.iter().flat_map(Wrapping::layers);
        let kept = self.told_framing().into_iter().chain(told(&self.head, "before"));
        let kept = kept.chain(self.told_tail()).chain(self.kept_reals());
        let kept = kept.chain(layers.map(describe_layer)).chain(self.origin.behind_layers.clone());
        let kept: Vec<_> = kept.collect();
        let kept_as = if self.origin.framing.is_some() { "kept" } else { "written" };
        for (what, list) in
            [(kept_as, kept), ("changed", self.changed()), ("dropped", self.origin.dropped.clone())]
        {
            if !list.is_empty() {
                terminal.note(&format!("{what}: {}", list.join(", ")))?;
            }
        }
        if !self.tail.is_empty() || self.origin.behind_layers.is_some() {
            terminal.note(CHECKSUM)?;
        }
        Ok(())
    }

    /// The framing, unless it is bare or reported as a change.
    fn told_framing(&self) -> Option<String> {
        let is_told = self.framing != Framing::Bare
            && self.origin.framing.is_none_or(|origin| origin == self.framing);
        is_told.then(|| describe_framing(self.framing).to_owned())
    }

    fn told_tail(&self) -> Option<String> {
        told(&self.tail, "after")
    }

    fn changed(&self) -> Vec<String> {
        let old = self.origin.framing.filter(|old| *old != self.framing).map(describe_framing);
        let framing = old.map(|old| format!("{old} to {}", describe_framing(self.framing)));
        let reals = self.origin.reals.filter(|(was, is)| was != is);
        let reals = reals.map(|(was, is)| format!("reals {was} to {is}"));
        framing.into_iter().chain(reals).collect()
    }

    fn kept_reals(&self) -> Option<String> {
        let (_, is) = self.origin.reals.filter(|(was, is)| was == is)?;
        Some(format!("reals {is}"))
    }
}

/// The note that values were changed, but not the bytes after them.
pub(crate) const CHECKSUM: &str = "the bytes after the values are as they were; if they are a checksum, it has to be computed again";

/// Describes the bytes before or after the values, if there are any.
fn told(bytes: &[u8], place: &str) -> Option<String> {
    let len = bytes.len();
    (len > 0).then(|| format!("{} {place} the values", counted(len, "byte")))
}

const fn describe_framing(framing: Framing) -> &'static str {
    match framing {
        Framing::Bare => "one bare value",
        Framing::Frames(ByteOrder::Little) => "frames",
        Framing::Frames(ByteOrder::Big) => "big-endian frames",
        Framing::Settings => "settings",
        Framing::Sequence(_) => "values one after another",
    }
}

fn describe_layer(layer: &Layer) -> String {
    match layer {
        Layer::Encrypted(header) => {
            format!("encrypted with the same key ({})", header.encryption)
        }
        Layer::Compressed(header) => {
            format!("{} in blocks of {}", header.compression, counted(header.block_size, "byte"))
        }
        other => other.to_string(),
    }
}

fn describe_dropped(layer: &Layer) -> String {
    match layer {
        Layer::Encrypted(header) => format!("encryption ({})", header.encryption),
        other => describe_layer(other),
    }
}
