//! Writes the glue of a module: `variant-wasm-bindgen MODULE FOLDER NAME`.

use std::env::args;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<_> = args().skip(1).collect();
    let [module, folder, name] = arguments.as_slice() else {
        eprintln!("usage: variant-wasm-bindgen MODULE FOLDER NAME");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).typescript(false).omit_default_module_path(true);
    // With this setting, a module that has stopped can be restarted.
    bindgen.reset_state_function(true);
    match bindgen.web(true).and_then(|bindgen| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
