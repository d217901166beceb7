//! The mode that the terminal is to have again, for a run that ends where no value is dropped: by a panic.

use crate::sync::lock;
use rustix::termios::{OptionalActions, Termios, tcsetattr};
use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, TryLockError};

/// The terminal whose mode is ours at this moment, if one is.
static LENT: Mutex<Option<Lent>> = Mutex::new(None);

struct Lent {
    tty: File,
    before: Termios,
    parting: &'static str,
}

/// A mode is about to be changed from `before`; `parting` undoes what else a terminal may have been told.
pub(super) fn lend(tty: &File, before: &Termios, parting: &'static str) {
    *lock(&LENT) = tty.try_clone().ok().map(|tty| Lent { tty, before: before.clone(), parting });
}

/// It has been given back as it should be.
pub(super) fn returned() {
    *lock(&LENT) = None;
}

/// Gives the terminal back, come what may: called by a thread that may have stopped anywhere.
pub(crate) fn give_back() {
    let mut lent = match LENT.try_lock() {
        Ok(lent) => lent,
        Err(TryLockError::Poisoned(lent)) => lent.into_inner(),
        Err(TryLockError::WouldBlock) => return,
    };
    if let Some(Lent { mut tty, before, parting }) = lent.take() {
        // What waits to be drawn is not waited for.
        let _ = tcsetattr(&tty, OptionalActions::Now, &before);
        let _ = tty.write_all(parting.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::super::keys;
    use super::*;
    use rustix::termios::{LocalModes, tcgetattr};
    use std::io::Read;
    use std::os::fd::AsFd;

    #[test]
    fn a_terminal_is_given_back_while_its_mode_is_ours() {
        let (mut pty, pts) = pty_process::blocking::open().unwrap();
        let tty = File::from(pts.as_fd().try_clone_to_owned().unwrap());
        let is_cooked = || tcgetattr(&tty).unwrap().local_modes.contains(LocalModes::ICANON | LocalModes::ECHO);
        let asking = keys::open(&tty, OptionalActions::Now).unwrap();
        assert!(!is_cooked());
        give_back();
        assert!(is_cooked());
        let mut shown = [0; 64];
        let n = pty.read(&mut shown).unwrap();
        assert!(String::from_utf8_lossy(&shown[..n]).contains("\x1b[?2004l\x1b[?25h"));
        drop(asking);
        // Nothing is lent any more.
        drop(keys::open(&tty, OptionalActions::Now).unwrap());
        let mut raw = tcgetattr(&tty).unwrap();
        raw.make_raw();
        tcsetattr(&tty, OptionalActions::Now, &raw).unwrap();
        give_back();
        assert!(!is_cooked());
    }
}
