//! The person's own editor. The terminal is handed over whole: the editor leads a process group of its own in the
//! foreground, so ^C and ^Z are for it alone, and with it the whole job stops and goes on. Dropped in the middle, the
//! editor is ended and the terminal taken back.

use crate::context::Context;
use crate::guard;
use nix::sys::signal::{SigSet, SigmaskHow, Signal as Masked};
use rustix::io::Errno;
use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, kill_current_process_group, kill_process_group, test_kill_process_group,
    waitpid,
};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr, tcsetpgrp};
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tokio::signal::unix::{SignalKind, signal};

/// How long an editor has to end after SIGHUP, and again after SIGTERM. Everything waits for it.
const GRACE: Duration = Duration::from_millis(500);
const POLL: Duration = Duration::from_millis(5);

/// The largest text that is taken from an editor, in bytes.
const LARGEST: u64 = 16 << 20;

/// What an editor that had to be killed may have left on: the other screen, the mouse, marked pastes, colours.
const RESET: &[u8] = b"\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1006l\x1b[?2004l\x1b[0m\x1b[?25h";

/// The editor as the person named it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Editor {
    words: Vec<String>,
    /// Whether the terminal understands more than lines.
    draws: bool,
}

impl Editor {
    /// `$VISUAL`, else `$EDITOR`, else `vi`; where nothing can be drawn, `$EDITOR` alone.
    pub(super) fn find(context: &Context, draws: bool) -> Option<Self> {
        let line = match draws {
            true => context.var("VISUAL").or_else(|| context.var("EDITOR")).or(Some("vi")),
            false => context.var("EDITOR"),
        }?;
        // What no shell could read is a name as it stands, and shown as such when there is no such program.
        let words = shell_words::split(line).ok().filter(|words| !words.is_empty());
        Some(Editor { words: words.unwrap_or_else(|| vec![line.to_owned()]), draws })
    }

    /// The name of the program.
    pub(super) fn name(&self) -> &str {
        self.words[0].rsplit('/').next().unwrap_or_default()
    }

    /// Has a text edited. A line break at the end is the file's, not the text's.
    ///
    /// # Errors
    /// Why there is no edited text, in words for the person.
    pub(super) async fn edit(&self, tty: &File, text: &str, extension: &str) -> Result<String, String> {
        let name = self.name();
        let no_file = |error: io::Error| format!("there is no place for a temporary file: {error}");
        // Private as a whole: editors put copies beside the file.
        let private = Permissions::from_mode(0o700);
        let folder = tempfile::Builder::new().prefix("mcpcall-").permissions(private).tempdir().map_err(no_file)?;
        let path = folder.path().join(format!("answer.{extension}"));
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path).map_err(no_file)?;
        let last = if text.is_empty() { "" } else { "\n" };
        file.write_all(format!("{text}{last}").as_bytes()).map_err(no_file)?;
        drop(file);
        let status = self.run(tty, &path).await.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => format!("cannot start {name}: there is no such program"),
            io::ErrorKind::PermissionDenied => format!("cannot start {name}: it is not executable"),
            _ => format!("cannot start {name}: {error}"),
        })?;
        if status.exit_status() != Some(0) && self.draws {
            // One that died may have left the screen as it was using it.
            let _ = (&mut &*tty).write_all(RESET);
        }
        match (status.exit_status(), status.terminating_signal()) {
            (Some(0), _) => {}
            (Some(code), _) => return Err(format!("{name} exited with status {code}; the text is as it was")),
            (None, Some(signal)) => return Err(format!("{name} was killed by signal {signal}; the text is as it was")),
            (None, None) => return Err(format!("{name} ended oddly; the text is as it was")),
        }
        // Only what is a file, and not more of it than an answer can be: reading anything else might not end.
        let left = std::fs::metadata(&path).map_err(|error| format!("{name} left no file to read: {error}"))?;
        if !left.is_file() || left.len() > LARGEST {
            return Err(format!("{name} left what is no file, or one of more than {} MB", LARGEST >> 20));
        }
        let bytes = std::fs::read(&path).map_err(|error| format!("{name} left no file to read: {error}"))?;
        let text = String::from_utf8(bytes).map_err(|_| format!("what {name} wrote is not UTF-8"))?;
        Ok(text.strip_suffix('\n').map(|text| text.strip_suffix('\r').unwrap_or(text)).unwrap_or(&text).to_owned())
    }

    async fn run(&self, tty: &File, path: &Path) -> io::Result<WaitStatus> {
        let mut changes = signal(SignalKind::child())?;
        let before = tcgetattr(tty)?;
        // The editor is to be in the foreground from its first moment, else ^C could still be for us. A group needs a
        // process before it can be put there: this one keeps the place.
        let mut keeper = Command::new("cat");
        keeper.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        guard::ready();
        let mut keeper = keeper.spawn()?;
        let group = Pid::from_child(&keeper);
        let _guarded = guard::watch(group);
        let mut running = Running { tty, group, before, editor: None, draws: self.draws };
        running.hand_over();
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).arg(path).process_group(group.as_raw_nonzero().get());
        let child = command.stdin(tty.try_clone()?).stdout(tty.try_clone()?).stderr(tty.try_clone()?).spawn();
        let _ = keeper.kill();
        let _ = keeper.wait();
        let editor = Pid::from_child(&child?);
        running.editor = Some(editor);
        loop {
            match waitpid(Some(editor), WaitOptions::NOHANG | WaitOptions::UNTRACED)? {
                Some((_, status)) if status.stopped() => running.stopped(status.stopping_signal()),
                Some((_, status)) => {
                    running.editor = None;
                    return Ok(status);
                }
                None => {
                    changes.recv().await;
                }
            }
        }
    }
}

/// An editor that has the terminal. Dropping this ends it, if need be, and takes the terminal back.
struct Running<'a> {
    tty: &'a File,
    group: Pid,
    before: Termios,
    /// None before it has begun and after it has ended.
    editor: Option<Pid>,
    draws: bool,
}

impl Running<'_> {
    /// Puts the editor into the foreground. Where we are in the background ourselves this stops us until we are not.
    fn hand_over(&self) {
        let _ = tcsetpgrp(self.tty, self.group);
        let _ = kill_process_group(self.group, Signal::CONT);
    }

    /// Puts us into the foreground.
    fn take_back(&self) {
        // Who asks for that from the background is stopped, unless the signal is blocked.
        let blocked = SigSet::from(Masked::SIGTTOU).thread_swap_mask(SigmaskHow::SIG_BLOCK);
        let _ = tcsetpgrp(self.tty, rustix::process::getpgrp());
        if let Ok(before) = blocked {
            let _ = before.thread_set_mask();
        }
    }

    /// The editor was stopped: so are we all, until the shell lets us go on. Where there is no such shell the system
    /// does not stop us, and the editor goes on at once.
    fn stopped(&self, by: Option<i32>) {
        let wants_terminal = [Signal::TTIN, Signal::TTOU].map(|signal| Some(signal.as_raw())).contains(&by);
        if !wants_terminal {
            self.take_back();
            let _ = kill_current_process_group(Signal::TSTP);
        }
        self.hand_over();
    }

    /// Ends the editor and whatever belongs to it.
    fn end(&mut self) {
        for signal in [Signal::HUP, Signal::TERM] {
            let _ = kill_process_group(self.group, signal);
            // What is stopped takes no other signal.
            let _ = kill_process_group(self.group, Signal::CONT);
            let begin = Instant::now();
            while begin.elapsed() < GRACE {
                self.reap(WaitOptions::NOHANG);
                if test_kill_process_group(self.group) == Err(Errno::SRCH) {
                    return;
                }
                sleep(POLL);
            }
        }
        let _ = kill_process_group(self.group, Signal::KILL);
        self.reap(WaitOptions::empty());
        if self.draws {
            let _ = (&mut &*self.tty).write_all(RESET);
        }
    }

    fn reap(&mut self, how: WaitOptions) {
        if self.editor.is_some() && !matches!(waitpid(self.editor, how), Ok(None)) {
            self.editor = None;
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if self.editor.is_some() {
            self.end();
        }
        self.take_back();
        let _ = tcsetattr(self.tty, OptionalActions::Drain, &self.before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn editor(variables: &[(&str, &str)], draws: bool) -> Option<Vec<String>> {
        let env = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let context = Context::at_terminal(env);
        Editor::find(&context, draws).map(|editor| editor.words)
    }

    #[test]
    fn the_editor_is_the_one_the_person_chose() {
        let both = [("VISUAL", "code --wait"), ("EDITOR", "ed")];
        let words = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        assert_eq!(editor(&both, true), words(&["code", "--wait"]));
        assert_eq!(editor(&both, false), words(&["ed"]));
        assert_eq!(editor(&[("VISUAL", ""), ("EDITOR", "'/a b/vim' -n")], true), words(&["/a b/vim", "-n"]));
        assert_eq!(editor(&[], true), words(&["vi"]));
        assert_eq!(editor(&[], false), None);
        assert_eq!(editor(&[("EDITOR", "it's")], true), words(&["it's"]));
    }
}
