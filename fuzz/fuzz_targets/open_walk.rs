//! Every entry point on any bytes, in the dialect and under the options that the first byte picks.
#![no_main]

use libfuzzer_sys::fuzz_target;
use variant_testkit::exercise;

fuzz_target!(|data: &[u8]| exercise::check_open_walk(data));
