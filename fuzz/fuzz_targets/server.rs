//! A server of Godot 4's multiplayer and its clients on a bad network.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| variant_testkit::fuzz::check_server(data));
