//! The functions of SQL on any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    variant_sql::fuzz::check_functions(data);
});
