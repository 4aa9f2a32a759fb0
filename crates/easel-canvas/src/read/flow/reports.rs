//! Who stands under whom, as sentences say it: “Reports to her: …”, “Under Ben: …”, “Mo and Julia report to Ben”.
//!
//! A person is found by some of the words that named them before, and may be a pronoun for who was told of last. Deliberately
//! not here: tables of posts (`posts`) and lists within lists (`take_tree`).

use super::Flow;
use crate::content::{Arrow, Point};
use crate::read::text;

/// Labels whose person stands at their end: “Reports to Ben: …”.
#[rustfmt::skip]
const UNDER: &[&str] = &[
    "reports to", "report to", "reporting to", "reports of", "direct reports of", "under", "below", "team of", "unter", "berichtet an", "berichten an",
    "team von", "es berichten an", "sous", "rattachés à", "sous la direction de", "bajo", "a cargo de", "reportan a", "sotto", "riportano a",
];

/// Words between who stands below and who above: “Mo reports to Ben”.
#[rustfmt::skip]
const VERBS: &[&str] = &[
    " reports directly to ", " report directly to ", " reports to ", " report to ", " reporting to ", " berichtet an ", " berichten an ",
    " untersteht ", " unterstehen ", " rapporte à ", " rapportent à ", " reporta a ", " reportan a ", " riporta a ", " riportano a ",
];

/// Words for a person who was told of before.
#[rustfmt::skip]
const PRONOUNS: &[&str] = &[
    "her", "him", "them", "ihr", "ihm", "ihnen", "sie", "ihn", "elle", "lui", "eux", "él", "ella", "ellos", "lei", "loro",
];

impl Flow {
    /// Takes a sentence that says who stands under whom; says whether it was taken.
    pub(super) fn take_reports(&mut self, sentence: &str) -> bool {
        if let Some((label, body)) = text::label(sentence)
            && let Some(who) = under(label).filter(|_| !body.is_empty())
        {
            let Some(over) = self.person(who) else { return false };
            self.hang(body, over);
            return true;
        }
        let lower = sentence.to_lowercase();
        if lower.len() != sentence.len() {
            return false;
        }
        let Some((at, verb)) = VERBS.iter().find_map(|verb| Some((lower.find(verb)?, verb))) else { return false };
        let (below, who) = (sentence[..at].trim(), sentence[at + verb.len()..].trim());
        let who = who.trim_start_matches("the ").trim_end_matches(['.', '!', ' ']);
        if below.is_empty() || who.is_empty() || who.split_whitespace().count() > 6 {
            return false;
        }
        let over = self.person(who).unwrap_or_else(|| {
            self.boxes.push(Point::new(text::capitalize(who), ""));
            self.boxes.len() - 1
        });
        self.hang(below, over);
        true
    }

    /// Hangs what is listed from a box; who was named before is hung there too.
    fn hang(&mut self, list: &str, over: usize) {
        for item in text::items(list).iter().flat_map(|item| people_of(item)) {
            let to = self.find(item).unwrap_or_else(|| {
                let point = match text::name_and_words(item) {
                    Some((head, body)) => Point::new(text::capitalize(&head), body),
                    None => Point::new(text::capitalize(item.trim_end_matches('.')), ""),
                };
                self.boxes.push(point);
                self.boxes.len() - 1
            });
            let hangs = self.arrows.iter().any(|arrow| arrow.to == to);
            if to != over && !hangs {
                self.arrows.push(Arrow { from: over, to, label: String::new() });
            }
        }
        self.last = Some(over);
    }

    /// The box of a person: for a pronoun who was told of last.
    fn person(&self, who: &str) -> Option<usize> {
        if PRONOUNS.contains(&who.to_lowercase().as_str()) {
            return self.last.or_else(|| self.boxes.len().checked_sub(1));
        }
        let wanted = text::words(who);
        self.boxes.iter().position(|point| {
            let named = text::words(&format!("{} {}", point.head, point.body_text()));
            !wanted.is_empty() && wanted.iter().all(|word| named.contains(word))
        })
    }
}

/// “Bo and Cy” are two: names of few words that both begin large.
fn people_of(item: &str) -> Vec<&str> {
    const AND: &[&str] = &[" and ", " & ", " und ", " et ", " y ", " e "];
    let item = ["and ", "und ", "et ", "y ", "e "].iter().find_map(|and| item.strip_prefix(and)).unwrap_or(item);
    let is_name =
        |words: &str| words.split_whitespace().count() <= 3 && words.chars().next().is_some_and(char::is_uppercase);
    match AND.iter().find_map(|and| item.split_once(and)) {
        Some((one, two)) if is_name(one) && is_name(two) => vec![one, two],
        _ => vec![item],
    }
}

/// The person of a label that says who stands above what it names.
fn under(label: &str) -> Option<&str> {
    let lower = label.to_lowercase();
    // “An sie berichten: …”, “A ella reportan: …”.
    for (lead, verb) in [("an ", " berichten"), ("ihr ", " unterstehen"), ("a ", " reportan"), ("a ", " riportano")] {
        if lower.len() == label.len() && lower.starts_with(lead) && lower.ends_with(verb) {
            return label.get(lead.len()..label.len() - verb.len()).map(str::trim).filter(|who| !who.is_empty());
        }
    }
    UNDER
        .iter()
        .filter_map(|lead| text::strip_start(label, lead))
        .min_by_key(|rest| rest.len())
        .map(str::trim)
        .filter(|who| !who.is_empty() && !who.chars().any(|letter| letter.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(told: &[&str]) -> Vec<String> {
        let mut flow = Flow::default();
        told.iter().for_each(|sentence| flow.take_told(sentence));
        flow.arrows
            .iter()
            .map(|arrow| format!("{} > {}", flow.boxes[arrow.from].head, flow.boxes[arrow.to].head))
            .collect()
    }

    #[test]
    fn draws_who_reports_to_whom() {
        for (told, expected) in [
            (
                &["CEO Ada Lind", "Reports to her: CTO Bo Frey, CFO Cy Marsh.", "Under Bo: Web (Dee), Data (Eli)."][..],
                &[
                    "CEO Ada Lind > CTO Bo Frey",
                    "CEO Ada Lind > CFO Cy Marsh",
                    "CTO Bo Frey > Web",
                    "CTO Bo Frey > Data",
                ][..],
            ),
            (
                &["Leitung Ina Vogt", "An sie berichten: Küche, Service.", "Unter Küche: Patisserie, Spüle."],
                &["Leitung Ina Vogt > Küche", "Leitung Ina Vogt > Service", "Küche > Patisserie", "Küche > Spüle"],
            ),
            (&["Bo and Cy report to Ada.", "Dee reports to Bo."], &["Ada > Bo", "Ada > Cy", "Bo > Dee"]),
        ] {
            assert_eq!(drawn(told), expected);
        }
    }

    #[test]
    fn leaves_other_courses_alone() {
        assert_eq!(drawn(&["Check age", "Under 30 days: refund"]).len(), 1);
    }
}
