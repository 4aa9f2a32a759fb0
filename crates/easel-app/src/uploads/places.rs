//! Where files land that are dropped on the window, as the page said last.

use std::path::PathBuf;

use super::views::{DropArea, DropOver, DropTarget};

/// The places of the screen for dropped files, and the one that files are over.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) target: Option<DropTarget>,
    pub(super) attach_area: Option<DropArea>,
    pub(super) step_area: Option<DropArea>,
    pub(super) over: DropOver,
    /// Dropped before there was a service.
    pub(super) awaiting_studio: Vec<PathBuf>,
}

impl Places {
    pub(super) fn at(&self, at: (f64, f64)) -> DropOver {
        let is_in = |area: Option<DropArea>| area.is_some_and(|area| area.holds(at));
        if is_in(self.attach_area) {
            DropOver::Design
        } else if is_in(self.step_area) {
            DropOver::Step
        } else {
            DropOver::Drive
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_in_the_place_that_is_there() {
        let area = DropArea { left: 640.0, top: 80.0, right: 1_120.0, bottom: 320.0 };
        let check = |attach_area, at, expected| {
            assert_eq!(Places { attach_area, ..Places::default() }.at(at), expected, "{at:?}");
        };
        check(Some(area), (640.0, 80.0), DropOver::Design);
        check(Some(area), (900.0, 200.0), DropOver::Design);
        check(Some(area), (1_120.0, 200.0), DropOver::Drive);
        check(Some(area), (900.0, 79.0), DropOver::Drive);
        check(Some(area), (200.0, 200.0), DropOver::Drive);
        check(None, (900.0, 200.0), DropOver::Drive);
    }
}
