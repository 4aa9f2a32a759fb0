//! Whether a sentence speaks to those who read the thing, although it has words by which one speaks of a page: “Please no
//! photos during the show”, “No phones, no pictures”, “Write your name on the back of the picture”.
//!
//! It is told by who is addressed (what is theirs), by the verb (what visitors do is no making of a page), by what is
//! refused (what visitors bring), and by what stands beside it (a moment or a place of the event). What holds: where none of
//! these is found it stays open, so that a mere “no photos please” is judged by where it stands. Deliberately not here:
//! sentences that surely speak of the page (`page_talk`), and calls without any word of a page.

use super::phrases::{Word, place_at, word_at, words_of};
use super::vocabulary::{
    is_changing, is_grade, is_joining, is_mentioning, is_of_look, is_opening, is_piece, is_place, is_pointing,
    is_preposition, is_sheet, is_writing,
};
use crate::read::style::STYLE;
use crate::read::vocabulary::{PAGE_WORDS, REFUSING};
use crate::read::{dates, kinds, text};

/// Whose something is that belongs to those who read.
#[rustfmt::skip]
const READERS: &[&str] = &[
    "your", "dein", "deine", "deinen", "deinem", "deiner", "deines", "euer", "eure", "euren", "eurem", "eurer", "eures", "votre", "vos", "ton", "ta", "tes", "tu", "tus", "vuestro", "vuestra", "tuo", "tua", "vostro", "vostra",
];

/// Verbs by which one leaves a choice to whoever makes the thing: there “your own” is theirs.
const CHOOSING: &[&str] = &["use", "choose", "pick", "follow", "trust", "nimm", "wähl", "wähle", "verwende", "nutze"];

/// Words by which something is allowed or forbidden to visitors.
#[rustfmt::skip]
const PERMITTING: &[&str] = &[
    "allowed", "permitted", "forbidden", "prohibited", "banned", "erlaubt", "gestattet", "verboten", "untersagt", "unerwünscht", "interdit", "interdite", "interdits", "interdites", "permitido", "permitidas", "prohibido",
    "prohibidas", "vietato", "vietate",
];

/// Prepositions and conjunctions of time, behind which an event stands: “during the show”, “while the band plays”.
#[rustfmt::skip]
const WHILE: &[&str] = &[
    "during", "while", "whilst", "throughout", "before", "after", "until", "when", "once", "between", "während", "vor", "nach", "bis", "solange", "bevor", "nachdem", "sobald", "zwischen", "beim", "pendant", "durante", "avant",
    "après", "antes", "después", "prima", "dopo",
];

/// Prepositions of place that have their article in them: “im Saal”.
const WITH_ARTICLE: &[&str] =
    &["im", "am", "beim", "vom", "zum", "ins", "ans", "au", "del", "al", "nel", "nella", "sul", "sulla"];

/// Prepositions of a place in the world that are none of a page.
const AT: &[&str] =
    &["inside", "outside", "near", "around", "bei", "vor", "hinter", "zwischen", "dans", "chez", "entre", "tra"];

/// What stands behind a preposition and names no place: “in the style of”, “in the last brochure”.
#[rustfmt::skip]
const ABSTRACT: &[&str] = &[
    "style", "spirit", "way", "sense", "manner", "moment", "same", "last", "first", "next", "other", "usual", "sort", "kind", "old", "new", "stil", "art", "sinn", "letzten", "letzte", "ersten", "anderen", "alten", "style",
    "manière", "estilo", "stile", "website", "homepage", "internet", "web", "whole", "ganzen", "file", "datei", "attached", "beginning", "start", "anfang",
];

/// What visitors bring along or do at an event, as one refuses it.
#[rustfmt::skip]
const BROUGHT: &[&str] = &[
    "phone", "phones", "cameras", "camera", "flash", "filming", "recording", "recordings", "video", "videos", "selfies", "selfie", "sticks", "talking", "applause", "food", "drinks", "alcohol", "smoking", "dogs", "pets", "prams", "bikes",
    "bicycles", "scooters", "shoes", "bags", "glass", "presents", "gifts", "reservations", "dealers", "latecomers", "handys", "handy", "kameras", "blitz", "blitzlicht", "aufnahmen", "filmen", "videos", "selfies", "essen", "getränke", "alkohol",
    "rauchen", "hunde", "tiere", "kinderwagen", "fahrräder", "roller", "schuhe", "taschen", "geschenke", "téléphones", "téléphone", "flash", "chiens", "móviles", "perros", "cellulari", "cani",
];

/// Verbs of making a page beside those of writing and changing, as one refuses them: “don't overdo it”.
#[rustfmt::skip]
const MAKING: &[&str] = &[
    "go", "get", "be", "overdo", "want", "need", "like", "love", "try", "rely", "do", "fill", "repeat", "forget", "worry", "bother", "think", "look", "feel", "clutter", "squeeze", "stretch", "change", "translate", "edit", "alter", "reproduce",
    "copy", "invent", "rephrase", "shorten", "abbreviate", "mix", "combine", "start", "end", "begin", "split", "rotate", "hide", "overlap", "draw", "design", "style", "turn", "lay", "emphasise", "emphasize", "capitalise", "capitalize", "bullet",
    "know", "care", "mind", "see", "call", "avoid", "create", "generate", "animate", "have", "more", "less", "much", "many", "necessarily",
    "machen", "nehmen", "verwenden", "benutzen", "nutzen", "zeichnen", "zeigen", "kürzen", "abkürzen", "ändern", "verändern", "erfinden", "umformulieren", "übersetzen", "übertreiben", "vergessen", "gestalten", "lassen", "weglassen", "drucken",
    "abdrucken", "werden", "wirken", "aussehen", "sein", "haben", "hervorheben", "einbauen", "einfügen", "unterbringen", "kopieren", "übernehmen", "trennen", "wiederholen", "verzerren", "zuschneiden", "beschneiden", "einsetzen", "bringen",
    "vorkommen", "auftauchen", "stehen", "draufmachen", "draufpacken", "reinmachen", "überladen", "sollen", "können", "müssen", "dürfen", "wollen",
];

/// Whether a sentence surely speaks to those who read the thing.
pub fn speaks_to_readers(sentence: &str) -> bool {
    let all = words_of(sentence);
    let begin = all.iter().take_while(|word| is_opening(&word.lower)).count();
    let words = &all[begin.min(all.len().saturating_sub(1))..];
    if words.len() < 2 {
        return false;
    }
    let begs_at_end = all.last().is_some_and(|last| matches!(last.lower.as_str(), "please" | "pls" | "plz" | "bitte"));
    let refuses = words.iter().take(8).any(|word| is_refusing(&word.lower));
    // “don't mention the cake” is said to who writes it.
    if refuses && words.iter().take(3).any(|word| matches!(word.lower.as_str(), "mention" | "erwähnen" | "mentionner"))
    {
        return false;
    }
    let is_permitted = words.iter().any(|word| PERMITTING.contains(&word.lower.as_str()))
        && !words.iter().any(|word| is_of_page(&word.lower));
    is_permitted
        || has_theirs(words, sentence)
        || leaves_to_hosts(words)
        || refuses && names_event(first_clause(words))
        || refuses && !begs_at_end && refuses_what_is_brought(words)
        || refuses && refuses_an_act(words, sentence)
}

/// “No covers, no notes, no excuses”: refusals that follow each other are one saying.
pub fn refuses_in_a_row(sentence: &str) -> bool {
    let clauses = text::clauses(sentence);
    let refuses = |clause: &String| text::words(clause).first().is_some_and(|first| is_refusing(first));
    let is_brief = |clause: &String| clause.split_whitespace().count() <= 4;
    clauses.len() >= 2
        && clauses.iter().all(is_brief)
        && clauses[..clauses.len() - 1].iter().all(refuses)
        && clauses.iter().filter(|clause| refuses(clause)).count() >= 2
        && !dates::has_moment(sentence)
}

fn is_refusing(word: &str) -> bool {
    REFUSING.contains(&word)
}

/// Whether a word names a picture: on a page and in the world alike.
fn is_picture(word: &str) -> bool {
    matches!(
        word,
        "photo"
            | "photos"
            | "picture"
            | "pictures"
            | "image"
            | "images"
            | "foto"
            | "fotos"
            | "bild"
            | "bilder"
            | "fotografías"
            | "immagini"
    )
}

/// Whether a word surely speaks of a page: its looks and its pieces, but no pictures, names and numbers, which people have too.
pub fn is_of_page(word: &str) -> bool {
    let is_shared = is_picture(word)
        || matches!(
            word,
            "name" | "names" | "namen" | "number" | "numbers" | "nummer" | "time" | "price" | "ort" | "zeit"
        );
    !is_shared && (is_of_look(word) || is_piece(word) || is_sheet(word) || PAGE_WORDS.contains(&word))
}

/// Whether a word is foreign to the talk of a page, so that it names something of the world.
pub fn is_foreign(word: &str) -> bool {
    !(is_of_look(word)
        || is_piece(word)
        || is_sheet(word)
        || is_place(word)
        || is_grade(word)
        || is_joining(word)
        || is_pointing(word)
        || is_preposition(word)
        || PAGE_WORDS.contains(&word)
        || ABSTRACT.contains(&word)
        || kinds::find(word).is_some())
        && word.chars().any(char::is_alphabetic)
}

/// Whether a word says that something belongs to those who read.
pub fn is_theirs(word: &str) -> bool {
    READERS.contains(&word)
}

/// “Write your name on the list”, “Your photo on our wall”, “Tragen Sie Ihren Namen ein”: a piece that belongs to those who read.
fn has_theirs(words: &[Word], sentence: &str) -> bool {
    let is_polite = |word: &Word| {
        matches!(word.lower.as_str(), "ihr" | "ihre" | "ihren" | "ihrem") && sentence[word.start..].starts_with('I')
    };
    let is_shared = |word: &str| is_piece(word) && (is_picture(word) || !is_of_look(word));
    let is_of_self =
        |word: &Word| matches!(word.lower.as_str(), "i" | "my" | "me" | "ich" | "mir" | "mein" | "je" | "yo" | "io");
    // “the name of your cake”, “den Namen eures Kindes”: behind the piece it is said whose it is. “of your choice” leaves it open.
    let is_of_theirs = |at: usize| {
        let piece = if word_at(words, at.wrapping_sub(1)) == "of" { at.wrapping_sub(2) } else { at.wrapping_sub(1) };
        is_shared(word_at(words, piece)) && !matches!(word_at(words, at + 1), "choice" | "own" | "wahl" | "choix")
    };
    // “I was given your name by my neighbour” is told to whoever makes the thing.
    let is_choosing = CHOOSING.contains(&word_at(words, 0)) && word_at(words, 1) != "up";
    !is_choosing
        && !words.iter().any(is_of_self)
        && words.iter().enumerate().any(|(at, word)| {
            (is_theirs(&word.lower) || at > 0 && is_polite(word))
                && ((1..=2).any(|behind| is_shared(word_at(words, at + behind))) || is_of_theirs(at))
        })
}

/// “Leave the photos to us”, “Überlasst das Fotografieren uns”: what visitors shall leave to the hosts is nothing of a page.
fn leaves_to_hosts(words: &[Word]) -> bool {
    const LEAVING: &[&str] = &["leave", "überlass", "überlasst", "laissez", "laisse"];
    let is_host = |word: &str| matches!(word, "us" | "uns" | "nous");
    let clause = first_clause(words);
    let begin = clause.iter().take_while(|word| matches!(word.lower.as_str(), "please" | "bitte")).count();
    LEAVING.contains(&word_at(clause, begin))
        && clause.len() <= begin + 9
        && clause.iter().skip(begin + 2).any(|word| is_host(&word.lower))
        && !clause.iter().any(|word| is_of_page(&word.lower))
}

/// “during the show”, “in the church”, “auf der Treppe”: a moment or a place of the event, and none of the page.
fn names_event(words: &[Word]) -> bool {
    (0..words.len()).any(|at| {
        let word = word_at(words, at);
        let has_article = WITH_ARTICLE.contains(&word);
        let leads = WHILE.contains(&word)
            || AT.contains(&word)
            || is_preposition(word) && !matches!(word, "for" | "to" | "into" | "su");
        let mut noun = at + 1;
        let mut is_pointed = has_article;
        while is_pointing(word_at(words, noun)) && noun < words.len() {
            is_pointed = true;
            noun += 1;
        }
        let is_page = place_at(words, at).is_some();
        let named = word_at(words, noun);
        leads && is_pointed && !is_page && is_foreign(named) && !dates::is_month(named) && !dates::is_weekday(named)
    })
}

/// The words up to the first mark: what stands behind it tells why.
pub fn first_clause(words: &[Word]) -> &[Word] {
    let end = words.iter().position(|word| word.mark.is_some()).map_or(words.len(), |end| end + 1);
    &words[..end]
}

/// Whether words name something that visitors bring along or do.
pub fn is_brought(word: &str) -> bool {
    BROUGHT.contains(&word)
}

/// “No phones, no pictures”, “No flash, no filming”: among what is refused is something that visitors bring along or do.
fn refuses_what_is_brought(words: &[Word]) -> bool {
    // “no professional dealers”: a word of a look may tell of what sort they are.
    let names_page = |word: &str| is_of_page(word) && !STYLE.contains(&word);
    is_refusing(word_at(words, 0))
        && !words.iter().any(|word| names_page(&word.lower))
        && words.iter().any(|word| is_brought(&word.lower))
}

/// “Please don't take photos”, “Bitte nichts mitbringen”, “Bilder bitte nicht anfassen”: what is refused is no making of a page.
fn refuses_an_act(words: &[Word], sentence: &str) -> bool {
    if words.iter().any(|word| is_of_page(&word.lower)) {
        return false;
    }
    let is_makers = |word: &str| {
        MAKING.contains(&word) || is_writing(word) || is_mentioning(word) || is_changing(word) || is_refusing(word)
    };
    let at = words.iter().position(|word| matches!(word.lower.as_str(), "don't" | "dont" | "don’t" | "not" | "never"));
    let english = at.is_some_and(|at| {
        let verb = word_at(words, at + 1);
        // “not scary” tells how it shall be, “do not touch” what nobody shall do.
        let is_told = at == 0 && word_at(words, 0) != "not" || at == 1 && word_at(words, 0) == "do";
        is_told && words[at].mark.is_none() && is_foreign(verb) && !is_makers(verb)
    });
    // German has its verb at the end of the clause, in small letters.
    let refused = words.iter().position(|word| {
        matches!(word.lower.as_str(), "nicht" | "nichts" | "kein" | "keine" | "keinen" | "nie" | "niemals")
    });
    let german = refused.is_some_and(|refused| {
        let behind = &words[refused + 1..];
        let end = behind.iter().position(|word| word.mark.is_some()).map_or(behind.len(), |end| end + 1);
        behind[..end].last().is_some_and(|verb| {
            let is_small = sentence[verb.start..].starts_with(char::is_lowercase);
            is_small
                && verb.lower.chars().count() >= 5
                && ["en", "ern", "eln"].iter().any(|ending| verb.lower.ends_with(ending))
                && is_foreign(&verb.lower)
                && !is_makers(&verb.lower)
        })
    });
    english || german
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_visitors_do_and_bring_is_said_to_them() {
        for sentence in [
            "Please no photos during the show",
            "No pictures in the church please",
            "Photos during the show are not allowed",
            "Please do not take photos of the dancers",
            "Please don't touch the pictures",
            "No phones, no pictures",
            "No flash, no filming",
            "Please no professional dealers",
            "Write your name on the back of the picture",
            "Your photo on our wall",
            "Pick up your number at the tent on the left",
            "Bitte nichts mitbringen",
            "Bitte während der Vorstellung nicht fotografieren",
            "Fotografieren ist nicht gestattet",
            "Bilder bitte nicht anfassen",
            "Keine Handys, keine Fotos",
            "Bitte keine Fotos während der Trauung",
            "Schreib deinen Namen auf das Gerät",
            "Please put the name of your cake on a card next to it",
            "Schreibt den Namen eures Kindes auf die Jacke",
            "Leave the photos to us",
            "Please leave the pictures of the day to us",
            "Bitte überlasst die Fotos uns",
        ] {
            assert!(speaks_to_readers(sentence), "{sentence}");
        }
    }

    #[test]
    fn refusals_in_a_row_are_one_saying() {
        for sentence in
            ["No covers, no notes, no excuses", "Keine Handys, keine Ausreden", "No fee, no form, just come"]
        {
            assert!(refuses_in_a_row(sentence), "{sentence}");
        }
        for sentence in ["No entry fee, Friday 8 pm", "Free entry, no dogs", "No phones"] {
            assert!(!refuses_in_a_row(sentence), "{sentence}");
        }
    }

    #[test]
    fn what_is_refused_of_a_page_stays_open() {
        for sentence in [
            "no photos please",
            "no stock photos",
            "no photos of people",
            "bitte keine Fotos von Personen",
            "bitte nicht zu bunt",
            "bitte nichts hervorheben",
            "don't overdo the colours",
            "do not write on the cover",
            "no pictures on the last slide",
            "no text in the corner",
            "please don't use emojis",
            "no gradients allowed",
            "use your own pictures",
            "not scary",
            "I was given your name by my neighbour",
            "Please no picture of the bridge, the real one is outside the window",
            "nothing in the style of the eighties",
            "no phones, no icons please",
            "bitte keine Fotos verwenden",
            "put it in a font of your choice",
            "leave the layout to us",
            "leave the photos out",
        ] {
            assert!(!speaks_to_readers(sentence), "{sentence}");
        }
    }
}
