//! The headless engine on real folders, against a real studio.
//!
//! `once` is what a person types by hand; `two_engines` has two people at work on two folders that one drive folder
//! holds together, and asks at the end that nothing of what they wrote is lost; `computers` is what the other modules start
//! from: each holds one kind of everyday thing that once went wrong. Not here: what breaks on the way
//! (`faults`), and worlds that never were (`simulation`).

#[cfg(test)]
mod computers;
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
mod two_engines;
#[cfg(test)]
mod unsettled;
#[cfg(test)]
mod versions;
