//! From a target to an open transport.

use crate::cli::ConnectionFlags;
use crate::failure::{Failure, Result};
use crate::session::Carrier;
use crate::target::Target;
use crate::transport::http::{self, HttpOptions};
use crate::transport::stdio::{self, StdioOptions};
use crate::transport::{Opened, Tap};

/// What `Session::open` calls to connect.
///
/// # Errors
/// `usage`, when a file that a flag names cannot be read.
pub(super) fn dial<'a>(
    target: &'a Target,
    flags: &'a ConnectionFlags,
) -> Result<impl Fn(Option<Tap>, Carrier) -> Result<Opened> + 'a> {
    let cacert = flags
        .cacert
        .as_ref()
        .map(|path| std::fs::read(path).map_err(|e| Failure::usage(format!("--cacert {}: {e}", path.display()))));
    let cacert = cacert.transpose()?;
    Ok(move |tap, carrier| -> Result<Opened> {
        match target {
            Target::Command(spawn) => {
                let (transport, inbox) = stdio::open(spawn, StdioOptions { max_message: flags.max_message_size, tap })?;
                Ok((transport, inbox))
            }
            Target::Url { url, headers, .. } => {
                let options = HttpOptions {
                    url: url.clone(),
                    headers: headers.clone(),
                    connect_timeout: flags.connect_timeout,
                    max_message: flags.max_message_size,
                    insecure: flags.insecure,
                    cacert: cacert.clone(),
                    proxy: flags.proxy.clone(),
                    tap,
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
