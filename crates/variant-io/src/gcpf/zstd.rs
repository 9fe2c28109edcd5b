//! [`Zstd`]: decompresses zstd blocks, and distinguishes errors by their codes.

use std::io;

use zstd::zstd_safe::zstd_sys::ZSTD_ErrorCode;
use zstd::zstd_safe::{
    DCtx, DParameter, ErrorCode, InBuffer, OutBuffer, ResetDirective, get_error_name,
};

use super::block::{AT_ONCE, BlockError};

pub(super) struct Zstd(DCtx<'static>);

/// The base-2 logarithm of the largest zstd window that is accepted when a block is decompressed as a stream: 128 MiB.
/// The highest level of zstd uses this window, and zstd's decoders accept it by default. Engines use 2 MiB.
const WINDOW_LOG: u32 = 27;

/// The same limit for a block that is decompressed in one call, not as a stream: zstd's own limit on this machine.
const WINDOW_LOG_AT_ONCE: u32 = if cfg!(target_pointer_width = "32") { 30 } else { 31 };

impl Zstd {
    pub(super) fn new() -> io::Result<Self> {
        DCtx::try_create().map(Self).ok_or_else(|| io::ErrorKind::OutOfMemory.into())
    }

    /// Like [`Decompressor::run`](super::block::Decompressor::run).
    pub(super) fn run(
        &mut self,
        block: &[u8],
        len: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), BlockError> {
        // Empty input is refused here, since zstd treats it as the beginning of a frame.
        if block.is_empty() {
            out.clear();
            return Ok(());
        }
        let written = if len > AT_ONCE {
            self.stream(block, len, out)
        } else {
            self.at_once(block, len, out)
        };
        out.truncate(*written.as_ref().unwrap_or(&0));
        written.map(drop)
    }

    /// The decompressor uses the output as its window, so the window takes no other memory.
    fn at_once(
        &mut self,
        block: &[u8],
        len: usize,
        out: &mut Vec<u8>,
    ) -> Result<usize, BlockError> {
        // The bytes of the previous block are not cleared: they are overwritten or cut off.
        let room = len.saturating_add(1);
        out.resize(room, 0);
        match self.0.decompress(out.as_mut_slice(), block) {
            // The block is longer than expected.
            Err(code) if is(code, ZSTD_ErrorCode::ZSTD_error_dstSize_tooSmall) => Ok(room),
            written => written.map_err(|code| error(code, WINDOW_LOG_AT_ONCE)),
        }
    }

    /// Memory grows with the output. The window is at most the size of the block.
    fn stream(&mut self, block: &[u8], len: usize, out: &mut Vec<u8>) -> Result<usize, BlockError> {
        let window = len.checked_ilog2().unwrap_or(0).saturating_add(1).clamp(10, WINDOW_LOG);
        let told = |code| error(code, window);
        self.0.reset(ResetDirective::SessionOnly).map_err(told)?;
        self.0.set_parameter(DParameter::WindowLogMax(window)).map_err(told)?;
        let room = len.saturating_add(1);
        let mut input = InBuffer::around(block);
        let mut filled = 0;
        out.resize(AT_ONCE.min(room), 0);
        loop {
            let mut output = OutBuffer::around_pos(out.as_mut_slice(), filled);
            let left = self.0.decompress_stream(&mut output, &mut input).map_err(told)?;
            filled = output.pos();
            let is_full = filled == out.len();
            match (left, input.pos() == block.len()) {
                (0, true) => return Ok(filled),
                (_, true) if !is_full => {
                    return Err(BlockError::Damaged("incomplete frame".to_owned()));
                }
                _ if filled == room => return Ok(room),
                _ if is_full => out.resize(filled.saturating_mul(2).min(room), 0),
                _ => {}
            }
        }
    }
}

#[expect(clippy::as_conversions, reason = "a discriminant")]
const fn is(code: ErrorCode, what: ZSTD_ErrorCode) -> bool {
    code.wrapping_neg() == what as usize
}

fn error(code: ErrorCode, window: u32) -> BlockError {
    if is(code, ZSTD_ErrorCode::ZSTD_error_frameParameter_windowTooLarge) {
        return BlockError::Window(1_u64.checked_shl(window).unwrap_or(u64::MAX));
    }
    BlockError::Damaged(get_error_name(code).to_owned())
}
