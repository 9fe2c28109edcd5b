//! [`Target`]: the dialect and the envelope (framing, leading bytes and layers) of a file written from text or JSON.

use variant_document::Plain;
use variant_document::edit::Rivals;
use variant_io::{ByteOrder, Framing, ValuesWriter};
use variant_owned::{EncodeOptions, Precision};
use variant_view::{Dialect, Reals};

use crate::cli::TargetArgs;
use crate::envelope::Envelope;
use crate::failure::Failure;
use crate::output;
use crate::terminal::Terminal;
use crate::values::Values;

/// The dialect and the envelope (framing, leading bytes and layers) of an output file. Arguments override the file of
/// `--like`, which overrides the input.
#[derive(Debug)]
pub(crate) struct Target<'t> {
    args: &'t TargetArgs,
    dialect: Option<Dialect>,
    reals: Option<Reals>,
    like: Option<(Values, Envelope)>,
    /// The other engines that may have written the file of `--like`.
    rivals: Rivals,
}

impl<'t> Target<'t> {
    /// Reads the file of `--like`. Refuses an output that is also an input file.
    pub(crate) fn new(
        args: &'t TargetArgs,
        input: &std::path::Path,
        terminal: &mut Terminal<'_>,
    ) -> Result<Self, Failure> {
        output::check(input, &args.output)?;
        let common = terminal.common;
        let reals = common.reals.map(Reals::from);
        let mut target =
            Self { args, dialect: common.dialect(), reals, like: None, rivals: Rivals::default() };
        if let Some(path) = &args.like {
            output::check(path, &args.output)?;
            let like = Values::open(path, terminal)?;
            let options = like.choice.options;
            target.dialect = Some(options.dialect);
            target.reals = Some(options.reals);
            let envelope = Envelope::of(&like.input, like.choice).with_tail(common.tail);
            target.rivals = like.choice.rivals(&like.input, common);
            target.like = Some((like, envelope));
        }
        Ok(target)
    }

    pub(crate) fn like(&self) -> Option<&Values> {
        self.like.as_ref().map(|(values, _)| values)
    }

    /// The dialect to write. `carried` is the dialect that the input names.
    pub(crate) fn dialect(&self, carried: Option<Dialect>) -> Result<Dialect, Failure> {
        self.dialect.or(carried).ok_or_else(|| {
            let message = "the dialect to write is unknown; name it, for example --dialect godot4, or name a similar file \
                           with --like FILE";
            Failure::usage(message)
        })
    }

    /// The options to write values that were read from a text. Reals have 64 bits if they have 64 bits in the file of
    /// `--like`.
    pub(crate) fn encoding(&self) -> Result<EncodeOptions, Failure> {
        let is_double = self.like().is_some_and(|like| like.plain().has_wide_reals());
        let precision = if is_double { Precision::Double } else { Precision::AsIs };
        let options = EncodeOptions::new(self.dialect(None)?);
        Ok(options.reals(self.reals(None)).precision(precision))
    }

    /// The width of reals to write; `carried` is the width that the input names.
    pub(crate) fn reals(&self, carried: Option<Reals>) -> Reals {
        self.reals.or(carried).unwrap_or(Reals::ByFlag)
    }

    /// The envelope to write: framing, leading bytes and layers. `carried` returns the framing that the input names. It
    /// is called only if neither the arguments nor `--like` name a framing.
    pub(crate) fn envelope(
        &self,
        carried: impl FnOnce() -> Result<Option<Framing>, Failure>,
        terminal: &mut Terminal<'_>,
    ) -> Result<Envelope, Failure> {
        let framing = self.args.to_framing.given();
        if let Some((_, like)) = &self.like {
            return Ok(like.clone().with_framing(framing).plain_if(self.args.plain));
        }
        let framing = if framing.is_some() { framing } else { carried()? };
        if framing.is_none() {
            let how =
                "for a length prefix, as store_var writes it: --to-framing frames, or --like FILE";
            terminal.note(&format!("written bare, as by var_to_bytes; {how}"))?;
        }
        Ok(Envelope::new(framing.unwrap_or(Framing::Bare)))
    }

    /// Writes the file, and prints its framing, its layers, and whether names were dropped.
    pub(crate) fn write(
        &self,
        values: ValuesWriter,
        envelope: Envelope,
        have_names: bool,
        terminal: &mut Terminal<'_>,
    ) -> Result<(), Failure> {
        if let Some(like) = self.like().filter(|_| !self.rivals.is_empty()) {
            let body = values.clone().finish();
            // The dialect need not be certain if the values have the same bytes as in the file of `--like`.
            if body != like.plain().body() {
                let body = Plain::new(&body, envelope.framing(), like.choice.options);
                let checked = self.rivals.check(like.choice.options, body.pieces().flatten());
                checked.map_err(|error| Failure::edit(&like.input.name, &error))?;
            }
        }
        envelope.with_names_if(have_names).write(values, &self.args.output, terminal)
    }
}

/// The framing that fits the values: settings if a value has a name, otherwise frames for several values. `None` for
/// one value without a name.
pub(crate) fn framing_of(have_names: bool, are_several: bool) -> Option<Framing> {
    match (have_names, are_several) {
        (true, _) => Some(Framing::Settings),
        (false, true) => Some(Framing::Frames(ByteOrder::Little)),
        (false, false) => None,
    }
}
