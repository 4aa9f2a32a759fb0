//! Questions of a course and their answers: “In stock? yes → ship it, no → is it ordered?”, and ways that meet again.
//!
//! An answer belongs to the last question that has none of its kind yet. Deliberately not here: conditions that are told in
//! a sentence (“if …, …, otherwise …”).

use super::graph::{Flow, Question};
use super::steps::{strip_then, unify};
use crate::read::text;

/// Answers that say that it is so.
const YES: &[&str] = &["yes", "ja", "oui", "sí", "si", "sì", "y", "true", "ok", "tak", "sim", "pass", "approved"];

/// Answers that say that it is not.
const NO: &[&str] = &["no", "nein", "non", "n", "false", "nee", "nie", "não", "not ok", "fail", "rejected"];

/// Words that make an answer of what follows: “wenn ja”, “if yes”.
const LEADS: &[&str] = &["if ", "wenn ", "falls ", "bei ", "si ", "se ", "in case of "];

/// Beginnings of what happens whatever was answered.
#[rustfmt::skip]
const ALWAYS: &[&str] = &[
    "in every case", "in any case", "in all cases", "in both cases", "either way", "all ways end with", "all ways lead to", "all paths end with",
    "all paths lead to", "in jedem fall", "in beiden fällen", "alle wege enden mit", "alle wege führen zu", "dans tous les cas", "en todos los casos",
    "en ambos casos", "in tutti i casi", "in ogni caso",
];

/// Whether a text is an answer and nothing else: its words as they stand, and whether it says yes.
pub(super) fn answer_of(text: &str) -> Option<bool> {
    let lower = text.trim().trim_matches([':', '.', ',', '(', ')', '[', ']', '"', ' ']).to_lowercase();
    let bare = LEADS.iter().find_map(|lead| lower.strip_prefix(lead)).unwrap_or(&lower);
    // “If the lead says no” is a condition of its own.
    let bare = if bare.len() < lower.len() { bare } else { said(bare).unwrap_or(bare) };
    if YES.contains(&bare) {
        Some(true)
    } else if NO.contains(&bare) {
        Some(false)
    } else {
        None
    }
}

/// “customer says yes”: what somebody answers, behind who does.
fn said(lower: &str) -> Option<&str> {
    const SAYS: &[&str] =
        &[" says ", " say ", " said ", " answers ", " sagt ", " sagen ", " antwortet ", " dit ", " dice ", " dicen "];
    let (who, answer) = SAYS.iter().find_map(|says| lower.split_once(says))?;
    (1..=3).contains(&who.split_whitespace().count()).then_some(answer)
}

/// “yes → ship it”, “wenn ja, ship it”: the answer as it stands, whether it says yes, and what follows.
fn answered(text: &str) -> Option<(String, bool, String)> {
    let text = text.trim();
    for mark in ["→", ":", ",", " – ", " - ", " = "] {
        if let Some((answer, rest)) = text.split_once(mark)
            && let Some(is_yes) = answer_of(answer)
            && !rest.trim().is_empty()
        {
            let answer = answer.trim().trim_matches(['(', ')', '[', ']']);
            return Some((text::capitalize(answer), is_yes, rest.trim().to_owned()));
        }
    }
    None
}

/// Whether a box asks something.
fn asks(point: &crate::content::Point) -> bool {
    point.head.trim_end().ends_with('?') || point.body_text().trim_end().ends_with('?')
}

/// The pieces of a sentence that are answers with what follows each, and what stands before the first.
fn pieces(sentence: &str) -> Vec<String> {
    let mut cuts = vec![0];
    for (at, letter) in sentence.char_indices() {
        let rest = &sentence[at + letter.len_utf8()..];
        if matches!(letter, ',' | ';' | '.' | '?' | '/')
            && rest.starts_with(' ')
            && answered(rest).is_some_and(|(answer, ..)| {
                answer.split_whitespace().count() <= 2 || said(&answer.to_lowercase()).is_some()
            })
        {
            cuts.push(at + letter.len_utf8());
        }
    }
    cuts.push(sentence.len());
    cuts.windows(2)
        .map(|pair| sentence[pair[0]..pair[1]].trim().trim_end_matches([',', ';', '.']).to_owned())
        .filter(|piece| !piece.is_empty())
        .collect()
}

impl Flow {
    /// Takes a sentence that answers the last question, or that asks and answers; says whether it was one.
    pub(super) fn take_answers(&mut self, sentence: &str) -> bool {
        let pieces = pieces(sentence);
        if !pieces.iter().any(|piece| answered(piece).is_some()) {
            return false;
        }
        self.note_questions();
        if let (true, Some((answer, ..))) = (self.questions.is_empty(), answered(&pieces[0])) {
            // “Ask the vet. Vet says yes → …”: what somebody answers was asked by the step before.
            let Some(at) = self.last.filter(|_| said(&answer.to_lowercase()).is_some()) else { return false };
            self.questions.push(Question { at, yes: false, no: false, end: None });
        }
        for piece in pieces {
            match answered(&piece) {
                Some((answer, is_yes, rest)) => self.take_answer(&answer, is_yes, &rest),
                None => self.take_sentence(&piece),
            }
            self.note_questions();
        }
        true
    }

    fn take_answer(&mut self, answer: &str, is_yes: bool, rest: &str) {
        let open = self.questions.iter().rposition(|question| if is_yes { !question.yes } else { !question.no });
        // “review, approved → publish, rejected → back to draft”: what nobody asked is asked by the step before.
        let asked_by = self.last.filter(|_| self.questions.is_empty());
        let open = open.or_else(|| {
            self.questions.push(Question { at: asked_by?, yes: false, no: false, end: None });
            Some(self.questions.len() - 1)
        });
        let Some(open) = open else { return self.take_sentence(rest) };
        let from = self.questions[open].at;
        self.last = Some(from);
        let steps: Vec<String> = rest
            .split('→')
            .flat_map(text::clauses)
            .map(|step| strip_then(&step))
            .filter(|step| !step.is_empty())
            .collect();
        for (at, step) in steps.iter().enumerate() {
            self.follow(step, if at == 0 { answer.to_owned() } else { String::new() });
        }
        let end = self.last;
        let question = &mut self.questions[open];
        if is_yes {
            question.yes = true;
        } else {
            question.no = true;
        }
        // Things go on where the first answer led, unless the second asks on.
        let goes_on = end.is_some_and(|end| asks(&self.boxes[end]));
        match question.end {
            Some(first) if !goes_on => self.last = Some(first),
            _ => question.end = end,
        }
        self.is_in_branches = false;
    }

    /// An item under a question that says what follows from one answer: “hand tool → no deposit”; says whether it was one.
    pub fn take_option(&mut self, item: &str) -> bool {
        self.note_questions();
        let item = unify(item);
        let Some((answer, rest)) = item.split_once('→').or_else(|| text::label(&item)) else { return false };
        let (answer, rest) = (answer.trim(), rest.trim());
        if answer_of(answer).is_some() || answer.is_empty() || rest.is_empty() {
            return false;
        }
        let Some(question) = self.questions.last_mut() else { return false };
        let (from, first) = (question.at, question.end);
        self.last = Some(from);
        for (at, step) in rest.split('→').enumerate() {
            self.follow(step.trim(), if at == 0 { text::capitalize(answer) } else { String::new() });
        }
        match first {
            Some(first) => self.last = Some(first),
            None => {
                let end = self.last;
                if let Some(question) = self.questions.last_mut() {
                    question.end = end;
                }
            }
        }
        true
    }

    /// Boxes that ask and are not known yet.
    pub(super) fn note_questions(&mut self) {
        for (at, point) in self.boxes.iter().enumerate() {
            if asks(point) && !self.questions.iter().any(|question| question.at == at) {
                let label_of = |wanted: bool| {
                    self.arrows.iter().any(|arrow| arrow.from == at && answer_of(&arrow.label) == Some(wanted))
                };
                self.questions.push(Question { at, yes: label_of(true), no: label_of(false), end: None });
            }
        }
    }

    /// “In every case close the ticket”: from every box that leads nowhere; says whether it was such a sentence.
    pub(super) fn take_meeting(&mut self, sentence: &str) -> bool {
        let rest = ALWAYS.iter().find_map(|always| text::strip_start(sentence, always));
        let Some(rest) = rest.map(|rest| rest.trim_start_matches([',', ':', ' '])).filter(|rest| !rest.is_empty())
        else {
            return false;
        };
        let ends: Vec<usize> =
            (0..self.boxes.len()).filter(|at| self.arrows.iter().all(|arrow| arrow.from != *at)).collect();
        for end in ends {
            self.last = Some(end);
            self.follow(rest, String::new());
        }
        true
    }

    /// The box without a way on that a condition speaks of: it shares a longer word with it.
    pub(super) fn spoken_of(&self, condition: &str) -> Option<usize> {
        // “sends the offer. If the candidate declines, …”, as one item: it is asked there.
        if self.is_continued {
            return self.last;
        }
        // “If the reader is not content”: at the last step that is theirs.
        if let Some((lane, _)) = self.begun(condition) {
            return self.lanes[lane].boxes.last().copied();
        }
        let words: Vec<String> = text::words(condition).into_iter().filter(|word| word.chars().count() >= 4).collect();
        // In lanes a condition is told behind the steps of all.
        let is_open = |at: &usize| !self.lanes.is_empty() || self.arrows.iter().all(|arrow| arrow.from != *at);
        (0..self.boxes.len()).rev().filter(is_open).find(|at| {
            let own = text::words(&self.boxes[*at].head);
            words.iter().any(|word| own.contains(word))
        })
    }
}
