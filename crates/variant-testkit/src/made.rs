//! The bytes of generated values.

use arbitrary::Unstructured;
use variant_owned::{EncodeOptions, encode};
use variant_view::{Dialect, Kind};

use crate::builder::Builder;
use crate::hostile;
use crate::random::Random;
use crate::values;

/// The bytes of a value as the engine of a dialect writes it. The dialect may also be `Godot2`, which the corpus lacks.
pub fn value(random: &mut Random, dialect: Dialect) -> Vec<u8> {
    let len = random.below(200).saturating_add(1);
    let seed = random.bytes(len);
    let is_double = random.below(2) == 0;
    let value = values::variant(&mut Unstructured::new(&seed), dialect, is_double);
    encode(&value.expect("any bytes will do"), dialect).expect("a value")
}

/// The bytes of arrays and dictionaries in each other, at most `levels` deep. [`value`] makes the innermost values.
pub fn nested(random: &mut Random, dialect: Dialect, levels: u32) -> Vec<u8> {
    let Some(inside) = levels.checked_sub(1).filter(|_| random.below(3) != 0) else {
        return value(random, dialect);
    };
    let kind = random.pick(&[Kind::Array, Kind::Dictionary]);
    let count = random.below(4);
    let mut bytes = container(dialect, kind, count);
    let values = if kind == Kind::Array { 1 } else { 2 };
    for _ in 0..count.saturating_mul(values) {
        bytes.extend(nested(random, dialect, inside));
    }
    bytes
}

/// The bytes of a value that a program may build. Widths are kept. `None` if the dialect cannot express the value.
pub fn hostile(random: &mut Random, dialect: Dialect) -> Option<Vec<u8>> {
    let seed = random.bytes(300);
    let value = hostile::variant(&mut Unstructured::new(&seed), dialect);
    encode(&value.expect("any bytes will do"), EncodeOptions::new(dialect)).ok()
}

/// The bytes before the items of a container without declared types.
pub fn container(dialect: Dialect, kind: Kind, count: usize) -> Vec<u8> {
    let id = dialect.id(kind).expect("every dialect has containers");
    let count = u32::try_from(count).expect("few");
    Builder::new().u32(id.into()).u32(count).build().bytes
}
