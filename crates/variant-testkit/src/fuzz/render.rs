//! Fuzz target `render`.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{Seek as _, Write as _};
use std::path::Path;

use clap::{Command, FromArgMatches as _, Subcommand as _, ValueEnum};
use tempfile::NamedTempFile;
use variant_inspect::{
    AsArg, CommonArgs, CompressArg, EncryptArg, FramingArg, SalvageArgs, SourceArg, Terminal, Verb,
    run,
};
use variant_io::Key;

use super::choice::dialect;

thread_local! {
    /// The inspected file. It has the same name each time.
    static FILE: RefCell<NamedTempFile> =
        RefCell::new(NamedTempFile::new().expect("a temporary file"));
    /// The file of steps for `migrate`.
    static STEPS: RefCell<NamedTempFile> = RefCell::new(steps().expect("a temporary file"));
    /// The parser of command lines.
    static COMMAND: RefCell<Command> =
        RefCell::new(Verb::augment_subcommands(Command::new("").no_binary_name(true)));
}

/// Checks each verb of `variant-inspect` with any file. The status must not report an error of reading or writing. The
/// output must not be empty, and must not move the cursor of a terminal.
pub fn check_render(data: &[u8]) {
    let Some((&[choice, how], bytes)) = data.split_first_chunk() else { return };
    FILE.with_borrow_mut(|file| {
        write(file, bytes).expect("to write a temporary file");
        let common = CommonArgs {
            dialect: (how & 1 != 0).then(|| dialect(how >> 2)),
            framing: if how & 2 != 0 { FramingArg::Bare } else { FramingArg::default() },
            skip: u64::from(how & 0x60 == 0x60),
            no_mmap: true,
            // Some of the seeds are encrypted with this password.
            key: (how & 0x80 == 0).then(|| Key::from_password("hunter2")),
            max_unpacked: 1 << 20,
            ..CommonArgs::default()
        };
        render(&verb(choice, how, file.path()), &common);
    });
}

/// Steps that can be made in many values. Most values lack a version, so the steps have a default version.
const STEPS_TEXT: &str = r#"
version = "n"
default = 1
frame = "all"

[[migration]]
from = 1
to = 2
steps = [
  { delete = "..a", optional = true },
  { rename = "..b", to = "a", optional = true },
  { map = "*[*]", optional = true, steps = [{ wrap = "(root)", key = "a" }] },
  { retype = "[*]", to = "String", rule = "text", optional = true },
  { default = "*.a", value = "[1]" },
]
"#;

fn steps() -> std::io::Result<NamedTempFile> {
    let mut file = NamedTempFile::new()?;
    write(&mut file, STEPS_TEXT.as_bytes())?;
    Ok(file)
}

fn write(file: &mut NamedTempFile, bytes: &[u8]) -> std::io::Result<()> {
    file.as_file().set_len(0)?;
    file.rewind()?;
    file.write_all(bytes)
}

fn render(verb: &Verb, common: &CommonArgs) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut terminal = Terminal::of(&mut out, &mut err);
    let status = run(verb, common, &mut terminal);
    assert!(matches!(status, 0..=2 | 4), "{verb:?}: {status}, {}", String::from_utf8_lossy(&err));
    // As with grep, status 1 without output means that nothing matches.
    let is_answer = status == 0 || status == 1 && matches!(verb, Verb::Grep(_));
    assert!(is_answer || !(out.is_empty() && err.is_empty()), "{verb:?}: {status}, and no word");
    let is_binary = matches!(
        verb,
        Verb::Convert(_)
            | Verb::From(_)
            | Verb::Unwrap(_)
            | Verb::Wrap(_)
            | Verb::Salvage(SalvageArgs { output: Some(_), .. })
            | Verb::Get(_)
            | Verb::Set(_)
            | Verb::Insert(_)
            | Verb::Delete(_)
            | Verb::RenameKey(_)
            | Verb::Merge(_)
            | Verb::Migrate(_)
    );
    for stream in [&err, &out].into_iter().take(if is_binary { 1 } else { 2 }) {
        let text = str::from_utf8(stream).expect("text");
        // Literals of scripts hold line breaks and tabs unescaped.
        let is_literal = matches!(verb, Verb::Text(_));
        let is_fine = |c: char| !c.is_control() || c == '\n' || c == '\t' || is_literal;
        assert!(text.chars().all(is_fine), "{verb:?}: {text:?}");
    }
}

/// The command that two bytes pick, with its options.
fn verb(choice: u8, how: u8, file: &Path) -> Verb {
    let (line, more) = (line(choice, how), choice >> 4);
    // In a command that changes values, `how` also picks the literal.
    let place = if choice % 28 == 23 { how / 5 } else { how };
    let word = |word: &str| match word {
        "FILE" => file.into(),
        "STEPS" => STEPS.with_borrow(|steps| steps.path().into()),
        "PATH" => path(place).into(),
        "OTHER" => path(more).into(),
        "ELEMENT" => [path(place), "[+]"].concat().into(),
        "FIELD" => [path(place), ".new"].concat().into(),
        "LITERAL" => one_of(&LITERALS, how).into(),
        word => OsString::from(word),
    };
    let parsed = COMMAND.with_borrow_mut(|command| {
        let matches = command.try_get_matches_from_mut(line.split_whitespace().map(word));
        matches.and_then(|matches| Verb::from_arg_matches(&matches))
    });
    parsed.unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// A command line. [`verb`] replaces placeholders. Results go to standard output.
fn line(choice: u8, how: u8) -> String {
    let more = choice >> 4;
    let is_high = more >= 8;
    let json = given(is_high, "--json");
    match choice % 28 {
        0 => "tree FILE".to_owned(),
        1 => format!("tree FILE --depth {more} --limit 2 --offsets --nested"),
        2 => "check FILE -j 1 --limit 10".to_owned(),
        3 => "check FILE -j 2 --limit 10 --json --profile canonical --limits server".to_owned(),
        4 => format!("detect FILE -j 1 --limit 10 {json}"),
        5 => format!("convert FILE -o - --to {} {}", dialect(more), given(is_high, "--strict")),
        6 => format!("json FILE {} {}", form(more), given(is_high, "--pretty")),
        7 => format!("text FILE {}", given(is_high, "--engine")),
        8 => format!("from FILE -o - {}", given(is_high, "--to-framing frames")),
        9 => format!("from FILE -o - {}", option::<SourceArg>("--form", more % 6 + 1)),
        10 => "from FILE -o - --form literals --to-framing frames".to_owned(),
        11 => match option::<CompressArg>("--raw", more % 5) {
            raw if raw.is_empty() => "unwrap FILE".to_owned(),
            raw => format!("unwrap FILE {raw} --size {}", u32::from(how) << 4),
        },
        12 => {
            let compress = match option::<CompressArg>("--compress", more % 5) {
                compress if compress.is_empty() => compress,
                // Blocks are not tiny, since the compressor has a state of many thousand bytes for each block.
                compress => format!("{compress} --block-size {}", 64 << (how & 0x0f)),
            };
            let encrypt = option::<EncryptArg>("--encrypt", (how >> 4) % 3);
            format!("wrap FILE -o - {compress} {encrypt}")
        }
        13 => {
            let forms = ["", "--json", "--sarif", "--junit", "--markdown"];
            let form = forms.get(usize::from(more % 5)).copied().unwrap_or_default();
            format!("check FILE -j 1 --all {form} --fail-on warning --limit {more}")
        }
        14 => {
            let plain = given(more & 1 == 1, "--plain");
            let output = if is_high { format!("-o - {plain}") } else { String::new() };
            format!("salvage FILE {output} {}", given(more & 2 == 2, "--json"))
        }
        15 => format!("hex FILE --offset {} --rows 3 {json}", u16::from_be_bytes([more, how])),
        17..=27 => look_or_change(choice, how),
        _ if is_high => {
            format!("detect FILE -j 1 --scan --limit 10 {}", given(more & 1 == 0, "--json"))
        }
        _ => "check FILE -j 1 --limit 10 --limits server".to_owned(),
    }
}

/// The command lines that search, change, compare and summarize.
fn look_or_change(choice: u8, how: u8) -> String {
    let more = choice >> 4;
    let is_high = more >= 8;
    let json = given(is_high, "--json");
    let frame = given(more & 3 == 3, "--frame 1");
    let written = [given(more & 1 == 1, "-n "), given(more & 2 == 2, "--plain")].concat();
    let written = format!("-o - {written}");
    match choice % 28 {
        17 => {
            let shown = option::<AsArg>("--as", more % 5);
            let limit = given(is_high, "--limit 3");
            format!("get FILE PATH OTHER {frame} {shown} {limit} {}", form(how))
        }
        18 => format!("keys FILE PATH {frame}"),
        19 => format!("flatten FILE {} {frame}", given(is_high, "--at PATH")),
        20 => {
            let pattern = one_of(&["a", "^n", "\\d", "x|e$"], how);
            let how_matched = [given(more & 1 == 1, "-F "), given(more & 2 == 2, "-i")].concat();
            let printed = one_of(&["", "-c", "-l", ""], more / 4);
            let searched = one_of(&["", "--keys", "--values", ""], how / 4);
            let json = given(how >= 128, "--json");
            format!("grep {pattern} FILE -j 1 {how_matched} {printed} {searched} {json}")
        }
        21 if is_high => format!("hex FILE --offset {how} --rows 3"),
        21 => format!("hex FILE PATH {frame} --rows 3"),
        22 => "from FILE -o - --form lines --to-framing frames".to_owned(),
        23 => match more % 4 {
            0 => format!("set FILE PATH LITERAL {written}"),
            1 if how >= 128 => format!("insert FILE ELEMENT LITERAL {written}"),
            1 => format!("insert FILE FIELD LITERAL {written}"),
            2 => format!("delete FILE PATH {written}"),
            _ => format!("rename-key FILE PATH new {written}"),
        },
        24 if how & 4 != 0 => {
            format!("merge FILE FILE --other-dialect {} {written}", dialect(how >> 3))
        }
        24 if how & 8 != 0 => format!("migrate STEPS FILE -j 1 {written}"),
        24 => format!("merge FILE FILE {written}"),
        25 => {
            let new = if more & 1 == 0 {
                format!("--new-dialect {}", dialect(how))
            } else {
                String::new()
            };
            let relative = given(more & 2 == 0, "--relative 0.5");
            let loose = given(more & 4 == 0, "--loose");
            let (by, json) = (given(is_high, "--by id"), given(more == 7, "--json"));
            format!(
                "diff FILE FILE {new} {relative} {loose} --order {by} --ignore ..a --limit 20 {json}"
            )
        }
        26 => format!("stats FILE -j 1 --depth {how} --limit 3 {json}"),
        _ => {
            let json = given(how >= 128, "--json");
            let form = match more % 7 {
                1 if is_high => "--json-schema --ranges",
                0 => json,
                1 => "--json-schema",
                2 => "--rust",
                3 => "--gdscript",
                4 => "--typescript",
                5 => "--python",
                _ => &format!("--drift {json}"),
            };
            format!("schema FILE FILE {form}")
        }
    }
}

fn given(is_given: bool, words: &'static str) -> &'static str {
    if is_given { words } else { "" }
}

fn form(choice: u8) -> String {
    format!("--form {}", one_of(&["exact", "native", "plain"], choice % 3))
}

/// Paths that often select a value.
const PATHS: [&str; 12] = [
    "", "..*", "[0]", "{0}", "{0:key}", "[*]", "..a", "*.*", "[1:-1]", "[?@]", "..[?a<5]", "a.b[0]",
];
const LITERALS: [&str; 5] =
    ["null", "\"text\"", "[1, {2: 3}]", "Vector2(1, 2)", "PackedByteArray(1)"];

fn path(choice: u8) -> &'static str {
    one_of(&PATHS, choice)
}

fn one_of(all: &[&'static str], choice: u8) -> &'static str {
    all.iter().cycle().nth(choice.into()).copied().unwrap_or_default()
}

/// Nothing, or an option with one of its values.
fn option<T: ValueEnum>(name: &str, choice: u8) -> String {
    let value = usize::from(choice).checked_sub(1).and_then(|at| T::value_variants().get(at));
    let value = value.and_then(ValueEnum::to_possible_value);
    value.map_or_else(String::new, |value| format!("{name} {}", value.get_name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_of_bytes_is_a_command() {
        for choice in 0..=u8::MAX {
            for how in (0..=u8::MAX).step_by(17) {
                verb(choice, how, Path::new("file"));
            }
        }
    }
}
