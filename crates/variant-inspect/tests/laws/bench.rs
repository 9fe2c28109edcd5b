//! [`Bench`]: runs commands in this process, on files of a folder.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use variant_inspect::{
    AsArg, ChangeArgs, CommonArgs, DiffArgs, FlattenArgs, FormArg, FrameArgs, FramingArg, FromArgs,
    GetArgs, JsonArgs, OnlyFrameArgs, SalvageArgs, SetArgs, SourceArg, TargetArgs, Terminal,
    TextArgs, Verb, run,
};

pub(crate) struct Bench(TempDir);

/// The output of a command, or its messages if it fails.
pub(crate) type Outcome = Result<Vec<u8>, String>;

impl Bench {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Writes a file of the folder.
    pub(crate) fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// The standard output of a command. A status that is not 0 is a failure.
    pub(crate) fn run(verb: &Verb, common: &CommonArgs) -> Outcome {
        match Self::run_with_status(verb, common) {
            (0, out, _) => Ok(out),
            (status, _, said) => Err(format!("{verb:?}: status {status}: {said}")),
        }
    }

    /// The status of a command, its standard output, and its messages.
    pub(crate) fn run_with_status(verb: &Verb, common: &CommonArgs) -> (u8, Vec<u8>, String) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut terminal = Terminal::of(&mut out, &mut err);
        let status = run(verb, common, &mut terminal);
        (status, out, String::from_utf8(err).unwrap())
    }

    pub(crate) fn json_of(&self, bytes: &[u8], common: &CommonArgs) -> Result<String, String> {
        let file = self.put("file", bytes);
        let verb = Verb::Json(JsonArgs { file, form: FormArg::Exact, pretty: false });
        Self::run(&verb, common).map(|json| String::from_utf8(json).unwrap())
    }
}

/// Arguments for writing to standard output, in the framing `to_framing` and in the layers of the file `like`.
fn target(like: Option<&Path>, to_framing: FramingArg) -> TargetArgs {
    let like = like.map(Path::to_path_buf);
    TargetArgs { output: "-".into(), like, to_framing, plain: false }
}

fn from(file: &Path, form: SourceArg, target: TargetArgs) -> Verb {
    Verb::From(FromArgs { file: file.to_owned(), form: Some(form), target })
}

pub(crate) fn from_json(file: &Path, like: Option<&Path>) -> Verb {
    from(file, SourceArg::Json, target(like, FramingArg::Auto))
}

pub(crate) fn text(file: &Path) -> Verb {
    Verb::Text(TextArgs { file: file.to_owned(), style: None, engine: false })
}

pub(crate) fn from_text(file: &Path, like: Option<&Path>, framing: FramingArg) -> Verb {
    from(file, SourceArg::Literals, target(like, framing))
}

pub(crate) fn flatten(file: &Path) -> Verb {
    let frame = OnlyFrameArgs::default();
    Verb::Flatten(FlattenArgs { file: file.to_owned(), at: None, frame })
}

pub(crate) fn unflatten(file: &Path, like: Option<&Path>, framing: FramingArg) -> Verb {
    from(file, SourceArg::Lines, target(like, framing))
}

pub(crate) fn salvage(file: &Path) -> Verb {
    let output = Some("-".into());
    Verb::Salvage(SalvageArgs { file: file.to_owned(), output, plain: false, json: false })
}

pub(crate) fn get(file: &Path, path: &str, form: AsArg) -> Verb {
    Verb::Get(GetArgs {
        file: file.to_owned(),
        paths: vec![path.to_owned()],
        frame: OnlyFrameArgs::default(),
        form,
        json_form: FormArg::Exact,
        depth: None,
        limit: None,
    })
}

pub(crate) fn set(file: &Path, path: &str, literal: &str) -> Verb {
    let change = ChangeArgs { output: Some("-".into()), ..ChangeArgs::default() };
    let pairs = vec![path.to_owned(), literal.to_owned()];
    let frame = FrameArgs::default();
    Verb::Set(SetArgs { file: file.to_owned(), pairs, string: false, frame, change })
}

/// `diff --exact --json`, which prints every difference.
pub(crate) fn diff(old: &Path, new: &Path) -> Verb {
    Verb::Diff(DiffArgs {
        old: old.to_owned(),
        new: new.to_owned(),
        new_dialect: None,
        tolerance: 0.0,
        relative: 0.0,
        exact: true,
        loose: false,
        order: false,
        by: None,
        ignore: Vec::new(),
        at: None,
        limit: None,
        json: true,
    })
}
