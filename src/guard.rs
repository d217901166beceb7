//! Ends what a run has started when the run itself cannot, because it was killed (`kill -9`, out of memory). A process of our
//! own program, `mcpcall __guard`, is told of each process group and waits at a pipe: its end without a farewell is the
//! death of the run, and the groups that are left are killed. A parent-death signal would reach the first process only,
//! not what `npx` or a shell has started, and takes `unsafe` to set.

use crate::context::own_program;
use crate::sync::lock;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, OnceLock};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The one word on the guard's command line.
pub(crate) const VERB: &str = "__guard";

/// How long after the start of a server its guard is called: a run that is over by then needs none, and starting one would
/// be a third of it.
pub(crate) const SOON: Duration = Duration::from_millis(10);

/// How long a group may take to end by itself: its stdin has ended with the run.
const GRACE: Duration = Duration::from_millis(300);

/// Whether there is to be a guard: in the program, not in tests of a part of it, whose file is another program.
static ARMED: OnceLock<()> = OnceLock::new();

/// What there is to guard, and who does.
static POST: Mutex<Post> = Mutex::new(Post { groups: Vec::new(), guard: None, was_called: false });

#[derive(Debug)]
struct Post {
    groups: Vec<Pid>,
    /// The pipe to the guard, which ends when this process does. `None` as well where it could not be started.
    guard: Option<ChildStdin>,
    was_called: bool,
}

/// A process group that is killed if this process is killed before the value is dropped.
#[derive(Debug)]
pub(crate) struct Guarded(Pid);

/// From now on groups are guarded.
pub(crate) fn arm() {
    let _ = ARMED.set(());
}

/// Starts the guard, if it does not stand there yet. Without one all goes on as it would; no call fails for that.
pub(crate) fn ready() {
    if ARMED.get().is_some() {
        lock(&POST).call();
    }
}

/// Puts a group under guard, by its leader: at once, or as soon as there is a guard.
pub(crate) fn watch(leader: Pid) -> Guarded {
    let mut post = lock(&POST);
    post.groups.push(leader);
    post.tell('+', leader);
    Guarded(leader)
}

impl Drop for Guarded {
    fn drop(&mut self) {
        let mut post = lock(&POST);
        post.groups.retain(|group| *group != self.0);
        post.tell('-', self.0);
    }
}

impl Post {
    fn call(&mut self) {
        if std::mem::replace(&mut self.was_called, true) {
            return;
        }
        self.guard = start();
        for group in self.groups.clone() {
            self.tell('+', group);
        }
    }

    fn tell(&mut self, what: char, leader: Pid) {
        if let Some(pipe) = &mut self.guard {
            // Short enough to be written whole or not at all.
            let _ = pipe.write_all(format!("{what}{}\n", leader.as_raw_nonzero()).as_bytes());
        }
    }
}

fn start() -> Option<ChildStdin> {
    let mut command = Command::new(own_program()?);
    // Out of reach of ^C, holding nothing of ours that somebody may wait to be closed.
    command.arg0("mcpcall").arg(VERB).process_group(0).current_dir("/");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().ok()?.stdin
}

/// What the guard does: listens until the run is over, and ends what it left.
pub(crate) fn stand(pipe: impl Read) {
    let alive = |groups: &[Pid]| groups.iter().any(|group| test_kill_process_group(*group).is_ok());
    let groups = left(pipe);
    let end = Instant::now() + GRACE;
    while alive(&groups) && Instant::now() < end {
        sleep(Duration::from_millis(10));
    }
    for group in groups {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// The groups that were put under guard and not taken away, once the pipe has ended.
fn left(pipe: impl Read) -> Vec<Pid> {
    let mut groups = Vec::new();
    for line in BufReader::new(pipe).lines().map_while(Result::ok) {
        let Some((what, number)) = line.split_at_checked(1) else { continue };
        // 1 is nobody's group of ours, and as a group would mean everybody.
        let Some(group) = number.parse().ok().filter(|number| *number > 1).and_then(Pid::from_raw) else { continue };
        match what {
            "+" => groups.push(group),
            _ => groups.retain(|other| *other != group),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_are_the_groups_without_a_farewell() {
        let left = |text: &str| left(text.as_bytes()).iter().map(|pid| pid.as_raw_nonzero().get()).collect::<Vec<_>>();
        assert_eq!(left("+12\n+13\n-12\n+14\n"), [13, 14]);
        assert_eq!(left("+12\n-12\n"), [0; 0]);
        assert_eq!(left("+1\n+0\n+-7\n+x\n\né\n+"), [0; 0]);
    }
}
