//! A diagram that is told in sentences: what it is called, and the boxes and arrows that its sentences come to.
//!
//! Deliberately not here: what a sentence says of boxes and arrows (`flow`), and steps in lists (`listed`).

use super::state::Reader;
use crate::read::flow::{self, Flow, Sort, lanes};
use crate::read::instructions::{self, Clause};
use crate::read::kinds::Kind;
use crate::read::notation::Noted;
use crate::read::{naming, text};

/// A title that stands behind its label without a colon has at most so many words.
const MOST_WORDS_OF_A_TITLE: usize = 6;

/// Words that lead to how a thing is drawn.
const WITH: &[&str] = &["with", "in", "as", "mit", "als", "avec", "en", "con", "com", "em"];

impl Reader {
    /// The flow that is gathered.
    pub(super) fn flow(&mut self) -> &mut Flow {
        let (sort, lanes) = (self.sort, &self.lanes);
        self.flow.get_or_insert_with(|| {
            let mut flow = Flow::of(sort);
            flow.divide_into(lanes);
            flow
        })
    }

    /// Takes a sentence of the sort that the diagram is told in; says whether it was taken.
    pub(super) fn take_known(&mut self, content: &str) -> bool {
        if !self.lanes.is_empty() {
            self.take_in_lanes(content);
            return true;
        }
        if self.sort == Sort::Course {
            return false;
        }
        let mut flow = self.flow.take().unwrap_or_else(|| Flow::of(self.sort));
        let is_taken = flow.take_known(content);
        let is_begun = !flow.boxes.is_empty();
        self.flow = is_begun.then_some(flow);
        // What is said beside things that speak to each other has no box.
        let is_beside = !is_taken && is_begun && self.sort == Sort::Links && content.split_whitespace().count() > 3;
        if is_beside {
            self.details.push(text::capitalize(content.trim_end_matches('.')));
        }
        is_taken || is_beside
    }

    /// What the lanes of a diagram are called, where they are asked for.
    pub(super) fn look_for_lanes(&mut self, told: &[String]) {
        // “A diagram with lanes for the new ones” is named by how it is drawn.
        let is_title = lanes::are_asked(&self.title);
        if is_title && text::words(&self.title).first().is_some_and(|first| WITH.contains(&first.as_str())) {
            self.instructions.push(std::mem::take(&mut self.title));
        }
        if is_title {
            self.lanes = lanes::named_in(told);
        }
        let of_request = [&self.request.kind_name, &self.request.instructions, &self.request.kicker];
        if of_request.into_iter().chain(told).any(|words| lanes::are_asked(words)) {
            self.lanes = lanes::named_in(told);
        }
        // “Eine Bahn pro Rolle” above the title says how it is drawn.
        if !self.lanes.is_empty() && lanes::are_asked(&self.request.kicker) {
            self.instructions.push(std::mem::take(&mut self.request.kicker));
        }
    }

    /// Takes a sentence of a diagram in lanes: what somebody does, what all of them are called, or a word about the drawing.
    fn take_in_lanes(&mut self, content: &str) {
        if lanes::listed(content).is_some() {
            return;
        }
        if self.flow.is_none() && self.take_called(content) {
            return;
        }
        if lanes::are_asked(content) {
            if !self.take_title_of_lanes(content) {
                self.instructions.push(content.to_owned());
            }
            return;
        }
        if lanes::is_beside(content, &self.lanes) {
            self.details.push(text::capitalize(content.trim_end_matches('.')));
        } else {
            let divided = lanes::divide(content, &self.lanes);
            self.flow().take_told(&divided);
        }
    }

    /// What stands behind the title of a diagram is the line under it, or says how it is drawn.
    pub(super) fn take_beside_title(&mut self, clause: &str) {
        if lanes::are_asked(clause) {
            self.instructions.push(clause.to_owned());
        } else {
            self.subtitle = text::capitalize(clause);
        }
    }

    /// “Swimlanes: complaints in the library, dark”: what is told in lanes is called so, where nobody does anything yet; says whether
    /// it was taken.
    pub(super) fn take_title_of_lanes(&mut self, body: &str) -> bool {
        let clauses = text::clauses(body.trim_end_matches(['.', ':']));
        let begins =
            |clause: &&String| self.lanes.iter().any(|lane| text::strip_start(clause, &lane.to_lowercase()).is_some());
        let is_title = !self.lanes.is_empty()
            && clauses.iter().filter(begins).count() < 2
            && self.title.is_empty()
            && text::sentences(body).len() == 1
            && !tells_purpose(body)
            && clauses.first().is_some_and(|first| !lanes::are_asked(first))
            && !body.contains(['→', '>'])
            && lanes::listed(body).is_none()
            && !clauses.iter().any(|clause| self.tells_course(clause));
        if let (true, [title, rest @ ..]) = (is_title, clauses.as_slice()) {
            self.title = text::capitalize(title);
            for clause in rest {
                match instructions::judge(clause) {
                    Clause::Content(content) if !lanes::are_asked(clause) => {
                        self.details.push(text::capitalize(&content));
                    }
                    _ => self.instructions.push(clause.clone()),
                }
            }
        }
        is_title
    }

    /// “Title Club house”, before the first step; says whether it was taken.
    fn take_called(&mut self, sentence: &str) -> bool {
        let Some((label, name)) = sentence.split_once(' ') else { return false };
        let is_called = self.title.is_empty()
            && naming::is_title_label(label)
            && name.starts_with(char::is_uppercase)
            && name.split_whitespace().count() <= MOST_WORDS_OF_A_TITLE;
        if is_called {
            self.title = name.trim().trim_end_matches('.').to_owned();
        }
        is_called
    }

    /// Whether a line is surely a sentence of what the diagram tells, and no title.
    pub(super) fn tells_course(&self, line: &str) -> bool {
        let is_of_lane = |label: &str| self.lanes.iter().any(|lane| lane.eq_ignore_ascii_case(label));
        flow::tells(self.sort, line)
            || !self.lanes.is_empty() && text::label(line).is_some_and(|(label, _)| is_of_lane(label))
    }

    /// A sentence of a diagram; the first may begin with what the diagram is called.
    pub(super) fn take_course(&mut self, content: &str) {
        // “small at the bottom: Norfolk” is no step of it.
        if self.flow.is_some()
            && let Some((label, body)) = text::label(content)
            && naming::is_under_label(label)
            && !body.is_empty()
        {
            self.details.push(text::capitalize(body.trim_end_matches('.')));
            return;
        }
        if self.take_known(content) {
            return;
        }
        let mut course = content.to_owned();
        if self.title.is_empty() && self.flow.is_none() {
            let clauses = text::clauses(content);
            if let Some((label, body)) =
                text::label(content).filter(|(label, body)| !body.is_empty() && !label.contains(['→', '>']))
            {
                self.title = text::capitalize(label);
                course = body.to_owned();
                if self.take_known(&course) {
                    return;
                }
            } else if clauses.len() >= 3 && !content.contains(['→', '>']) && clauses[0].split_whitespace().count() > 1
            {
                self.title = text::capitalize(&clauses[0]);
                course = clauses[1..].join(", ");
            } else if content.split_whitespace().count() <= 10 && clauses.len() == 1 && !content.contains(['→', '>'])
            {
                self.title = text::capitalize(content.trim_end_matches(['.', ':']));
                return;
            }
        }
        self.flow().take_told(&course);
    }

    pub(super) fn take_flow(&mut self, words: &str) {
        let kept: Vec<String> = text::sentences(words)
            .into_iter()
            .filter(|sentence| {
                let is_content = matches!(instructions::judge(sentence), Clause::Content(_));
                if !is_content {
                    self.instructions.push(sentence.clone());
                }
                is_content
            })
            .collect();
        for sentence in kept {
            // “… as swimlanes, so that everyone knows their part? Title Club house.”
            if self.flow.is_none() && tells_purpose(&sentence) {
                self.instructions.push(sentence);
                continue;
            }
            let is_taken = self.flow.is_none() && self.take_called(&sentence) || self.take_known(&sentence);
            if !is_taken {
                self.flow().take_told(&sentence);
            }
        }
    }

    /// A diagram in the notation of a program; words of the brief that tell a course go before it.
    pub fn take_noted(&mut self, noted: Noted) {
        if self.title.is_empty() {
            self.title = noted.title;
        }
        self.request.kind.get_or_insert(Kind::Diagram);
        self.flow = Some(noted.flow);
    }
}

/// “so that everyone knows who is next”: what a drawing is for.
fn tells_purpose(sentence: &str) -> bool {
    const PURPOSES: &[&str] = &["so that", "so everyone", "so everybody", "damit", "pour que", "para que", "affinché"];
    PURPOSES.iter().any(|purpose| text::strip_start(sentence, purpose).is_some())
}
