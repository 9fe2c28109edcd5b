//! Packets of Godot 4's multiplayer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_testkit::fuzz::check_multiplayer(data));
