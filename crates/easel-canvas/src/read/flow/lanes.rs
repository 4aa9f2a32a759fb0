//! Who does what: “Customer: places order. Sales: checks stock, confirms date”, each in a lane of their own where lanes are
//! asked for.
//!
//! A lane is opened by its name before a colon or at the beginning of a step, and holds what follows until another is. Always true:
//! every box stands in one lane, or there are no lanes. Deliberately not here: in what order steps follow (`flow`), and how lanes
//! are drawn.

use super::answers::answer_of;
use super::conditions::{condition_of, is_else, split_else};
use super::graph::Flow;
use super::steps::{strip_then, unify};
use crate::content::{Lane, Matter};
use crate::read::lines::Line;
use crate::read::vocabulary::REFUSING;
use crate::read::{dates, naming, text};

/// A name of a lane has at most so many words.
const MOST_WORDS: usize = 4;

/// So many lanes at least tell anything apart, and no more than so many are drawn.
const LANES: std::ops::RangeInclusive<usize> = 2..=10;

/// Words that name lanes and nothing else, by how they begin.
const SWIMLANES: &[&str] = &["swimlane", "schwimmbahn", "schwimmlinie"];

/// Words for lanes, and the words before that make them lanes of a drawing: “with lanes”, “mit Bahnen”, “com faixas”.
const WITH_LANES: &[(&[&str], &[&str])] = &[
    (&["with", "in", "as"], &["lanes"]),
    (&["mit", "in", "als"], &["bahnen", "spuren"]),
    (&["avec", "en", "des"], &["couloirs"]),
    (&["con", "en", "de"], &["carriles", "calles"]),
    (&["con", "in", "a"], &["corsie"]),
    (&["com", "em", "de"], &["faixas", "raias"]),
];

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
#[rustfmt::skip]
const ARTICLES: &[&str] = &[
    "the", "our", "der", "die", "das", "unser", "unsere", "le", "la", "les", "el", "los", "las", "il", "lo", "i", "gli", "o", "a", "os", "as",
];

/// What stands behind a verb: articles, pronouns and prepositions.
#[rustfmt::skip]
const BEHIND_VERBS: &[&str] = &[
    "the", "a", "an", "it", "them", "him", "her", "his", "their", "its", "our", "in", "out", "up", "for", "at", "to", "on", "den", "die", "das", "ein", "eine", "einen", "es",
    "el", "la", "los", "las", "un", "una", "su", "sus", "lo", "le", "les", "une", "sa", "son", "ses", "leur", "il", "gli", "i", "uno", "suo", "sua", "o", "os", "as", "um",
    "and", "und", "et", "y", "e", "uma", "seu", "por", "par", "con", "avec", "à", "com", "si",
];

/// Words that stand for somebody who was named before.
const PRONOUNS: &[&str] = &[
    "it", "he", "she", "we", "you", "they", "i", "there", "what", "who", "this", "that", "everyone", "er", "sie", "es",
    "dies", "dann", "alles", "il", "elle", "ça",
];

/// Whether words ask for lanes.
pub fn are_asked(words: &str) -> bool {
    let words = text::words(words);
    let is = |at: usize, of: &[&str]| words.get(at).is_some_and(|word| of.contains(&word.as_str()));
    // “Keep it simple, no swimlanes”.
    let is_refused = |at: usize| words[at.saturating_sub(2)..at].iter().any(|word| REFUSING.contains(&word.as_str()));
    (0..words.len()).filter(|at| !is_refused(*at)).any(|at| {
        SWIMLANES.iter().any(|name| words[at].starts_with(name))
            || is(at, &["swim"]) && is(at + 1, &["lane", "lanes"])
            || is(at, &["cross"]) && is(at + 1, &["functional"])
            || WITH_LANES.iter().any(|(before, lanes)| is(at, before) && is(at + 1, lanes))
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

/// “The tenant writes a mail. The office checks the diary.”: who does something, where most sentences tell who does.
fn doers_of(sentences: &[String]) -> Vec<String> {
    let mut doers: Vec<(String, usize, bool)> = Vec::new();
    let (mut begun, mut told) = (0, 0);
    for sentence in sentences.iter().filter(|sentence| !sentence.ends_with('?')) {
        let found = doers_in(sentence);
        told += 1;
        begun += usize::from(!found.is_empty());
        for (name, is_sure) in found {
            match doers.iter_mut().find(|(known, ..)| known.to_lowercase() == name.to_lowercase()) {
                Some((_, count, was_sure)) => {
                    *count += 1;
                    *was_sure |= is_sure;
                }
                None => doers.push((name, 1, is_sure)),
            }
        }
    }
    // A word at the beginning that comes once may be anything.
    doers.retain(|(_, count, is_sure)| *is_sure || *count > 1);
    let names: Vec<String> = doers.into_iter().map(|(name, ..)| name).collect();
    if LANES.contains(&names.len()) && begun * 2 >= told { names } else { Vec::new() }
}

/// Who does something in the clauses of a sentence, and whether they surely are who does: “then prepress makes the plates, the
/// press room prints the job”.
fn doers_in(sentence: &str) -> Vec<(String, bool)> {
    let answer = text::label(sentence).filter(|(label, _)| answer_of(label).is_some());
    let told = strip_then(answer.map_or(sentence, |(_, told)| told));
    let told = match condition_of(&told) {
        Some((_, action, rest)) => format!("{action}, {}", rest.unwrap_or_default()),
        None if is_else(&told) => split_else(&told).1,
        None => told,
    };
    let clauses = text::clauses(told.trim_end_matches([',', ' ', '.']));
    let mut found: Vec<(String, bool)> = Vec::new();
    for clause in clauses.iter().flat_map(|clause| divide_at_and(clause)) {
        found.extend(doer_of(&strip_then(&clause)));
    }
    // Beside others that have articles a name needs none.
    let are_several = found.len() > 1 && found.iter().any(|(_, is_sure)| *is_sure);
    found.iter_mut().for_each(|(_, is_sure)| *is_sure |= are_several);
    found
}

/// “the desk orders it and the archive sends it”: two clauses where somebody else does something behind the “and”.
fn divide_at_and(clause: &str) -> Vec<String> {
    for and in [" and ", " und ", " et ", " y ", " e "] {
        for (at, _) in clause.match_indices(and) {
            let (before, behind) = (&clause[..at], &clause[at + and.len()..]);
            if doer_of(behind).is_some_and(|(_, is_sure)| is_sure) && doer_of(&strip_then(before)).is_some() {
                return vec![before.to_owned(), behind.to_owned()];
            }
        }
    }
    vec![clause.to_owned()]
}

/// The steps of a sentence that names several who do something: each name of a lane behind an “and” begins one of its own.
pub fn divide(sentence: &str, lanes: &[String]) -> String {
    let mut divided = sentence.to_owned();
    for and in [" and ", " und ", " et ", " y ", " e "] {
        let cuts: Vec<usize> = divided
            .match_indices(and)
            .filter(|(at, _)| {
                let behind = &divided[at + and.len()..];
                let bare = ARTICLES.iter().find_map(|article| text::strip_start(behind, article)).map(str::trim_start);
                let is_lane =
                    |told: &str| lanes.iter().any(|lane| text::strip_start(told, &lane.to_lowercase()).is_some());
                bare.is_some_and(is_lane) && doer_of(behind).is_some() && !divided[..*at].ends_with(',')
            })
            .map(|(at, _)| at)
            .collect();
        for at in cuts.into_iter().rev() {
            divided.replace_range(at..at + and.len(), ", ");
        }
    }
    divided
}

/// Who does something by a clause, and whether that is sure: what stands before its first verb.
fn doer_of(clause: &str) -> Option<(String, bool)> {
    let words: Vec<&str> = clause.split_whitespace().collect();
    let first = words.first()?.to_lowercase();
    let has_article = ARTICLES.contains(&first.as_str());
    let from = usize::from(has_article);
    let verb = verb_at(&words, from, &first)?;
    let name = &words[from..verb];
    let is_name = (1..MOST_WORDS).contains(&name.len())
        && name.iter().all(|word| word.chars().all(|letter| letter.is_alphabetic() || letter == '-'))
        && !(name.len() == 1 && PRONOUNS.contains(&name[0].to_lowercase().as_str()));
    // “support checks the date”: who types everything small names somebody by what is done to something.
    let acts = (words[verb].ends_with('s') || words[verb - 1].ends_with('s'))
        && words.get(verb + 1).is_some_and(|next| BEHIND_VERBS.contains(&next.to_lowercase().as_str()));
    let is_sure = has_article || acts && name.len() == 1;
    let is_named = has_article || acts || name.first().is_some_and(|word| word.starts_with(char::is_uppercase));
    (is_name && is_named).then(|| (name.join(" "), is_sure))
}

/// The place of the first verb behind who does something: by its ending, by the large letters of German names, and in languages
/// whose verbs end as their names do by what stands behind it.
fn verb_at(words: &[&str], from: usize, article: &str) -> Option<usize> {
    let is_small = |word: &str| word.chars().all(char::is_lowercase) && word.chars().count() >= 3;
    let within = || (from + 1)..words.len().min(from + MOST_WORDS);
    let ends_as_third = |word: &str| word.ends_with('s') && !word.ends_with("ss");
    let english = || within().find(|at| is_small(words[*at]) && ends_as_third(words[*at]));
    let plural = || within().find(|at| ends_as_third(words[at - 1]) && is_small(words[*at]) && is_before(words, *at));
    let german = || {
        let named = (from..words.len()).find(|at| words[*at].starts_with(char::is_uppercase));
        match named.filter(|_| from > 0) {
            Some(named) => within().find(|at| *at > named && is_small(words[*at])),
            None => within().find(|at| is_small(words[*at]) && words[*at].ends_with('t')),
        }
    };
    let romance = || {
        let ends = |word: &str| word.ends_with(['a', 'e', 'á', 'é', 'ê', 'n', 'm', 't', 'd', 'í']);
        within().find(|at| is_small(words[*at]) && ends(words[*at]) && is_before(words, *at))
    };
    match article {
        "the" | "our" => english().or_else(plural),
        "der" | "die" | "das" | "unser" | "unsere" => german(),
        article if ARTICLES.contains(&article) => romance(),
        _ => english()
            .or_else(|| within().find(|at| is_small(words[*at]) && words[*at].ends_with('t')))
            .or_else(plural)
            .or_else(romance),
    }
}

/// Whether a word stands before what something is done to, or ends its clause.
fn is_before(words: &[&str], at: usize) -> bool {
    words.get(at + 1).is_none_or(|next| BEHIND_VERBS.contains(&next.to_lowercase().as_str()))
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
            "a chart with lanes",
            "um diagrama com faixas",
        ] {
            assert!(are_asked(words), "{words}");
        }
        for words in [
            "a flow of the swim meet",
            "six lanes in the pool",
            "Diagramm der Bahn",
            "functional diagram",
            "keep it simple, no swimlanes",
            "ohne Schwimmbahnen",
        ] {
            assert!(!are_asked(words), "{words}");
        }
    }

    #[test]
    fn who_does_something_is_found_in_prose_of_many_languages() {
        for (sentences, names) in [
            (
                &[
                    "HR posts the job, then the team lead reads the applications, HR invites three people, and the director signs.",
                ] as &[&str],
                "HR, team lead, director",
            ),
            (
                &[
                    "The reader asks for a book.",
                    "If it is lent, the desk orders it and the archive sends it within two days.",
                    "The reader takes it home.",
                ],
                "reader, desk, archive",
            ),
            (
                &["The accounting department checks the date.", "The client pays the bill."],
                "accounting department, client",
            ),
            (
                &["Der Patient ruft an, die Praxis vergibt einen Termin.", "Die Kollegen prüfen die Akte."],
                "Patient, Praxis, Kollegen",
            ),
            (
                &["El cliente envía el pedido.", "El jefe de compras aprueba la factura.", "El cliente paga."],
                "cliente, jefe de compras",
            ),
            (
                &["O colaborador preenche o pedido.", "Os recursos humanos confirmam o saldo."],
                "colaborador, recursos humanos",
            ),
            (&["Le service client reçoit la demande.", "Le technicien répond par mail."], "service client, technicien"),
            (&["We ask the board.", "They answer within a week.", "It goes on the wall."], ""),
        ] {
            let sentences: Vec<String> = sentences.iter().map(|sentence| (*sentence).to_owned()).collect();
            assert_eq!(named_in(&sentences).join(", "), names, "{sentences:?}");
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
