//! Fuzz target `render`.

use std::cell::RefCell;
use std::io::{Seek as _, Write as _};
use std::path::{Path, PathBuf};

use clap::ValueEnum as _;
use tempfile::NamedTempFile;
use variant_inspect::{
    AsArg, AuditArgs, ChangeArgs, CommonArgs, CompressArg, ConvertArgs, DeleteArgs, DetectArgs,
    DiffArgs, EncryptArg, ExplainArgs, FilesArgs, FlattenArgs, FormArg, FrameArgs, FramingArg,
    FromJsonArgs, FromTextArgs, GetArgs, GrepArgs, HexArgs, InsertArgs, JsonArgs, KeysArgs,
    LimitsArg, MergeArgs, OnlyFrameArgs, ProfileArg, ReencodeArgs, RenameKeyArgs, SalvageArgs,
    ScanArgs, SchemaArgs, SetArgs, SeverityArg, StatsArgs, TargetArgs, Terminal, TextArgs,
    TreeArgs, UnflattenArgs, UnwrapArgs, ValidateArgs, Verb, WrapArgs, run,
};
use variant_io::Key;

use super::choice::dialect;

thread_local! {
    /// The file that is inspected, the same one each time.
    static FILE: RefCell<NamedTempFile> =
        RefCell::new(NamedTempFile::new().expect("a temporary file"));
}

/// Any file, through each verb of `variant-inspect`: the status is not about reading or writing, the output is not
/// empty, and it holds nothing that moves the cursor of a terminal.
pub fn check_render(data: &[u8]) {
    let Some((&[choice, how], bytes)) = data.split_first_chunk() else { return };
    FILE.with_borrow_mut(|file| {
        write(file, bytes).expect("to write a temporary file");
        let common = CommonArgs {
            dialect: (how & 1 != 0).then(|| dialect(how >> 2)),
            framing: if how & 2 != 0 { FramingArg::Bare } else { FramingArg::default() },
            skip: u64::from(how & 0x60 == 0x60),
            no_mmap: true,
            // Some of the seeds are encrypted with this password.
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
    let mut terminal = Terminal::of(&mut out, &mut err);
    let status = run(verb, common, &mut terminal);
    assert!(status <= 2, "{verb:?}: {status}, {}", String::from_utf8_lossy(&err));
    // As with grep, 1 and no output mean that nothing matches.
    let is_answer = status == 0 || status == 1 && matches!(verb, Verb::Grep(_));
    assert!(is_answer || !(out.is_empty() && err.is_empty()), "{verb:?}: {status}, and no word");
    let is_binary = matches!(
        verb,
        Verb::Convert(_)
            | Verb::FromJson(_)
            | Verb::FromText(_)
            | Verb::Unwrap(_)
            | Verb::Wrap(_)
            | Verb::Salvage(SalvageArgs { output: Some(_), .. })
            | Verb::Get(_)
            | Verb::Unflatten(_)
            | Verb::Set(_)
            | Verb::Insert(_)
            | Verb::Delete(_)
            | Verb::RenameKey(_)
            | Verb::Merge(_)
    );
    for stream in [&err, &out].into_iter().take(if is_binary { 1 } else { 2 }) {
        let text = str::from_utf8(stream).expect("text");
        // Literals of scripts hold line breaks and tabs unescaped.
        let is_literal = matches!(verb, Verb::Text(_));
        let is_fine = |c: char| !c.is_control() || c == '\n' || c == '\t' || is_literal;
        assert!(text.chars().all(is_fine), "{verb:?}: {text:?}");
    }
}

fn verb(choice: u8, how: u8, file: &Path) -> Verb {
    let (more, file) = (choice >> 4, file.to_path_buf());
    let output = PathBuf::from("-");
    match choice % 28 {
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
        4 => Verb::Detect(DetectArgs { files: files(file, 1), json: more >= 8 }),
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
        8 => Verb::Reencode(ReencodeArgs { file, canonical: more >= 8, json: more % 2 == 0 }),
        9 => Verb::FromJson(FromJsonArgs {
            file,
            form: (more < 12).then(|| form(more)),
            target: target(output, FramingArg::default()),
        }),
        10 => Verb::FromText(FromTextArgs { file, target: target(output, FramingArg::Frames) }),
        11 => Verb::Unwrap(UnwrapArgs {
            file,
            output,
            raw: choose(more % 5, CompressArg::value_variants()),
            size: (more % 5 > 0).then(|| u32::from(how) << 4),
        }),
        12 => Verb::Wrap(WrapArgs {
            file,
            output,
            compress: choose(more % 5, CompressArg::value_variants()),
            block_size: 1 << (how & 0x0f),
            level: None,
            encrypt: choose((how >> 4) % 3, EncryptArg::value_variants()),
        }),
        13 => Verb::Audit(AuditArgs {
            files: files(file, 1),
            json: more & 1 == 1,
            sarif: more & 3 == 2,
            fail_on: SeverityArg::Warning,
            limit: more.into(),
        }),
        14 => {
            let output = (more >= 8).then_some(output);
            Verb::Salvage(SalvageArgs { file, output, plain: more & 1 == 1, json: more & 2 == 2 })
        }
        15 => Verb::Explain(ExplainArgs {
            file,
            offset: usize::from(u16::from_be_bytes([more, how])),
            json: more >= 8,
        }),
        17..=27 => look_or_change(choice, how, file),
        _ if more >= 8 => Verb::Scan(ScanArgs { file, limit: 10, json: more % 2 == 0 }),
        _ => validate(file, ProfileArg::Engine, LimitsArg::Server, 1),
    }
}

/// The commands that search, change, compare and summarize.
fn look_or_change(choice: u8, how: u8, file: PathBuf) -> Verb {
    let (more, output) = (choice >> 4, PathBuf::from("-"));
    match choice % 28 {
        17 => Verb::Get(GetArgs {
            file,
            paths: vec![path(how), path(more)],
            frame: frame(more),
            form: choose(more % 5, AsArg::value_variants()).unwrap_or_default(),
            json_form: form(how),
            depth: None,
            limit: (more >= 8).then_some(3),
        }),
        18 => Verb::Keys(KeysArgs { file, paths: vec![path(how)], frame: frame(more) }),
        19 => Verb::Flatten(FlattenArgs {
            file,
            at: (more >= 8).then(|| path(how)),
            frame: frame(more),
        }),
        20 => Verb::Grep(GrepArgs {
            pattern: one_of(&["a", "^n", "\\d", "x|e$"], how),
            files: files(file, 1),
            fixed_strings: more & 1 == 1,
            ignore_case: more & 2 == 2,
            count: more / 4 % 4 == 1,
            files_with_matches: more / 4 % 4 == 2,
            keys: how / 4 % 4 == 1,
            values: how / 4 % 4 == 2,
            json: how >= 128,
        }),
        21 => {
            let (paths, offset) =
                if more < 8 { (vec![path(how)], None) } else { (vec![], Some(how.into())) };
            Verb::Hex(HexArgs { file, paths, frame: frame(more), offset, rows: 3 })
        }
        22 => Verb::Unflatten(UnflattenArgs { file, target: target(output, FramingArg::Frames) }),
        23 => change(file, how, more),
        24 => Verb::Merge(MergeArgs {
            other: file.clone(),
            other_dialect: (how & 4 != 0).then(|| dialect(how >> 3)),
            file,
            change: written(more),
        }),
        25 => Verb::Diff(DiffArgs {
            old: file.clone(),
            new: file,
            new_dialect: (more & 1 == 0).then(|| dialect(how)),
            tolerance: 0.0,
            relative: if more & 2 == 0 { 0.5 } else { 0.0 },
            exact: false,
            loose: more & 4 == 0,
            order: true,
            by: (more >= 8).then(|| "id".to_owned()),
            ignore: vec!["..a".to_owned()],
            at: None,
            limit: Some(20),
            json: more == 7,
            quiet: false,
        }),
        26 => Verb::Stats(StatsArgs {
            files: files(file, 1),
            depth: how.into(),
            limit: 3,
            json: more >= 8,
        }),
        _ => Verb::Schema(SchemaArgs {
            files: FilesArgs { files: vec![file.clone(), file], ..FilesArgs::default() },
            json: more % 5 == 1,
            rust: more % 5 == 2,
            gdscript: more % 5 == 3,
            drift: more % 5 == 4,
            ranges: more >= 8,
        }),
    }
}

fn frame(more: u8) -> OnlyFrameArgs {
    OnlyFrameArgs { frame: (more & 3 == 3).then_some(1) }
}

fn files(file: PathBuf, jobs: u16) -> FilesArgs {
    FilesArgs { files: vec![file], recursive: false, jobs }
}

/// A path that often selects a value.
fn path(choice: u8) -> String {
    const PATHS: [&str; 12] = [
        "", "..*", "[0]", "{0}", "{0:key}", "[*]", "..a", "*.*", "[1:-1]", "[?@]", "..[?a<5]",
        "a.b[0]",
    ];
    one_of(&PATHS, choice)
}

fn one_of(all: &[&str], choice: u8) -> String {
    let one = all.iter().cycle().nth(choice.into());
    one.map_or_else(String::new, ToString::to_string)
}

/// The result goes to standard output.
fn written(more: u8) -> ChangeArgs {
    ChangeArgs {
        output: Some("-".into()),
        dry_run: more & 1 == 1,
        plain: more & 2 == 2,
        ..ChangeArgs::default()
    }
}

fn change(file: PathBuf, how: u8, more: u8) -> Verb {
    const LITERALS: [&str; 5] =
        ["null", "\"text\"", "[1, {2: 3}]", "Vector2(1, 2)", "PackedByteArray(1)"];
    let literal = one_of(&LITERALS, how);
    let (frame, change, path) = (FrameArgs::default(), written(more), path(how / 5));
    match more % 4 {
        0 => {
            let pairs = vec![path, literal];
            Verb::Set(SetArgs { file, pairs, string: false, frame, change })
        }
        1 => {
            let path = path + if how >= 128 { "[+]" } else { ".new" };
            Verb::Insert(InsertArgs { file, path, literal, string: false, frame, change })
        }
        2 => Verb::Delete(DeleteArgs { file, paths: vec![path], frame, change }),
        _ => Verb::RenameKey(RenameKeyArgs { file, path, key: "new".to_owned(), frame, change }),
    }
}

fn target(output: PathBuf, to_framing: FramingArg) -> TargetArgs {
    TargetArgs { output, like: None, to_framing, plain: false }
}

fn validate(file: PathBuf, profile: ProfileArg, limits: LimitsArg, jobs: u16) -> Verb {
    Verb::Validate(ValidateArgs { files: files(file, jobs), profile, limits, json: jobs > 1 })
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
