//! Two ways on that exclude each other, told by arrows alone: “urgent → technician today, not urgent → appointment”.
//!
//! What stands before the second arrow denies what stood before the first; so neither is a step, and both are asked at the
//! step before them. Deliberately not here: answers to a question (`answers`), and “otherwise” (`conditions`).

use super::graph::Flow;
use super::steps::{back_target, steps_of};
use crate::content::Arrow;
use crate::read::text;

/// Words that deny what follows them.
#[rustfmt::skip]
const DENYING: &[&str] = &["not", "no", "isn't", "nicht", "kein", "keine", "pas", "non", "sin"];

/// Words that deny each other.
#[rustfmt::skip]
const OPPOSED: &[(&str, &str)] = &[
    ("accepted", "declined"), ("accepted", "rejected"), ("accepted", "refused"), ("approved", "declined"), ("approved", "rejected"), ("pass", "fail"),
    ("passed", "failed"), ("passes", "fails"), ("won", "lost"), ("small", "large"), ("cheap", "expensive"), ("new", "known"), ("new", "existing"),
    ("full", "empty"), ("good", "bad"), ("open", "closed"), ("true", "false"), ("success", "failure"), ("angenommen", "abgelehnt"),
    ("genehmigt", "abgelehnt"), ("freigegeben", "abgelehnt"), ("bestanden", "durchgefallen"), ("voll", "leer"), ("neu", "bekannt"), ("klein", "groß"),
    ("accepté", "refusé"), ("acceptée", "refusée"), ("approuvé", "refusé"), ("validé", "refusé"), ("aceptado", "rechazado"), ("aprobado", "rechazado"),
    ("aceptada", "rechazada"), ("aprobada", "rechazada"), ("approvato", "respinto"), ("approvata", "respinta"), ("accettato", "rifiutato"),
    ("approva", "rifiuta"),
];

/// What stands before an arrow has no more words where it says on which condition one goes that way.
const MOST_WORDS: usize = 6;

/// Whether two conditions exclude each other.
fn exclude(one: &str, other: &str) -> bool {
    denies(other, one) || denies(one, other)
}

/// Whether a condition denies another: “not paid after 14 days” does “invoice paid”, “unpaid” does “paid”.
fn denies(denying: &str, denied: &str) -> bool {
    let (denying, denied) = (text::words(denying), text::words(denied));
    if denying.is_empty() || denying.len() > MOST_WORDS || denied.is_empty() || denied.len() > MOST_WORDS {
        return false;
    }
    let behind = denying
        .iter()
        .position(|word| DENYING.contains(&word.as_str()))
        .map_or("", |at| denying.get(at + 1).map_or("", String::as_str));
    denied.iter().any(|word| word == behind && !DENYING.contains(&word.as_str()))
        || denying.iter().any(|word| {
            ["un", "in", "nicht", "non"]
                .iter()
                .filter_map(|lead| word.strip_prefix(lead))
                .any(|rest| rest.chars().count() >= 3 && denied.iter().any(|own| own == rest))
                || OPPOSED.iter().any(|(one, other)| {
                    let is_other = |of: &str| denied.iter().any(|own| own == of);
                    word == one && is_other(other) || word == other && is_other(one)
                })
        })
}

/// What stands before the first arrow of a piece, and what behind it.
fn divided(piece: &str) -> Option<(&str, &str)> {
    let (head, rest) = piece.split_once('→')?;
    let head = head.trim().trim_start_matches(['(', '[']).trim_end_matches([')', ']', ':', '?']);
    (!head.is_empty() && head.split_whitespace().count() <= MOST_WORDS && !rest.trim().is_empty())
        .then_some((head, rest.trim()))
}

/// A condition without the word that leads to it.
fn without_if(condition: &str) -> &str {
    ["if ", "when ", "wenn ", "falls ", "bei ", "si ", "se ", "and ", "und ", "et ", "y ", "e "]
        .iter()
        .find_map(|lead| text::strip_start(condition, lead.trim_end()))
        .map_or(condition, str::trim)
}

/// The pieces of a sentence of which one denies what stood before the arrow of the piece before it; else none.
pub(super) fn pieces(sentence: &str) -> Vec<String> {
    if sentence.matches('→').count() < 2 {
        return Vec::new();
    }
    let mut starts = vec![0];
    starts
        .extend(sentence.char_indices().filter(|(_, letter)| matches!(letter, ',' | ';' | '/')).map(|(at, _)| at + 1));
    let ends = starts.iter().skip(1).copied().chain([sentence.len()]);
    let clauses: Vec<(usize, &str)> = starts
        .iter()
        .zip(ends)
        .map(|(start, end)| (*start, sentence[*start..end].trim().trim_end_matches([',', ';', '/'])))
        .collect();
    let mut cuts = vec![0];
    for pair in clauses.windows(2) {
        let are_opposed = divided(pair[0].1)
            .zip(divided(pair[1].1))
            .is_some_and(|((one, _), (other, _))| exclude(without_if(one), without_if(other)));
        if are_opposed {
            cuts.extend([pair[0].0, pair[1].0]);
        }
    }
    cuts.push(sentence.len());
    cuts.dedup();
    if cuts.len() < 3 {
        return Vec::new();
    }
    cuts.windows(2).map(|pair| sentence[pair[0]..pair[1]].trim().trim_end_matches([',', ';', '/']).to_owned()).collect()
}

impl Flow {
    /// Takes a way that excludes the one that was told before it; says whether it is one.
    pub(super) fn take_opposed(&mut self, sentence: &str) -> bool {
        let Some((condition, action)) = divided(sentence) else { return false };
        let condition = without_if(condition);
        let Some(from) = self.asked_of(condition).or_else(|| self.ask_of_step(condition)) else { return false };
        let first_end = self.last;
        let steps = steps_of(action);
        self.last = Some(from);
        for (at, step) in steps.iter().enumerate() {
            self.follow(step, if at == 0 { text::capitalize(condition) } else { String::new() });
        }
        let turns_back = steps.last().is_some_and(|step| back_target(step).is_some());
        // Things go on where the first way led, unless that was a way back.
        let has_way_on = first_end.is_some_and(|end| self.arrows.iter().any(|arrow| arrow.from == end));
        if !has_way_on || turns_back {
            self.last = first_end;
        }
        self.branch_from = Some(from);
        self.last_condition_from = Some(from);
        self.is_in_branches = true;
        true
    }

    /// The box from which an arrow leads on the opposite condition.
    fn asked_of(&self, condition: &str) -> Option<usize> {
        self.arrows
            .iter()
            .rev()
            .find(|arrow| !arrow.label.is_empty() && exclude(condition, &arrow.label))
            .map(|arrow| arrow.from)
    }

    /// The step that was the opposite condition all along goes onto the arrow that passed through it; the box before it.
    fn ask_of_step(&mut self, condition: &str) -> Option<usize> {
        let at = self.boxes.iter().rposition(|point| point.body.is_empty() && exclude(condition, &point.head))?;
        let (into, out): (Vec<&Arrow>, Vec<&Arrow>) = (
            self.arrows.iter().filter(|arrow| arrow.to == at).collect(),
            self.arrows.iter().filter(|arrow| arrow.from == at).collect(),
        );
        let ([into], [out]) = (into.as_slice(), out.as_slice()) else { return None };
        let (from, to) = (into.from, out.to);
        let label = self.boxes[at].head.clone();
        self.arrows.retain(|arrow| arrow.from != at && arrow.to != at);
        self.arrows.push(Arrow { from, to, label });
        self.boxes.remove(at);
        self.leave_lane(at);
        let shifted = |place: usize| if place > at { place - 1 } else { place };
        for arrow in &mut self.arrows {
            (arrow.from, arrow.to) = (shifted(arrow.from), shifted(arrow.to));
        }
        self.last = self.last.map(shifted);
        self.branch_from = self.branch_from.map(shifted);
        self.last_condition_from = self.last_condition_from.map(shifted);
        self.questions.iter_mut().for_each(|question| question.shift(at));
        Some(shifted(from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(told: &str) -> Vec<String> {
        let mut flow = Flow::default();
        text::sentences(told).iter().for_each(|sentence| flow.take_told(sentence));
        flow.arrows
            .iter()
            .map(|arrow| format!("{} -{}> {}", flow.boxes[arrow.from].head, arrow.label, flow.boxes[arrow.to].head))
            .collect()
    }

    #[test]
    fn ways_that_exclude_each_other_are_branches() {
        for (told, expected) in [
            (
                "Call comes in. If urgent → plumber today, not urgent → date next week. Then send the invoice.",
                &[
                    "Call comes in -Urgent> Plumber today",
                    "Call comes in -Not urgent> Date next week",
                    "Plumber today -> Send the invoice",
                ][..],
            ),
            (
                "Antrag → prüfen. Schaden bestätigt → Ersatz senden. Nicht bestätigt → absagen. Danach ablegen.",
                &[
                    "Antrag -> Prüfen",
                    "Prüfen -Schaden bestätigt> Ersatz senden",
                    "Prüfen -Nicht bestätigt> Absagen",
                    "Ersatz senden -> Ablegen",
                ],
            ),
            (
                "Draft → review, approved → publish, rejected → back to draft",
                &["Draft -> Review", "Review -Approved> Publish", "Review -Rejected> Draft"],
            ),
        ] {
            assert_eq!(drawn(told), expected, "{told}");
        }
    }

    #[test]
    fn steps_that_follow_each_other_are_none() {
        assert_eq!(
            drawn("Order → paid → packed. Packed → shipped"),
            ["Order -> Paid", "Paid -> Packed", "Packed -> Shipped"]
        );
    }
}
