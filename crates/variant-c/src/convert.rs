//! Writes a file in another dialect.

use std::mem::MaybeUninit;

use serde_json::json;
use variant_document::Piece;
use variant_io::{Framing, ValuesWriter};
use variant_owned::{
    ConvertOptions, EncodeOptions, Report as Losses, Variant, Widths, convert, encode,
};
use variant_view::{Dialect, Options, Reals};

use crate::border::{Result, call};
use crate::bytes::{self, Bytes};
use crate::code::{Code, VARIANT_ERROR_WRITE};
use crate::error::{Error, Failure};
use crate::file::{File, given};
use crate::names;
use crate::place::Place;
use crate::report::{Report, or_root};

/// The file in another dialect, with its frames, its other bytes, its compression and its encryption. O(bytes). The bytes are
/// freed by variant_bytes_free.
///
/// If `losses` is NULL, a value that changes is a failure with VARIANT_ERROR_WRITE. Otherwise `losses` receives the values that
/// change as JSON objects, one a line: `frame`, `path` and `message`. It is empty without changes; variant_bytes_free frees it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn variant_file_convert(
    file: Option<&File>,
    dialect: u8,
    converted: Option<&mut MaybeUninit<Bytes>>,
    losses: Option<&mut MaybeUninit<Bytes>>,
    error: Option<&mut MaybeUninit<Error>>,
) -> Code {
    call(error, || {
        let unknown = Failure::argument("the dialect is not one of VARIANT_DIALECT_*");
        let (file, to) = (given(file)?, names::dialect(dialect)?.ok_or(unknown)?);
        let job = Job::new(to, file.plain().options, losses.is_none());
        let (bytes, lost) = job.run(file)?;
        bytes::give(converted, bytes)?;
        lost.give(losses);
        Ok(())
    })
}

#[derive(Clone, Copy, Debug)]
struct Job {
    to: Dialect,
    reals: Reals,
    /// Whether a value that changes is a failure.
    is_strict: bool,
}

impl Job {
    /// If all reals of a file have 64 bits, a custom build of the engine wrote the file, and also reads this width. So the
    /// width is kept if the dialect stays the same, or is that of a page of the documentation.
    fn new(to: Dialect, from: Options, is_strict: bool) -> Self {
        let is_kept = to == from.dialect || to.page().is_some();
        Self { to, reals: if is_kept { from.reals } else { Reals::ByFlag }, is_strict }
    }

    fn run(self, file: &File) -> Result<'_, (Vec<u8>, Report)> {
        let plain = file.plain();
        let mut values = file.values(self.to);
        let mut report = Report::default();
        for piece in plain.pieces().map_while(std::result::Result::ok) {
            let place = file.place(&piece);
            let added = self.add(&place, &piece, &mut values);
            add_losses(
                &mut report,
                &piece,
                &added.map_err(|failure| failure.in_frame(piece.number))?,
            );
        }
        file.broken()?;
        Ok((file.with_values(values, plain.after())?, report))
    }

    fn add<'a>(
        self,
        place: &Place<'a>,
        piece: &Piece<'_>,
        values: &mut ValuesWriter,
    ) -> Result<'a, Losses> {
        let refused = |message: String| Failure::new(VARIANT_ERROR_WRITE, message);
        let damaged = |error| place.failure(error);
        let read = Variant::from_document(&place.document).map_err(damaged)?;
        let options = ConvertOptions::new(self.to).strict(self.is_strict).reals(self.reals);
        let (value, losses) =
            convert(&read, options).map_err(|error| refused(error.to_string()))?;
        let encoding = EncodeOptions::new(self.to).reals(self.reals).widths(Widths::Canonical);
        let mut bytes = encode(&value, encoding).map_err(Failure::Write)?;
        // The bytes after a value in a frame belong to the frame. Those after a bare value belong to the file.
        if piece.framing != Framing::Bare {
            let len = place.view()?.raw_bytes().map_err(damaged)?.len();
            bytes.extend_from_slice(piece.bytes.get(len..).unwrap_or_default());
        }
        let added = values.bytes(piece.name, &bytes);
        added.map_err(|error| refused(error.to_string()))?;
        Ok(losses)
    }
}

fn add_losses(report: &mut Report, piece: &Piece<'_>, losses: &Losses) {
    for group in losses.groups() {
        let path = group.first.as_ref().unwrap_or(&group.path);
        let (frame, message) = (piece.called().map(|_| piece.number), group.to_string());
        report.add(&json!({"frame": frame, "path": or_root(path), "message": message}));
    }
}
