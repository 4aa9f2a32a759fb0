//! Who stands under whom, as sentences say it: “Reports to her: …”, “Under Ben: …”, “Mo and Julia report to Ben”, “Ada leads the
//! designers: …”, “Ada Lind is head of school”.
//!
//! A person is found by some of the words that named them before, and may be a pronoun for who was told of last. What holds:
//! a post, a group and every name of a sentence that is taken stand in a box. Deliberately not here: tables of posts (`posts`)
//! and lists within lists (`take_tree`).

use super::graph::Flow;
use crate::content::{Arrow, Point};
use crate::read::vocabulary::is_number;
use crate::read::{naming, text};
use crate::run::Run;

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

/// Words between who stands above and who or what below: “Ada leads the designers”.
#[rustfmt::skip]
const LEADING: &[&str] = &[
    " leads ", " lead ", " heads ", " manages ", " runs ", " oversees ", " supervises ", " is in charge of ", " is responsible for ", " leitet ", " führt ",
    " verantwortet ", " macht ", " machen ", " betreut ", " kümmert sich um ", " looks after ", " takes care of ", " handles ", " s'occupe de ", " se ocupa de ",
    " si occupa di ", " dirige ", " encadre ", " lidera ", " gestiona ", " guida ", " gestisce ",
];

/// Words between a person and a post.
const BEING: &[&str] = &[" is ", " are ", " ist ", " sind ", " est ", " sont ", " es ", " son ", " è ", " sono "];

/// Words between who stands above and those below, where these are named first: “has Mo and Ana under her”.
const HAVING: &[&str] = &[" has ", " have ", " hat ", " tiene ", " ha "];

/// Words for a person who was told of before.
#[rustfmt::skip]
const PRONOUNS: &[&str] = &[
    "her", "him", "them", "ihr", "ihm", "ihnen", "sie", "ihn", "elle", "lui", "eux", "él", "ella", "ellos", "lei", "loro", "he", "she", "they", "er", "il",
];

/// Words before or behind who stands below that say nothing of them.
#[rustfmt::skip]
const ADVERBS: &[&str] = &["also", "both", "all", "directly", "each", "then", "auch", "beide", "alle", "direkt", "aussi", "directement", "también", "anche"];

/// Words before a post or a group.
#[rustfmt::skip]
const BEFORE_POST: &[&str] = &["the", "a", "an", "our", "its", "their", "der", "die", "das", "unsere", "unser", "le", "la", "les", "notre", "el", "los", "las", "il", "i", "gli"];

/// Small words within a name.
const PARTICLES: &[&str] =
    &["de", "da", "di", "del", "van", "von", "der", "den", "la", "le", "bin", "al", "el", "ten", "zu"];

/// Whether a sentence says what post a person has: “Ada Lind is head of school”.
pub fn names_post(sentence: &str) -> bool {
    split_at(sentence, BEING).is_some_and(|(who, _)| is_name(who))
}

/// Whether a text says who stands under whom.
pub fn tells_posts(words: &str) -> bool {
    let lower = words.to_lowercase();
    VERBS.iter().any(|verb| lower.contains(verb))
        || text::sentences(words).iter().any(|sentence| {
            text::label(sentence).is_some_and(|(label, body)| !body.is_empty() && under(label).is_some())
        })
}

impl Flow {
    /// Takes a sentence of a flow of which it is known that it says who stands under whom; says whether it was taken.
    pub(super) fn take_posts(&mut self, sentence: &str) -> bool {
        self.take_reports(sentence)
            || self.take_within(sentence)
            || self.take_leading(sentence)
            || self.take_having(sentence)
            || self.take_being(sentence)
            || self.take_post(sentence)
    }

    /// Takes a sentence that says who stands under whom; says whether it was taken.
    pub(super) fn take_reports(&mut self, sentence: &str) -> bool {
        self.take_under(sentence) || self.take_reporting(sentence)
    }

    /// “Under Ben: Mo, Ana”, “Under Ben are the designers: Mo, Ana”, “Under Ben, Mo and Ana”.
    fn take_under(&mut self, sentence: &str) -> bool {
        let labelled = text::label(sentence).filter(|(_, body)| !body.is_empty());
        if let Some((label, body)) = labelled
            && let Some(who) = under(label)
        {
            let (who, group) = split_at(who, BEING).unwrap_or((who, ""));
            let Some(over) = self.person_or_new(who) else { return false };
            self.hang_group(group, body, over);
            return true;
        }
        if !self.is_of_posts() || labelled.is_some() {
            return false;
        }
        let Some(rest) = under(sentence) else { return false };
        // “Under her deputy Bo Frey and Cy Marsh”: the pronoun ends by itself who stands above.
        let spoken = rest.split_once(' ').filter(|(who, _)| PRONOUNS.contains(&who.to_lowercase().as_str()));
        let Some((who, list)) = split_at(rest, BEING).or_else(|| rest.split_once(", ")).or(spoken) else {
            return false;
        };
        let Some(over) = self.person(who) else { return false };
        // A post before the names is that of the first.
        let post = list.split_once(' ').filter(|(post, rest)| {
            post.chars().all(char::is_lowercase)
                && post.chars().count() > 3
                && rest.chars().next().is_some_and(char::is_uppercase)
        });
        let list = post.map_or_else(|| list.to_owned(), |(post, rest)| with_post(post, rest));
        self.hang(&list, over);
        true
    }

    /// “In Sales work Mo and Ana”, “Zur Verwaltung gehören Buchhaltung und Personal”, “Finance includes Payroll and Audit”: of a
    /// box that was named before.
    fn take_within(&mut self, sentence: &str) -> bool {
        const IN: &[&str] = &[
            "im ", "in der ", "in the ", "in ", "zum ", "zur ", "zu ", "en ", "dans le ", "dans la ", "nel ", "nella ",
        ];
        #[rustfmt::skip]
        const WORK: &[&str] = &[
            " arbeiten ", " arbeitet ", " gehören ", " gehört ", " sitzen ", " sitzt ", " work ", " works ", " travaillent ", " travaille ", " trabajan ", " trabaja ",
            " lavorano ", " lavora ",
        ];
        #[rustfmt::skip]
        const INCLUDES: &[&str] = &[
            " includes ", " include ", " comprises ", " consists of ", " contains ", " umfasst ", " besteht aus ", " comprend ", " comprennent ", " incluye ",
            " comprende ",
        ];
        let lower = sentence.to_lowercase();
        let within = IN
            .iter()
            .find(|lead| lower.starts_with(**lead))
            .and_then(|lead| split_at(sentence.get(lead.len()..)?, WORK));
        let Some((who, list)) = within.or_else(|| split_at(sentence, INCLUDES)) else { return false };
        let Some(over) = self.person(without_article(who)) else { return false };
        self.hang(list, over);
        true
    }

    /// “Mo and Ana report to Ben”, “Two deputies report to her: Mo, Ana”, “Kay Owen, the bursar, also reports to Ben”.
    fn take_reporting(&mut self, sentence: &str) -> bool {
        let Some((below, who)) = split_at(sentence, VERBS) else { return false };
        let (who, list) = text::label(who).unwrap_or((who, ""));
        let who = who.trim_start_matches("the ").trim_end_matches(['.', '!', ' ']);
        let below = without_adverbs(below);
        if below.is_empty() || who.is_empty() || who.split_whitespace().count() > 6 {
            return false;
        }
        let over = self.person(who).unwrap_or_else(|| self.add(Point::new(text::capitalize(who), "")));
        if list.is_empty() {
            self.hang(&with_posts(&below), over);
        } else {
            self.hang_group(&below, list, over);
        }
        true
    }

    /// “Ada leads the designers: Mo, Ana”, “Ada leads Mo and Ana”, “Ada runs the kitchen”.
    fn take_leading(&mut self, sentence: &str) -> bool {
        let Some((who, what)) = split_at(sentence, LEADING) else { return false };
        let (what, list) = text::label(what).unwrap_or((what, ""));
        let Some(over) = self.person(who).or_else(|| is_name(who).then(|| self.add(person_of(who)))) else {
            return false;
        };
        // “Petra macht die Konditorei mit Ines und Tom”: a part of the whole, and who else is in it.
        if let Some((part, names)) = staffed(what).filter(|_| list.is_empty()) {
            self.hang_group(part, names, over);
            return true;
        }
        let items = text::items(what);
        // “Rina leads two tailors, Ivo and Lena”.
        if let Some((group, names)) = what.split_once(", ").filter(|(group, _)| list.is_empty() && is_counted(group))
            && are_names(names)
        {
            self.hang_group(group, names, over);
            return true;
        }
        let people: Vec<&str> = items.iter().flat_map(|item| people_of(item)).collect();
        if !list.is_empty() {
            self.hang_group(what, list, over);
        } else if people.len() > 1 && people.iter().all(|one| one.chars().next().is_some_and(char::is_uppercase)) {
            self.hang(what, over);
        } else if !matches!(
            what.to_lowercase().as_str(),
            "it" | "all" | "everything" | "es" | "alles" | "tout" | "todo" | "tutto"
        ) {
            self.add_post(over, what);
        }
        self.last = Some(over);
        true
    }

    /// “Ada has Mo and Ana under her”, “Ada has two people: Mo, Ana”, “Tom has 3 bakers”.
    fn take_having(&mut self, sentence: &str) -> bool {
        // “Bo's team is Box Office (Kim) and Marketing (Una)”.
        const TEAMS: &[&str] =
            &["'s team is ", "’s team is ", "'s team are ", "’s team are ", "s team ist ", "s team sind "];
        #[rustfmt::skip]
        const ENDS: &[&str] = &[
            " under her", " under him", " under them", " in her team", " in his team", " on her team", " on his team", " reporting to her", " reporting to him",
            " unter sich", " in ihrem team", " in seinem team", " sous elle", " sous lui", " a su cargo", " sotto di sé",
        ];
        let Some((who, what)) = split_at(sentence, TEAMS).or_else(|| split_at(sentence, HAVING)) else { return false };
        let lower = what.to_lowercase();
        let end = ENDS.iter().find(|end| lower.len() == what.len() && lower.ends_with(**end));
        let people = end.map_or(what, |end| &what[..what.len() - end.len()]);
        let group = text::label(people)
            .map(|(group, list)| (group.to_owned(), list.to_owned()))
            // “Tom has 3 bakers (Lea, Max, Finn)”.
            .or_else(|| text::name_and_words(people).filter(|(group, _)| is_counted(group)))
            .filter(|(_, list)| !list.is_empty());
        // “Tom has been here for years” names nobody.
        let are_people =
            || text::items(people).iter().all(|item| item.starts_with(char::is_uppercase) || is_counted(item));
        if end.is_none() && group.is_none() && !are_people() {
            return false;
        }
        let Some(over) = self.person(who).or_else(|| is_name(who).then(|| self.add(person_of(who)))) else {
            return false;
        };
        match group {
            Some((group, list)) => self.hang_group(&group, &list, over),
            None => self.hang(people, over),
        }
        true
    }

    /// “Ada Lind is head of school”, “Our director is Ada Lind”.
    fn take_being(&mut self, sentence: &str) -> bool {
        let Some((left, right)) = split_at(sentence, BEING) else { return false };
        let (who, post) = if is_name(left) || self.person(left).is_some() {
            (left, right)
        } else if is_name(right) {
            (right, left)
        } else {
            return false;
        };
        if post.split_whitespace().count() > 8 || text::clauses(post).len() > 1 {
            return false;
        }
        let at = self.person(who).unwrap_or_else(|| self.add(person_of(who)));
        // “At the top is Ada Lind” says where she stands.
        if !naming::is_title_label(post) {
            self.add_post(at, post);
        }
        self.last = Some(at);
        true
    }

    /// “CEO: Ada Lind”, “Ada: Mo, Cy”; the latter only of who was named before.
    fn take_post(&mut self, sentence: &str) -> bool {
        let Some((label, body)) = text::label(sentence).filter(|(_, body)| !body.is_empty()) else { return false };
        if let Some(over) = self.person(label) {
            self.hang(body, over);
            return true;
        }
        if !is_name(body) {
            return false;
        }
        let at = self.person(body).unwrap_or_else(|| self.add(person_of(body)));
        self.add_post(at, label);
        self.last = Some(at);
        true
    }

    fn add(&mut self, point: Point) -> usize {
        self.boxes.push(point);
        self.boxes.len() - 1
    }

    /// Says of a box what its person does, behind what was said of it before.
    fn add_post(&mut self, at: usize, post: &str) {
        let post = text::capitalize(without_article(post));
        let known = self.boxes[at].body_text();
        let body = if known.is_empty() { post } else { format!("{known}, {post}") };
        self.boxes[at].body = vec![Run::plain(body)];
    }

    /// Hangs people from the name of their group, and that from a box; a group that is only a number is none.
    fn hang_group(&mut self, group: &str, list: &str, over: usize) {
        let group = without_article(group.trim().trim_end_matches([':', ',']));
        if group.is_empty() || is_count(group) {
            self.hang(list, over);
            return;
        }
        let group = self.add(Point::new(text::capitalize(group), ""));
        self.arrows.push(Arrow { from: over, to: group, label: String::new() });
        self.hang(list, group);
        self.last = Some(over);
    }

    /// Hangs what is listed from a box; who was named before is hung there too.
    fn hang(&mut self, list: &str, over: usize) {
        for item in text::items(list).iter().flat_map(|item| people_of(item)) {
            let person = person_of(item);
            let to = self.find(&person.head).unwrap_or_else(|| self.add(person));
            let hangs = self.arrows.iter().any(|arrow| arrow.to == to);
            if to != over && !hangs {
                self.arrows.push(Arrow { from: over, to, label: String::new() });
            }
        }
        self.last = Some(over);
    }

    /// The box of a person: for a pronoun who was told of last.
    fn person(&self, who: &str) -> Option<usize> {
        let who = who.trim();
        if PRONOUNS.contains(&who.to_lowercase().as_str()) {
            return self.last.or_else(|| self.boxes.len().checked_sub(1));
        }
        let wanted = text::words(who);
        self.boxes.iter().position(|point| {
            let named = text::words(&format!("{} {}", point.head, point.body_text()));
            !wanted.is_empty() && wanted.iter().all(|word| named.contains(word))
        })
    }

    /// The box of a person, a new one where people are told of and nobody named this one before.
    fn person_or_new(&mut self, who: &str) -> Option<usize> {
        self.person(who).or_else(|| (self.is_of_posts() && !is_count(who)).then(|| self.add(person_of(who))))
    }
}

/// “the youth club with Dana”: a part of the whole, and the names of who is in it.
fn staffed(what: &str) -> Option<(&str, &str)> {
    let (part, names) = [" with ", " mit ", " avec ", " con "].iter().find_map(|with| what.split_once(with))?;
    (!part.trim().is_empty() && !is_name(part) && are_names(names)).then_some((part.trim(), names))
}

/// Whether words list names of people and nothing else.
fn are_names(words: &str) -> bool {
    let items = text::items(words);
    !items.is_empty() && items.iter().flat_map(|item| people_of(item)).all(is_name)
}

/// A person with what is said of them in brackets or behind a dash.
fn person_of(item: &str) -> Point {
    match text::name_and_words(item) {
        Some((head, body)) => Point::new(text::capitalize(&head), body),
        None => Point::new(text::capitalize(item.trim_end_matches('.')), ""),
    }
}

/// The text before and behind the first of some words, whatever their case.
fn split_at<'t>(text: &'t str, words: &[&str]) -> Option<(&'t str, &'t str)> {
    let lower = text.to_lowercase();
    if lower.len() != text.len() {
        return None;
    }
    let (at, length) = words
        .iter()
        .filter_map(|word| lower.find(word).map(|at| (at, word.len())))
        .min_by_key(|(at, length)| (*at, std::cmp::Reverse(*length)))?;
    Some((text[..at].trim(), text[at + length..].trim()))
}

/// Whether words are the name of a person: one to five words that begin large, with particles and titles between.
fn is_name(words: &str) -> bool {
    let all: Vec<&str> = words.split_whitespace().collect();
    let is_large = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    (1..=5).contains(&all.len())
        && is_large(all[0])
        && all.iter().all(|word| is_large(word) || PARTICLES.contains(word))
        && !words.chars().any(|letter| letter.is_ascii_digit() || matches!(letter, ',' | ':' | ';'))
        && !BEFORE_POST.contains(&all[0].to_lowercase().as_str())
}

fn without_article(words: &str) -> &str {
    let words = words.trim();
    let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
    if !rest.is_empty() && BEFORE_POST.contains(&first.to_lowercase().as_str()) { rest.trim_start() } else { words }
}

/// Who stands below, without “also” and “both”.
fn without_adverbs(below: &str) -> String {
    let words: Vec<&str> = below.split_whitespace().collect();
    let is_adverb = |word: &&str| ADVERBS.contains(&word.to_lowercase().as_str());
    let from = usize::from(words.first().is_some_and(is_adverb) && words.len() > 1);
    let to = words.len() - usize::from(words.len() > from + 1 && words.last().is_some_and(is_adverb));
    words[from..to].join(" ").trim_end_matches(',').to_owned()
}

/// “Kay Owen, the bursar”: who somebody is stands in brackets behind the name.
fn with_posts(below: &str) -> String {
    let mut told: Vec<String> = Vec::new();
    for clause in text::clauses(below) {
        let first = clause.split_whitespace().next().unwrap_or_default();
        let is_post =
            first.chars().next().is_some_and(char::is_lowercase) && !matches!(first, "and" | "und" | "et" | "y" | "e");
        match told.last_mut().filter(|last| is_post && is_name(last)) {
            Some(last) => last.push_str(&format!(" ({})", text::capitalize(without_article(&clause)))),
            None => told.push(clause),
        }
    }
    told.join(", ")
}

/// “deputy Bo Frey and Cy Marsh”: the post in brackets behind the first name.
fn with_post(post: &str, names: &str) -> String {
    let end = [" and ", " und ", " et ", " y ", " e ", " & ", ", "]
        .iter()
        .filter_map(|and| names.find(and))
        .min()
        .unwrap_or(names.len());
    format!("{} ({}){}", &names[..end], text::capitalize(post), &names[end..])
}

/// Whether words only count those who are named behind them: “three people”, “zwei Personen”.
fn is_count(words: &str) -> bool {
    #[rustfmt::skip]
    const COUNTED: &[&str] = &[
        "people", "persons", "reports", "direct", "of", "us", "them", "and", "personen", "leute", "mitarbeiter", "personnes", "personas", "persone", "team", "following",
    ];
    text::words(words).iter().all(|word| COUNTED.contains(&word.as_str()) || is_number(word))
}

/// “3 bakers”, “zwei Meister”: a number and whom it counts.
fn is_counted(words: &str) -> bool {
    let lower = words.to_lowercase();
    lower.split_once(' ').is_some_and(|(number, _)| is_number(number))
}

/// “Bo and Cy” are two: names of few words that both begin large.
fn people_of(item: &str) -> Vec<&str> {
    const AND: &[&str] = &[" and ", " & ", " und ", " et ", " y ", " e "];
    let item = naming::strip_and(item);
    let is_name = |words: &str| {
        let name = words.split_once('(').map_or(words, |(name, _)| name);
        name.split_whitespace().count() <= 4 && words.chars().next().is_some_and(char::is_uppercase)
    };
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
