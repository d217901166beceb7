//! How the program is linked: so that it starts quickly. Nothing depends on it.

use std::env::var;
use std::path::Path;
use std::process::Command;

// What cargo tells is told by the environment.
#[expect(clippy::disallowed_methods)]
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let told = |name: &str| var(name).unwrap_or_default();
    if told("CARGO_CFG_TARGET_OS") != "linux" || told("CARGO_CFG_TARGET_ENV") != "gnu" {
        return;
    }
    // At a fixed address: the seventeen thousand places that would else be adjusted at every start are right in the file, which
    // is a twentieth smaller without the list of them.
    println!("cargo::rustc-link-arg-bins=-no-pie");
    // What walks the stack for a backtrace is taken in, where the compiler has it as an archive, instead of loading a library
    // for it at every start.
    let is_native = told("HOST") == told("TARGET");
    let asked = is_native.then(|| Command::new("cc").arg("-print-file-name=libgcc_eh.a").output());
    if let Some(Ok(output)) = asked
        && let Ok(path) = String::from_utf8(output.stdout)
        && Path::new(path.trim()).is_absolute()
    {
        for arg in ["-Wl,--whole-archive", path.trim(), "-Wl,--no-whole-archive"] {
            println!("cargo::rustc-link-arg-bins={arg}");
        }
    }
}
