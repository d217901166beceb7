//! Servers that others wrote, as values: which one, over which transport, how to start it.
//!
//! ```ignore
//! each_peer!(fn a_declined_question_is_no_failure(server) {
//!     mcpcall(["issue_card"]).on(server).args(["--on-elicit", "decline"]).stdout("No card issued.\n").check();
//! });
//! each_peer!([everything_stdio, everything_http] fn a_sum_is_text(server) { ... });
//! ```
//! Each peer gets a `#[test]` of its own, named after it, and a server of its own: started for the test, killed in
//! `Drop`. Over stdio it is mcpcall that starts the server.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tempfile::TempDir;

use super::process::{self, Process};
use super::setup::{self, Missing};
use super::{Target, poll, read_ndjson, root, say, wait_for_entry};

/// Who wrote the server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Server {
    /// Python SDK 2.x, our library server.
    PythonV2,
    /// Python SDK 1.x, the same.
    PythonV1,
    /// Python SDK 2.x, the server of its page "Client callbacks" to the letter; it has one tool and writes no log.
    Page,
    /// Python SDK 2.x, the server with the rich forms.
    Forms,
    /// Python SDK 2.x, the server with something of everything, in pages.
    Surface,
    /// Rust SDK, `examples/library`.
    Rust,
    /// TypeScript SDK, `@modelcontextprotocol/server-everything`; other tools than the library servers have.
    Everything,
    /// The server whose tools need rounds.
    Rounds(Sdk, Eras),
}

/// Which SDK the Rounds server is built on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sdk {
    /// `python-v2/rounds.py`.
    Python,
    /// `node/rounds.mjs`.
    Node,
}

/// Which protocol eras the Rounds server speaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Eras {
    Both,
    Modern,
    Legacy,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Transport {
    Stdio,
    Http,
    /// HTTP of 2024-11-05: `GET /sse` and `POST /messages/`. Only the Python SDK 1.x serves it here.
    Sse,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Peer {
    pub(crate) server: Server,
    pub(crate) transport: Transport,
}

impl Peer {
    /// `python_v2_http`, `python_v1_sse` and the like.
    pub(crate) fn named(name: &str) -> Peer {
        let (server, transport) = name.rsplit_once('_').expect("SERVER_TRANSPORT");
        let server = match server {
            "python_v2" => Server::PythonV2,
            "python_v1" => Server::PythonV1,
            "page" => Server::Page,
            "forms" => Server::Forms,
            "surface" => Server::Surface,
            "rust" => Server::Rust,
            "everything" => Server::Everything,
            "rounds_python" => Server::Rounds(Sdk::Python, Eras::Both),
            "rounds_node" => Server::Rounds(Sdk::Node, Eras::Both),
            "rounds_python_modern" => Server::Rounds(Sdk::Python, Eras::Modern),
            "rounds_node_modern" => Server::Rounds(Sdk::Node, Eras::Modern),
            "rounds_python_legacy" => Server::Rounds(Sdk::Python, Eras::Legacy),
            "rounds_node_legacy" => Server::Rounds(Sdk::Node, Eras::Legacy),
            _ => panic!("no peer is called {name}"),
        };
        let transport = match transport {
            "stdio" => Transport::Stdio,
            "http" => Transport::Http,
            "sse" => Transport::Sse,
            _ => panic!("no transport is called {transport}"),
        };
        Peer { server, transport }
    }

    /// Make the peer ready for a test; None, after saying so, where it is missing.
    pub(crate) fn start(self) -> Option<Running> {
        let command = setup::or_skip(self.command())?;
        let dir = tempfile::tempdir().expect("there is a place for temporary files");
        let (log, stderr) = (dir.path().join("log.ndjson"), dir.path().join("stderr"));
        let mut running = Running { peer: self, command, url: String::new(), log, stderr, process: None, _dir: dir };
        if self.transport != Transport::Stdio {
            running.serve();
        }
        Some(running)
    }

    /// The server's command line, without what makes it serve HTTP.
    fn command(self) -> Result<Vec<String>, Missing> {
        let script = |peer: &str| text(&root().join("tests/peers").join(peer).join("library.py"));
        Ok(match self.server {
            Server::PythonV2 => vec![text(setup::python_v2()?), script("python-v2")],
            Server::PythonV1 => vec![text(setup::python_v1()?), script("python-v1")],
            Server::Page => {
                let folder = text(&root().join("tests/peers/python-v2"));
                vec![text(setup::python_v2()?), "-c".into(), SERVE_PAGE.into(), folder]
            }
            Server::Forms => {
                vec![text(setup::python_v2()?), text(&root().join("tests/peers/python-v2/forms.py"))]
            }
            Server::Surface => {
                vec![text(setup::python_v2()?), text(&root().join("tests/peers/python-v2/surface.py"))]
            }
            Server::Rust => vec![text(setup::rust_library())],
            Server::Everything => {
                let package = "@modelcontextprotocol/server-everything/dist/index.js";
                vec![text(&setup::node_program()?), text(&setup::node_modules()?.join(package))]
            }
            Server::Rounds(sdk, eras) => {
                let mut command = match sdk {
                    Sdk::Python => {
                        vec![text(setup::python_v2()?), text(&root().join("tests/peers/python-v2/rounds.py"))]
                    }
                    // The script stands outside of the folder with the SDK, where Node would not find it.
                    Sdk::Node => vec![
                        text(&setup::node_program()?),
                        text(&root().join("tests/peers/node/rounds.mjs")),
                        "--modules".into(),
                        text(setup::node_modules()?),
                    ],
                };
                match eras {
                    Eras::Both => {}
                    Eras::Modern => command.extend(["--era".into(), "modern".into()]),
                    Eras::Legacy => command.extend(["--era".into(), "legacy".into()]),
                }
                command
            }
        })
    }
}

/// Serves the page's server, untouched, where the page has port 8000: FOLDER [--http PORT].
const SERVE_PAGE: &str = "
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from client_callbacks import mcp
mcp.run('streamable-http', port=int(sys.argv[3])) if sys.argv[2:] else mcp.run('stdio')
";

/// A peer made ready for one test.
pub(crate) struct Running {
    pub(crate) peer: Peer,
    command: Vec<String>,
    url: String,
    log: PathBuf,
    stderr: PathBuf,
    process: Option<Process>,
    _dir: TempDir,
}

impl Running {
    /// The command that starts it as a stdio server, for `--` and `--stdio`.
    pub(crate) fn stdio_command(&self) -> Vec<String> {
        let mut command = vec!["env".into(), format!("PEER_LOG={}", self.log.display())];
        command.extend(self.command.iter().cloned());
        if self.peer.server == Server::Everything {
            command.push("stdio".into());
        }
        command
    }

    /// What the server logged of the client; the library servers of the Python SDK do, see `library_tools.py`, and the
    /// Rounds servers, see `rounds.py`.
    pub(crate) fn log(&self) -> Vec<serde_json::Value> {
        read_ndjson(&self.log)
    }

    /// Wait for an entry of that log: it may be written after the client has ended.
    #[track_caller]
    pub(crate) fn wait_for_entry(&self, wanted: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
        wait_for_entry(&self.log, wanted)
    }

    /// End a server that serves HTTP as if it had crashed.
    pub(crate) fn kill(&mut self) {
        let mut process = self.process.take().expect("over stdio it is mcpcall that runs the server");
        process.kill();
        process.wait(Duration::from_secs(5));
    }

    /// Start serving HTTP. A free port may be taken by another test before the server has it: then another is tried.
    fn serve(&mut self) {
        for _ in 0..5 {
            let port = free_port();
            let mut process = Process::watch(self.spawn_http(port), None);
            let mut ended = false;
            let ready = poll(Duration::from_secs(30), || {
                ended = process.wait(Duration::ZERO).is_some();
                (ended || answers(port)).then_some(())
            });
            if ready.is_some() && !ended {
                let path = if self.peer.transport == Transport::Sse { "sse" } else { "mcp" };
                self.url = format!("http://127.0.0.1:{port}/{path}");
                self.process = Some(process);
                return;
            }
            let said = std::fs::read_to_string(&self.stderr).unwrap_or_default();
            let taken = ["in use", "EADDRINUSE", "AddrInUse"].iter().any(|words| said.contains(words));
            assert!(ended && taken, "{:?} does not serve HTTP:\n{said}", self.peer);
        }
        panic!("{:?} found no free port", self.peer);
    }

    fn spawn_http(&self, port: u16) -> std::process::Child {
        let mut command = process::tethered(&self.command[0]);
        command.args(&self.command[1..]);
        match self.peer.server {
            Server::Everything => command.arg("streamableHttp").env("PORT", port.to_string()),
            _ if self.peer.transport == Transport::Sse => command.args(["--sse", &port.to_string()]),
            _ => command.args(["--http", &port.to_string()]),
        };
        let stderr = std::fs::File::create(&self.stderr).expect("the temporary folder takes files");
        command.env("PEER_LOG", &self.log).stdout(Stdio::null()).stderr(stderr);
        command.spawn().expect("the peer's program starts")
    }
}

impl Target for Running {
    fn args(&self) -> Vec<String> {
        match self.peer.transport {
            Transport::Http | Transport::Sse => vec!["--url".into(), self.url.clone()],
            Transport::Stdio => [vec!["--".into()], self.stdio_command()].concat(),
        }
    }

    fn log_file(&self) -> Option<&Path> {
        Some(&self.log)
    }

    fn story(&self) -> String {
        let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
        format!("{:?}\nlog:\n{}stderr:\n{}", self.peer, read(&self.log), read(&self.stderr))
    }
}

/// One test a peer. Without a list: every server that has the library's tools, over both transports; with `rounds`: the
/// Rounds server on either SDK, over both transports.
macro_rules! each_peer {
    ([$($peer:ident),+ $(,)?] fn $name:ident($server:ident) $body:block) => {
        mod $name {
            #[allow(unused_imports, reason = "a body may need nothing from its file")]
            use super::*;

            fn check($server: &$crate::support::peers::Running) $body

            $(#[test]
            fn $peer() {
                if let Some(server) = $crate::support::peers::Peer::named(stringify!($peer)).start() {
                    check(&server);
                }
            })+
        }
    };
    (rounds fn $name:ident($server:ident) $body:block) => {
        each_peer!(
            [rounds_python_stdio, rounds_python_http, rounds_node_stdio, rounds_node_http]
            fn $name($server) $body
        );
    };
    (fn $name:ident($server:ident) $body:block) => {
        each_peer!(
            [python_v2_stdio, python_v2_http, python_v1_stdio, python_v1_http, rust_stdio, rust_http]
            fn $name($server) $body
        );
    };
}

/// A port that nobody listens on. Not one of those the system gives out: a server of another test that takes any port
/// must not come by it before the peer does, and be taken for the peer.
fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let ports = (0..20_000).map(|_| {
        let at = std::process::id().wrapping_mul(101).wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        10_000 + (at % 20_000) as u16
    });
    let is_free = |port: &u16| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok();
    ports.into_iter().find(is_free).expect("there is a free port")
}

/// Whether something on this port answers in HTTP.
fn answers(port: u16) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        stream.write_all(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")?;
        let mut start = [0; 5];
        stream.read_exact(&mut start)?;
        Ok(&start == b"HTTP/")
    };
    ask().unwrap_or(false)
}

fn text(path: &Path) -> String {
    path.to_str().expect("the checkout and its caches are in folders with Unicode names").into()
}

/// One line in every run, so that it is seen when all that passed was skipped.
#[test]
fn the_peers_that_take_part_are_told() {
    let peers = ["python_v2", "python_v1", "rust", "everything", "rounds_python", "rounds_node"];
    let ready = |name: &&str| setup::or_skip(Peer::named(&format!("{name}_stdio")).command()).is_some();
    let (here, missing): (Vec<&str>, Vec<&str>) = peers.into_iter().partition(ready);
    say(&format!(
        "peers: {}; missing: {}",
        here.join(", "),
        if missing.is_empty() { "none".into() } else { missing.join(", ") }
    ));
}
