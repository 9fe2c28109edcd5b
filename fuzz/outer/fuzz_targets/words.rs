//! Values from JavaScript, as words.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    variant_wasm::fuzz::check_words(data);
});
