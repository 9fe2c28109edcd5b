//! Everything that reads bytes against the reference decoder, in the dialect and under the options that the
//! first three bytes pick.
#![no_main]

use libfuzzer_sys::fuzz_target;
use variant_testkit::agree;

fuzz_target!(|data: &[u8]| agree::check_agree_fuzz(data));
