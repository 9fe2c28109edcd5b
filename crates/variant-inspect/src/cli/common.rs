//! [`CommonArgs`]: the options of every command.

use std::path::PathBuf;

use clap::Args;
use clap::builder::BoolishValueParser;
use variant_io::Key;
use variant_view::{Dialect, Page, Reals};

use super::values::{ColorArg, FramingArg, InputArg, RealsArg, Secret, TailArg, dialects, pages};
use crate::open::AskedKey;

/// The options of every command.
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Common options")]
pub struct CommonArgs {
    /// Engine that wrote the file [default: guessed].
    #[arg(long, global = true, env = "VARIANT_INSPECT_DIALECT", value_parser = dialects())]
    pub dialect: Option<Dialect>,

    /// Page of the official documentation to follow literally, instead of an engine.
    #[arg(
        long,
        global = true,
        env = "VARIANT_INSPECT_AS_DOCUMENTED",
        value_name = "PAGE",
        value_parser = pages(),
        conflicts_with = "dialect"
    )]
    pub as_documented: Option<Page>,

    /// Width of the reals in vectors [default: guessed].
    #[arg(long, global = true, env = "VARIANT_INSPECT_REALS", value_enum)]
    pub reals: Option<RealsArg>,

    /// Separation of the values: frames have a length prefix, which is big-endian for frames-be.
    #[arg(long, global = true, env = "VARIANT_INSPECT_FRAMING", value_enum, default_value_t)]
    pub framing: FramingArg,

    /// Number of bytes to skip before the first value, such as a version number.
    #[arg(
        long,
        global = true,
        env = "VARIANT_INSPECT_SKIP",
        value_name = "BYTES",
        default_value_t
    )]
    pub skip: u64,

    /// Bytes after the last value, such as a checksum: keep or drop them in files that are written. A number declares
    /// the number of these bytes at the end of the file.
    #[arg(
        long,
        global = true,
        env = "VARIANT_INSPECT_TAIL",
        value_name = "keep|drop|BYTES",
        default_value_t
    )]
    pub tail: TailArg,

    /// Read the file instead of mapping it into memory; for files that may shrink meanwhile.
    #[arg(long, global = true, env = "VARIANT_INSPECT_NO_MMAP", value_parser = BoolishValueParser::new())]
    pub no_mmap: bool,

    /// Read the file as text that lists bytes, as a script or a console prints them.
    #[arg(long, global = true, value_enum, value_name = "FORM")]
    pub input: Option<InputArg>,

    /// Environment variable with the password of an encrypted file. Several may be given; each is tried.
    #[arg(
        long,
        global = true,
        env = "VARIANT_INSPECT_PASSWORD_ENV",
        value_name = "NAME",
        conflicts_with_all = ["password_file", "password_command", "key_hex"]
    )]
    pub password_env: Vec<String>,

    /// File with the password of an encrypted file in its first line. Several may be given; each is tried.
    #[arg(
        long,
        global = true,
        env = "VARIANT_INSPECT_PASSWORD_FILE",
        value_name = "FILE",
        conflicts_with_all = ["password_command", "key_hex"]
    )]
    pub password_file: Vec<PathBuf>,

    /// Shell command that prints the password in its first line, such as a password manager's.
    #[arg(
        long,
        global = true,
        env = "VARIANT_INSPECT_PASSWORD_COMMAND",
        value_name = "COMMAND",
        conflicts_with = "key_hex"
    )]
    pub password_command: Option<String>,

    /// Key of an encrypted file, 64 hexadecimal digits. Visible to other users while the program runs.
    #[arg(long, global = true, value_name = "DIGITS")]
    pub key_hex: Option<Secret>,

    /// A key that replaces the keys of the options above. Only tests set it.
    #[arg(skip)]
    pub key: Option<Key>,

    /// The keys of the options above, after they were read once.
    #[arg(skip)]
    pub asked: AskedKey,

    /// Limit for the contents of a compressed or encrypted file, in bytes.
    #[arg(
        long,
        global = true,
        env = "VARIANT_INSPECT_MAX_UNPACKED",
        value_name = "BYTES",
        default_value_t = MAX_UNPACKED
    )]
    pub max_unpacked: u64,

    /// Limit for input that is not mapped, in bytes: pipes, text and JSON.
    #[arg(
        long,
        global = true,
        env = "VARIANT_INSPECT_MAX_INPUT",
        value_name = "BYTES",
        default_value_t = MAX_INPUT
    )]
    pub max_input: u64,

    /// When to use colors.
    #[arg(
        long,
        global = true,
        env = "VARIANT_INSPECT_COLOR",
        value_enum,
        default_value_t,
        value_name = "WHEN"
    )]
    pub color: ColorArg,

    /// Print errors with all details: the bytes around them, and the section of docs/spec.
    #[arg(long, global = true, env = "VARIANT_INSPECT_EXPLAIN", value_parser = BoolishValueParser::new())]
    pub explain: bool,

    /// Print no notes on standard error, only errors; diff prints nothing, unless --json or --limit is given.
    #[arg(short, long, global = true)]
    pub quiet: bool,

    /// Print long output to the terminal at once, not through $PAGER.
    #[arg(long, global = true, env = "VARIANT_INSPECT_NO_PAGER", value_parser = BoolishValueParser::new())]
    pub no_pager: bool,
}

/// The default of `--max-unpacked`, in bytes.
const MAX_UNPACKED: u64 = 1 << 30;

/// The default of `--max-input`, in bytes.
const MAX_INPUT: u64 = 1 << 30;

impl CommonArgs {
    /// The dialect of `--dialect` or `--as-documented`, if one is given.
    pub fn dialect(&self) -> Option<Dialect> {
        self.dialect.or(self.as_documented.map(Page::dialect))
    }

    /// The rule for the width of reals: that of `--reals` or, by default, that of the engines.
    pub(crate) fn reals(&self) -> Reals {
        self.reals.map_or(Reals::ByFlag, Reals::from)
    }
}

impl Default for CommonArgs {
    /// The defaults of the command line.
    fn default() -> Self {
        Self {
            dialect: None,
            as_documented: None,
            reals: None,
            framing: FramingArg::default(),
            skip: 0,
            tail: TailArg::Keep,
            no_mmap: false,
            input: None,
            password_env: Vec::new(),
            password_file: Vec::new(),
            password_command: None,
            key_hex: None,
            key: None,
            asked: AskedKey::default(),
            max_unpacked: MAX_UNPACKED,
            max_input: MAX_INPUT,
            color: ColorArg::default(),
            explain: false,
            quiet: false,
            no_pager: false,
        }
    }
}
