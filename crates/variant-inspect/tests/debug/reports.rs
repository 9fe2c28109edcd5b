//! `debug listen`: exit statuses and reports.

use std::fs;
use std::thread;

use super::common::Debugger;
use super::scripted::{Asked, ENGINES, Scripted, arguments_of};
use crate::common::{Folder, Run, name};

/// Listens to a game that follows `script`.
fn listen(
    arguments: &[&str],
    engine: usize,
    script: impl FnOnce(Scripted) + Send + 'static,
) -> Run {
    let engine = ENGINES[engine];
    let of_engine = arguments_of(engine);
    let mut all = vec!["listen"];
    all.extend(arguments);
    all.extend(of_engine.iter().map(String::as_str));
    let debugger = Debugger::start(&all);
    let game = Scripted::connect(debugger.address, engine);
    let game = thread::spawn(move || script(game));
    let run = debugger.ended();
    game.join().unwrap();
    run
}

/// A game that stops at an error of a script, and ends after it may run on.
fn fails(mut game: Scripted) {
    game.stop("Invalid call. Nonexistent function 'open' in base 'Nil'.");
    game.serve_until(|asked| *asked == Asked::Run);
    assert!(game.asked.contains(&Asked::Stack));
    game.end();
}

#[test]
fn output_errors_and_warnings_are_printed_with_their_stack() {
    for engine in 0..ENGINES.len() {
        let run = listen(&[], engine, |mut game| {
            game.report("the door creaks", true);
            game.report("the door is locked", false);
            game.print("a line\u{1b}[31m");
            game.end();
        });
        let place = "  at open (res://main.gd:33)\n  at push_error (core/error.cpp:7)\n";
        let expected = format!(
            "ready\nwarning: the door creaks\n{place}error: the door is locked\n{place}a line\\x1b[31m\n"
        );
        let out = run.expect(0).out;
        assert_eq!(out.replace("\\u{1b}", "\\x1b"), expected);
    }
}

#[test]
fn a_script_error_fails_the_run_only_if_it_should() {
    for engine in 0..ENGINES.len() {
        let run = listen(&["--fail-on", "error"], engine, fails).expect(1);
        assert!(run.out.contains("error: Invalid call."), "{run:?}");
        assert!(run.out.contains("  at beat (res://main.gd:30)\n"), "{run:?}");
        assert_eq!(run.err, "note: 1 error, 0 warnings\n");
        listen(&[], engine, fails).expect(0);
    }
}

#[test]
fn an_ignored_error_does_not_count() {
    let arguments = ["--fail-on", "error", "--ignore", "Nonexistent function 'open'"];
    let run = listen(&arguments, 0, fails).expect(0);
    assert!(!run.out.contains("Invalid call"), "{run:?}");
}

#[test]
fn severity_decides() {
    let warns = |mut game: Scripted| {
        game.report("the door creaks", true);
        game.end();
    };
    listen(&["--fail-on", "error"], 3, warns).expect(0);
    listen(&["--fail-on", "warning"], 3, warns).expect(1);
}

#[test]
fn a_line_ends_the_run() {
    let says = |mut game: Scripted| {
        game.print("all 12 tests passed");
        game.serve();
    };
    listen(&["--until", r"all \d+ tests passed"], 0, says).expect(0);
    let run = listen(&["--until", "never", "--timeout", "0.5"], 0, says).expect(1);
    assert!(run.out.contains("error: no line matched never in the time of --timeout"), "{run:?}");
    let run = listen(&["--until", "never"], 0, Scripted::end).expect(1);
    assert!(run.out.contains("error: the game ended, and no line matched never"), "{run:?}");
    listen(&["--for", "0.2"], 0, says).expect(0);
}

#[test]
fn reports_name_the_script_and_the_line() {
    let folder = Folder::new();
    let [junit, sarif, json] = ["out.xml", "out.sarif", "out.json"].map(|name| folder.path(name));
    let reports = [("junit", &junit), ("sarif", &sarif), ("json", &json)];
    let reports = reports.map(|(form, file)| format!("{form}={}", name(file)));
    let arguments: Vec<_> = reports
        .iter()
        .flat_map(|report| ["--report", report])
        .chain(["--fail-on", "error"])
        .collect();
    listen(&arguments, 3, fails).expect(1);

    let junit = fs::read_to_string(junit).unwrap();
    assert!(junit.contains("failures=\"1\" errors=\"0\""), "{junit}");
    assert!(
        junit.contains("beat (res://main.gd:30): error script-error: Invalid call."),
        "{junit}"
    );

    let sarif: serde_json::Value = serde_json::from_slice(&fs::read(sarif).unwrap()).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "script-error");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "main.gd");
    assert_eq!(place["region"]["startLine"], 30);

    let line = fs::read_to_string(json).unwrap();
    let finding: serde_json::Value = serde_json::from_str(line.lines().next().unwrap()).unwrap();
    assert_eq!((&finding["file"], &finding["line"]), (&"res://main.gd".into(), &30.into()));
}

#[test]
fn lines_of_json_have_a_type() {
    let run = listen(&["--json"], 4, fails).expect(0);
    let types: Vec<_> = run
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|line| line["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(types, ["output", "finding", "summary"]);
}

#[test]
fn bytes_that_are_not_a_game_s_fail_the_run() {
    let debugger = Debugger::start(&["listen"]);
    let mut stream = std::net::TcpStream::connect(debugger.address).unwrap();
    std::io::Write::write_all(&mut stream, b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let run = debugger.ended().expect(1);
    assert!(run.out.contains("length word claims"), "{run:?}");
}

#[test]
fn a_program_that_does_not_connect_is_reported_with_its_last_lines() {
    let command = ["sh", "-c", "echo no display >&2; exit 4"].map(str::to_owned);
    let run = super::common::debug(&["listen", "--dialect", "godot4"], &command, "").expect(1);
    assert!(run.err.contains("no display"), "{run:?}");
    assert!(run.err.contains("the game ended (exit status: 4) before it connected"), "{run:?}");
}
