//! Calls of the C interface in any order.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_testkit::fuzz::check_c_interface(data));
