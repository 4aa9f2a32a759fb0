//! A course of things with its branches: “Order → check stock. If in stock, ship it, else reorder → check stock”.
//!
//! Arrows are read as they stand. Sentences are read for “first … then … finally” and for “if …, …, otherwise …”. A name
//! that comes again is the same box.

mod answers;
pub mod posts;
mod reports;

use super::text;
use crate::content::{Arrow, Point};
use answers::{Question, answer_of};

/// Boxes and arrows while they are gathered.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Flow {
    /// The boxes.
    pub boxes: Vec<Point>,
    /// The arrows between them.
    pub arrows: Vec<Arrow>,
    /// The box that the next step follows.
    last: Option<usize>,
    /// The box at which the last condition was asked.
    branch_from: Option<usize>,
    /// Whether the last thing that was read was a branch.
    is_in_branches: bool,
    /// Where the last condition was asked, and whether it said what happens otherwise.
    last_condition_from: Option<usize>,
    is_else_last: bool,
    /// Boxes that ask, in their order.
    questions: Vec<Question>,
}

/// Words that begin a condition.
const IF: &[&str] = &["if ", "when ", "in case ", "wenn ", "falls ", "sofern ", "ist ", "bei ", "si ", "se ", "once "];

/// Words that begin what happens otherwise.
#[rustfmt::skip]
const ELSE: &[&str] = &[
    "otherwise", "else", "if not", "if no", "if it isn't", "if it is not", "sonst", "andernfalls", "wenn nicht", "falls nicht", "ansonsten",
    "wenn nein", "falls nein", "sinon", "si no", "se no", "altrimenti", "de lo contrario",
];

/// Words that only say that something follows.
#[rustfmt::skip]
const THEN: &[&str] = &[
    "then", "next", "after that", "afterwards", "finally", "first", "at last", "and then", "second", "third", "dann", "danach", "anschließend",
    "zuletzt", "schließlich", "zuerst", "zunächst", "als erstes", "am ende", "und dann", "start with", "start", "ensuite", "puis", "enfin", "d'abord",
    "luego", "después", "finalmente", "primero", "poi", "infine", "prima",
];

fn unify(text: &str) -> String {
    text.replace("-->", "→").replace("->", "→").replace("=>", "→").replace(['➔', '➜', '⇒'], "→").replace(" > ", " → ")
}

impl Flow {
    /// Takes a sentence of a text that is known to tell a course of things.
    pub fn take_told(&mut self, sentence: &str) {
        self.take_sentence(unify(sentence).trim_end_matches(['.', '!', ' ']));
    }

    /// Takes one step that is known to be one, such as an item of a numbered list.
    pub fn take_step(&mut self, step: &str) {
        let step = unify(step);
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
        if sentence.is_empty() {
            return;
        }
        if self.take_answers(&sentence) || self.take_meeting(&sentence) || self.take_reports(&sentence) {
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
        if let Some(at) = find_if(&sentence) {
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
            for (at, piece) in chain.split('→').enumerate() {
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
        let spoken_of = self.spoken_of(condition).filter(|_| !is_at_once);
        let from = spoken_of.or(from).or(self.last);
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
        self.last = end.or(from);
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

    /// A box after the last one; one that is there already is gone back to.
    fn follow(&mut self, name: &str, label: String) {
        let (name, label) = match label.is_empty().then(|| labelled(name)).flatten() {
            Some((label, name)) => (name, label),
            None => (name.trim().to_owned(), label),
        };
        let target = back_target(&name).and_then(|target| self.find(target)).or_else(|| self.find(&name));
        let to = target.unwrap_or_else(|| {
            let point = match text::name_and_words(&name) {
                Some((head, body)) => Point::new(text::capitalize(&head), body),
                None => Point::new(text::capitalize(&name), ""),
            };
            self.boxes.push(point);
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

    fn find(&self, name: &str) -> Option<usize> {
        let wanted = words_of(name);
        (!wanted.is_empty()).then(|| self.boxes.iter().position(|point| words_of(&point.head) == wanted)).flatten()
    }
}

fn words_of(name: &str) -> String {
    let words = text::words(name);
    let bare: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .filter(|word| {
            !matches!(*word, "the" | "a" | "an" | "der" | "die" | "das" | "den" | "dem" | "to" | "zu" | "zum" | "zur")
        })
        .collect();
    bare.join(" ")
}

/// “back to review”, “return to step one”, “zurück zur Prüfung”: the name that is gone back to.
fn back_target(name: &str) -> Option<&str> {
    let lower = name.to_lowercase();
    for lead in [
        "go back to ",
        "goes back to ",
        "back to ",
        "return to ",
        "returns to ",
        "zurück zu ",
        "zurück zum ",
        "zurück zur ",
        "zurück an ",
        "geht zurück an ",
        "retour à ",
        "volver a ",
        "torna a ",
    ] {
        if let Some(at) = lower.find(lead).filter(|_| lower.len() == name.len()) {
            return Some(name[at + lead.len()..].trim());
        }
    }
    None
}

/// “yes: ship it”, “(no) reorder”, “[approved] publish”: the word on an arrow and its box.
fn labelled(name: &str) -> Option<(String, String)> {
    let name = name.trim();
    if let Some((label, rest)) = name.strip_prefix(['(', '[']).and_then(|rest| rest.split_once([')', ']'])) {
        let rest = rest.trim().trim_start_matches([':', ' ']);
        return (!rest.is_empty()).then(|| (label.trim().to_owned(), rest.to_owned()));
    }
    let (label, rest) = text::label(name)?;
    let is_answer = matches!(
        label.to_lowercase().as_str(),
        "yes"
            | "no"
            | "ja"
            | "nein"
            | "oui"
            | "non"
            | "sí"
            | "si"
            | "sì"
            | "ok"
            | "not ok"
            | "approved"
            | "rejected"
            | "true"
            | "false"
            | "pass"
            | "fail"
            | "passed"
            | "failed"
            | "else"
            | "otherwise"
            | "sonst"
    );
    (is_answer && !rest.is_empty()).then(|| (label.to_owned(), rest.to_owned()))
}

fn arrow_label(piece: &str) -> (String, String) {
    match labelled(piece) {
        Some((label, name)) => (name, label),
        None => (piece.trim().trim_matches([',', ';', '.', ' ']).to_owned(), String::new()),
    }
}

fn steps_of(action: &str) -> Vec<String> {
    let action = strip_then(action.trim().trim_matches([',', ';', ':', '.', ' ']));
    let steps: Vec<String> = if action.contains('→') {
        action.split('→').map(|step| step.trim().to_owned()).collect()
    } else {
        text::clauses(&action)
    };
    steps.into_iter().map(|step| strip_then(&step)).filter(|step| !step.is_empty()).collect()
}

fn strip_then(text: &str) -> String {
    let mut text = text.trim();
    loop {
        let start = text;
        for then in THEN {
            let rest = text::strip_start(text, then);
            // “Start → …” is a box.
            if let Some(rest) = rest.filter(|rest| !rest.trim().is_empty() && !rest.trim_start().starts_with('→')) {
                text = rest.trim_start_matches([',', ':', ' ']);
            }
        }
        for and in ["and ", "und ", "et ", "y "] {
            text = text.strip_prefix(and).unwrap_or(text);
        }
        if text == start || text.is_empty() {
            return text.to_owned();
        }
    }
}

/// “If it is clear, wash it; if it is turbid, throw it away”: conditions beside each other.
fn divide_conditions(sentence: &str) -> Vec<String> {
    let mut pieces = text::by_semicolon(sentence);
    // “if ok refund it, if damaged we contact the customer”.
    if let ([whole], Some(at)) = (pieces.as_slice(), sentence.to_lowercase().find(", if ").filter(|at| *at > 0))
        && sentence.to_lowercase().len() == sentence.len()
        && split_bare_condition(whole.get(3..).unwrap_or_default()).is_some()
    {
        pieces = vec![sentence[..at].to_owned(), sentence[at + 2..].to_owned()];
    }
    let are_all = pieces.len() > 1
        && pieces.iter().all(|piece| {
            let piece = strip_then(piece);
            condition_of(&piece).is_some() || is_else(&piece)
        });
    if are_all { pieces } else { Vec::new() }
}

fn is_else(text: &str) -> bool {
    ELSE.iter().any(|word| text::strip_start(text, word).is_some())
}

/// The word of what happens otherwise, and what does.
fn split_else(text: &str) -> (String, String) {
    let text = text.trim().trim_matches([',', ';', ' ']);
    let longest = ELSE.iter().filter(|word| text::strip_start(text, word).is_some()).max_by_key(|word| word.len());
    match longest {
        Some(word) => {
            let rest = text[word.len()..].trim_start();
            // “if not approved, …” says more than “if not”.
            match rest.split_once([',', ':']).filter(|(more, action)| {
                word.starts_with("if") && more.split_whitespace().count() <= 4 && !more.is_empty() && !action.is_empty()
            }) {
                Some((more, action)) => (format!("{} {}", &text[..word.len()], more.trim()), action.trim().to_owned()),
                None => (text[..word.len()].to_owned(), rest.trim_start_matches([',', ':', ' ']).to_owned()),
            }
        }
        None => (String::new(), text.to_owned()),
    }
}

/// Where a condition begins within a sentence.
fn find_if(text: &str) -> Option<usize> {
    let lower = text.to_lowercase();
    if lower.len() != text.len() {
        return None;
    }
    [
        ", if ",
        "; if ",
        ": if ",
        " → if ",
        "– if ",
        ", when ",
        ", wenn ",
        "; wenn ",
        ": wenn ",
        ", falls ",
        "; falls ",
        " → wenn ",
        ", si ",
        ", se ",
    ]
    .iter()
    .filter_map(|sign| lower.find(sign).map(|at| at + sign.find(|letter: char| letter.is_alphabetic()).unwrap_or(0)))
    .min()
}

/// “If in stock, ship it; otherwise reorder”: the condition, what follows, and what happens otherwise.
fn condition_of(text: &str) -> Option<(String, String, Option<String>)> {
    let text = text.trim();
    let lower = text.to_lowercase();
    if is_else(text) || lower.len() != text.len() {
        return None;
    }
    let lead = IF
        .iter()
        .find(|lead| lower.starts_with(**lead) && !matches!(**lead, "ist " | "bei " | "when " | "once "))
        .or_else(|| IF.iter().find(|lead| matches!(**lead, "when ") && lower.starts_with(**lead)))?;
    // What happens otherwise may hold a “then” of its own.
    let (told, otherwise) = split_otherwise(&text[lead.len()..]);
    let (condition, action) = split_bare_condition(&told).or_else(|| split_condition(&told))?;
    Some((condition.trim().to_owned(), action.trim().to_owned(), otherwise))
}

/// “ok refund within 5 days”, “damaged we contact the customer”: a condition of one word before what is done, no comma between.
fn split_bare_condition(body: &str) -> Option<(&str, &str)> {
    #[rustfmt::skip]
    const STATES: &[&str] = &[
        "ok", "yes", "no", "full", "empty", "new", "late", "broken", "missing", "valid", "invalid", "correct", "wrong", "true", "false", "good", "bad", "fine",
        "unknown", "complete", "incomplete", "urgent", "ready", "ja", "nein", "defekt", "oui", "non", "sí", "sì",
    ];
    const DOERS: &[&str] =
        &["we", "they", "he", "she", "it", "you", "i", "wir", "sie", "er", "on", "nous", "il", "elle"];
    let (first, rest) = body.trim().split_once(' ')?;
    let lower = first.to_lowercase();
    let second = rest.split_whitespace().next().unwrap_or_default();
    let is_state = STATES.contains(&lower.as_str()) || lower.len() > 4 && lower.ends_with("ed");
    let is_told = second.chars().next().is_some_and(char::is_alphabetic)
        && !matches!(
            second,
            "and" | "or" | "und" | "oder" | "then" | "dann" | "by" | "in" | "on" | "at" | "for" | "the" | "a" | "an"
        );
    // “approved, publish” and “paid by card, ship” have their comma.
    let has_mark = rest.split_once([',', ':', '→']).is_some_and(|(head, _)| head.split_whitespace().count() <= 2);
    let is_doer = DOERS.contains(&second.to_lowercase().as_str());
    (is_state && is_told && (is_doer || !has_mark)).then(|| (first, rest.trim()))
}

fn split_condition(body: &str) -> Option<(&str, &str)> {
    for sign in [" → ", "→", ", then ", " then ", ", dann ", ": ", ", ", " – "] {
        if let Some((condition, rest)) =
            body.split_once(sign).filter(|(condition, rest)| !condition.trim().is_empty() && !rest.trim().is_empty())
        {
            return Some((condition, rest));
        }
    }
    None
}

fn split_otherwise(rest: &str) -> (String, Option<String>) {
    let lower = rest.to_lowercase();
    if lower.len() != rest.len() {
        return (rest.to_owned(), None);
    }
    let at = ELSE
        .iter()
        .flat_map(|word| {
            [format!(", {word}"), format!("; {word}"), format!(" {word} "), format!(" {word}, "), format!(" – {word}")]
                .into_iter()
                .filter_map(|sign| {
                    lower.find(&sign).map(|at| (at, at + sign.find(|letter: char| letter.is_alphabetic()).unwrap_or(0)))
                })
                .collect::<Vec<_>>()
        })
        .min();
    match at {
        Some((end, start)) => (rest[..end].trim().to_owned(), Some(rest[start..].trim().to_owned())),
        None => (rest.to_owned(), None),
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
