//! The values of options: dialects, framings, forms and others.

use std::fmt;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use variant_io::{ByteOrder, Compression, Framing};
use variant_owned::TextStyle;
use variant_owned::json::Form;
use variant_view::{Dialect, Limits, Page, Profile, Reals};

/// `--dialect` and `--to`. The layouts of the official documentation (`--as-documented`) are also accepted, but the
/// help does not list them.
pub(super) fn dialects() -> impl TypedValueParser<Value = Dialect> {
    let engines = Dialect::ALL.iter().map(|dialect| PossibleValue::new(dialect.name()));
    let pages = Page::ALL.iter().map(|page| page.dialect().name());
    let pages = pages.map(|name| PossibleValue::new(name).hide(true));
    PossibleValuesParser::new(engines.chain(pages)).try_map(|name| name.parse())
}

/// `--as-documented`.
pub(super) fn pages() -> impl TypedValueParser<Value = Page> {
    PossibleValuesParser::new(Page::ALL.iter().map(|page| page.name())).try_map(|name| name.parse())
}

/// `--profile`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProfileArg {
    /// Everything that the engine's reader accepts.
    #[default]
    Engine,
    /// Only bytes that the engine's writer writes.
    Canonical,
}

impl From<ProfileArg> for Profile {
    fn from(arg: ProfileArg) -> Self {
        match arg {
            ProfileArg::Engine => Self::Engine,
            ProfileArg::Canonical => Self::Canonical,
        }
    }
}

/// `--limits`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LimitsArg {
    /// 1,024 levels, 2 GiB: the limits of the engines.
    Engine,
    /// 128 levels, 64 MiB, a million values: for untrusted packets.
    Server,
    /// 1,024 levels, any size: for files.
    #[default]
    File,
}

impl From<LimitsArg> for Limits {
    fn from(arg: LimitsArg) -> Self {
        match arg {
            LimitsArg::Engine => Self::ENGINE,
            LimitsArg::Server => Self::SERVER,
            LimitsArg::File => Self::FILE,
        }
    }
}

/// `--reals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RealsArg {
    /// By the flag of each value.
    #[value(name = Reals::ByFlag.name())]
    ByFlag,
    /// Always 8 bytes.
    #[value(name = Reals::Always64.name())]
    Always64,
}

impl From<RealsArg> for Reals {
    fn from(arg: RealsArg) -> Self {
        match arg {
            RealsArg::ByFlag => Self::ByFlag,
            RealsArg::Always64 => Self::Always64,
        }
    }
}

/// `--framing`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FramingArg {
    /// Detected for input, unchanged for output.
    #[default]
    Auto,
    /// One value without a length prefix.
    Bare,
    /// Little-endian length prefixes.
    Frames,
    /// Big-endian length prefixes.
    FramesBe,
    /// Names and length prefixes: compiled project settings (`project.binary`).
    Settings,
    /// Values one after another without length prefixes.
    Sequence,
}

impl FramingArg {
    /// The framing; none for [`FramingArg::Auto`].
    pub const fn given(self) -> Option<Framing> {
        match self {
            Self::Auto => None,
            Self::Bare => Some(Framing::Bare),
            Self::Frames => Some(Framing::Frames(ByteOrder::Little)),
            Self::FramesBe => Some(Framing::Frames(ByteOrder::Big)),
            Self::Settings => Some(Framing::Settings),
            // The dialect of the file replaces this dialect.
            Self::Sequence => Some(Framing::Sequence(Dialect::Godot4)),
        }
    }
}

/// `--tail`: the bytes after the last value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TailArg {
    /// Commands that write keep the bytes.
    #[default]
    Keep,
    /// Commands that write leave the bytes out.
    Drop,
    /// The last bytes of the file, which commands that write keep.
    Bytes(u64),
}

impl TailArg {
    /// The number of bytes that `--tail` declares.
    pub const fn declared(self) -> u64 {
        match self {
            Self::Keep | Self::Drop => 0,
            Self::Bytes(bytes) => bytes,
        }
    }
}

impl std::str::FromStr for TailArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "keep" => Ok(Self::Keep),
            "drop" => Ok(Self::Drop),
            digits => digits
                .parse()
                .map(Self::Bytes)
                .map_err(|_| "expected keep, drop or a number of bytes"),
        }
    }
}

impl fmt::Display for TailArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keep => f.write_str("keep"),
            Self::Drop => f.write_str("drop"),
            Self::Bytes(bytes) => bytes.fmt(f),
        }
    }
}

/// `--input`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InputArg {
    /// Numbers: `[27, 0, 0, 0]`, `PackedByteArray(27, 0)`.
    Bytes,
    /// Hexadecimal digits, as `hex_encode` writes them.
    Hex,
    /// Base64, as `Marshalls` writes it.
    Base64,
    /// One of these forms, which is detected.
    Auto,
}

/// `--compress`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CompressArg {
    /// Fast; every engine.
    Fastlz,
    /// Every engine.
    Deflate,
    /// Every engine except Godot 2.
    Zstd,
    /// Every engine except Godot 2.
    Gzip,
}

impl From<CompressArg> for Compression {
    fn from(arg: CompressArg) -> Self {
        match arg {
            CompressArg::Fastlz => Self::FastLz,
            CompressArg::Deflate => Self::Deflate,
            CompressArg::Zstd => Self::Zstd,
            CompressArg::Gzip => Self::Gzip,
        }
    }
}

/// `--encrypt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EncryptArg {
    /// Godot 1 to 3 and Pandemonium.
    Godot3,
    /// Godot 4.
    Godot4,
}

/// `--form`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FormArg {
    /// The format of Godot 4.4's `JSON.from_native`, which the engine reads.
    #[default]
    Native,
    /// Natural JSON for jq and people. Reports values that it cannot hold.
    Plain,
    /// Lossless: `from` restores the file byte for byte.
    Exact,
}

impl From<FormArg> for Form {
    fn from(form: FormArg) -> Self {
        match form {
            FormArg::Native => Self::Native,
            FormArg::Plain => Self::Plain,
            FormArg::Exact => Self::Exact,
        }
    }
}

/// `--form` of `from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SourceArg {
    /// Lines of `path = literal`, in any order, as flatten prints them.
    Lines,
    /// Literals, as text prints them, and settings as NAME=LITERAL.
    Literals,
    /// JSON: exact if it has the fields of that form, else native.
    Json,
    /// JSON, as json --form native prints it.
    Native,
    /// JSON, as json --form plain prints it.
    Plain,
    /// JSON, as json --form exact prints it.
    Exact,
}

/// `--style`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StyleArg {
    /// Godot 3.
    Godot3,
    /// Godot 4.
    Godot4,
    /// Pandemonium up to v3.7.
    Pandemonium3,
    /// Pandemonium since v3.8.
    Pandemonium,
}

impl From<StyleArg> for TextStyle {
    fn from(style: StyleArg) -> Self {
        match style {
            StyleArg::Godot3 => Self::Godot3,
            StyleArg::Godot4 => Self::Godot4,
            StyleArg::Pandemonium3 => Self::Pandemonium3,
            StyleArg::Pandemonium => Self::Pandemonium,
        }
    }
}

/// `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorArg {
    /// On terminals, unless `NO_COLOR` or `CLICOLOR` disables them.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// A secret argument. `Debug` does not show it.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(secret: String) -> Self {
        Self(secret)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}
