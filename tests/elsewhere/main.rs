//! Easel at a service that others wrote: the stranger, which keeps the specification and decides everything else in its own
//! way.
//!
//! A day's work is done there: connect, drop files, keep a folder in step on two computers, make, remix and export
//! designs, look at brand kits and deliveries. Every decision of the stranger is a switch: in every run all are against
//! Easel at once, and every two of them meet; each alone, and many drawn by lot, are parts of `cargo xtask soak`. Besides,
//! every field that nobody promised is mangled, under the client's questions and under a folder that is kept in step.

mod asked;
mod clocks;
mod computer;
mod day;
mod days;
mod large;
mod mangled;
mod mangled_folder;
mod requests;
mod storms;
mod unsure;
