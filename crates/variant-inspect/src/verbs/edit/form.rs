//! [`Form`]: the text that is edited.

use variant_owned::{EncodeOptions, TextOptions, TextStyle};
use variant_view::Options;

use crate::failure::{Failure, Status};
use crate::terminal::Terminal;
use crate::values::Values;
use crate::verbs::from::{self, Named};
use crate::verbs::{json, text};

#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// Literals of a script.
    Text,
    /// Exact JSON.
    Json,
}

impl Form {
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Text => ".txt",
            Self::Json => ".json",
        }
    }

    /// Prints the values of a file as text.
    pub(super) fn print(self, file: &Values) -> Result<String, Failure> {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut terminal = Terminal::of(&mut out, &mut err);
        let status = match self {
            Self::Text => {
                let options = TextOptions::new(TextStyle::from(file.choice.options.dialect));
                text::print_all(file, options, false, &mut terminal)?
            }
            Self::Json => json::print_exact(file, &mut terminal)?,
        };
        let invalid = |what: &str| Failure::invalid(format!("{}: {what}", file.input.name));
        if status != Status::Fine {
            return Err(invalid(&format!(
                "damaged, see `variant-inspect check`; {}",
                "`salvage` writes what is sound"
            )));
        }
        String::from_utf8(out).map_err(|_| invalid("its text is not UTF-8; edit --json holds it"))
    }

    pub(super) fn read(self, edited: &str, options: Options) -> Result<Vec<Named>, String> {
        let encoding = EncodeOptions::new(options.dialect).reals(options.reals);
        match self {
            Self::Text => from::parse(edited, encoding),
            Self::Json => from::parse_exact(edited, encoding),
        }
    }
}
