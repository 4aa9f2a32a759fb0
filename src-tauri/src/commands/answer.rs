//! What a command answers the page.

use easel_app::problem::Problem;

/// What the page asked for, or why not.
pub(super) type Answer<T> = Result<T, Problem>;
