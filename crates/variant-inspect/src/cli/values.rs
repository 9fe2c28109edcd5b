//! What options take: the names of dialects, framings, forms and the like.

use std::fmt;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use variant_io::{ByteOrder, Compression, Framing};
use variant_owned::TextStyle;
use variant_owned::json::Form;
use variant_view::{Dialect, Limits, Profile, Reals};

/// `--dialect` and `--to`.
pub(super) fn dialects() -> impl TypedValueParser<Value = Dialect> {
    PossibleValuesParser::new(Dialect::ALL.iter().map(|dialect| dialect.name()))
        .try_map(|name| name.parse())
}

/// `--profile`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProfileArg {
    /// What the engine's reader accepts.
    #[default]
    Engine,
    /// Only what the engine's writer writes.
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
    /// 1,024 levels, 2 GiB.
    Engine,
    /// 128 levels, 64 MiB, a million values.
    Server,
    /// 1,024 levels.
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
    /// As each value says.
    ByFlag,
    /// 8 bytes each.
    #[value(name = "always64")]
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
    /// As it looks.
    #[default]
    Auto,
    /// No length words, one value.
    Bare,
    /// Length words, low byte first.
    Frames,
    /// Length words, high byte first.
    FramesBe,
}

impl FramingArg {
    /// The framing, if it is not to be guessed.
    pub const fn given(self) -> Option<Framing> {
        match self {
            Self::Auto => None,
            Self::Bare => Some(Framing::Bare),
            Self::Frames => Some(Framing::Frames(ByteOrder::Little)),
            Self::FramesBe => Some(Framing::Frames(ByteOrder::Big)),
        }
    }
}

/// `--compress`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CompressArg {
    /// Quick; every engine.
    Fastlz,
    /// Every engine.
    Deflate,
    /// All but Godot 2.
    Zstd,
    /// All but Godot 2.
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
    /// As Godot 4.4's `JSON.from_native` writes it, so that the engine reads it back.
    #[default]
    Native,
    /// Natural JSON, for jq and people; says what it cannot hold.
    Plain,
    /// Everything, so that it comes back byte for byte.
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

/// `--style`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StyleArg {
    /// As Godot 3.
    Godot3,
    /// As Godot 4.
    Godot4,
    /// As Pandemonium.
    Pandemonium,
}

impl From<StyleArg> for TextStyle {
    fn from(style: StyleArg) -> Self {
        match style {
            StyleArg::Godot3 => Self::Godot3,
            StyleArg::Godot4 => Self::Godot4,
            StyleArg::Pandemonium => Self::Pandemonium,
        }
    }
}

/// `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorArg {
    /// On terminals, unless the environment says otherwise (`NO_COLOR`, `CLICOLOR`).
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// A secret: nothing prints it, not even `{:?}`.
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
