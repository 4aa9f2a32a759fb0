//! The stranger itself, tried by plain HTTP: what it promises to the tests that try Easel against it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod behaviour;
mod clauses;
mod day;
mod plain;
mod sets;
