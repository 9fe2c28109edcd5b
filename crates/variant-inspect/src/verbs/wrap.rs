//! `wrap` and `unwrap`: compress and encrypt files, and undo both.

use variant_io::{Compression, Encryption, GcpfOptions, compress, decompress, encrypt};

use crate::cli::{CommonArgs, EncryptArg, UnwrapArgs, WrapArgs};
use crate::failure::{Failure, Status};
use crate::open::{Input, key_of, name};
use crate::output;
use crate::printed;
use crate::read;
use crate::terminal::Terminal;
use variant_document::count::counted;

/// Writes the plain bytes of a file.
pub(crate) fn run_back(
    args: &UnwrapArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    output::check(&args.file, &args.output)?;
    if let Some((mode, size)) = args.raw.zip(args.size) {
        return run_raw(args, mode.into(), size, common, terminal);
    }
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

/// Writes the decompressed bytes of a compressed array.
fn run_raw(
    args: &UnwrapArgs,
    mode: Compression,
    size: u32,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let name = name(&args.file);
    let failed = |why: &str| {
        let how = "--size is the size before the compression, in bytes";
        Failure::file(Status::Invalid, format!("{name}: not {size} bytes of {mode}: {why}; {how}"))
    };
    let mut bytes = read::bytes(&args.file, common.max_input)?;
    if let Some(form) = common.input {
        bytes = printed::bytes(&bytes, form)
            .map_err(|why| Failure::file(Status::Invalid, format!("{name}: {why}")))?;
    }
    let file = as_file(&bytes, mode, size).ok_or_else(|| failed("a block is shorter"))?;
    let plain =
        decompress(&file, common.max_unpacked).map_err(|error| failed(&error.to_string()))?;
    output::write(&args.output, &plain, terminal)?;
    terminal.note(&format!("{name}: {mode}, {}", counted(plain.len(), "byte")))?;
    Ok(Status::Fine)
}

/// The compressed bytes as a file of one block, which is read as any other.
fn as_file(bytes: &[u8], mode: Compression, size: u32) -> Option<Vec<u8>> {
    let id: u32 = match mode {
        Compression::FastLz => 0,
        Compression::Deflate => 1,
        Compression::Zstd => 2,
        Compression::Gzip => 3,
        _ => return None,
    };
    // A block that is not full is the last one.
    let block = size.checked_add(1)?;
    let words = [id, block, size, u32::try_from(bytes.len()).ok()?].map(u32::to_le_bytes);
    Some([&b"GCPF"[..], words.as_flattened(), bytes, b"GCPF"].concat())
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
