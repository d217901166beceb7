//! How to talk to it.

use crate::complexity;
use crate::session::era::negotiate::Protocol;
use crate::session::era::revision::Revision;
use clap::Args;
use std::time::Duration;

/// Connection settings.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Connection")]
pub(crate) struct ConnectionFlags {
    /// Protocol to speak: auto (the handshake, else 2026-07-28), legacy, modern (2026-07-28), a version, or both (a call
    /// in each, compared)
    #[arg(long, value_name = "VERSION", default_value = "auto", value_parser = protocol, global = true)]
    pub(crate) protocol: Speak,

    /// How often a call may ask for input and be made again (2026-07-28)
    #[arg(long, value_name = "N", default_value = "10", global = true)]
    pub(crate) max_rounds: usize,

    /// How many questions of the server may be open at one time, with the answers that it has not taken yet
    #[arg(long, value_name = "N", default_value = "256", value_parser = clap::value_parser!(u32).range(1..=1_000_000), global = true)]
    pub(crate) max_asks: u32,

    /// How many values the JSON of a server may have that is taken apart, and how much work a schema may make: a tenth of
    /// that are its parts, twice that the steps of a check
    #[arg(long, value_name = "N", default_value_t = complexity::DEFAULT, value_parser = complexity, global = true)]
    pub(crate) max_complexity: usize,

    /// Longest wait for an answer (for the handshake at least --connect-timeout); stands still while you are asked,
    /// starts again with progress; 0 waits for ever [default: 0 at a terminal, else 300]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, global = true)]
    pub(crate) timeout: Option<Duration>,

    /// Longest time for an answer in all, however often progress is reported; stands still while you are asked; 0 is for
    /// ever [default: 0 at a terminal, else 3600, or --timeout if that is longer]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, global = true)]
    pub(crate) max_time: Option<Duration>,

    /// Longest wait for a connection (HTTP), for a sign that a server speaks the protocol it is tried in, and for the
    /// acknowledgement of a notification
    #[arg(long, value_name = "SECONDS", default_value = "15", value_parser = seconds, global = true)]
    pub(crate) connect_timeout: Duration,

    /// Trust the certificates in this PEM file too
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) cacert: Option<std::path::PathBuf>,

    /// Accept any certificate
    #[arg(long, global = true)]
    pub(crate) insecure: bool,

    /// Proxy to use, instead of what the environment says
    #[arg(long, value_name = "URL", global = true)]
    pub(crate) proxy: Option<String>,

    /// Largest message to accept, in bytes; K, M and G may follow
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = size, global = true)]
    pub(crate) max_message_size: usize,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "not a length of time".to_owned())
}

fn size(text: &str) -> Result<usize, String> {
    let (digits, unit) = match text.trim_end_matches(['K', 'M', 'G']) {
        digits if digits.len() + 1 >= text.len() => (digits, &text[digits.len()..]),
        _ => return Err("not a size".into()),
    };
    let factor = match unit {
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => 1,
    };
    let number: usize = digits.parse().map_err(|_| "not a size such as 65536 or 256M".to_owned())?;
    number.checked_mul(factor).filter(|size| *size > 0).ok_or_else(|| "not a size".to_owned())
}

fn complexity(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|n| (1000..=1_000_000_000).contains(n))
        .ok_or_else(|| "not a number from 1000 to 1000000000".into())
}

/// What `--protocol` wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speak {
    /// One protocol.
    One(Protocol),
    /// The same call in both generations.
    Both,
}

fn protocol(text: &str) -> Result<Speak, String> {
    if text == "both" {
        return Ok(Speak::Both);
    }
    let known = || format!("known: auto, legacy, modern, both, {}", Revision::dates().join(", "));
    Protocol::read(text).map(Speak::One).ok_or_else(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_seconds_are_read_or_refused() {
        for (text, expected) in [
            ("10", Some(10)),
            ("2K", Some(2048)),
            ("1G", Some(1 << 30)),
            ("KK", None),
            ("0", None),
            ("1KM", None),
            ("x", None),
        ] {
            assert_eq!(size(text).ok(), expected, "{text}");
        }
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert!(seconds("-1").is_err() && seconds("inf").is_err() && seconds("1s").is_err());
    }
}
