//! Arguments of the environment and of the user's file; passwords of commands; completions and manual pages.

use std::fs;
use std::process::Command;

use crate::common::{Folder, Run, commands, corpus, good, name, refused};

/// Runs the program with variables of the environment.
fn run(variables: &[(&str, &str)], arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
    command.args(arguments).envs(variables.iter().copied()).output().unwrap().into()
}

/// `true` in every dialect.
const TRUE: [u8; 8] = [1, 0, 0, 0, 1, 0, 0, 0];

#[test]
fn arguments_replace_the_environment_which_replaces_the_file() {
    let folder = Folder::new();
    let file = folder.file("true", &TRUE);
    let text_of = b"# what I use\n--dialect=pandemonium3\n\n--framing\nbare\n --skip=0\n";
    let lines = folder.file("arguments", text_of);
    let lines = ("VARIANT_INSPECT_CONFIG", name(&lines));
    let check = ["check", name(&file)];
    let godot3 = ("VARIANT_INSPECT_DIALECT", "godot3");
    let page = ("VARIANT_INSPECT_AS_DOCUMENTED", "godot-3.0");
    let empty = ("VARIANT_INSPECT_DIALECT", "");
    for (variables, more, dialect) in [
        (&[lines][..], &[][..], "pandemonium3, bare"),
        (&[lines, empty], &[], "pandemonium3, bare"),
        (&[lines, godot3], &[], "godot3"),
        (&[lines, godot3], &["--dialect", "godot2"], "godot2"),
        (&[lines], &["--dialect=godot2", "--framing=bare"], "godot2, bare"),
        (&[lines, godot3], &["--as-documented=godot-3.0"], "documented-godot-3.0"),
        // A documentation page that the environment names replaces the dialect that the user's file names.
        (&[lines, page], &[], "documented-godot-3.0"),
    ] {
        let printed = run(variables, &[&check, more].concat()).expect(0).out;
        assert!(printed.contains(&format!("ok: {dialect}")), "{variables:?} {more:?}: {printed}");
    }
    // The variables apply to every command, including the default command. Flags are 1 or true.
    let explain = [lines, ("VARIANT_INSPECT_EXPLAIN", "1"), ("VARIANT_INSPECT_NO_MMAP", "true")];
    let told = run(&explain, &[name(&file)]).expect(0).err;
    assert!(!told.contains("read as"), "{told}");
}

#[test]
fn wrong_arguments_of_the_file_and_the_environment_name_their_place() {
    let folder = Folder::new();
    let file = folder.file("true", &TRUE);
    for (text_of, why) in [
        ("--dialekt=godot3", "unexpected argument '--dialekt'"),
        ("--dialect=godot9", "invalid value 'godot9'"),
        ("--skip\nmany", "invalid value 'many'"),
        ("another-file", "unexpected argument 'another-file'"),
    ] {
        let lines = folder.file("arguments", text_of.as_bytes());
        let config = [("VARIANT_INSPECT_CONFIG", name(&lines))];
        let said = run(&config, &["tree", name(&file)]).expect(2).err;
        assert!(said.contains(why) && said.contains(name(&lines)), "{said}");
    }
    run(&[("VARIANT_INSPECT_CONFIG", "/no/such/file")], &["tree", name(&file)]).expect(2);
    for (variable, value) in
        [("VARIANT_INSPECT_REALS", "wide"), ("VARIANT_INSPECT_NO_MMAP", "maybe")]
    {
        let said = run(&[(variable, value)], &["tree", name(&file)]).err;
        assert!(said.contains(&format!("invalid value '{value}'")), "{said}");
    }
}

#[test]
fn quiet_leaves_out_notes() {
    let file = corpus("godot4/saves/sample3.variant");
    for verb in ["tree", "check", "text", "stats"] {
        let [loud, quiet] = [&[verb][..], &[verb, "-q"]].map(|arguments| good(arguments, &[&file]));
        assert_eq!((quiet.out, quiet.err), (loud.out, String::new()), "{verb}");
        assert!(loud.err.contains("note: "), "{verb}");
    }
    let told = refused(3, &["--quiet", "check", "/no/such/file"], &[]);
    assert!(told.contains("no such file"), "{told}");
}

/// Command names of earlier versions still work, because scripts use them.
#[test]
fn old_names_are_the_new_commands() {
    let folder = Folder::new();
    folder.file("save", &fs::read(corpus("godot4/saves/sample3.variant")).unwrap());
    folder.file("literal", b"[1, 2]");
    folder.file("lines", b"a = 1\n");
    folder.file("json", br#"["i:1"]"#);
    for (old, new) in [
        ("validate save --profile canonical", "check save --profile canonical"),
        ("audit save --fail-on info --limit 3", "check save --all --fail-on info --limit 3"),
        ("audit save --sarif", "check save --sarif"),
        ("scan save --limit 1 --json", "detect save --scan --limit 1 --json"),
        ("explain save 0x18", "hex save --offset 24"),
        ("explain --json save 24", "hex save --json --offset 0x18"),
        ("from-text literal", "from literal --form literals"),
        ("from-json json", "from json"),
        ("unflatten lines", "from lines"),
    ] {
        let to =
            if new.starts_with("from ") { &["--dialect", "godot4", "-o", "-"][..] } else { &[] };
        let [old, new] = [old, new].map(|line| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_variant-inspect"));
            command.args(line.split(' ')).args(to).current_dir(folder.path("")).output().unwrap()
        });
        assert_eq!(old.status.code(), new.status.code(), "{old:?} {new:?}");
        assert!(!old.stdout.is_empty() && old.stdout == new.stdout, "{old:?} {new:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_password_comes_from_a_command() {
    let folder = Folder::new();
    let (plain, locked) = (folder.file("true", &TRUE), folder.path("locked"));
    let printf = "printf 'hunter2\\nsecond line'";
    let wrap = ["wrap", "--encrypt", "godot4", "--password-command", printf, name(&plain), "-o"];
    good(&wrap, &[&locked]);
    for (variables, arguments) in [
        (&[("SECRET", "hunter2")][..], &["--password-env", "SECRET"][..]),
        (&[("VARIANT_INSPECT_PASSWORD_COMMAND", "echo hunter2")], &[]),
        // The argument replaces a variable that names another source of the password.
        (&[("VARIANT_INSPECT_PASSWORD_ENV", "NOT_THERE")], &["--password-command", "echo hunter2"]),
    ] {
        let run = run(variables, &[&["get", name(&locked), ""], arguments].concat()).expect(0);
        assert!(run.out.contains("true"), "{run:?}");
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
        let said = refused(2, &["get", name(&locked), "", "--password-command", command], &[]);
        assert!(said.contains(why), "{said}");
    }
}

/// The password command runs once, and only if a file needs the password.
#[cfg(unix)]
#[test]
fn a_password_is_asked_for_only_where_it_is_needed() {
    let folder = Folder::new();
    let (plain, locked) = (folder.file("true", &TRUE), folder.path("locked"));
    let asked = folder.path("asked");
    let command = format!("echo x >> {}; echo hunter2", name(&asked));
    let password = [("VARIANT_INSPECT_PASSWORD_COMMAND", command.as_str())];
    for arguments in [&["man"][..], &["check", name(&plain)], &["completions", "fish"]] {
        run(&password, arguments).expect(0);
        assert!(!asked.exists(), "{arguments:?}");
    }
    run(&password, &["wrap", "--encrypt", "godot3", name(&plain), "-o", name(&locked)]).expect(0);
    fs::remove_file(&asked).unwrap();
    run(&password, &[&["check"][..], &[name(&locked); 20]].concat()).expect(0);
    assert_eq!(fs::read_to_string(&asked).unwrap(), "x\n");
}

#[test]
fn help_is_there_whatever_the_settings_are() {
    let wrong = [("VARIANT_INSPECT_REALS", "wide")];
    run(&wrong, &["--help"]).expect(0);
    run(&wrong, &["set", "-h"]).expect(0);
}

#[test]
fn folders_without_files_and_with_files_that_cannot_be_read() {
    let folder = Folder::new();
    let told = refused(3, &["check", "-r"], &[&folder.path("")]);
    assert!(told.contains("there are no files in"), "{told}");
    folder.file("b", &TRUE);
    #[cfg(unix)]
    std::os::unix::fs::symlink("b", folder.path("c")).unwrap();
    let how = ["check", "-r", "--dialect", "godot4", "--framing", "bare"];
    let count = if cfg!(unix) { 2 } else { 1 };
    assert_eq!(good(&how, &[&folder.path("")]).out.lines().count(), count);
}

#[test]
fn every_command_has_a_manual_page_and_a_completion() {
    let folder = Folder::new();
    let pages = folder.path("man1");
    good(&["man", "--dir", name(&pages)], &[]);
    let bash = good(&["completions", "bash"], &[]).out;
    for command in commands() {
        let page = fs::read_to_string(pages.join(format!("variant-inspect-{command}.1"))).unwrap();
        for part in [".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS", "Examples:", "Exit status:"] {
            assert!(page.contains(part), "{command}: {part}");
        }
        assert_eq!(good(&["man", &command], &[]).out, page);
        assert!(
            bash.contains(&format!("variant__inspect__subcmd__{command}"))
                || bash.contains(&format!("variant__inspect,{command})")),
            "{command}"
        );
    }
    let whole = fs::read_to_string(pages.join("variant-inspect.1")).unwrap();
    assert!(whole.contains("VARIANT_INSPECT_DIALECT"));
    for shell in ["zsh", "fish", "powershell", "elvish"] {
        assert!(good(&["completions", shell], &[]).out.len() > 1000, "{shell}");
    }
    refused(2, &["man", "nonsense"], &[]);
    // The examples need this file.
    assert!(corpus("godot3/saves/rpg_save.bin").exists());
}
