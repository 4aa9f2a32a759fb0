//! Keeps a program's memory near what it uses, around looks through large folders.
//!
//! glibc keeps freed memory for the program, in three ways. It gives threads heaps of their own, and what one thread
//! freed is of no use to another; so [`keep_little`] has all threads share one heap. It keeps the end of a heap, as much
//! of it as twice the largest block ever freed, which no later call returns; so [`keep_little`] fixes that bound. It keeps
//! free pieces between pieces in use, which [`give_back`] returns. Other systems take back free memory by themselves, and
//! both functions do nothing there.

/// The most free bytes that stay at the end of the heap, and the size from which a block is mapped by itself:
/// glibc's values at a program's start, before it adapts them to the blocks that it sees.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT_BYTES: libc::c_int = 128 * 1024;

/// Keeps glibc from holding much freed memory. A program calls it first of all: the heap of a thread that runs already
/// stays its own.
pub fn keep_little() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fix_bounds();
}

/// Gives freed memory back to the system.
pub(crate) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    trim();
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(
    unsafe_code,
    reason = "no library wraps this call; it takes two numbers and touches nothing that Rust knows of"
)]
fn fix_bounds() {
    // SAFETY: mallopt may be called at any time, from any thread, with these parameters (mallopt(3)).
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
        libc::mallopt(libc::M_MMAP_THRESHOLD, KEPT_BYTES);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT_BYTES);
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "no library wraps this call; it takes a number and touches nothing that Rust knows of")]
fn trim() {
    // SAFETY: malloc_trim may be called at any time, from any thread, with any number (malloc_trim(3)).
    unsafe {
        libc::malloc_trim(0);
    }
}
