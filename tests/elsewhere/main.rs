//! Easel at a service that others wrote: the stranger, which keeps the specification and decides everything else in its own
//! way.
//!
//! A day's work is done there: connect, drop files, keep a folder in step on two computers, make, remix and export
//! designs, look at brand kits and deliveries. Every decision of the stranger is a switch. The day at a stranger that
//! decides as the contract does is part of every run; the days with switches are asked for by name (`--run-ignored all`)
//! until all of them hold.

mod day;
mod days;
mod mangled;
