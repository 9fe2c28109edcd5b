//! [`Input`]: a document and its properties.

use criterion::Throughput;
use variant_owned::{Variant, encode};
use variant_testkit::corpus;
use variant_view::{Dialect, Document, Limits, Options};

/// The bytes of a document.
#[derive(Clone, Debug)]
pub struct Input {
    /// The name of the document in tables.
    pub name: &'static str,
    /// Its dialect.
    pub dialect: Dialect,
    /// The whole document.
    pub bytes: Vec<u8>,
}

impl Input {
    /// A file of the corpus, without its first `skip` bytes.
    pub fn of_corpus(name: &'static str, dialect: Dialect, file: &str, skip: usize) -> Self {
        let bytes = corpus::bytes(file).expect("the corpus is there").split_off(skip);
        Self { name, dialect, bytes }
    }

    /// The bytes that Godot 4 writes for a value.
    pub fn of_value(name: &'static str, value: &Variant) -> Self {
        let dialect = Dialect::Godot4;
        let bytes = encode(value, dialect).expect("encodes");
        Self { name, dialect, bytes }
    }

    /// The document, with the engine's limit of depth and without other limits.
    pub fn document(&self) -> Document<'_> {
        document(&self.bytes, self.dialect)
    }

    /// The number of values, including keys.
    pub fn values(&self) -> u64 {
        self.document().validate().expect("valid").values
    }

    /// The number of bytes.
    pub fn len(&self) -> u64 {
        u64::try_from(self.bytes.len()).unwrap_or_default()
    }

    /// The numbers of values and bytes.
    pub fn throughput(&self) -> Throughput {
        Throughput::ElementsAndBytes { elements: self.values(), bytes: self.len() }
    }

    /// Whether there are no bytes.
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

/// A document with the engine's limit of depth and without other limits.
pub fn document(bytes: &[u8], dialect: Dialect) -> Document<'_> {
    Document::new(bytes, Options::engine(dialect).limits(Limits::FILE))
}

/// A packet of 16 values.
pub fn rpc() -> Input {
    Input::of_corpus("rpc", Dialect::Godot4, "godot4/saves/rpc.variant", 0)
}

/// 10,000 records of one shape.
pub fn save() -> Input {
    Input::of_corpus("save_10k", Dialect::Godot4, "godot4/saves/save_10k.variant", 0)
}

/// A save with records of many shapes.
pub fn rpg() -> Input {
    Input::of_corpus("rpg_save", Dialect::Godot3, "godot3/saves/rpg_save.bin", 4)
}
