//! `audit`: lists everything that is suspicious in files.

mod check;
mod finding;
mod print;
mod rule;

use variant_io::Framing;
use variant_view::{Document, Objects};

use crate::choice::Choice;
use crate::cli::{AuditArgs, CommonArgs};
use crate::failure::{Failure, Status};
use crate::files::Files;
use crate::open::Input;
use crate::terminal::Terminal;
use finding::Findings;
use print::Printer;
use rule::Rule;
use variant_document::count::counted;

/// The greatest depth that is read. Deeper than engines read, so that the audit reports their limit and goes on beyond it.
const DEPTH: u32 = 4_096;

/// Audits all files. Returns the greatest status.
pub(crate) fn run(
    args: &AuditArgs,
    common: &CommonArgs,
    terminal: &mut Terminal<'_>,
) -> Result<Status, Failure> {
    let files = Files::of(&args.files, terminal)?;
    let mut printer = Printer::new(args);
    let worst = files.each(
        terminal,
        |path, terminal| {
            let input = Input::open(path, common)?;
            let choice = Choice::make(&input, common, terminal)?;
            let findings = find(&input, choice, args.limit);
            Ok((input.name, findings))
        },
        |(name, findings), terminal| {
            printer.file(&name, &findings, terminal)?;
            let is_failed = findings.worst().is_some_and(|worst| worst >= args.fail_on);
            Ok(if is_failed { Status::Invalid } else { Status::Fine })
        },
    )?;
    printer.end(terminal)?;
    Ok(worst)
}

/// The findings of a file, in its order.
fn find(input: &Input, choice: Choice, limit: usize) -> Findings {
    let file = input.source.plain(choice);
    let limits = choice.options.limits.depth(DEPTH);
    let options = choice.options.objects(Objects::Accept).limits(limits);
    let mut findings = Findings::new(limit);
    let mut number = 0_u64;
    for piece in file.pieces() {
        number = number.saturating_add(1);
        match piece {
            Ok(piece) => findings.add_piece(&piece, &Document::new(piece.bytes, options)),
            Err(error) => {
                let at = file.absolute(error.offset());
                findings.add(Rule::CutShort, at, &file.cut(&error));
                if let Some(piece) = file.cut_piece(&error, number) {
                    findings.add_piece(&piece, &Document::new(piece.bytes, options));
                }
            }
        }
    }
    let rest = file.behind_all();
    if rest > 0 && choice.framing == Framing::Settings {
        let at = file.absolute(file.body().len()).saturating_sub(rest);
        findings.add(Rule::TrailingBytes, at, &format!("{rest} bytes behind the last setting"));
    }
    if file.tail > 0 {
        let at = file.absolute(file.body().len());
        let bytes = counted(file.tail, "byte");
        findings.add(Rule::TrailingBytes, at, &format!("{bytes} after the values"));
    }
    if let Some(bytes) = input.source.behind_layers() {
        findings.add(Rule::BehindLayer, file.bytes.len(), &bytes);
    }
    findings
}
