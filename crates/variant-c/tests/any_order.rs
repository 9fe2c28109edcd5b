//! Runs the body of the fuzz target on the same programs and bytes in each run. `.ci/miri` runs this test to find
//! undefined behaviour.

use variant::fuzz::check_c_interface;
use variant_owned::{Variant, encode};
use variant_testkit::random::Random;
use variant_view::Dialect;

const VALUE: &str = r#"{"a": [1, "text", Vector2(1, 2)], "b": {"c": PackedStringArray("d", "e")}, 5: &"n", "f": PackedFloat64Array(0.5)}"#;

#[test]
fn calls_in_any_order_have_no_defect() {
    let value: Variant = VALUE.parse().unwrap();
    let packet = encode(&value, Dialect::Godot4).unwrap();
    let mut random = Random::new(7);
    let runs = if cfg!(miri) { 40 } else { 5_000 };
    for run in 0..runs {
        let options = [2, 0, 0, 0, random.pick(&[0, 0, 0, 1, 2, 255]), 0, 0, 0];
        let calls = 4 + random.below(60);
        // The first calls read and open the bytes, so that later calls have values and files.
        let mut program = vec![0, 0, 0, 1, 0, 0];
        program.extend(random.bytes(calls * 3));
        let mut bytes = packet.clone();
        if run % 2 == 1 {
            let at = random.below(bytes.len());
            bytes[at] = random.byte();
        }
        let count = u8::try_from(calls + 2).unwrap();
        check_c_interface(&[&options[..], &[count], &program, &bytes].concat());
    }
}
