//! Installs the peers on first use, from their lock files, into a cache that later runs find again.
//!
//! One environment a lock file, named by a hash of what it is made from; a finished one carries a marker file. The
//! whole is done under a lock, because test binaries of several checkouts may share the cache.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use super::process::FileLock;
use super::{env, on_path, root, say};

/// Why a peer is not there, in one line or with the tool's own words.
pub(crate) type Missing = String;

/// The Python interpreter of the SDK 2.x environment.
pub(crate) fn python_v2() -> Result<&'static Path, Missing> {
    static ENVIRONMENT: LazyLock<Result<PathBuf, Missing>> = LazyLock::new(|| python("python-v2"));
    ENVIRONMENT.as_deref().map_err(Clone::clone)
}

/// The Python interpreter of the SDK 1.x environment.
pub(crate) fn python_v1() -> Result<&'static Path, Missing> {
    static ENVIRONMENT: LazyLock<Result<PathBuf, Missing>> = LazyLock::new(|| python("python-v1"));
    ENVIRONMENT.as_deref().map_err(Clone::clone)
}

/// The `node_modules` folder.
pub(crate) fn node_modules() -> Result<&'static Path, Missing> {
    static ENVIRONMENT: LazyLock<Result<PathBuf, Missing>> = LazyLock::new(node);
    ENVIRONMENT.as_deref().map_err(Clone::clone)
}

/// Node 22: the one from the lock file, or the machine's where there is no package for it.
pub(crate) fn node_program() -> Result<PathBuf, Missing> {
    let installed = node_modules()?.join(".bin/node");
    if installed.exists() { Ok(installed) } else { find("node") }
}

/// The bundled example server, built if a narrow `cargo test --test it` left it out.
pub(crate) fn rust_library() -> &'static Path {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
        let test = std::env::current_exe().expect("a test has a program");
        let profile = test.parent().and_then(Path::parent).expect("tests are built in TARGET/PROFILE/deps");
        let program = profile.join("examples/library");
        if is_stale(&program) {
            let mut cargo = Command::new(env!("CARGO"));
            cargo
                .args(["build", "--quiet", "--example", "library", "--target-dir"])
                .arg(profile.parent().expect("see above"));
            if profile.ends_with("release") {
                cargo.arg("--release");
            }
            run(cargo.current_dir(root())).expect("the example builds");
        }
        program
    });
    &PROGRAM
}

/// What `found` holds; if the peer is missing, None after saying so, or a panic where peers are required.
pub(crate) fn or_skip<T>(found: Result<T, Missing>) -> Option<T> {
    let missing = match found {
        Ok(peer) => return Some(peer),
        Err(missing) => missing,
    };
    assert!(env("MCPCALL_REQUIRE_PEERS").is_none(), "MCPCALL_REQUIRE_PEERS is set: {missing}");
    let thread = std::thread::current();
    say(&format!("skipped: {}: {missing}", thread.name().unwrap_or("?")));
    None
}

fn is_stale(program: &Path) -> bool {
    let changed = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
    ["main.rs", "ask.rs", "tools.rs"]
        .iter()
        .any(|part| changed(program) < changed(&root().join("examples/library").join(part)))
}

fn python(peer: &str) -> Result<PathBuf, Missing> {
    let python = find("python3")?;
    let version = run(Command::new(&python).arg("--version"))?;
    let requirements = root().join("tests/peers").join(peer).join("requirements.txt");
    let folder = prepared(peer, &[version.as_bytes(), &read(&requirements)?], |folder| {
        run(Command::new(&python).args(["-m", "venv"]).arg(folder))?;
        let mut pip = Command::new(folder.join("bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check", "-r"])
            .arg(&requirements);
        run(&mut pip)
    })?;
    Ok(folder.join("bin/python"))
}

fn node() -> Result<PathBuf, Missing> {
    let npm = find("npm")?;
    let source = root().join("tests/peers/node");
    let files = [".npmrc", "package.json", "package-lock.json"];
    let folder = prepared("node", &[&read(&source.join("package-lock.json"))?], |folder| {
        for file in files {
            std::fs::copy(source.join(file), folder.join(file))
                .map_err(|error| format!("cannot copy {file}: {error}"))?;
        }
        // Nothing here needs an install script.
        run(Command::new(&npm).args(["ci", "--ignore-scripts", "--loglevel=error"]).current_dir(folder))
    })?;
    Ok(folder.join("node_modules"))
}

/// The folder of an environment made from `ingredients`, filled by `fill` if it is not there yet.
fn prepared(
    name: &str,
    ingredients: &[&[u8]],
    fill: impl FnOnce(&Path) -> Result<String, Missing>,
) -> Result<PathBuf, Missing> {
    let cache = root().join(env("MCPCALL_PEERS_DIR").as_deref().unwrap_or("tests/peers/.cache"));
    let failed = |error: std::io::Error| format!("cannot prepare {}: {error}", cache.display());
    std::fs::create_dir_all(&cache).map_err(failed)?;
    let folder = cache.join(format!("{name}-{:016x}", hash(ingredients)));
    let marker = folder.join("complete");
    let _lock = FileLock::take(&cache.join(format!("{name}.lock"))).map_err(failed)?;
    if !marker.exists() {
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(failed)?;
        }
        std::fs::create_dir(&folder).map_err(failed)?;
        fill(&folder)?;
        std::fs::write(marker, "").map_err(failed)?;
    }
    Ok(folder)
}

/// FNV-1a: the same on every machine and with every toolchain, which the standard hasher does not promise.
fn hash(ingredients: &[&[u8]]) -> u64 {
    let bytes = ingredients.iter().flat_map(|part| part.iter());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn find(program: &str) -> Result<PathBuf, Missing> {
    on_path(program).ok_or_else(|| format!("there is no {program} on PATH"))
}

fn read(file: &Path) -> Result<Vec<u8>, Missing> {
    std::fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

/// Run a tool quietly and return its stdout. A failure shows what the tool said.
fn run(command: &mut Command) -> Result<String, Missing> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        return Ok(text(&output.stdout));
    }
    Err(format!("{command:?} failed ({}):\n{}{}", output.status, text(&output.stdout), text(&output.stderr)))
}
