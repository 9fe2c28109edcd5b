//! `debug listen`: exit statuses and reports.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use variant_debugger::{List, Message};

use super::common::{Debugger, debug};
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

/// A game that stops again before the debugger waits.
#[test]
fn a_game_that_stops_without_end_is_left_after_the_time() {
    for engine in 0..ENGINES.len() {
        let run = listen(&["--for", "1"], engine, |mut game| {
            game.stops_again = true;
            game.stop("Breakpoint");
            game.serve();
        });
        assert!(run.expect(0).err.contains("the game stopped"));
    }
}

#[test]
fn the_game_of_a_wrapper_ends_with_it() {
    if Command::new("bash").arg("--version").output().is_err() {
        println!("not tested: bash is not installed");
        return;
    }
    let folder = Folder::new();
    let file = folder.path("id");
    // The first program waits for the game, the second one has ended before it.
    for end in ["wait", "exit 0"] {
        let script =
            format!("exec 3<>/dev/tcp/127.0.0.1/${{1##*:}}; sleep 600 & echo $! > \"$2\"; {end}");
        let command = ["bash", "-c", &script, "game", "{address}", name(&file)].map(str::to_owned);
        debug(&["listen", "--timeout", "6", "--dialect", "godot3"], &command, "").expect(1);
        let id = fs::read_to_string(&file).unwrap();
        // A process that has ended may still be listed, as Z.
        let is_gone = || {
            let state = Command::new("ps").args(["-o", "stat=", "-p", id.trim()]).output().unwrap();
            state.stdout.is_empty() || state.stdout.starts_with(b"Z")
        };
        let mut looks = (0..200).map(|_| {
            is_gone() || {
                thread::sleep(Duration::from_millis(50));
                false
            }
        });
        assert!(looks.any(|is_gone| is_gone), "{end}");
    }
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
    let run = debug(&["listen", "--dialect", "godot4"], &command, "").expect(1);
    assert!(run.err.contains("no display"), "{run:?}");
    assert!(run.err.contains("the game ended (exit status: 4) before it connected"), "{run:?}");
}

#[test]
fn an_error_that_is_also_a_stop_is_one_error_of_a_script() {
    const ERROR: &str = "Invalid call. Nonexistent function 'open' in base 'Nil'.";
    let before = |mut game: Scripted| {
        game.report(ERROR, false);
        game.stop(ERROR);
        game.serve_until(|asked| *asked == Asked::Run);
        game.end();
    };
    let after = |mut game: Scripted| {
        game.stop(ERROR);
        game.serve_until(|asked| *asked == Asked::Stack);
        game.report(ERROR, false);
        game.serve_until(|asked| *asked == Asked::Run);
        game.end();
    };
    for run in [
        listen(&["--fail-on", "script-error"], 4, before),
        listen(&["--fail-on", "script-error"], 4, after),
    ] {
        assert_eq!(run.expect(1).err, "note: 1 error, 0 warnings\n");
    }
    let folder = Folder::new();
    let file = folder.path("out.json");
    let report = format!("json={}", name(&file));
    listen(&["--report", &report], 4, before).expect(0);
    let text = fs::read_to_string(file).unwrap();
    assert!(text.lines().count() == 1 && text.contains("\"rule\":\"script-error\""), "{text}");
}

#[test]
fn a_line_during_a_stop_ends_the_run() {
    for engine in 0..ENGINES.len() {
        let says = |mut game: Scripted| {
            game.stop("Breakpoint");
            game.print("all tests passed");
            game.serve();
        };
        listen(&["--until", "all tests passed", "--timeout", "20"], engine, says).expect(0);
    }
}

#[test]
fn a_breakpoint_is_not_an_error() {
    for engine in 0..ENGINES.len() {
        // The second is the reason of the statement `breakpoint`.
        for reason in ["Breakpoint", "Breakpoint Statement"] {
            let says = |mut game: Scripted| {
                game.stop(reason);
                game.serve_until(|asked| *asked == Asked::Run);
                game.end();
            };
            listen(&["--fail-on", "error"], engine, says).expect(0);
        }
    }
}

#[test]
fn every_thread_that_stops_runs_on() {
    for engine in [3, 4] {
        let run = listen(&["--fail-on", "error"], engine, |mut game| {
            game.stop("one");
            game.stop_thread(Some(2), "two");
            let runs = std::cell::Cell::new(0);
            game.serve_until(|asked| {
                runs.set(runs.get() + i32::from(*asked == Asked::Run));
                runs.get() == 2
            });
            game.end();
        });
        let run = run.expect(1);
        assert_eq!(run.err, "note: 2 errors, 0 warnings\n");
        assert!(run.out.contains("error: one\n") && run.out.contains("error: two\n"), "{run:?}");
    }
}

#[test]
fn a_game_that_ends_in_a_stop_is_reported() {
    let folder = Folder::new();
    let file = folder.path("out.json");
    let report = format!("json={}", name(&file));
    for engine in 0..ENGINES.len() {
        let dies = |mut game: Scripted| {
            game.stop("the last error");
            game.end();
        };
        listen(&["--fail-on", "script-error", "--report", &report], engine, dies).expect(1);
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.contains("the last error") && text.contains("\"script-error\""), "{text}");
        fs::remove_file(&file).unwrap();
    }
}

#[test]
fn a_report_has_standard_output_alone() {
    let run = listen(&["--report", "json=-"], 3, fails).expect(0);
    let line: serde_json::Value = serde_json::from_str(run.out.trim_end()).unwrap();
    assert_eq!(line["rule"], "script-error");
    let two = ["debug", "listen", "--report", "json=-", "--report", "junit=-"];
    assert!(crate::common::refused(2, &two, &[]).contains("only one report"));
}

#[cfg(unix)]
#[test]
fn a_cancelled_run_has_not_met_its_line() {
    let debugger = Debugger::start(&["listen", "--until", "never"]);
    let mut game = Scripted::connect(debugger.address, ENGINES[3]);
    debugger.interrupt();
    game.serve();
    debugger.ended().expect(1);
}

#[test]
fn a_message_that_cannot_be_read_is_a_finding() {
    let run = listen(&["--fail-on", "warning"], 3, |mut game| {
        let name = "error".into();
        game.send(&Message::Custom { name, elements: List::default() });
        game.end();
    });
    assert_eq!(run.expect(1).err, "note: 0 errors, 1 warning\n");
}
