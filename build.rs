//! How the program is linked.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // At a fixed address: the seventeen thousand places that would else be adjusted at every start are right in the file, which
    // is a twentieth smaller without the list of them, and a call is over sooner.
    let target = |part: &str| var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
