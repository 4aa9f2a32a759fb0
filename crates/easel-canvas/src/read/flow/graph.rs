//! The boxes and arrows of a course while they are gathered, and where in it the next step goes on.
//!
//! Always true: a step whose name comes again is the same box, and is not followed by itself. Deliberately not here: what a
//! sentence tells (`flow` and its other modules, each of which adds to [`Flow`] what it takes).

use super::steps::{back_target, labelled, without_going, words_of};
use crate::content::{Arrow, Lane, Point};
use crate::read::text;

/// What sort of sentences a diagram is told in.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Steps that follow each other.
    #[default]
    Course,
    /// Who stands under whom.
    Posts,
    /// What speaks to what.
    Links,
}

/// Boxes and arrows while they are gathered.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Flow {
    /// The boxes.
    pub boxes: Vec<Point>,
    /// The arrows between them.
    pub arrows: Vec<Arrow>,
    /// Whose boxes they are, where that is told.
    pub lanes: Vec<Lane>,
    /// The lane of the step that was told last.
    pub(super) lane: Option<usize>,
    /// Whether a sentence is read that stands in one item with the one before it.
    pub(super) is_continued: bool,
    /// The box that the next step follows.
    pub(super) last: Option<usize>,
    /// The box at which the last condition was asked.
    pub(super) branch_from: Option<usize>,
    /// Whether the last thing that was read was a branch.
    pub(super) is_in_branches: bool,
    /// Where the last condition was asked, and whether it said what happens otherwise.
    pub(super) last_condition_from: Option<usize>,
    pub(super) is_else_last: bool,
    /// What sort of sentences it is told in.
    pub(super) sort: Sort,
    /// Boxes that ask, in their order.
    pub(super) questions: Vec<Question>,
}

/// A box that asks something, with what was answered so far.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Question {
    /// Its box.
    pub(super) at: usize,
    /// Whether it was said where one goes if it is so.
    pub(super) yes: bool,
    /// Whether it was said where one goes if it is not.
    pub(super) no: bool,
    /// Where the first answer led.
    pub(super) end: Option<usize>,
}

impl Question {
    /// Goes on being asked where it is when a box is taken out.
    pub(super) fn shift(&mut self, removed: usize) {
        for at in std::iter::once(&mut self.at).chain(&mut self.end).filter(|at| **at > removed) {
            *at -= 1;
        }
    }
}

impl Flow {
    /// A flow that is told in sentences of a sort.
    pub fn of(sort: Sort) -> Self {
        Self { sort, ..Self::default() }
    }

    /// Whether it tells who stands under whom.
    pub(super) fn is_of_posts(&self) -> bool {
        self.sort == Sort::Posts
    }

    /// A box after the last one; one that is there already is gone back to.
    pub(super) fn follow(&mut self, name: &str, label: String) {
        let (name, label) = match label.is_empty().then(|| labelled(name)).flatten() {
            Some((label, name)) => (name, label),
            None => (name.trim().to_owned(), label),
        };
        let name = self.enter(&name).to_owned();
        let target = back_target(&name)
            .and_then(|target| self.find(target))
            .or_else(|| self.find_step(&name))
            .or_else(|| self.find_step(without_going(&name)));
        let to = target.unwrap_or_else(|| {
            let name = without_going(&name);
            let point = match text::name_and_words(name) {
                Some((head, body)) => Point::new(text::capitalize(&head), body),
                None => Point::new(text::capitalize(name), ""),
            };
            self.boxes.push(point);
            self.put_in_lane();
            self.boxes.len() - 1
        });
        if let Some(from) = self.last.filter(|from| *from != to) {
            let arrow = Arrow { from, to, label };
            if !self.arrows.iter().any(|known| known.from == from && known.to == to) {
                self.arrows.push(arrow);
            }
        }
        self.last = Some(to);
    }

    /// The box of a name, whatever article it has.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.find_where(name, |_| true)
    }

    /// The box of a step: what two do, each in a lane of their own, are two steps.
    fn find_step(&self, name: &str) -> Option<usize> {
        self.find_where(name, |at| self.is_in_lane(at))
    }

    fn find_where(&self, name: &str, is_meant: impl Fn(usize) -> bool) -> Option<usize> {
        let wanted = words_of(name);
        let is_named = |at: &usize| words_of(&self.boxes[*at].head) == wanted && is_meant(*at);
        (!wanted.is_empty()).then(|| (0..self.boxes.len()).find(is_named)).flatten()
    }
}
