//! Writes the seeds of each target as `FOLDER/<target>/<number>`, and its regressions as
//! `FOLDER/<target>/regression-<number>`.

use std::io;
use std::path::PathBuf;
use std::{env, fs};

use variant_testkit::fuzz::{TARGETS, Target, regressions, seeds};

fn main() -> io::Result<()> {
    let Some(folder) = env::args_os().nth(1).map(PathBuf::from) else {
        return Err(io::Error::other("usage: fuzz-seeds FOLDER"));
    };
    for target in TARGETS {
        let written = write(target, &folder.join(target.name))?;
        println!("{:>6} {}", written, target.name);
    }
    Ok(())
}

fn write(target: &Target, folder: &std::path::Path) -> io::Result<usize> {
    fs::create_dir_all(folder)?;
    let found = regressions(target)?;
    let found =
        found.iter().enumerate().map(|(at, (_, input))| (format!("regression-{at}"), input));
    let seeds = seeds(target)?;
    let seeds = seeds.iter().enumerate().map(|(at, input)| (format!("{at:05}"), input));
    let all: Vec<_> = seeds.chain(found).collect();
    for (name, input) in &all {
        fs::write(folder.join(name), input)?;
    }
    Ok(all.len())
}
