//! The generated files: the tables and rules of the decoder, for other languages and tools.
//!
//! `cargo run -p variant-testkit --bin spec` writes the files. `tests/spec_generated.rs` compares them with the files
//! on disk.

mod compatibility;
mod conformance;
mod debugger;
mod hexpat;
mod json;
mod ksy;
mod lua;
mod name;

use std::fs;
use std::io;
use std::path::PathBuf;

pub use conformance::{Level, Record, met};
pub use json::field_names;
pub use name::kind as kind_name;

/// A generated file.
#[derive(Clone, Debug)]
pub struct File {
    /// The path of the file below docs/spec.
    pub name: &'static str,
    /// The whole text of the file.
    pub content: String,
}

impl File {
    /// The path of the file on disk.
    pub fn path(&self) -> PathBuf {
        crate::corpus::root().join("../docs/spec").join(self.name)
    }

    /// Whether the file on disk equals the generated file.
    pub fn is_current(&self) -> bool {
        fs::read(self.path()).is_ok_and(|found| found == self.content.as_bytes())
    }
}

/// All generated files. The recursion is as deep as the records of the corpus are nested.
pub fn files() -> io::Result<Vec<File>> {
    let mut files = vec![
        File { name: "dialects.json", content: json::tables()? },
        File { name: "compatibility.md", content: compatibility::page()? },
        File { name: "debugger.json", content: debugger::tables()? },
        File { name: "variant.ksy", content: ksy::grammar() },
        File { name: "variant.hexpat", content: hexpat::pattern() },
        File { name: "variant.lua", content: lua::dissector() },
        File { name: "../../fuzz/variant.dict", content: crate::fuzz::dictionary() },
    ];
    for (level, records) in conformance::levels()? {
        let mut content = String::new();
        for record in records {
            content.push_str(&serde_json::to_string(&record)?);
            content.push('\n');
        }
        files.push(File { name: level.file(), content });
    }
    Ok(files)
}
