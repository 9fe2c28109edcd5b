//! Defaults of the environment and of the configuration file; passwords of commands; completions and manual pages.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may stop")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::{corpus, inspect, text};

/// A run with variables of the environment.
fn run(variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
    command.args(arguments).envs(variables.iter().copied()).output().unwrap()
}

fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// `true`, which every dialect reads.
const TRUE: [u8; 8] = [1, 0, 0, 0, 1, 0, 0, 0];

#[test]
fn the_environment_stands_behind_the_arguments_and_before_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let (file, config) = (folder.path().join("true"), folder.path().join("config.toml"));
    fs::write(&file, TRUE).unwrap();
    fs::write(&config, "dialect = \"pandemonium3\"\nframing = \"bare\"\nskip = 0\n").unwrap();
    let config = ("VARIANT_INSPECT_CONFIG", name(&config));
    let validate = ["validate", name(&file)];
    let said = |variables: &[(&str, &str)], more: &[&str]| {
        let output = run(variables, &[&validate, more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    assert!(said(&[config], &[]).contains("ok: pandemonium3, bare"));
    let godot3 = ("VARIANT_INSPECT_DIALECT", "godot3");
    assert!(said(&[config, godot3], &[]).contains("ok: godot3"));
    assert!(said(&[config, godot3], &["--dialect", "godot2"]).contains("ok: godot2"));
    assert!(
        said(&[config, godot3], &["--as-documented=godot-3.0"])
            .contains("ok: documented-godot-3.0")
    );
    // A page in the environment overrides the dialect of the file.
    let page = ("VARIANT_INSPECT_AS_DOCUMENTED", "godot-3.0");
    assert!(said(&[config, page], &[]).contains("ok: documented-godot-3.0"));
    // Every command has the defaults, also the one without a name.
    let tree = run(&[config], &[name(&file)]);
    assert!(
        tree.status.success() && !text(&tree.stderr).contains("read as"),
        "{}",
        text(&tree.stderr)
    );
}

#[test]
fn wrong_settings_are_told_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let (file, config) = (folder.path().join("true"), folder.path().join("config.toml"));
    fs::write(&file, TRUE).unwrap();
    for (lines, why) in [
        ("dialekt = \"godot3\"", "unknown option \"dialekt\", expected one of dialect"),
        ("dialect = \"godot9\"", "invalid value 'godot9'"),
        ("dialect = [1]", "dialect cannot be a array"),
        ("skip = \"many\"", "invalid value 'many'"),
        ("no-mmap = \"maybe\"", "expected true or false"),
        ("dialect = ", "TOML parse error at line 1"),
    ] {
        fs::write(&config, lines).unwrap();
        let output = run(&[("VARIANT_INSPECT_CONFIG", name(&config))], &["tree", name(&file)]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why) && said.contains("config.toml"), "{said}");
    }
    let missing = run(&[("VARIANT_INSPECT_CONFIG", "/no/such/file")], &["tree", name(&file)]);
    assert_eq!(missing.status.code(), Some(2));
    let wrong = run(&[("VARIANT_INSPECT_REALS", "wide")], &["tree", name(&file)]);
    assert!(text(&wrong.stderr).contains("VARIANT_INSPECT_REALS: invalid value 'wide'"));
}

#[cfg(unix)]
#[test]
fn a_password_comes_from_a_command() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, locked) = (folder.path().join("true"), folder.path().join("locked"));
    fs::write(&plain, TRUE).unwrap();
    let printf = "printf 'hunter2\\nsecond line'";
    let wrap = [
        "wrap",
        "--encrypt",
        "godot4",
        "--password-command",
        printf,
        name(&plain),
        "-o",
        name(&locked),
    ];
    let output = inspect(&wrap, &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for (variables, arguments) in [
        (&[("SECRET", "hunter2")][..], &["--password-env", "SECRET"][..]),
        (&[("VARIANT_INSPECT_PASSWORD_COMMAND", "echo hunter2")], &[]),
        // An argument overrides the default of another source.
        (&[("VARIANT_INSPECT_PASSWORD_ENV", "NOT_THERE")], &["--password-command", "echo hunter2"]),
    ] {
        let output = run(variables, &[&["get", name(&locked), ""], arguments].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains("true"), "{}", text(&output.stdout));
    }
    for (command, why) in [
        ("exit 3", "the command failed: exit status: 3"),
        ("true", "the first line must be UTF-8 text"),
        ("printf '\\377'", "the first line must be UTF-8 text"),
        (
            "yes x | tr -d '\\n' | head -c 100000",
            "the first line must be UTF-8 text of 1 to 4,096 bytes",
        ),
    ] {
        let output = inspect(&["get", name(&locked), "", "--password-command", command], &[]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why), "{said}");
    }
}

/// A password is asked for once, if a file needs one.
#[cfg(unix)]
#[test]
fn a_password_is_asked_for_only_where_it_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, locked) = (folder.path().join("true"), folder.path().join("locked"));
    let asked = folder.path().join("asked");
    fs::write(&plain, TRUE).unwrap();
    let command = format!("echo x >> {}; echo hunter2", name(&asked));
    let password = [("VARIANT_INSPECT_PASSWORD_COMMAND", command.as_str())];
    for arguments in [&["man"][..], &["validate", name(&plain)], &["completions", "fish"]] {
        assert!(run(&password, arguments).status.success(), "{arguments:?}");
        assert!(!asked.exists(), "{arguments:?}");
    }
    let wrap = ["wrap", "--encrypt", "godot3", name(&plain), "-o", name(&locked)];
    assert!(run(&password, &wrap).status.success());
    fs::remove_file(&asked).unwrap();
    let many = [&["validate"][..], &[name(&locked); 20]].concat();
    assert!(run(&password, &many).status.success());
    assert_eq!(fs::read_to_string(&asked).unwrap(), "x\n");
}

#[test]
fn help_is_there_whatever_the_settings_are() {
    let wrong = [("VARIANT_INSPECT_REALS", "wide")];
    assert!(run(&wrong, &["--help"]).status.success());
    assert!(run(&wrong, &["set", "-h"]).status.success());
}

#[test]
fn folders_without_files_and_with_files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let output = inspect(&["validate", "-r"], &[folder.path()]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("there are no files in"));
    fs::write(folder.path().join("b"), TRUE).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("b", folder.path().join("c")).unwrap();
    let output =
        inspect(&["validate", "-r", "--dialect", "godot4", "--framing", "bare"], &[folder.path()]);
    let count = if cfg!(unix) { 2 } else { 1 };
    assert_eq!(text(&output.stdout).lines().count(), count);
}

/// The names of all commands, as the help lists them.
fn commands() -> Vec<String> {
    let help = text(&inspect(&["--help"], &[]).stdout);
    let list = help.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let name = |line: &str| line.split_whitespace().next().map(str::to_owned);
    let is_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let names: Vec<_> = list.lines().filter(is_name).filter_map(name).collect();
    assert!(names.len() > 25, "{names:?}");
    names
}

#[test]
fn every_command_has_a_manual_page_and_a_completion() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    let output = inspect(&["man", "--dir", name(&pages)], &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let bash = text(&inspect(&["completions", "bash"], &[]).stdout);
    for command in commands() {
        if command == "help" {
            continue;
        }
        let page = fs::read_to_string(pages.join(format!("variant-inspect-{command}.1"))).unwrap();
        for part in [".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS", "Examples:", "Exit status:"] {
            assert!(page.contains(part), "{command}: {part}");
        }
        assert_eq!(text(&inspect(&["man", &command], &[]).stdout), page);
        assert!(
            bash.contains(&format!("variant__inspect__subcmd__{command}"))
                || bash.contains(&format!("variant__inspect,{command})")),
            "{command}"
        );
    }
    let whole = fs::read_to_string(pages.join("variant-inspect.1")).unwrap();
    assert!(whole.contains("VARIANT_INSPECT_DIALECT"));
    for shell in ["zsh", "fish", "powershell", "elvish"] {
        assert!(inspect(&["completions", shell], &[]).stdout.len() > 1000, "{shell}");
    }
    assert_eq!(inspect(&["man", "nonsense"], &[]).status.code(), Some(2));
    // The README's own file exists for the examples.
    assert!(corpus("godot3/saves/rpg_save.bin").exists());
}
