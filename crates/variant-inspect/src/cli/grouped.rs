//! [`grouped`]: the help of the program, with its commands in groups.

use std::fmt::Write as _;

use clap::{Command, CommandFactory as _};

use super::Cli;

/// The commands of each group, in the order of the help.
const GROUPS: [(&str, &[&str]); 9] = [
    ("Look", &["tree", "get", "keys", "browse", "hex"]),
    ("Find", &["grep", "stats", "schema"]),
    ("Change", &["set", "insert", "delete", "rename-key", "merge", "migrate", "edit"]),
    ("Compare", &["diff"]),
    ("Check", &["check", "detect"]),
    ("Convert", &["convert", "json", "text", "flatten", "from", "table", "wrap", "unwrap"]),
    ("Rescue", &["salvage"]),
    ("Debug", &["debug", "fuzz-save"]),
    ("Serve", &["mcp"]),
];

/// The width of the column of names: the longest name, and the blanks after it.
const WIDTH: usize = 12;

/// The command, with the common options in `--help` only.
pub(crate) fn program() -> Command {
    Cli::command().mut_args(|arg| match arg.get_help_heading() {
        Some("Common options") => arg.hide_short_help(true).hide_env_values(true),
        _ => arg,
    })
}

/// The command with its subcommands in groups.
pub(super) fn grouped() -> Command {
    let command = program();
    let styles = command.get_styles().clone();
    let (header, name) = (styles.get_header(), styles.get_literal());
    let mut text = String::new();
    for (group, commands) in GROUPS {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{header}{group}:{header:#}");
        for command in commands.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {name}{:<WIDTH$}{name:#}{about}", command.get_name());
        }
        text.push('\n');
    }
    // The help text lists the commands in groups, so clap's list is hidden.
    let command = command.mut_subcommands(|command| command.hide(true));
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{text}{{all-args}}{{after-help}}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_is_in_one_group() {
        let program = program();
        let shown = program.get_subcommands().filter(|command| !command.is_hide_set());
        let mut shown: Vec<_> = shown.map(Command::get_name).collect();
        let mut grouped: Vec<_> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        shown.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(shown, grouped);
        assert!(shown.len() <= 30, "{}", shown.len());
    }
}
