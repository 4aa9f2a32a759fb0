//! Every rule of the specification and of the contract, asked over HTTP of the real studio by a plain HTTP client.
//!
//! A module is a section, a test is a rule. Written from the specification alone: a test that needs to know how the
//! studio does something is in the studio's own crate.
