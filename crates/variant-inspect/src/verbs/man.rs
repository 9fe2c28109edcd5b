//! `man`: prints the manual page of the program or of a command.

use std::fs;

use clap::Command;
use clap_mangen::Man;

use crate::cli::{ManArgs, program};
use crate::failure::{Failure, Status};
use crate::open::name;
use crate::output;
use crate::terminal::Terminal;
use variant_document::count::counted;
use variant_document::escape::escaped;

pub(crate) fn run(args: &ManArgs, terminal: &mut Terminal<'_>) -> Result<Status, Failure> {
    let mut program = program();
    program.build();
    if let Some(folder) = &args.dir {
        fs::create_dir_all(folder)
            .map_err(|error| Failure::io(format!("{}: {error}", name(folder))))?;
        let pages = all(&program);
        for (file, page) in &pages {
            output::write(&folder.join(file), page, terminal)?;
        }
        let pages = counted(pages.len(), "page");
        terminal.note(&format!("{pages}, written to {}", name(folder)))?;
        return Ok(Status::Fine);
    }
    let command = match &args.command {
        None => program,
        Some(wanted) => program.find_subcommand(wanted).cloned().ok_or_else(|| {
            let why = format!("unknown command {}; --help lists them", escaped(wanted));
            Failure::usage(why)
        })?,
    };
    terminal.out.write_all(&page(command)?)?;
    Ok(Status::Fine)
}

/// The name and text of each page.
fn all(program: &Command) -> Vec<(String, Vec<u8>)> {
    let is_shown = |command: &&Command| command.get_name() != "help" && !command.is_hide_set();
    let commands = program.get_subcommands().filter(is_shown);
    let all = std::iter::once(program).chain(commands);
    let one = |command: &Command| {
        // For example `variant-inspect-tree`.
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        let file = format!("{name}.1");
        page(command.clone()).ok().map(|page| (file, page))
    };
    all.filter_map(one).collect()
}

fn page(command: Command) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    Man::new(command).render(&mut text)?;
    Ok(text)
}
