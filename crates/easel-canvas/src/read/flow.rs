//! A course of things with its branches: “Order → check stock. If in stock, ship it, else reorder → check stock”.
//!
//! Arrows are read as they stand. Sentences are read for “first … then … finally” and for “if …, …, otherwise …”. A name
//! that comes again is the same box.

mod answers;
mod conditions;
mod graph;
pub mod lanes;
mod links;
mod opposites;
pub mod posts;
mod reports;
mod steps;

use super::text;
use crate::content::{Arrow, Point};
use answers::answer_of;
use conditions::{condition_of, divide_conditions, find_if, is_else, split_else};
pub use graph::{Flow, Sort};
use steps::{arrow_label, begins_with, labelled, steps_of, strip_then, unify};

/// What sort of sentences a diagram is told in that was asked for by a name, such as “org chart”.
pub fn sort_of(sentences: &[String], name: &str) -> Sort {
    if name.to_lowercase().starts_with("org") || sentences.iter().any(|sentence| reports::tells_posts(sentence)) {
        Sort::Posts
    } else if links::are_links(sentences) {
        Sort::Links
    } else {
        Sort::Course
    }
}

/// Whether a line is surely a sentence of a sort, and no title.
pub fn tells(sort: Sort, line: &str) -> bool {
    match sort {
        Sort::Course => false,
        Sort::Posts => reports::names_post(line) || reports::tells_posts(line),
        Sort::Links => links::is_link(line),
    }
}

impl Flow {
    /// Takes a sentence of the sort that the flow is told in; says whether it was taken.
    pub fn take_known(&mut self, sentence: &str) -> bool {
        let sentence = sentence.trim().trim_end_matches(['.', '!', ' ']);
        match self.sort {
            Sort::Course => false,
            Sort::Posts => self.take_posts(sentence),
            Sort::Links => self.take_links(sentence),
        }
    }

    /// Takes a sentence of a text that is known to tell a course of things.
    pub fn take_told(&mut self, sentence: &str) {
        self.take_sentence(unify(sentence).trim_end_matches(['.', '!', ' ']));
    }

    /// Takes one step that is known to be one, such as an item of a numbered list.
    pub fn take_step(&mut self, step: &str) {
        let step = unify(step);
        if !self.lanes.is_empty() {
            for (at, sentence) in text::sentences(&step).iter().enumerate() {
                self.is_continued = at > 0;
                self.take_sentence(sentence.trim_end_matches(['.', ' ']));
            }
            self.is_continued = false;
            return;
        }
        if self.take_answers(&step) {
            return;
        }
        if step.contains('→') || condition_of(&step).is_some() || is_else(&step) {
            self.take_sentence(step.trim_end_matches(['.', ' ']));
        } else {
            self.is_in_branches = false;
            self.follow(&step, String::new());
        }
    }

    /// Takes a list whose items have lists of their own: from each item to those under it, and to the outermost from the
    /// box that was read last.
    pub fn take_tree(&mut self, items: &[String], depths: &[usize]) {
        let root = self.boxes.len().checked_sub(1);
        // The box of the item that is open at each depth.
        let mut open: Vec<usize> = Vec::new();
        for (item, depth) in items.iter().zip(depths) {
            open.truncate(*depth);
            let (label, name) = labelled(item).unwrap_or((String::new(), item.clone()));
            let is_counted = |words: &str| words.chars().all(|letter| letter.is_ascii_digit());
            let point = match text::name_and_words(&name).filter(|(_, body)| !is_counted(body)) {
                Some((head, body)) => Point::new(text::capitalize(&head), body),
                None => Point::new(text::capitalize(name.trim_end_matches('.')), ""),
            };
            self.boxes.push(point);
            let to = self.boxes.len() - 1;
            if let Some(from) = open.last().copied().or(root) {
                self.arrows.push(Arrow { from, to, label: text::capitalize(&label) });
            }
            open.push(to);
        }
    }

    fn take_sentence(&mut self, sentence: &str) {
        let sentence = strip_then(sentence);
        let sentence = self.enter_named(&sentence).to_owned();
        if sentence.is_empty() {
            return;
        }
        if self.take_answers(&sentence)
            || self.take_meeting(&sentence)
            || self.lanes.is_empty() && self.take_reports(&sentence)
        {
            return;
        }
        let opposed = opposites::pieces(&sentence);
        if opposed.len() > 1 {
            opposed.iter().for_each(|piece| self.take_sentence(piece));
            return;
        }
        if self.take_opposed(&sentence) {
            return;
        }
        if is_else(&sentence) {
            self.take_else(&sentence);
            return;
        }
        let conditions = divide_conditions(&sentence);
        if conditions.len() > 1 {
            conditions.iter().for_each(|condition| self.take_sentence(condition));
            return;
        }
        if let Some((condition, action, rest)) = condition_of(&sentence) {
            self.take_condition(&condition, &action, rest.as_deref());
            return;
        }
        if let Some(at) = find_if(&sentence).filter(|at| *at > 0) {
            // “Check stock, if there is some, ship it”: what stands before the condition is a step.
            let (before, rest) = sentence.split_at(at);
            self.take_chain(before.trim_end_matches([',', ';', ' ', '→', '–', ':']));
            self.take_sentence(rest.trim());
            return;
        }
        self.take_chain(&sentence);
    }

    fn take_chain(&mut self, chain: &str) {
        self.is_in_branches = false;
        if chain.contains('→') {
            let mut answer = String::new();
            for (at, piece) in self.pieces_of(chain).iter().enumerate() {
                let (name, mut label) = arrow_label(piece);
                if name.is_empty() {
                    continue;
                }
                // “In stock? → yes → ship it”: the word stands on the arrow.
                if at > 0 && answer_of(&name).is_some() {
                    answer = text::capitalize(&name);
                    continue;
                }
                if label.is_empty() {
                    label = std::mem::take(&mut answer);
                }
                if at == 0 && self.find(&name).is_some() {
                    self.last = self.find(&name);
                    continue;
                }
                // “Engineering fixes → review” goes on from engineering.
                if at == 0
                    && let Some(doer) = self.boxes.iter().position(|point| begins_with(&name, &point.head))
                {
                    self.last = Some(doer);
                }
                // “yes: ship” after an arrow is its label and its box.
                self.follow(&name, label);
            }
            return;
        }
        for item in text::items(chain) {
            let item = strip_then(&item);
            if !item.is_empty() {
                if is_else(&item) {
                    self.take_else(&item);
                } else if let Some((condition, action, rest)) = condition_of(&item) {
                    self.take_condition(&condition, &action, rest.as_deref());
                } else {
                    self.follow(&item, String::new());
                }
            }
        }
    }

    fn take_condition(&mut self, condition: &str, action: &str, otherwise: Option<&str>) {
        // Conditions one after the other are asked at the same place.
        let from = self.branch_from.filter(|_| self.is_in_branches);
        let is_at_once = from.is_some_and(|from| self.last_condition_from == Some(from) && !self.is_else_last);
        // “If review fails” is asked at the review.
        let named = self.boxes.iter().rposition(|point| begins_with(condition, &point.head));
        let told = self.spoken_of(condition);
        // “…, the lead must approve. If the lead says no, …”: what was just told of is asked.
        let is_of_last = told.is_some() && told == self.last;
        let spoken_of = named.or(told).filter(|_| !is_at_once || is_of_last);
        let from = spoken_of.or(from).or(self.last);
        // “…, confirms the date. If stock is short, …” in lanes: things go on where they were, not behind the branch.
        let goes_on = self.last.filter(|last| !self.lanes.is_empty() && from != Some(*last));
        self.last_condition_from = from;
        self.is_else_last = otherwise.is_some();
        let mut end = None;
        for (at, step) in steps_of(action).into_iter().enumerate() {
            if at == 0 {
                self.last = from;
                self.follow(&step, text::capitalize(condition));
            } else {
                self.follow(&step, String::new());
            }
            end = self.last;
        }
        if let Some(otherwise) = otherwise {
            self.last = from;
            self.branch_from = from;
            self.take_else(otherwise);
        }
        // A question within a branch is what the next conditions are asked at.
        if let Some(question) = end.filter(|at| self.boxes[*at].head.ends_with('?')) {
            self.branch_from = Some(question);
            self.is_in_branches = true;
            self.last = end;
            return;
        }
        // A branch that turns back ends there; else things go on after the first one.
        self.branch_from = from;
        self.is_in_branches = true;
        self.last = goes_on.or(end).or(from);
    }
}

impl Flow {
    fn take_else(&mut self, text: &str) {
        let (word, action) = split_else(text);
        self.is_else_last = true;
        let end = self.last;
        let from = self.branch_from.or(self.last);
        let mut is_first = true;
        for step in steps_of(&action) {
            if is_first {
                self.last = from;
                self.follow(&step, text::capitalize(&word));
                is_first = false;
            } else {
                self.follow(&step, String::new());
            }
        }
        self.last = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow_of(text: &str, _is_told: bool) -> Option<Flow> {
        let mut flow = Flow::default();
        text::sentences(text).iter().for_each(|sentence| flow.take_told(sentence));
        (flow.boxes.len() >= 2).then_some(flow)
    }

    fn drawn(flow: &Flow) -> Vec<String> {
        flow.arrows
            .iter()
            .map(|arrow| format!("{} -{}> {}", flow.boxes[arrow.from].head, arrow.label, flow.boxes[arrow.to].head))
            .collect()
    }

    #[test]
    fn reads_arrows() {
        let flow = flow_of("Order -> Payment -> Packing", false).expect("a flow");
        assert_eq!(drawn(&flow), ["Order -> Payment", "Payment -> Packing"]);
    }

    #[test]
    fn draws_conditions_as_branches() {
        let flow = flow_of("Order comes in, check stock. If in stock, pack and ship it, otherwise reorder from the supplier. Then send the invoice.", true).expect("a flow");
        assert_eq!(
            drawn(&flow),
            [
                "Order comes in -> Check stock",
                "Check stock -In stock> Pack and ship it",
                "Check stock -Otherwise> Reorder from the supplier",
                "Pack and ship it -> Send the invoice",
            ]
        );
        let flow = flow_of("Antrag prüfen. Wenn vollständig, dann genehmigen, sonst zurück an Antrag prüfen.", true)
            .expect("a flow");
        assert!(drawn(&flow).contains(&"Antrag prüfen -Vollständig> Genehmigen".to_owned()), "{:?}", drawn(&flow));
    }

    #[test]
    fn goes_back_where_it_is_said() {
        let flow = flow_of("Draft → Review. If rejected, back to draft. If approved, publish.", true).expect("a flow");
        assert_eq!(drawn(&flow), ["Draft -> Review", "Review -Rejected> Draft", "Review -Approved> Publish"]);
    }
}
