//! The tests that go through the built program: against servers that others wrote, at a pseudo-terminal, and against
//! odd servers. One binary, so that there is one link step.

#[macro_use]
mod support;

// The main job, on every peer.
mod answer_files;
mod batch;
mod call;
mod callbacks;
mod client_callbacks;
mod elicitation_answers;
mod elicitation_prompts;
mod exit_codes;
mod expectations;
mod forms;
mod matrix;
mod recording;
mod resume;
mod roots;
mod rounds;
mod sampling;
mod server_everything;
mod shell;
mod signals;
mod stub;
mod url_elicitation;

// Looking around.
mod complete;
mod list;
mod ping;
mod prompt;
mod read;
mod show;

// How questions look and are typed.
mod editor;
mod plain_terminal;
mod terminal;

// What goes in and what comes out.
mod arguments;
mod completions;
mod config;
mod config_mistakes;
mod content;
mod notifications;
mod output;
mod report;

// Both generations of the protocol.
mod both;
mod headers;
mod info;
mod listen;
mod versions;

// How it is carried.
mod budgets;
mod hard;
mod http;
mod http_sse;
mod stdio;
mod tls;

// How servers that want authorization let us in.
mod auth;
mod auth_clients;
mod auth_kept;
mod auth_safety;
mod auth_sdk;

// The official suite.
mod conformance;

// Words and code in step.
mod architecture;
mod compare;
mod generated;
mod licences;
mod readme;
