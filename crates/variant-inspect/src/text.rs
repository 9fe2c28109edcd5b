//! `text` and `from-text`: values as scripts write them, and back.

use variant_io::Framing;
use variant_owned::{
    EncodeOptions, KeyRule, Numbers, ParseOptions, TextOptions, TextStyle, Variant, encode,
    from_text_with, to_text,
};
use variant_view::Dialect;

use crate::cli::{CommonArgs, FromTextArgs, TextArgs};
use crate::escape::escape;
use crate::failure::{Failure, Status};
use crate::output::{self, add_value};
use crate::terminal::Terminal;
use crate::values::each;

pub(crate) fn run(
    args: &TextArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    each(&args.file, common, terminal, |value, terminal| {
        let style = args.style.map_or(style_of(value.choice.options.dialect), TextStyle::from);
        let options = if args.engine {
            TextOptions::new(style).numbers(Numbers::Engine).sorted_keys(true)
        } else {
            TextOptions::new(style)
        };
        let read = Variant::from_document(&value.document)?;
        // As the project's own file has them.
        if let Some(name) = value.piece.name {
            let mut shown = String::new();
            escape(&mut shown, name, usize::MAX / 8);
            write!(terminal.out, "{shown}=")?;
        }
        writeln!(terminal.out, "{}", to_text(&read, &options).trim_end())?;
        Ok(Status::Fine)
    })
}

const fn style_of(dialect: Dialect) -> TextStyle {
    match dialect {
        Dialect::Godot2 | Dialect::Godot3 => TextStyle::Godot3,
        Dialect::Pandemonium3 | Dialect::Pandemonium4 | Dialect::Pandemonium5 => {
            TextStyle::Pandemonium
        }
        _ => TextStyle::Godot4,
    }
}

pub(crate) fn run_back(
    args: &FromTextArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    output::check(&args.file, &args.output)?;
    let dialect = output::dialect(common)?;
    let (name, text) = output::read_text(&args.file)?;
    let invalid = |message: String| Failure::file(Status::Invalid, format!("{name}: {message}"));
    let options = ParseOptions::new().key_rule(KeyRule::of(dialect));
    let value = from_text_with(&text, &options).map_err(|error| invalid(error.to_string()))?;
    let encoded = encode(&value, &EncodeOptions::new(dialect));
    let encoded = encoded.map_err(|error| invalid(error.to_string()))?;
    let mut bytes = Vec::new();
    add_value(&mut bytes, &encoded, args.to_framing.given().unwrap_or(Framing::Bare))?;
    output::write(&args.output, &bytes, terminal.out)?;
    Ok(Status::Fine)
}
