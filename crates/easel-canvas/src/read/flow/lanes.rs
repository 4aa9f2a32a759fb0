//! Who does what: “Customer: places order. Sales: checks stock, confirms date”, each in a lane of their own where lanes are
//! asked for.
//!
//! A lane is opened by its name before a colon or at the beginning of a step, and holds what follows until another is. Always true:
//! every box stands in one lane, or there are no lanes. Deliberately not here: in what order steps follow (`flow`), and how lanes
//! are drawn.

use super::answers::answer_of;
use super::conditions::{condition_of, is_else};
use super::graph::Flow;
use super::steps::{strip_then, unify};
use crate::content::{Lane, Matter};
use crate::read::lines::Line;
use crate::read::{dates, naming, text};

/// A name of a lane has at most so many words.
const MOST_WORDS: usize = 4;

/// So many lanes at least tell anything apart, and no more than so many are drawn.
const LANES: std::ops::RangeInclusive<usize> = 2..=10;

/// Words that name lanes and nothing else, by how they begin.
const SWIMLANES: &[&str] = &["swimlane", "schwimmbahn", "schwimmlinie"];

/// Words for a lane that may be something else, and the words behind that make it a lane of a drawing.
#[rustfmt::skip]
const LANE_FOR_EACH: &[(&[&str], &[&str])] = &[
    (&["lane", "lanes"], &["per", "for", "by", "each"]), (&["bahn", "bahnen", "spur", "spuren"], &["pro", "je", "für"]),
    (&["couloir", "couloirs"], &["par", "pour"]), (&["carril", "carriles"], &["por", "para"]), (&["corsia", "corsie"], &["per"]),
];

/// Labels before the names of all lanes.
#[rustfmt::skip]
const LISTED: &[&str] = &[
    "lanes", "swimlanes", "roles", "participants", "rollen", "bahnen", "schwimmbahnen", "beteiligte", "couloirs", "rôles", "carriles", "roles", "corsie", "ruoli",
];

/// Articles before who does something.
const ARTICLES: &[&str] =
    &["the", "our", "der", "die", "das", "unser", "unsere", "le", "la", "les", "el", "los", "las", "il", "lo"];

/// Words that stand for somebody who was named before.
const PRONOUNS: &[&str] =
    &["it", "he", "she", "this", "that", "everyone", "er", "sie", "es", "dies", "dann", "alles", "il", "elle", "ça"];

/// Whether words ask for lanes.
pub fn are_asked(words: &str) -> bool {
    let words = text::words(words);
    let is = |at: usize, of: &[&str]| words.get(at).is_some_and(|word| of.contains(&word.as_str()));
    (0..words.len()).any(|at| {
        SWIMLANES.iter().any(|name| words[at].starts_with(name))
            || is(at, &["swim"]) && is(at + 1, &["lane", "lanes"])
            || is(at, &["cross"]) && is(at + 1, &["functional"])
            || LANE_FOR_EACH.iter().any(|(lanes, behind)| is(at, lanes) && is(at + 1, behind))
    })
}

/// The names of the lanes that sentences tell of, in their order: as they are listed, else as they stand before colons.
pub fn named_in(sentences: &[String]) -> Vec<String> {
    let listed = sentences.iter().find_map(|sentence| {
        let names = listed(sentence)?;
        LANES.contains(&names.len()).then_some(names)
    });
    if let Some(names) = listed {
        return names;
    }
    let mut names: Vec<String> = Vec::new();
    for sentence in sentences {
        let sentence = unify(sentence);
        for piece in sentence.split('→').flat_map(text::clauses) {
            if let Some((name, _)) = named(&strip_then(&piece))
                && !names.iter().any(|known| known.to_lowercase() == name.to_lowercase())
            {
                names.push(name.to_owned());
            }
        }
    }
    if LANES.contains(&names.len()) { names } else { doers_of(sentences) }
}

/// “The tenant writes a mail. The office checks the diary.”: who does something, where most sentences begin with who does.
fn doers_of(sentences: &[String]) -> Vec<String> {
    let mut doers: Vec<(String, usize, bool)> = Vec::new();
    let (mut begun, mut told) = (0, 0);
    for sentence in sentences {
        let answer = text::label(sentence).filter(|(label, _)| answer_of(label).is_some());
        let sentence = strip_then(answer.map_or(sentence.as_str(), |(_, told)| told));
        if sentence.ends_with('?') || is_else(&sentence) || condition_of(&sentence).is_some() {
            continue;
        }
        told += 1;
        let Some((name, has_article)) = doer_of(&sentence) else { continue };
        begun += 1;
        match doers.iter_mut().find(|(known, ..)| known.to_lowercase() == name.to_lowercase()) {
            Some((_, count, known_by_article)) => {
                *count += 1;
                *known_by_article |= has_article;
            }
            None => doers.push((name, 1, has_article)),
        }
    }
    // A word at the beginning that comes once may be anything.
    doers.retain(|(_, count, has_article)| *has_article || *count > 1);
    let names: Vec<String> = doers.into_iter().map(|(name, ..)| name).collect();
    if LANES.contains(&names.len()) && begun * 2 >= told { names } else { Vec::new() }
}

/// Who does something by a sentence, and whether an article stands before: what stands before its first verb.
fn doer_of(sentence: &str) -> Option<(String, bool)> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let has_article = ARTICLES.contains(&words.first()?.to_lowercase().as_str());
    let from = usize::from(has_article);
    let is_verb = |word: &&str| {
        let is_small = word.chars().all(char::is_lowercase) && word.chars().count() >= 3;
        is_small && (word.ends_with('t') || word.ends_with('s') && !word.ends_with("ss"))
    };
    let verb = from + 1 + words.iter().skip(from + 1).take(2 + from).position(is_verb)?;
    let name = &words[from..verb];
    let is_name = name.iter().all(|word| word.chars().all(|letter| letter.is_alphabetic() || letter == '-'))
        && (has_article || name[0].starts_with(char::is_uppercase))
        && !(name.len() == 1 && PRONOUNS.contains(&name[0].to_lowercase().as_str()));
    is_name.then(|| (name.join(" "), has_article))
}

/// Whether a sentence says something of the drawing and tells no step: “Version: 3”.
pub fn is_beside(sentence: &str, lanes: &[String]) -> bool {
    let is_of_lane = |label: &str| lanes.iter().any(|lane| text::strip_start(label, &lane.to_lowercase()).is_some());
    text::label(sentence).is_some_and(|(label, body)| {
        !body.is_empty() && !is_of_lane(label) && answer_of(label).is_none() && condition_of(sentence).is_none()
    }) && !is_else(sentence)
        && !sentence.contains(['→', '>', ',', '?'])
}

/// “Lanes: guest, desk, kitchen”: the names of all lanes.
pub fn listed(sentence: &str) -> Option<Vec<String>> {
    let (label, body) = text::label(sentence)?;
    let is_list = text::words(label).last().is_some_and(|word| LISTED.contains(&word.as_str()))
        && label.split_whitespace().count() <= MOST_WORDS;
    let names = text::items(body.trim_end_matches('.'));
    let are_names = names.iter().all(|name| name.split_whitespace().count() <= MOST_WORDS);
    (is_list && names.len() > 1 && are_names).then(|| names.iter().map(|name| text::capitalize(name)).collect())
}

/// “Sales: checks stock”: who does something, and what.
fn named(piece: &str) -> Option<(&str, &str)> {
    let (name, told) = text::label(piece).filter(|(_, told)| !told.is_empty())?;
    let is_short = name.split_whitespace().count() <= MOST_WORDS && !name.ends_with('?');
    // “Stand: März 2027”, “Version: 3” say something of the drawing.
    let is_brief = told.split_whitespace().count() <= 3;
    let is_note = is_brief
        && (dates::has_moment(told)
            || dates::is_period(told)
            || told.starts_with(|letter: char| letter.is_ascii_digit()));
    let is_counted = name.chars().any(|letter| letter.is_ascii_digit());
    let is_label = naming::is_title_label(name) || naming::is_under_label(name) || answer_of(name).is_some();
    (is_short && !is_note && !is_counted && !is_label).then_some((name, told))
}

/// “Driver”, and under it a list of what the driver does: each item with the name before it, where several lists are so.
pub fn name_items(lines: &mut Vec<Line>) {
    let heads = |at: usize| match lines.get(at) {
        Some(Line::Heading(name) | Line::Text(name)) => {
            let is_name = name.split_whitespace().count() <= MOST_WORDS && text::label(name).is_none();
            let name = name.trim_end_matches([':', ' ']);
            (is_name && matches!(lines.get(at + 1), Some(Line::Item(..)))).then(|| name.to_owned())
        }
        _ => None,
    };
    if (0..lines.len()).filter(|at| heads(*at).is_some()).count() < *LANES.start() {
        return;
    }
    let mut named: Vec<Line> = Vec::with_capacity(lines.len());
    let mut owner: Option<String> = None;
    for (at, line) in lines.iter().enumerate() {
        match (heads(at), &owner, line) {
            (Some(name), ..) => owner = Some(name),
            (None, Some(name), Line::Item(_, told)) => named.push(Line::Text(format!("{name}: {told}"))),
            _ => {
                owner = None;
                named.push(line.clone());
            }
        }
    }
    *lines = named;
}

impl Flow {
    /// Has lanes of these names from now on.
    pub fn divide_into(&mut self, names: &[String]) {
        if self.boxes.is_empty() {
            self.lanes = names.iter().map(|name| Lane { name: text::capitalize(name), boxes: Vec::new() }).collect();
        }
    }

    /// The flow as the matter of a passage.
    pub fn into_matter(mut self) -> Matter {
        // Who does nothing has no lane.
        self.lanes.retain(|lane| !lane.boxes.is_empty());
        Matter::Flow { boxes: self.boxes, arrows: self.arrows, lanes: self.lanes }
    }

    /// What is told behind the name of a lane and a colon: it is opened. Without a name all of it, in the lane that is open.
    pub(super) fn enter_named<'t>(&mut self, told: &'t str) -> &'t str {
        let Some((at, rest)) = self.begun(told) else { return told };
        let Some(rest) = rest.trim_start().strip_prefix([':', '：']).map(str::trim).filter(|rest| !rest.is_empty())
        else {
            return told;
        };
        self.lane = Some(at);
        rest
    }

    /// What stands between the arrows of a chain; in lanes “cooks, plates” are two steps.
    pub(super) fn pieces_of(&self, chain: &str) -> Vec<String> {
        let pieces = chain.split('→');
        if self.lanes.is_empty() {
            pieces.map(str::to_owned).collect()
        } else {
            pieces.flat_map(text::clauses).collect()
        }
    }

    /// A step without the name of who does it, whose lane is opened.
    pub(super) fn enter<'t>(&mut self, step: &'t str) -> &'t str {
        if let Some((at, rest)) = self.begun(step) {
            let rest = rest.trim_start_matches([':', '：', ' ', '–', '—', '-']);
            // “Kitchen” alone is a step that has the name of its lane.
            if !rest.is_empty() {
                self.lane = Some(at);
                return rest;
            }
        }
        if let Some(at) = self.spoken_to(step) {
            self.lane = Some(at);
        }
        step
    }

    /// Puts the box that was made last into the lane that is open.
    pub(super) fn put_in_lane(&mut self) {
        let at = self.boxes.len() - 1;
        if let Some(lane) = self.lanes.get_mut(self.lane.unwrap_or_default()) {
            lane.boxes.push(at);
        }
    }

    /// Whether a box stands in the lane that is open; any does where there are no lanes.
    pub(super) fn is_in_lane(&self, at: usize) -> bool {
        self.lanes.get(self.lane.unwrap_or_default()).is_none_or(|lane| lane.boxes.contains(&at))
    }

    /// Takes a box out of its lane that is no box any more.
    pub(super) fn leave_lane(&mut self, removed: usize) {
        for lane in &mut self.lanes {
            lane.boxes.retain(|own| *own != removed);
            lane.boxes.iter_mut().filter(|own| **own > removed).for_each(|own| *own -= 1);
        }
    }

    /// The lane whose name a text begins with, with or without an article, and what follows it.
    pub(super) fn begun<'t>(&self, told: &'t str) -> Option<(usize, &'t str)> {
        let told = told.trim();
        let bare = ARTICLES.iter().find_map(|article| text::strip_start(told, article)).map_or(told, str::trim_start);
        let begins = |name: &str| {
            let name = name.to_lowercase();
            text::strip_start(told, &name).or_else(|| text::strip_start(bare, &name))
        };
        let found = self.lanes.iter().enumerate().filter_map(|(at, lane)| Some((at, begins(&lane.name)?)));
        // “Sales manager” is not “sales”.
        found.min_by_key(|(_, rest)| rest.len())
    }

    /// “bietet der Vertrieb eine Teillieferung an”, “danach prüft die Leitung”: who does something stands behind the verb.
    fn spoken_to(&self, step: &str) -> Option<usize> {
        let words: Vec<&str> = step.split_whitespace().collect();
        let behind =
            (1..words.len()).filter(|at| words[at - 1].ends_with('t') && matches!(words[*at], "der" | "die" | "das"));
        let mut rests = behind.map(|at| words[at + 1..].join(" "));
        rests.find_map(|rest| self.begun(&rest).map(|(lane, _)| lane))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(sentences: &[&str]) -> Flow {
        let sentences: Vec<String> = sentences.iter().map(|sentence| (*sentence).to_owned()).collect();
        let mut flow = Flow::default();
        flow.divide_into(&named_in(&sentences));
        sentences.iter().filter(|sentence| listed(sentence).is_none()).for_each(|sentence| flow.take_told(sentence));
        flow
    }

    fn lanes(flow: &Flow) -> Vec<String> {
        let heads =
            |lane: &Lane| lane.boxes.iter().map(|at| flow.boxes[*at].head.clone()).collect::<Vec<_>>().join(", ");
        flow.lanes.iter().map(|lane| format!("{}: {}", lane.name, heads(lane))).collect()
    }

    fn arrows(flow: &Flow) -> Vec<String> {
        let head = |at: usize| flow.boxes[at].head.as_str();
        flow.arrows.iter().map(|arrow| format!("{} -{}> {}", head(arrow.from), arrow.label, head(arrow.to))).collect()
    }

    #[test]
    fn knows_who_asks_for_lanes() {
        for words in [
            "swimlanes please, one lane per role",
            "a lane for each team",
            "Schwimmbahnen je Abteilung",
            "als Swimlane-Diagramm",
            "cross-functional flowchart",
            "eine Bahn pro Rolle",
            "un couloir par service",
        ] {
            assert!(are_asked(words), "{words}");
        }
        for words in ["a flow of the swim meet", "six lanes in the pool", "Diagramm der Bahn", "functional diagram"] {
            assert!(!are_asked(words), "{words}");
        }
    }

    #[test]
    fn steps_stand_in_the_lane_of_who_does_them() {
        let flow = told(&[
            "Guest: orders at the bar",
            "Bar: notes the table, passes the order on",
            "Kitchen: cooks",
            "Bar: brings the plate",
            "If the fish is out, the kitchen suggests the pie.",
        ]);
        assert_eq!(
            lanes(&flow),
            [
                "Guest: Orders at the bar",
                "Bar: Notes the table, Passes the order on, Brings the plate",
                "Kitchen: Cooks, Suggests the pie",
            ]
        );
        assert_eq!(arrows(&flow)[0], "Orders at the bar -> Notes the table");
        assert!(arrows(&flow).contains(&"Brings the plate -The fish is out> Suggests the pie".to_owned()), "{flow:?}");
    }

    #[test]
    fn two_may_do_the_same_and_lanes_may_be_listed() {
        let flow = told(&[
            "Rollen: Antragsteller, Leitung, Kasse",
            "Antragsteller füllt aus",
            "Leitung prüft",
            "Kasse prüft, zahlt aus",
        ]);
        assert_eq!(lanes(&flow), ["Antragsteller: Füllt aus", "Leitung: Prüft", "Kasse: Prüft, Zahlt aus"]);
        assert_eq!(arrows(&flow).len(), 3);
        let flow = told(&[
            "Tenant: reports a leak → Office: logs it → Plumber: comes by, mends it → Office: closes the ticket",
        ]);
        assert_eq!(
            lanes(&flow),
            ["Tenant: Reports a leak", "Office: Logs it, Closes the ticket", "Plumber: Comes by, Mends it"]
        );
    }

    #[test]
    fn who_begins_the_sentences_has_a_lane() {
        let flow = told(&[
            "Die Mieterin schreibt eine Mail.",
            "Das Büro schaut in den Kalender.",
            "Ist der Saal frei?",
            "Ja: Das Büro schickt den Vertrag.",
            "Nein: Das Büro nennt andere Tage.",
            "Am Abend davor übergibt der Hauswart den Schlüssel.",
            "Der Hauswart prüft die Räume.",
        ]);
        assert_eq!(
            lanes(&flow),
            [
                "Mieterin: Schreibt eine Mail",
                "Büro: Schaut in den Kalender, Ist der Saal frei?, Schickt den Vertrag, Nennt andere Tage",
                "Hauswart: Am Abend davor übergibt der Hauswart den Schlüssel, Prüft die Räume",
            ]
        );
        let flow = told(&["The film office checks the form.", "The police closes the road.", "It reports back."]);
        assert_eq!(lanes(&flow), ["Film office: Checks the form", "Police: Closes the road, It reports back"]);
    }

    #[test]
    fn a_condition_between_steps_is_a_branch_and_the_course_goes_on() {
        let flow = told(&[
            "Kundin: meldet den Schaden",
            "Service: prüft die Garantie, nimmt das Gerät an",
            "Wenn die Garantie abgelaufen ist, schickt der Service ein Angebot.",
            "Werkstatt: repariert",
        ]);
        assert_eq!(lanes(&flow)[1], "Service: Prüft die Garantie, Nimmt das Gerät an, Schickt der Service ein Angebot");
        let arrows = arrows(&flow);
        assert!(
            arrows.contains(
                &"Prüft die Garantie -Die Garantie abgelaufen ist> Schickt der Service ein Angebot".to_owned()
            ),
            "{arrows:?}"
        );
        assert!(arrows.contains(&"Nimmt das Gerät an -> Repariert".to_owned()), "{arrows:?}");
    }
}
