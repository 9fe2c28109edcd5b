//! `wrap` and `unwrap`: compress and encrypt files, or decompress and decrypt them.

use variant_io::{Compression, Encryption, GcpfOptions, compress, decompress, encrypt};

use crate::cli::{EncryptArg, UnwrapArgs, WrapArgs};
use crate::failure::{Failure, Status};
use crate::open::{Input, key_of, name};
use crate::output;
use crate::read;
use crate::terminal::Terminal;
use variant_document::count::counted;

/// Writes the plain bytes of a file.
pub(crate) fn run_back(args: &UnwrapArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    output::check(&args.file, &args.output)?;
    if let Some((mode, size)) = args.raw.zip(args.size) {
        return run_raw(args, mode.into(), size, terminal);
    }
    let input = Input::open_any(&args.file, terminal.common)?;
    if input.source.opened.layers().is_empty() {
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

/// Writes the decompressed bytes of a file that `PackedByteArray.compress` made.
fn run_raw(
    args: &UnwrapArgs,
    mode: Compression,
    size: u32,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let name = name(&args.file);
    let failed = |why: &str| {
        let how = "--size is the size before the compression, in bytes";
        Failure::invalid(format!("{name}: not {size} bytes of {mode}: {why}; {how}"))
    };
    let bytes = read::named_bytes(&args.file, terminal.common)?;
    let file = as_file(&bytes, mode, size).ok_or_else(|| failed("a block is shorter"))?;
    let plain = decompress(&file, terminal.common.max_unpacked)
        .map_err(|error| failed(&error.to_string()))?;
    output::write(&args.output, &plain, terminal)?;
    terminal.note(&format!("{name}: {mode}, {}", counted(plain.len(), "byte")))?;
    Ok(Status::Fine)
}

/// Converts compressed bytes to a compressed file of one block, which can be read like any compressed file.
fn as_file(bytes: &[u8], mode: Compression, size: u32) -> Option<Vec<u8>> {
    let (id, _) = (0_u32..).zip(Compression::ALL).find(|(_, found)| *found == mode)?;
    // The block size is greater than the contents, so the file has one block.
    let block = size.checked_add(1)?;
    let words = [id, block, size, u32::try_from(bytes.len()).ok()?].map(u32::to_le_bytes);
    Some([&b"GCPF"[..], words.as_flattened(), bytes, b"GCPF"].concat())
}

/// Compresses a file, encrypts it, or both in this order.
pub(crate) fn run(args: &WrapArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    output::check(&args.file, &args.output)?;
    if args.compress.is_none() && args.encrypt.is_none() {
        return Err(Failure::usage("expected --compress MODE, --encrypt ENGINE, or both"));
    }
    let invalid = |error: &dyn std::error::Error| Failure::invalid(error.to_string());
    let mut bytes = read::bytes(&args.file, terminal.common.max_input)?;
    if let Some(mode) = args.compress {
        let mut options = GcpfOptions::new(mode.into()).block_size(args.block_size);
        if let Some(level) = args.level {
            options = options.level(level);
        }
        bytes = compress(&bytes, &options).map_err(|error| invalid(&error))?;
    }
    if let Some(engine) = args.encrypt {
        let how = "--password-env, --password-file, --password-command or --key-hex";
        let key = key_of(terminal.common)?
            .ok_or_else(|| Failure::usage(format!("--encrypt needs a key: {how}")))?;
        let encryption = match engine {
            EncryptArg::Godot3 => Encryption::Ecb,
            EncryptArg::Godot4 => Encryption::cfb().map_err(|error| invalid(&error))?,
        };
        bytes = encrypt(&bytes, &key, encryption);
    }
    output::write(&args.output, &bytes, terminal)?;
    Ok(Status::Fine)
}
