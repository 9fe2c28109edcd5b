//! Fuzz target `render`.

use std::cell::RefCell;
use std::io::{Seek as _, Write as _};
use std::path::{Path, PathBuf};

use clap::ValueEnum as _;
use tempfile::NamedTempFile;
use variant_inspect::{
    CommonArgs, CompressArg, ConvertArgs, DetectArgs, EncryptArg, FormArg, FramingArg,
    FromJsonArgs, FromTextArgs, JsonArgs, LimitsArg, ProfileArg, ReencodeArgs, ScanArgs,
    TargetArgs, Terminal, TextArgs, TreeArgs, UnwrapArgs, ValidateArgs, Verb, WrapArgs, run,
};
use variant_io::Key;

use super::choice::dialect;

thread_local! {
    /// The file that is inspected, the same one each time.
    static FILE: RefCell<NamedTempFile> =
        RefCell::new(NamedTempFile::new().expect("a temporary file"));
}

/// Any file, through each verb of `variant-inspect`: it ends with a status that is not about reading or writing, says something, and
/// prints nothing that would move the cursor of a terminal.
pub fn check_render(data: &[u8]) {
    let Some((&[choice, how], bytes)) = data.split_first_chunk() else { return };
    FILE.with_borrow_mut(|file| {
        write(file, bytes).expect("to write a temporary file");
        let common = CommonArgs {
            dialect: (how & 1 != 0).then(|| dialect(how >> 2)),
            framing: if how & 2 != 0 { FramingArg::Bare } else { FramingArg::default() },
            skip: u64::from(how & 0x60 == 0x60),
            no_mmap: true,
            // Some of the seeds are encrypted with it.
            key: (how & 0x80 == 0).then(|| Key::from_password("hunter2")),
            max_unpacked: 1 << 20,
            ..CommonArgs::default()
        };
        render(&verb(choice, how, file.path()), &common);
    });
}

fn write(file: &mut NamedTempFile, bytes: &[u8]) -> std::io::Result<()> {
    file.as_file().set_len(0)?;
    file.rewind()?;
    file.write_all(bytes)
}

fn render(verb: &Verb, common: &CommonArgs) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut terminal = Terminal {
        out: &mut out,
        err: &mut err,
        is_out_terminal: false,
        is_out_coloured: false,
        is_err_coloured: false,
    };
    let status = run(verb, common, &mut terminal);
    assert!(status <= 2, "{verb:?}: {status}, {}", String::from_utf8_lossy(&err));
    assert!(status == 0 || !(out.is_empty() && err.is_empty()), "{verb:?}: {status}, and no word");
    let is_binary = matches!(
        verb,
        Verb::Convert(_) | Verb::FromJson(_) | Verb::FromText(_) | Verb::Unwrap(_) | Verb::Wrap(_)
    );
    for stream in [&err, &out].into_iter().take(if is_binary { 1 } else { 2 }) {
        let text = str::from_utf8(stream).expect("text");
        // Literals of scripts hold line breaks and the like as they are.
        let is_literal = matches!(verb, Verb::Text(_));
        let is_fine = |c: char| !c.is_control() || c == '\n' || c == '\t' || is_literal;
        assert!(text.chars().all(is_fine), "{verb:?}: {text:?}");
    }
}

fn verb(choice: u8, how: u8, file: &Path) -> Verb {
    let (more, file) = (choice >> 4, file.to_path_buf());
    let output = PathBuf::from("-");
    match choice % 14 {
        0 => Verb::Tree(TreeArgs {
            file,
            depth: None,
            limit: None,
            offsets: false,
            at: None,
            nested: false,
        }),
        1 => {
            let (depth, limit) = (Some(more.into()), Some(2));
            Verb::Tree(TreeArgs { file, depth, limit, offsets: true, at: None, nested: true })
        }
        2 => validate(file, ProfileArg::Engine, LimitsArg::default(), 1),
        3 => validate(file, ProfileArg::Canonical, LimitsArg::Server, 2),
        4 => Verb::Detect(DetectArgs { file }),
        5 => Verb::Convert(ConvertArgs {
            file,
            to: dialect(more),
            to_reals: None,
            output,
            strict: more >= 8,
            to_framing: FramingArg::default(),
            plain: false,
        }),
        6 => Verb::Json(JsonArgs { file, form: form(more), pretty: more >= 8 }),
        7 => Verb::Text(TextArgs { file, style: None, engine: more >= 8 }),
        8 => Verb::Reencode(ReencodeArgs { file, canonical: more >= 8 }),
        9 => Verb::FromJson(FromJsonArgs {
            file,
            form: (more < 12).then(|| form(more)),
            target: target(output, FramingArg::default()),
        }),
        10 => Verb::FromText(FromTextArgs { file, target: target(output, FramingArg::Frames) }),
        11 => Verb::Unwrap(UnwrapArgs { file, output }),
        12 => Verb::Wrap(WrapArgs {
            file,
            output,
            compress: choose(more % 5, CompressArg::value_variants()),
            block_size: 1 << (how & 0x0f),
            level: None,
            encrypt: choose((how >> 4) % 3, EncryptArg::value_variants()),
        }),
        _ if more >= 8 => Verb::Scan(ScanArgs { file, limit: 10 }),
        _ => validate(file, ProfileArg::Engine, LimitsArg::Server, 1),
    }
}

fn target(output: PathBuf, to_framing: FramingArg) -> TargetArgs {
    TargetArgs { output, like: None, to_framing, plain: false }
}

fn validate(file: PathBuf, profile: ProfileArg, limits: LimitsArg, jobs: u16) -> Verb {
    Verb::Validate(ValidateArgs { files: vec![file], profile, limits, jobs })
}

/// None, or one of them.
fn choose<T: Clone>(choice: u8, all: &[T]) -> Option<T> {
    all.get(usize::from(choice).checked_sub(1)?).cloned()
}

const fn form(choice: u8) -> FormArg {
    match choice % 3 {
        0 => FormArg::Exact,
        1 => FormArg::Native,
        _ => FormArg::Plain,
    }
}
