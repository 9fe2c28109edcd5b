//! Any of the fuzz targets for AFL++, which feeds one process many inputs: `variant-afl TARGET`.

use std::process::ExitCode;

use variant_testkit::fuzz::TARGETS;

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some(target) = TARGETS.iter().find(|target| target.name == name) else {
        let names: Vec<_> = TARGETS.iter().map(|target| target.name).collect();
        eprintln!("usage: variant-afl TARGET, one of: {}", names.join(", "));
        return ExitCode::from(2);
    };
    afl::fuzz!(|data: &[u8]| (target.check)(data));
    ExitCode::SUCCESS
}
