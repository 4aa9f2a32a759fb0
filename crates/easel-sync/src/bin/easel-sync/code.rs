//! What the program ends with.

/// How the program ends; see `--help`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Code {
    Equal = 0,
    Differs = 1,
    Usage = 2,
    NeedsAPerson = 3,
    KeyRefused = 4,
    Unreachable = 5,
    NoRoom = 6,
    Held = 7,
    JournalUnusable = 8,
}
