//! Giving memory back to the system after a look through a large folder.
//!
//! glibc keeps what was freed in small pieces for the program; after trees of a hundred thousand paths that is two thirds of
//! all it has. Elsewhere the system takes it back by itself.

/// Gives back what is free.
pub(super) fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    trim();
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "no library wraps this call; it takes a number and touches nothing that Rust knows of")]
fn trim() {
    // SAFETY: malloc_trim may be called at any time, from any thread, with any number (malloc_trim(3)).
    unsafe {
        libc::malloc_trim(0);
    }
}
