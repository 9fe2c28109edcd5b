//! Writes the seeds of campaigns as `FOLDER/<target>/<number>`, for each target. Regressions are among the seeds.

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
    let mut all = seeds(target)?;
    all.extend(regressions(target)?.into_iter().map(|(_, input)| input));
    for (number, input) in all.iter().enumerate() {
        fs::write(folder.join(format!("{number:05}")), input)?;
    }
    Ok(all.len())
}
