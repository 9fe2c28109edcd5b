//! Faults that are inserted into the source, one at a time, to check that tests and campaigns find them.

mod server;

pub use server::SERVER_FAULTS;

/// A small wrong change to the source.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// The fault in a few words.
    pub name: &'static str,
    /// The path of the file, relative to `crates`.
    pub file: &'static str,
    /// The right code, which occurs once in the file.
    pub right: &'static str,
    /// The wrong code that replaces it.
    pub wrong: &'static str,
}

/// Faults of readers, which tests and fuzz targets find.
pub const FAULTS: &[Fault] = &[
    Fault {
        name: "padding of texts is one byte short of a word",
        file: "variant-view/src/bytes.rs",
        right: "length.wrapping_neg() & 3\n",
        wrong: "length.wrapping_neg() & 1\n",
    },
    Fault {
        name: "one value more than the limit allows",
        file: "variant-view/src/scan/meter.rs",
        right: "if self.values == self.max_values {",
        wrong: "if self.values > self.max_values {",
    },
    Fault {
        name: "the limit of bytes is not checked",
        file: "variant-view/src/scan/meter.rs",
        right: "if behind.rest().len() < self.tail {",
        wrong: "if behind.rest().len() == usize::MAX {",
    },
    Fault {
        name: "one level more than the limit allows",
        file: "variant-view/src/scan.rs",
        right: "if level >= mode.depth && !S::PAUSES {",
        wrong: "if level > mode.depth && !S::PAUSES {",
    },
    Fault {
        name: "columns of a 2D transform are swapped",
        file: "variant-view/src/view/math.rs",
        right: "        x: Vector2<T> = nested,\n        /// The image of the y axis.\n        y: Vector2<T> = nested,\n",
        wrong: "        y: Vector2<T> = nested,\n        /// The image of the y axis.\n        x: Vector2<T> = nested,\n",
    },
    Fault {
        name: "a negative length of a byte array is a huge one",
        file: "variant-view/src/layout.rs",
        right: "cursor.length(Part::Count(Kind::PackedByteArray))?",
        wrong: "cursor.u32(Part::Count(Kind::PackedByteArray))?",
    },
    Fault {
        name: "a path's flag for one more subname is the wrong bit",
        file: "variant-view/src/layout/node_path.rs",
        right: "pub(crate) const NODE_PATH_PROPERTY: u32 = 2;",
        wrong: "pub(crate) const NODE_PATH_PROPERTY: u32 = 4;",
    },
    Fault {
        name: "two ids of Pandemonium 5 are swapped",
        file: "variant-view/src/dialect/pandemonium.rs",
        right: "Dictionary, Array, TypedArray, PackedTypedArray,",
        wrong: "Dictionary, Array, PackedTypedArray, TypedArray,",
    },
    Fault {
        name: "an overlong sequence of the old engines' text rule passes",
        file: "variant-view/src/text.rs",
        right: "0xf0 => 0x88,",
        wrong: "0xf0 => 0x87,",
    },
    Fault {
        name: "records that only look like the record before are skipped",
        file: "variant-view/src/template/mask.rs",
        right: "difference |= (found ^ wanted) & bits;",
        wrong: "difference = (found ^ wanted) & bits;",
    },
    Fault {
        name: "a tape is off by one after skipped records",
        file: "variant-view/src/tape/fill.rs",
        right: "let step = Node::distance(pattern.bytes, len);",
        wrong: "let step = Node::distance(pattern.bytes, len.wrapping_add(1));",
    },
    Fault {
        name: "a truncated text says that its padding is missing",
        file: "variant-view/src/layout/string.rs",
        right: "Ok(_) => cursor.truncated(size(padding(length)), Part::Padding),",
        wrong: "Ok(_) => cursor.truncated(size(padding(length)), Part::Text),",
    },
];

impl Fault {
    /// The path of the file, relative to the root of the workspace.
    pub fn path(&self) -> String {
        ["crates/", self.file].concat()
    }

    /// The source with the fault.
    ///
    /// # Errors
    /// The right code does not occur exactly once. The error is the number of occurrences.
    pub fn put_into(&self, source: &str) -> Result<String, usize> {
        match source.matches(self.right).count() {
            1 => Ok(source.replace(self.right, self.wrong)),
            count => Err(count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this test fails, the source has changed. Adapt the fault.
    #[test]
    fn every_fault_has_its_place() {
        for fault in FAULTS.iter().chain(SERVER_FAULTS) {
            let path = crate::corpus::root().join("..").join(fault.path());
            let source = std::fs::read_to_string(path).unwrap();
            assert!(fault.put_into(&source).is_ok(), "{fault:?}");
        }
    }
}
