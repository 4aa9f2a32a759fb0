//! What speaks to what, as sentences say it of an architecture: “The app calls the gateway. Orders writes to Postgres and
//! publishes events to Kafka.”
//!
//! A thing is found by the last words that named it before: “the gateway” is the API gateway. The verb with what it carries
//! stands on the arrow. Deliberately not here: steps that follow each other and conditions (`flow`).

use super::conditions::{condition_of, is_else};
use super::graph::Flow;
use super::steps::THEN;
use crate::content::{Arrow, Point};
use crate::read::text;

/// Verbs between things that speak to each other, each as of one and of several.
#[rustfmt::skip]
const VERBS: &[&str] = &[
    "talks", "talk", "speaks", "speak", "writes", "write", "reads", "read", "sends", "send", "publishes", "publish", "stores", "store", "saves", "save",
    "connects", "connect", "listens", "listen", "subscribes", "subscribe", "pushes", "push", "pulls", "pull", "forwards", "forward", "routes", "route",
    "streams", "stream", "syncs", "sync", "calls", "call", "uses", "use", "queries", "query", "invokes", "invoke", "triggers", "trigger", "consumes",
    "consume", "feeds", "feed", "depends", "depend", "caches", "cache", "polls", "poll", "fetches", "fetch", "loads", "load", "proxies", "emits", "emit",
    "spricht", "sprechen", "schreibt", "schreiben", "liest", "lesen", "sendet", "senden", "schickt", "schicken", "speichert", "speichern", "ruft", "rufen",
    "nutzt", "nutzen", "verbindet", "veröffentlicht", "leitet", "holt", "holen", "appelle", "appellent", "écrit", "écrivent", "lit", "lisent", "envoie",
    "envoient", "interroge", "interrogent", "llama", "llaman", "escribe", "escriben", "lee", "leen", "envía", "envían", "usa", "usan",
];

/// Words between a verb and what it goes to.
#[rustfmt::skip]
const TOWARDS: &[&str] = &[
    "to", "from", "in", "into", "through", "via", "with", "on", "onto", "over", "at", "mit", "an", "aus", "über", "auf", "bei", "à", "dans", "avec", "par",
    "con", "en", "de", "a",
];

/// Words for what was gone to last.
const THERE: &[&str] = &["there", "it", "them", "dort", "darauf", "das", "là", "allí"];

/// Words that change nothing of a link.
#[rustfmt::skip]
const ADVERBS: &[&str] = &["also", "then", "both", "all", "directly", "only", "each", "just", "in", "turn", "auch", "beide", "direkt", "aussi", "también"];

/// Articles before a thing.
#[rustfmt::skip]
const ARTICLES: &[&str] = &[
    "the", "a", "an", "our", "its", "their", "der", "die", "das", "den", "dem", "ein", "eine", "einen", "einer", "unser", "unsere", "le", "la", "les", "un",
    "une", "el", "los", "las", "una",
];

/// One link of a sentence.
#[derive(Debug, PartialEq, Eq)]
struct Link {
    from: Vec<String>,
    said: String,
    to: Vec<String>,
}

/// Whether sentences tell what speaks to what: at least two and the most of them do, and none tells of conditions.
pub fn are_links(sentences: &[String]) -> bool {
    let count = sentences.iter().filter(|sentence| is_link(sentence)).count();
    let is_course = |sentence: &String| {
        let bare = sentence.trim();
        condition_of(bare).is_some()
            || is_else(bare)
            || bare.contains(['→', '?'])
            || bare.contains("->")
            || THEN.iter().any(|then| text::strip_start(bare, then).is_some())
    };
    count >= 2 && count * 2 >= sentences.len() && !sentences.iter().any(is_course)
}

/// Whether a sentence tells what speaks to what.
pub fn is_link(sentence: &str) -> bool {
    !links_of(sentence).is_empty()
}

impl Flow {
    /// Takes a sentence that tells what speaks to what; says whether it was taken.
    pub(super) fn take_links(&mut self, sentence: &str) -> bool {
        let links: Vec<Link> = pieces_of(sentence).iter().flat_map(|piece| links_of(piece)).collect();
        for link in &links {
            let from: Vec<usize> = link.from.iter().map(|name| self.thing(name)).collect();
            let to: Vec<usize> = link.to.iter().map(|name| self.thing(name)).collect();
            for from in &from {
                for to in to.iter().filter(|to| *to != from) {
                    self.arrows.push(Arrow { from: *from, to: *to, label: text::capitalize(&link.said) });
                }
            }
            self.last = to.last().copied().or(self.last);
        }
        !links.is_empty()
    }

    /// The box of a thing: one that was named before by the same last words, else a new one.
    fn thing(&mut self, name: &str) -> usize {
        if let Some(last) = self.last.filter(|_| THERE.contains(&name.to_lowercase().as_str())) {
            return last;
        }
        let (head, body) = text::name_and_words(name).unwrap_or((name.to_owned(), String::new()));
        let wanted = text::words(&head);
        let ends = |point: &Point| {
            let own = text::words(&point.head);
            own.ends_with(&wanted) || own.starts_with(&wanted) || own.len() > 1 && wanted.ends_with(&own)
        };
        self.boxes.iter().position(|point| !wanted.is_empty() && ends(point)).unwrap_or_else(|| {
            self.boxes.push(Point::new(text::capitalize(&head), body));
            self.boxes.len() - 1
        })
    }
}

/// “Orders writes to Postgres, payments talks to Stripe”: the clauses that are links, each with those behind it that are none.
fn pieces_of(sentence: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for clause in text::clauses(sentence) {
        let bare = ["and ", "und ", "et ", "y "].iter().find_map(|and| clause.strip_prefix(and)).unwrap_or(&clause);
        match pieces.last_mut().filter(|_| links_of(bare).is_empty()) {
            Some(last) => last.push_str(&format!(", {clause}")),
            None => pieces.push(bare.to_owned()),
        }
    }
    if pieces.iter().all(|piece| !links_of(piece).is_empty()) { pieces } else { vec![sentence.to_owned()] }
}

/// The links of a sentence; none where a piece of it is no link.
fn links_of(sentence: &str) -> Vec<Link> {
    let sentence = sentence.trim().trim_end_matches(['.', '!', ' ']);
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let is_verb = |at: usize| VERBS.contains(&words[at].trim_matches(',').to_lowercase().as_str());
    let Some(first) = (1..words.len()).find(|at| is_verb(*at)) else { return Vec::new() };
    // Who speaks has few words, and no colon before its verb.
    if first > 8 || words[..first].iter().any(|word| word.ends_with([':', ';'])) {
        return Vec::new();
    }
    // “… and sends mails through SES”, “…, which writes to S3”: the next verb stands behind a word that joins.
    let joins = |at: usize| {
        matches!(
            words[at].to_lowercase().as_str(),
            "and" | "which" | "und" | "die" | "der" | "et" | "qui" | "y" | "que"
        )
    };
    let mut starts = vec![(0, first)];
    for at in first + 2..words.len() {
        let (_, verb) = starts[starts.len() - 1];
        if !is_verb(at) || at < verb + 3 {
            continue;
        }
        // The subject of the next link stands between what joins and the verb.
        if let Some(join) = (verb + 2..at).rev().find(|place| joins(*place) && at - *place <= 5) {
            starts.push((join, at));
        }
    }
    let mut links: Vec<Link> = Vec::new();
    for (place, (start, verb)) in starts.iter().enumerate() {
        let end = starts.get(place + 1).map_or(words.len(), |(next, _)| *next);
        let subject = &words[*start..*verb];
        let subject = if *start == 0 { subject } else { &subject[1..] };
        let bare = named(&subject.join(" "));
        let from = match links.last() {
            _ if !bare.is_empty() => things(&bare),
            // “…, which writes to S3” speaks of what was gone to; “and writes” of who spoke before.
            Some(last) if matches!(words[*start].to_lowercase().as_str(), "which" | "die" | "der" | "qui" | "que") => {
                last.to.clone()
            }
            Some(last) => last.from.clone(),
            None => return Vec::new(),
        };
        let Some((said, to)) = object_of(words[*verb], &words[verb + 1..end]) else { return Vec::new() };
        links.push(Link { from, said, to });
    }
    links
}

/// What stands on the arrow, and what it goes to.
fn object_of(verb: &str, rest: &[&str]) -> Option<(String, Vec<String>)> {
    let lower = |word: &str| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    if let [only] = rest
        && THERE.contains(&lower(only).as_str())
    {
        return Some((verb.to_owned(), vec![lower(only)]));
    }
    // “calls an edge proxy”: straight after its verb such a word is an article.
    let is_article = |at: usize, word: &str| at == 0 && matches!(word, "a" | "an");
    let leads = |(at, word): (usize, &&str)| TOWARDS.contains(&lower(word).as_str()) && !is_article(at, &lower(word));
    let towards = rest.iter().enumerate().take(6).position(leads).filter(|at| at + 1 < rest.len());
    let from = towards.map_or(0, |at| at + 1);
    let said = std::iter::once(verb).chain(rest[..from].iter().copied()).collect::<Vec<_>>().join(" ");
    let to = things(&rest[from..].join(" "));
    (!to.is_empty() && to.iter().all(|name| name.split_whitespace().count() <= 7)).then_some((said, to))
}

/// The things that words list, each without its article; of “three services: orders, payments” those that are named.
fn things(words: &str) -> Vec<String> {
    let words = words.trim().trim_end_matches([',', ';']);
    let listed = text::label(words).map_or(words, |(_, list)| list);
    let items = text::items(listed);
    let both = match items.as_slice() {
        [only] => [" and ", " und ", " et ", " y "]
            .iter()
            .find_map(|and| only.split_once(and))
            .map(|(one, two)| vec![one.to_owned(), two.to_owned()]),
        _ => None,
    };
    both.unwrap_or(items).iter().map(|item| named(item)).filter(|name| !name.is_empty()).collect()
}

/// A name without what stands around it.
fn named(words: &str) -> String {
    let mut all: Vec<&str> = words.split_whitespace().collect();
    while all.first().is_some_and(|word| ARTICLES.contains(&word.to_lowercase().as_str()) || *word == "and") {
        all.remove(0);
    }
    while all.last().is_some_and(|word| ADVERBS.contains(&word.to_lowercase().as_str())) {
        all.pop();
    }
    all.join(" ").trim_matches(',').to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::Sort;
    use super::*;

    fn drawn(told: &[&str]) -> Vec<String> {
        let mut flow = Flow::of(Sort::Links);
        for sentence in told {
            assert!(flow.take_known(sentence), "{sentence}");
        }
        flow.arrows
            .iter()
            .map(|arrow| format!("{} -{}> {}", flow.boxes[arrow.from].head, arrow.label, flow.boxes[arrow.to].head))
            .collect()
    }

    #[test]
    fn draws_what_speaks_to_what() {
        assert_eq!(
            drawn(&[
                "The till and the shop page call an edge proxy.",
                "The proxy routes to two services: stock and billing.",
                "Stock reads from MariaDB and publishes changes to RabbitMQ.",
                "The printer listens there.",
            ]),
            [
                "Till -Call> Edge proxy",
                "Shop page -Call> Edge proxy",
                "Edge proxy -Routes to> Stock",
                "Edge proxy -Routes to> Billing",
                "Stock -Reads from> MariaDB",
                "Stock -Publishes changes to> RabbitMQ",
                "Printer -Listens> RabbitMQ",
            ]
        );
    }

    #[test]
    fn a_course_of_steps_is_none() {
        let told = |sentences: &[&str]| {
            are_links(&sentences.iter().map(|sentence| (*sentence).to_owned()).collect::<Vec<_>>())
        };
        assert!(!told(&["Customer writes to support", "Support checks the order", "If it is old, we decline"]));
        assert!(!told(&[
            "First the baker reads the order",
            "Then the oven is heated",
            "The shop sends it to the door"
        ]));
    }
}
