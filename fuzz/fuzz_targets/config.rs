#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| mcpcall::inside::config(data));
