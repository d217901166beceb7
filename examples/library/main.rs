//! The bundled example server, a small library: it asks, logs, counts, waits and fails.
//!
//! It speaks stdio. `--http PORT` serves Streamable HTTP at `http://127.0.0.1:PORT/mcp` instead, and
//! port 0 is any free one. If `PEER_LOG` names a file, what a test may want to assert is appended
//! to it, one JSON object a line.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a program of its own: its environment, stderr and exit status are its business"
)]
#![expect(deprecated, reason = "logging, sampling and roots end with 2026-07-28; older clients still have them")]

mod ask;
mod tools;

use std::error::Error;
use std::fs::OpenOptions;
use std::io::Write as _;

use rmcp::handler::server::tool::ToolCallContext;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, InitializeRequestParams, InitializeResult,
    ServerCapabilities, ServerConfig, SetLevelRequestParams,
};
use rmcp::service::RequestContext;
use rmcp::transport::stdio;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _, tool_handler};
use serde_json::{Value, json};

/// The server. It keeps no state; its tools are in `tools.rs`.
#[derive(Clone, Copy)]
struct Library;

#[tool_handler]
impl ServerHandler for Library {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_logging().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("library", env!("CARGO_PKG_VERSION")))
            .with_instructions("Call issue_card to get a library card.")
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        record(&json!({ "initialize": request }));
        context.peer.set_peer_info(request.clone());
        self.negotiate_initialize(&request)
    }

    /// Accepts any level and honours none, so that a client sees every message.
    async fn set_level(
        &self,
        _request: SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    /// Runs a tool until it ends or the client cancels the call. The client hears nothing more
    /// then: rmcp drops the answer to a cancelled call, and open questions are just forgotten.
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = request.name.clone();
        record(&json!({ "call": tool, "arguments": request.arguments.clone().unwrap_or_default() }));
        let cancellation = context.ct.clone();
        let tools = Self::tool_router();
        let call = ToolCallContext::new(self, request, context);
        tokio::select! {
            response = tools.call(call) => response,
            () = cancellation.cancelled() => {
                eprintln!("{tool}: cancelled");
                record(&json!({ "cancelled": tool }));
                Err(ErrorData::internal_error("cancelled", None))
            }
        }
    }
}

/// Appends one line to the file `PEER_LOG` names, if it does.
fn record(event: &Value) {
    let Some(path) = std::env::var_os("PEER_LOG") else {
        return;
    };
    let line = format!("{event}\n"); // one write, so that lines of several servers do not mix
    let written =
        OpenOptions::new().create(true).append(true).open(path).and_then(|mut file| file.write_all(line.as_bytes()));
    if let Err(error) = written {
        eprintln!("cannot write PEER_LOG: {error}");
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next(), arguments.next()) {
        (None, ..) => {
            Library.serve(stdio()).await?.waiting().await?;
            Ok(())
        }
        (Some("--http"), Some(port), None) => serve_http(port.parse()?).await,
        _ => Err("usage: library [--http PORT]".into()),
    }
}

/// Serves Streamable HTTP until the process is killed.
async fn serve_http(port: u16) -> Result<(), Box<dyn Error>> {
    let service = StreamableHttpService::new(
        || Ok(Library),
        LocalSessionManager::default().into(),
        StreamableHttpServerConfig::default(),
    );
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    eprintln!("listening on http://{}/mcp", listener.local_addr()?);
    let router = axum::Router::new().route_service("/mcp", service);
    Ok(axum::serve(listener, router).await?)
}
