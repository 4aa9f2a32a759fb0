//! Locks that are held for a moment and never across an `await`.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, also after a panic elsewhere: the guarded data are figures for the window.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
