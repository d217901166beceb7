//! From a target to an open transport.

use crate::cli::ConnectionFlags;
use crate::failure::{Failure, Result};
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
) -> Result<impl FnOnce(Option<Tap>) -> Result<Opened> + 'a> {
    let cacert = flags
        .cacert
        .as_ref()
        .map(|path| std::fs::read(path).map_err(|e| Failure::usage(format!("--cacert {}: {e}", path.display()))));
    let cacert = cacert.transpose()?;
    Ok(move |tap| -> Result<Opened> {
        match target {
            Target::Command(spawn) => {
                let (transport, inbox) = stdio::open(spawn, StdioOptions { max_message: flags.max_message_size, tap })?;
                Ok((transport, inbox))
            }
            Target::Url { url, headers } => {
                let (transport, inbox) = http::open(HttpOptions {
                    url: url.clone(),
                    headers: headers.clone(),
                    connect_timeout: flags.connect_timeout,
                    max_message: flags.max_message_size,
                    insecure: flags.insecure,
                    cacert,
                    proxy: flags.proxy.clone(),
                    tap,
                })?;
                Ok((transport, inbox))
            }
        }
    })
}
