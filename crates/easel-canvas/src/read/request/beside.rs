//! What stands beside a request without being its subject: a title before its colon, who gets or gives, of when it is.

use crate::read::instructions::{self, Clause};
use crate::read::kinds::{self, Kind};
use crate::read::page_talk::{readers, vocabulary};
use crate::read::vocabulary::{ASKING, CONTRACTED};
use crate::read::{amounts, colors, dates, naming, text};

/// “5 Fehler beim Radkauf: Karussell für Insta”: what it is called, before the colon behind which it is asked for.
pub(super) fn titled_before(sentence: &str) -> Option<(&str, &str)> {
    let (head, body) = text::label(sentence).filter(|(_, body)| !body.is_empty())?;
    let named = kinds::find(body).filter(|named| {
        matches!(
            named.kind,
            Kind::Deck | Kind::Poster | Kind::Flyer | Kind::Carousel | Kind::Post | Kind::Story | Kind::Infographic
        ) && !named.is_compound
            && body[..named.start].split_whitespace().count() <= 2
            && text::clauses(body)[0].split_whitespace().count() <= 7
    })?;
    let is_headline = (3..=10).contains(&head.split_whitespace().count())
        && text::clauses(head).len() == 1
        && kinds::find(head).is_none()
        && !naming::is_title_label(head)
        && matches!(instructions::judge_spoken(head), Clause::Content(_))
        && !ASKING.iter().any(|ask| ask.len() > 3 && text::strip_start(&head.to_lowercase(), ask).is_some());
    (is_headline && named.end > 0).then_some((head, body))
}

/// Whether a clause says who gets or gives something: “to: Sam”, “pour : Claire”.
pub fn says_who(clause: &str) -> bool {
    text::label(clause).is_some_and(|(label, body)| is_given(&format!(",{label}")) && !body.is_empty())
}

/// Whether a text ends with a clause of one word that says who gets or gives something: “…, for”.
pub(super) fn is_given(before: &str) -> bool {
    const GIVEN: &[&str] = &["for", "to", "from", "für", "an", "von", "pour", "de", "à", "para", "per", "da"];
    const FROM: &[&str] =
        &["de la part de", "de parte de", "da parte di", "offert par", "a gift from", "geschenkt von"];
    before.rsplit_once(',').is_some_and(|(_, words)| {
        let words = words.trim().to_lowercase();
        GIVEN.contains(&words.as_str()) || FROM.contains(&words.as_str())
    })
}

/// Whether a text ends with the word of an office for what something is about: “a poster re”, “Aushang betr.”.
pub(super) fn ends_regarding(before: &str) -> bool {
    before.rsplit_once(' ').is_some_and(|(asked, last)| {
        matches!(last.to_lowercase().as_str(), "re" | "betr" | "betr." | "wg" | "wg.") && kinds::find(asked).is_some()
    })
}

/// “Q1”, “Q3 2025”: a stretch of time and nothing else.
pub(super) fn is_of_time(subject: &str) -> bool {
    let words: Vec<&str> = subject.split_whitespace().collect();
    let is_year = |word: &str| word.len() == 4 && word.parse::<u32>().is_ok_and(|year| (1900..2200).contains(&year));
    (1..=2).contains(&words.len())
        && words.iter().all(|word| dates::is_period(word) || is_year(word) || dates::is_month(&word.to_lowercase()))
}

/// Whether a subject is a meeting at which something is shown.
pub(super) fn is_meeting(subject: &str) -> bool {
    #[rustfmt::skip]
    const MEETINGS: &[&str] = &[
        "meeting", "standup", "stand-up", "kickoff", "kick-off", "all-hands", "townhall", "town hall", "workshop", "offsite", "sitzung", "besprechung",
        "treffen", "konferenz", "conference", "réunion", "reunión", "riunione", "board", "committee", "assembly", "versammlung",
    ];
    let lower = subject.to_lowercase();
    MEETINGS.iter().any(|meeting| lower.ends_with(meeting))
}

/// Whether a clause is a name: every longer word of it begins large, and it has no number.
pub(super) fn is_name_like(clause: &str) -> bool {
    clause.chars().next().is_some_and(char::is_uppercase)
        && clause.split_whitespace().count() <= 6
        && clause
            .split_whitespace()
            .all(|word| word.chars().count() <= 3 || word.chars().next().is_some_and(char::is_uppercase))
        && !clause.chars().any(|letter| letter.is_ascii_digit())
        || is_of_period(clause)
}

/// “here my notes from tuesday”, “anbei der Text”: what somebody hands over to be made into the thing.
pub(super) fn hands_over(title: &str) -> bool {
    let words = text::words(&title.to_lowercase());
    matches!(
        words.first().map(String::as_str),
        Some("here" | "here's" | "attached" | "hier" | "anbei" | "voici" | "aquí" | "ecco")
    ) && words.get(1).is_some_and(|next| {
        crate::read::vocabulary::is_determiner(next)
            || matches!(next.as_str(), "is" | "are" | "ist" | "sind" | "meine" | "mein")
    })
}

/// “A3 /”: the size of a sheet and nothing else.
pub(super) fn is_of_sheet(title: &str) -> bool {
    let words = text::words(title);
    !title.is_empty() && words.iter().all(|word| instructions::is_sheet(word) || word == "din")
}

/// “SWOT for the cinema co-op Lumière”: a few words with a large letter within, which no sentence is.
pub(super) fn names_subject(clause: &str) -> bool {
    let words: Vec<&str> = clause.split_whitespace().collect();
    (3..=9).contains(&words.len())
        && words.iter().skip(1).any(|word| word.starts_with(char::is_uppercase))
        && words.iter().skip(1).any(|word| {
            matches!(
                word.to_lowercase().as_str(),
                "for"
                    | "of"
                    | "für"
                    | "von"
                    | "der"
                    | "des"
                    | "pour"
                    | "de"
                    | "du"
                    | "para"
                    | "del"
                    | "di"
                    | "della"
                    | "at"
                    | "in"
            )
        })
        && text::label(clause).is_none()
        && !clause.chars().any(|letter| letter.is_ascii_digit())
        && !instructions::is_audience(&clause.to_lowercase())
        && !words.iter().any(|word| {
            matches!(
                word.to_lowercase().as_str(),
                "we" | "i"
                    | "you"
                    | "it"
                    | "is"
                    | "are"
                    | "our"
                    | "my"
                    | "wir"
                    | "ich"
                    | "ist"
                    | "sind"
                    | "und"
                    | "unser"
                    | "unsere"
                    | "please"
                    | "bitte"
                    | "logo"
            )
        })
}

/// “Q3 review”, “2025 outlook”: a few words, one of which is a stretch of time.
fn is_of_period(clause: &str) -> bool {
    let words: Vec<&str> = clause.split_whitespace().collect();
    (2..=4).contains(&words.len())
        && words.iter().any(|word| dates::is_period(word) && word.chars().any(|letter| letter.is_ascii_digit()))
}

/// Whether words begin with a German preposition that has its article in it: “fürs Straßenfest”.
pub(super) fn begins_contracted(words: &str) -> bool {
    CONTRACTED.iter().any(|lead| text::strip_start(words, lead.trim()).is_some())
}

/// “keep our blue and don't add a thank-you slide”: what shall not be made is not asked for.
pub(super) fn is_refused(lower: &str, start: usize) -> bool {
    lower.get(..start).is_some_and(|before| {
        let words = text::words(before.rsplit([',', ';', ':']).next().unwrap_or_default());
        words.iter().rev().take(5).any(|word| matches!(word.as_str(), "don't" | "dont" | "don’t" | "keine" | "kein"))
    })
}

/// “soft green, no hearts”: beside the words of a look a refusal of one thing says what shall not be drawn, unless visitors
/// bring it.
pub(super) fn refuses_motif(clause: &str, told: &str) -> bool {
    let lower = clause.to_lowercase();
    let words = text::words(&lower);
    let is_refusal = words.first().is_some_and(|first| {
        matches!(
            first.as_str(),
            "no" | "not" | "without" | "kein" | "keine" | "keinen" | "ohne" | "sans" | "sin" | "senza"
        )
    });
    let last = told.rsplit(", ").next().unwrap_or_default().to_lowercase();
    let is_beside_look =
        || text::words(&last).iter().any(|word| vocabulary::is_of_look(word) || Some(word) == words.first());
    is_refusal
        && (2..=3).contains(&words.len())
        // “no prices” refuses a piece of the page itself.
        && (words[1..].iter().all(|word| readers::is_of_page(word)) || is_beside_look())
        && !words.iter().any(|word| readers::is_brought(word) || ADMISSION.contains(&word.as_str()))
        && amounts::next_amount(&lower, 0).is_none()
}

/// “energetic, orange”: beside the words of a look a word that is as often that of a fruit is a colour.
pub(super) fn names_tone(clause: &str, told: &str) -> bool {
    let words = text::words(clause);
    let last = told.rsplit(", ").next().unwrap_or_default();
    !words.is_empty()
        && words.len() <= 3
        && words.iter().all(|word| colors::names_color(word) || matches!(word.as_str(), "and" | "und"))
        && text::words(last).iter().any(|word| vocabulary::is_of_look(word))
}

/// What nobody needs to come in, so that its lack is told to those who come.
#[rustfmt::skip]
const ADMISSION: &[&str] = &[
    "entry", "fee", "fees", "admission", "ticket", "tickets", "registration", "booking", "experience", "charge", "cover", "deposit", "obligation", "anmeldung", "eintritt", "vorkenntnisse", "voranmeldung", "kosten", "gebühr", "karten",
    "inscription", "réservation", "reserva", "inscripción", "prenotazione",
];

/// What is drawn of a thing and may be limited: “max 10 boxes”.
const LIMITED: &[&str] = &[
    "boxes",
    "lanes",
    "arrows",
    "words",
    "lines",
    "colours",
    "colors",
    "fonts",
    "icons",
    "kästen",
    "kästchen",
    "wörter",
    "zeilen",
    "farben",
    "schriften",
];

/// “max 5”, “maximal 4”, behind the name of a thing of several pages: how many it may have, in the words of a wish.
pub(super) fn page_limit(clause: &str, kind: Option<Kind>) -> Option<String> {
    const LIMITS: &[&str] = &[
        "max",
        "maximum",
        "at most",
        "up to",
        "not more than",
        "no more than",
        "maximal",
        "höchstens",
        "nicht mehr als",
        "bis zu",
    ];
    let bare = clause.trim().trim_end_matches('.').to_lowercase();
    let bare = bare.replace("max.", "max");
    let limit = LIMITS.iter().find_map(|limit| text::strip_start(&bare, limit))?.trim();
    if let Some((number, thing)) = limit.split_once(' ') {
        return (number.parse::<u32>().is_ok() && LIMITED.contains(&thing)).then(|| bare.clone());
    }
    let number = limit.parse::<u32>().ok()?;
    let has_pages = kind.is_none_or(|kind| !kind.making().is_single);
    (has_pages && (1..=60).contains(&number)).then(|| format!("{number} pages"))
}
