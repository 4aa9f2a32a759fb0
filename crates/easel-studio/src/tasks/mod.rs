//! Tasks and remixes over HTTP (specification, "Task", "Remix rules", "Endpoints"; contract, "Tasks and remix").
//!
//! Always true: an acknowledged task is in the database and will be worked on, also after a crash; the cap on tasks
//! queued or running is exact; a task that works from private items is seen by its maker alone. Not here: SQL, and the
//! work itself ([`crate::worker`]).

mod brand;
mod cancel;
mod ends;
mod new_task;
mod preview;
mod read;
mod record;
mod remix;
mod start;

pub use brand::load_brand;
pub use cancel::cancel_task;
pub use ends::end_task;
pub use preview::get_preview;
pub use read::{get_task, list_tasks};
pub use remix::{remix, visibility_of_copy};
pub use start::{MAX_ATTACHED_BYTES, start_task};

#[cfg(test)]
mod tests;
