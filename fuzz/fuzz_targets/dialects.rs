//! The guesser, which reads the same bytes in every dialect.
#![no_main]

use libfuzzer_sys::fuzz_target;
use variant_testkit::exercise;

fuzz_target!(|data: &[u8]| exercise::exercise_detect(data));
