//! The answer of a command to the page.

use easel_app::problem::Problem;

/// What the page asked for, or the problem.
pub(super) type Answer<T> = Result<T, Problem>;
