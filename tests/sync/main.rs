//! The headless engine on real folders, against a real studio.
//!
//! `once` is what a person types by hand; `at_work` has three people at work on three folders that one drive folder
//! holds together, and asks at the end that nothing of what they wrote is lost; `computers` is what the other modules start
//! from: each holds one kind of everyday thing that once went wrong. Not here: what breaks on the way
//! (`faults`), and worlds that never were (`simulation`).

#[cfg(test)]
mod at_work;
#[cfg(test)]
mod computers;
#[cfg(test)]
mod conflicts;
#[cfg(test)]
mod copies;
#[cfg(test)]
mod edited;
#[cfg(test)]
mod missed;
#[cfg(test)]
mod once;
#[cfg(test)]
mod people;
#[cfg(test)]
mod removed;
#[cfg(test)]
mod restored;
#[cfg(test)]
mod unsettled;
#[cfg(test)]
mod versions;
