//! A watched folder, kept in step by the real `easel-sync`, while everything around it breaks.
//!
//! Each test says at its end which of the two it is: both sides are equal, or the person is told what is the matter. Both
//! are looked at from outside: the disk as it is, the drive as the service itself says, and the engine's own lines.

mod broken_ways;
mod files_at_work;
mod journal;
mod kills;
mod places;
mod rig;
