//! Locks.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, whether or not another holder panicked: what we keep under locks is consistent between statements.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
