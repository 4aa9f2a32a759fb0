//! Where files land that are dropped on the window, as the page said last.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::views::{DropArea, DropOver, DropTarget};

/// The places of the screen for dropped files, and the one that files are over.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) target: Option<DropTarget>,
    /// Where each place of the screen beside the drive is.
    areas: BTreeMap<DropOver, DropArea>,
    pub(super) over: DropOver,
    /// Dropped before there was a service.
    pub(super) awaiting_studio: Vec<PathBuf>,
}

impl Places {
    /// Says where a place is; nowhere where there is no such place.
    pub(super) fn set_area(&mut self, of: DropOver, area: Option<DropArea>) {
        match area {
            Some(area) => self.areas.insert(of, area),
            None => self.areas.remove(&of),
        };
    }

    pub(super) fn at(&self, at: (f64, f64)) -> DropOver {
        let over = self.areas.iter().find(|(_, area)| area.holds(at));
        over.map_or(DropOver::Drive, |(over, _)| *over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_in_the_place_that_is_there() {
        let area = DropArea { left: 640.0, top: 80.0, right: 1_120.0, bottom: 320.0 };
        let check = |attach_area, at, expected| {
            let mut places = Places::default();
            places.set_area(DropOver::Design, attach_area);
            assert_eq!(places.at(at), expected, "{at:?}");
        };
        check(Some(area), (640.0, 80.0), DropOver::Design);
        check(Some(area), (900.0, 200.0), DropOver::Design);
        check(Some(area), (1_120.0, 200.0), DropOver::Drive);
        check(Some(area), (900.0, 79.0), DropOver::Drive);
        check(Some(area), (200.0, 200.0), DropOver::Drive);
        check(None, (900.0, 200.0), DropOver::Drive);
    }
}
