//! Streamable HTTP: a thread a connection, connections kept, no sessions and no standing stream.

use crate::Options;
use crate::json::member;
use crate::tools::{self, Client, Part};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::mpsc::{Sender, channel};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread::spawn;
use std::time::Duration;

/// Event streams are sent in pieces of about this size.
const PIECE: usize = 1 << 16;

/// How long a question stays open.
const PATIENCE: Duration = Duration::from_secs(60);

/// Questions that are open: their answers come with other requests.
static OPEN: LazyLock<Mutex<HashMap<String, Sender<String>>>> = LazyLock::new(Mutex::default);

/// Serves until stdin ends.
///
/// # Errors
/// When the port is not to be had.
pub fn serve(port: u16, options: Options) -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    println!("http://{}/mcp", listener.local_addr()?);
    spawn(move || {
        for stream in listener.incoming().flatten() {
            spawn(move || connection(stream, options));
        }
    });
    let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
    Ok(())
}

fn connection(stream: TcpStream, options: Options) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut input = BufReader::new(stream.try_clone()?);
    let mut output = stream;
    while let Some((head, body)) = request(&mut input, &mut output)? {
        if !head.starts_with("POST ") {
            output.write_all(b"HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nContent-Length: 0\r\n\r\n")?;
            continue;
        }
        let id = member(&body, "id");
        if id.is_some() && member(&body, "method").is_some() {
            tools::answer(&body, options, &mut Reply { output: &mut output, sse: options.sse, stream: None })?;
            continue;
        }
        if let Some(id) = id {
            let waiting = OPEN.lock().unwrap_or_else(PoisonError::into_inner).remove(id.trim_matches('"'));
            let _ = waiting.map(|waiting| waiting.send(body));
        }
        output.write_all(b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")?;
    }
    Ok(())
}

/// The next request's first line, and its body.
fn request(input: &mut BufReader<TcpStream>, output: &mut TcpStream) -> Result<Option<(String, String)>> {
    let (mut first, mut line, mut length) = (String::new(), String::new(), 0);
    if input.read_line(&mut first)? == 0 {
        return Ok(None);
    }
    loop {
        line.clear();
        input.read_line(&mut line)?;
        let Some((name, value)) = line.split_once(':') else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().map_err(|_| Error::from(ErrorKind::InvalidData))?;
        } else if name.eq_ignore_ascii_case("expect") {
            output.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    let body = String::from_utf8(body).map_err(|_| Error::from(ErrorKind::InvalidData))?;
    Ok(Some((first, body)))
}

/// The answer to one request: a JSON body, or an event stream once something goes before it.
struct Reply<'a> {
    output: &'a mut TcpStream,
    sse: bool,
    /// What of the event stream is not sent yet.
    stream: Option<Vec<u8>>,
}

impl Reply<'_> {
    fn stream(&mut self) -> Result<&mut Vec<u8>> {
        if self.stream.is_none() {
            self.output.write_all(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nTransfer-Encoding: chunked\r\n\r\n",
            )?;
        }
        Ok(self.stream.get_or_insert_with(|| Vec::with_capacity(PIECE + (PIECE >> 3))))
    }

    fn push(&mut self, text: &str) -> Result<()> {
        let stream = self.stream()?;
        stream.extend_from_slice(text.as_bytes());
        if stream.len() >= PIECE { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        let Some(stream) = self.stream.as_mut().filter(|stream| !stream.is_empty()) else { return Ok(()) };
        let mut chunk = format!("{:x}\r\n", stream.len()).into_bytes();
        chunk.append(stream);
        chunk.extend_from_slice(b"\r\n");
        self.output.write_all(&chunk)
    }
}

impl Client for Reply<'_> {
    fn tell(&mut self, message: &str) -> Result<()> {
        for text in ["event: message\ndata: ", message, "\n\n"] {
            self.push(text)?;
        }
        Ok(())
    }

    fn ask(&mut self, id: &str, message: &str) -> Result<String> {
        let (sender, answer) = channel();
        OPEN.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_owned(), sender);
        self.tell(message)?;
        self.flush()?;
        answer.recv_timeout(PATIENCE).map_err(|_| Error::from(ErrorKind::TimedOut))
    }

    fn answer(&mut self, message: &[Part]) -> Result<()> {
        let is_stream = self.sse || self.stream.is_some();
        if is_stream {
            self.push("event: message\ndata: ")?;
        } else {
            let length: usize = message.iter().map(Part::len).sum();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n");
            if length < PIECE {
                let whole = message.iter().fold(head, |whole, part| match part {
                    Part::Text(text) => whole + text,
                    Part::Times(text, times) => whole + &text.repeat(*times),
                });
                return self.output.write_all(whole.as_bytes());
            }
            self.output.write_all(head.as_bytes())?;
        }
        for part in message {
            let (text, times) = match part {
                Part::Text(text) => (text, 1),
                Part::Times(text, times) => (text, *times),
            };
            for _ in 0..times {
                if is_stream {
                    self.push(text)?;
                } else {
                    self.output.write_all(text.as_bytes())?;
                }
            }
        }
        if is_stream {
            self.push("\n\n")?;
            self.flush()?;
            self.output.write_all(b"0\r\n\r\n")?;
        }
        Ok(())
    }
}
