//! `wrap` and `unwrap`: compress and encrypt files, and undo both.

use variant_io::{Encryption, GcpfOptions, compress, encrypt};

use crate::cli::{CommonArgs, EncryptArg, UnwrapArgs, WrapArgs};
use crate::failure::{Failure, Status};
use crate::open::Input;
use crate::open::key_of;
use crate::output;
use crate::read;
use crate::terminal::Terminal;

/// Writes the plain bytes of a file.
pub(crate) fn run_back(
    args: &UnwrapArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    output::check(&args.file, &args.output)?;
    let input = Input::open_any(&args.file, common)?;
    if input.source.layers().is_empty() {
        terminal.note(&format!("{}: neither compressed nor encrypted", input.name))?;
    }
    for layer in input.layers() {
        terminal.note(&layer)?;
    }
    output::write(&args.output, &input.source, terminal)?;
    if let Some(bytes) = input.source.behind_layers() {
        terminal.note(&format!("dropped: {bytes}"))?;
    }
    Ok(Status::Fine)
}

/// Compresses a file, encrypts it, or both in this order.
pub(crate) fn run(
    args: &WrapArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    output::check(&args.file, &args.output)?;
    let usage = |message: &str| Failure::file(Status::Usage, message.to_owned());
    if args.compress.is_none() && args.encrypt.is_none() {
        return Err(usage("expected --compress MODE, --encrypt ENGINE, or both"));
    }
    let invalid = |error: &dyn std::error::Error| Failure::file(Status::Invalid, error.to_string());
    let mut bytes = read::bytes(&args.file, common.max_input)?;
    if let Some(mode) = args.compress {
        let mut options = GcpfOptions::new(mode.into()).block_size(args.block_size);
        if let Some(level) = args.level {
            options = options.level(level);
        }
        bytes = compress(&bytes, &options).map_err(|error| invalid(&error))?;
    }
    if let Some(engine) = args.encrypt {
        let how = "--password-env, --password-file, --password-command or --key-hex";
        let key = key_of(common)?.ok_or_else(|| usage(&format!("--encrypt needs a key: {how}")))?;
        let encryption = match engine {
            EncryptArg::Godot3 => Encryption::Ecb,
            EncryptArg::Godot4 => Encryption::cfb().map_err(|error| invalid(&error))?,
        };
        bytes = encrypt(&bytes, &key, encryption);
    }
    output::write(&args.output, &bytes, terminal)?;
    Ok(Status::Fine)
}
