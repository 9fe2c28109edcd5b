//! README.md is true: each of its commands prints the output below it.
//!
//! `WRITE_README=1 cargo test readme::` updates the outputs.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

/// Creates the files that the page's first table lists.
fn lay_out(page: &str, folder: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut count = 0;
    for row in page.lines().filter_map(|line| line.strip_prefix("| `")) {
        let (name, rest) = row.split_once('`').unwrap();
        let Some(source) = rest.split('`').nth(1).filter(|path| path.starts_with("corpus/")) else {
            continue;
        };
        fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        fs::copy(root.join(source), folder.join(name)).unwrap();
        count += 1;
    }
    assert!(count > 2, "{count} files");
}

fn run(command: &str, folder: &Path) -> String {
    let programs = Path::new(env!("CARGO_BIN_EXE_variant-sql")).parent().unwrap().to_owned();
    let path = env::var_os("PATH").unwrap();
    let path = env::join_paths([programs].into_iter().chain(env::split_paths(&path))).unwrap();
    let output = Command::new("bash")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", path)
        .output()
        .unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn each_command_prints_what_the_page_shows() {
    let page = fs::read_to_string(README).unwrap();
    let folder = tempfile::tempdir().unwrap();
    lay_out(&page, folder.path());
    let (mut true_page, mut is_console, mut commands) = (String::new(), false, 0);
    for line in page.lines() {
        match line.strip_prefix("$ ") {
            Some(command) if is_console => {
                commands += 1;
                writeln!(true_page, "{line}").unwrap();
                true_page.push_str(&run(command, folder.path()));
            }
            _ if is_console && line != "```" => {}
            _ => {
                is_console = line == "```console";
                writeln!(true_page, "{line}").unwrap();
            }
        }
    }
    assert!(commands >= 6, "{commands} commands");
    if env::var_os("WRITE_README").is_some() {
        fs::write(README, true_page).unwrap();
        return;
    }
    for (shown, printed) in page.lines().zip(true_page.lines()) {
        assert_eq!(shown, printed);
    }
    assert_eq!(page.lines().count(), true_page.lines().count());
}

/// Runs the commands of the cluster, with another port.
#[test]
fn the_cluster_starts_as_the_page_says() {
    let page = fs::read_to_string(README).unwrap();
    let folder = tempfile::tempdir().unwrap();
    lay_out(&page, folder.path());
    let block = page.split("```sh\n").find(|block| block.starts_with("variant-scheduler")).unwrap();
    let commands = block.split("```").next().unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let commands = commands.replace("50050", &port.to_string());
    assert_eq!(commands.matches(&port.to_string()).count(), 4);
    // A command starts after the previous one has printed that it is ready. All programs end when the shell ends.
    let mut script = "pids=(); trap 'kill \"${pids[@]}\"' EXIT\n".to_owned();
    for command in commands.lines() {
        match command.strip_suffix(" &") {
            Some(program) => {
                writeln!(script, "exec 3< <(exec {program}); pids+=($!); read -r ready <&3")
                    .unwrap();
            }
            None => writeln!(script, "timeout 120 {command}").unwrap(),
        }
    }
    let printed = run(&script, folder.path());
    assert!(printed.contains("| 4        |"), "{printed}");
}
