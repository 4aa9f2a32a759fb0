//! Gives memory back to the system around looks through large folders.
//!
//! glibc keeps freed memory for the program, in two ways. It keeps free pieces between pieces in use, which
//! [`give_back`] returns. It also keeps the end of each thread's heap, as much of it as twice the largest block ever
//! freed, which no later call returns; so [`keep_little`] fixes that bound at the start. Other systems take back free
//! memory by themselves, and both functions do nothing there.

/// The most free bytes that stay at the end of a thread's heap, and the size from which a block is mapped by itself:
/// glibc's values at a program's start, before it adapts them to the blocks that it sees.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT_BYTES: libc::c_int = 128 * 1024;

/// Keeps glibc from holding more freed memory than at a program's start. The first user calls it, once.
pub(super) fn keep_little() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        static ONCE: std::sync::Once = std::sync::Once::new();
        ONCE.call_once(fix_bounds);
    }
}

/// Gives freed memory back to the system.
pub(super) fn give_back() {
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
