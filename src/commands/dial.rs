//! From a target to an open transport.

use crate::cli::ConnectionFlags;
use crate::failure::{Failure, Result};
use crate::session::Carrier;
use crate::session::era::negotiate::Protocol;
use crate::target::Target;
use crate::transport::credentials::Credentials;
use crate::transport::http::{self, HttpOptions};
use crate::transport::stdio::{self, StdioOptions};
use crate::transport::{Ears, Opened, Tap};
use std::sync::Arc;

/// What `Session::open` calls to connect.
///
/// # Errors
/// `usage`, when a file that a flag names cannot be read.
pub(super) fn dial<'a>(
    target: &'a Target,
    flags: &'a ConnectionFlags,
    credentials: Option<Arc<dyn Credentials>>,
) -> Result<impl Fn(Ears, Carrier) -> Result<Opened> + 'a> {
    let cacert = cacert(flags)?;
    Ok(move |ears, carrier| -> Result<Opened> {
        match target {
            Target::Command(spawn) => {
                let (transport, inbox) =
                    stdio::open(spawn, StdioOptions { max_message: flags.max_message_size, ears })?;
                Ok((transport, inbox))
            }
            Target::Url { url, headers, .. } => {
                let options = HttpOptions {
                    headers: headers.clone(),
                    credentials: credentials.clone(),
                    ..http_options(url, flags, cacert.clone(), ears.tap)
                };
                Ok(match carrier {
                    Carrier::Usual => {
                        let (transport, inbox) = http::open(options)?;
                        (transport, inbox)
                    }
                    Carrier::HttpSse => {
                        let (transport, inbox) = http::open_legacy_sse(options)?;
                        (transport, inbox)
                    }
                })
            }
        }
    })
}

/// What the flags say about HTTP; nothing of the user's own goes with it yet.
pub(super) fn http_options(
    url: &str,
    flags: &ConnectionFlags,
    cacert: Option<Vec<u8>>,
    tap: Option<Tap>,
) -> HttpOptions {
    HttpOptions {
        url: url.to_owned(),
        headers: Vec::new(),
        connect_timeout: flags.connect_timeout,
        max_message: flags.max_message_size,
        insecure: flags.insecure,
        cacert,
        proxy: flags.proxy.clone(),
        credentials: None,
        tap,
    }
}

/// The certificates of `--cacert`.
pub(super) fn cacert(flags: &ConnectionFlags) -> Result<Option<Vec<u8>>> {
    let read = |path: &std::path::PathBuf| {
        std::fs::read(path).map_err(|e| Failure::usage(format!("--cacert {}: {e}", path.display())))
    };
    flags.cacert.as_ref().map(read).transpose()
}

/// How messages are carried at first: HTTP+SSE where a configuration file says so, unless another protocol is wanted.
pub(super) fn carrier(target: &Target, protocol: Protocol) -> Carrier {
    match target {
        Target::Url { is_sse: true, .. } if !protocol.revision().is_modern => Carrier::HttpSse,
        _ => Carrier::Usual,
    }
}
