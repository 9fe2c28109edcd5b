//! Any bytes as a file of a table.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    variant_sql::fuzz::check_table(data);
});
