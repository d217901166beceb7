//! Messages as lines.

use crate::Options;
use crate::json::member;
use crate::tools::{self, Client, Part};
use std::io::{BufRead, BufReader, BufWriter, Error, ErrorKind, Read, Result, StdinLock, Write};

/// Serves stdin until it ends.
///
/// # Errors
/// When the client is gone.
pub fn serve(options: Options) -> Result<()> {
    let mut lines = Lines {
        input: BufReader::with_capacity(1 << 16, std::io::stdin().lock()),
        output: BufWriter::with_capacity(1 << 16, Descriptor::stdout()?),
    };
    while let Some(line) = lines.next()? {
        if member(&line, "method").is_some() && member(&line, "id").is_some() {
            tools::answer(&line, options, &mut lines)?;
        }
    }
    Ok(())
}

/// stdout without the line buffer that std puts before it.
struct Descriptor(std::fs::File);

impl Descriptor {
    fn stdout() -> Result<Self> {
        use std::os::fd::AsFd;
        Ok(Descriptor(std::fs::File::from(std::io::stdout().as_fd().try_clone_to_owned()?)))
    }
}

impl Write for Descriptor {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

struct Lines<I> {
    input: BufReader<I>,
    output: BufWriter<Descriptor>,
}

impl<I: Read> Lines<I> {
    fn next(&mut self) -> Result<Option<String>> {
        let mut line = String::new();
        Ok((self.input.read_line(&mut line)? > 0).then_some(line))
    }
}

impl Client for Lines<StdinLock<'static>> {
    fn tell(&mut self, message: &str) -> Result<()> {
        self.output.write_all(message.as_bytes())?;
        self.output.write_all(b"\n")
    }

    fn ask(&mut self, id: &str, message: &str) -> Result<String> {
        self.tell(message)?;
        self.output.flush()?;
        loop {
            let line = self.next()?.ok_or_else(|| Error::from(ErrorKind::UnexpectedEof))?;
            let is_answer = member(&line, "method").is_none();
            if is_answer && member(&line, "id").is_some_and(|it| it.trim_matches('"') == id) {
                return Ok(line);
            }
        }
    }

    fn answer(&mut self, message: &[Part]) -> Result<()> {
        for part in message {
            match part {
                Part::Text(text) => self.output.write_all(text.as_bytes())?,
                Part::Times(text, times) => {
                    for _ in 0..*times {
                        self.output.write_all(text.as_bytes())?;
                    }
                }
            }
        }
        self.output.write_all(b"\n")?;
        self.output.flush()
    }
}
