//! The least that a Rust program can do: the floor under `--version`.

fn main() {
    println!("hello 0.1.0");
}
