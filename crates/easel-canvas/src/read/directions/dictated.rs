//! What a sentence dictates: “At the bottom it should say “Bring it broken””, “Say that the bins go out on Tuesday”, “Darunter
//! das Datum: …”. The words that only dictate are told apart from those that shall stand on the page.
//!
//! What holds: every word is either of the direction or of what is said. Deliberately not here: sentences that dictate nothing
//! (`page_talk`), and labels that the reader knows by themselves, as “Title” and “At the top” (`naming`).

use crate::read::page_talk::phrases::{Word, manner_at, page_at, place_at, word_at, words_of};
use crate::read::page_talk::vocabulary::{
    is_grade, is_joining, is_opening, is_piece, is_pointing, is_saying, is_sheet, is_title, is_top, is_writing,
    speaks_of_sheet, stands_for,
};
use crate::read::vocabulary::{MODAL, QUESTION_WORDS};
use crate::read::{asides, naming, parts, request, text};

/// What a sentence dictates.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dictated {
    /// What shall stand on the page.
    pub words: String,
    /// Whether it shall be the title.
    pub is_title: bool,
    /// The page that it belongs to, in the words of the sentence.
    pub page: String,
    /// The direction, to be obeyed.
    pub direction: String,
}

/// Who is told or what tells, before a verb of saying.
#[rustfmt::skip]
const SUBJECTS: &[&str] = &[
    "it", "you", "we", "i", "there", "they", "this", "that", "which", "es", "da", "man", "du", "sie", "vous", "tu", "on", "ci", "se", "si", "want", "to", "need", "like",
];

/// Small words that stand, as modal verbs do, between who is told and the verb.
#[rustfmt::skip]
const BETWEEN: &[&str] = &[
    "can", "has", "have", "just", "only", "then", "also", "simply", "please", "pls", "maybe", "perhaps", "kann", "könnte", "bitte", "noch", "einfach", "nur", "dann",
    "vielleicht", "auch", "doit", "debe", "deve", "to", "que",
];

/// What stands between a verb of saying and what is said.
#[rustfmt::skip]
const BEHIND: &[&str] = &[
    "just", "only", "then", "also", "please", "pls", "down", "something", "like", "noch", "bitte", "einfach", "nur", "drauf", "hin", "drunter", "darauf", "simplement", "sólo", "solo", "ci", "the", "words", "line", "text", "sentence", "der", "den", "satz", "le", "texte", "la", "phrase", "el", "texto", "frase", "il", "testo",
];

/// Words that begin what is said as a clause.
const THAT: &[&str] = &["that", "dass", "daß", "que", "qu'il", "qu'on", "che"];

/// What stands behind a label that only dictates.
pub fn labelled(sentence: &str) -> Option<Dictated> {
    let words = dictating_words(sentence)?;
    let mut told = behind_label(sentence, &words).filter(says_something)?;
    // A label that the reader knows keeps what stands below the rest from being the title.
    if told.page.is_empty()
        && !told.is_title
        && words.iter().any(|word| word.end <= told.direction.len() && naming::is_under_label(&word.lower))
    {
        "underneath".clone_into(&mut told.page);
    }
    Some(told)
}

/// What a sentence dictates; `None` where it dictates nothing.
pub fn dictated(sentence: &str) -> Option<Dictated> {
    let words = dictating_words(sentence)?;
    behind_label(sentence, &words)
        .or_else(|| behind_piece(sentence, &words))
        .or_else(|| behind_verb(sentence, &words))
        .filter(says_something)
}

/// The words of a sentence that may dictate.
fn dictating_words(sentence: &str) -> Option<Vec<Word>> {
    let words = words_of(sentence);
    // “Must include: …” leads to a list that the reader knows.
    let is_lead = text::label(sentence)
        .is_some_and(|(label, _)| asides::is_lead(&format!("{label}:")) && !naming::is_under_label(label));
    (words.len() >= 2 && !is_lead).then_some(words)
}

fn says_something(told: &Dictated) -> bool {
    told.words.chars().filter(|letter| letter.is_alphanumeric()).count() >= 2
}

/// Whether a label only says where or how what follows shall stand: “Underneath in smaller letters”, “Phone number huge”.
pub fn is_direction(label: &str) -> bool {
    let words = words_of(label);
    let begin = words.iter().take_while(|word| is_opening(&word.lower)).count();
    let words = &words[begin..];
    if words.is_empty() || words.len() > 12 || words.iter().any(|word| word.is_quoted) {
        return false;
    }
    // “Wo stehen wir: 212 Kunden” asks, and is the name of a page.
    if QUESTION_WORDS.contains(&words[0].lower.as_str()) {
        return false;
    }
    let told = tell(words);
    let is_said = told.sayings > 0 && (told.places > 0 || told.pieces > 0 || told.subjects > 0);
    let is_laid = told.places + told.manners > 0 && (told.pieces > 0 || told.places > 0);
    let may_be_foreign =
        usize::from(told.pieces > 0 && told.manners > 0) * 2 + usize::from(told.sayings > 0 && told.places > 0);
    told.foreign <= may_be_foreign && (is_said || is_laid)
}

fn is_between(word: &str) -> bool {
    MODAL.contains(&word) || BETWEEN.contains(&word)
}

/// What the words of a label are, by their number.
#[derive(Default)]
struct Told {
    places: usize,
    manners: usize,
    pieces: usize,
    sayings: usize,
    subjects: usize,
    foreign: usize,
}

fn tell(words: &[Word]) -> Told {
    let mut told = Told::default();
    let mut at = 0;
    while at < words.len() {
        let placed = page_at(words, at).filter(|length| *length > 1).or_else(|| place_at(words, at));
        if let Some(length) = placed {
            told.places += 1;
            at += length;
            continue;
        }
        if let Some(length) = manner_at(words, at) {
            told.manners += 1;
            at += length;
            continue;
        }
        let word = word_at(words, at);
        if is_piece(word) {
            told.pieces += 1;
        } else if is_saying(word)
            || is_writing(word)
            || matches!(word, "goes" | "go" | "comes" | "kommt" | "kommen" | "va" | "vient")
        {
            told.sayings += 1;
        } else if SUBJECTS.contains(&word) {
            told.subjects += 1;
        } else if !(is_joining(word) || is_pointing(word) || is_between(word) || is_sheet(word)) {
            told.foreign += 1;
        }
        at += 1;
    }
    told
}

/// “Ganz unten klein: Veranstalter ist der Heimatverein”.
fn behind_label(sentence: &str, words: &[Word]) -> Option<Dictated> {
    let (at, colon) = sentence.char_indices().find(|(at, letter)| {
        matches!(letter, ':' | '：') && sentence[at + letter.len_utf8()..].starts_with(char::is_whitespace)
    })?;
    let (label, body) = (sentence[..at].trim(), sentence[at + colon.len_utf8()..].trim());
    // The reader knows these by themselves, and pages by their number; “below it, small” would be taken for a wish.
    let is_under = naming::is_under_label(label) && !request::is_request(sentence);
    if naming::is_title_label(label) || is_under || parts::is_place(label) || body.is_empty() {
        return None;
    }
    if !is_direction(label) {
        return None;
    }
    let of_label: Vec<Word> = words.iter().filter(|word| word.end <= at).cloned().collect();
    let page = find_page(&of_label, sentence);
    let is_title = of_label.iter().any(|word| is_title(&word.lower))
        || page.is_empty() && of_label.iter().any(|word| is_top(&word.lower));
    Some(Dictated { words: body.to_owned(), is_title, page, direction: label.to_owned() })
}

/// “It should have my number on it, 0170 5550 188”: a piece that the sheet shall have, and behind it what that is.
fn behind_piece(sentence: &str, words: &[Word]) -> Option<Dictated> {
    let marked = words.iter().position(|word| matches!(word.mark, Some(',' | ':' | '-' | '–')));
    // “my number on it 0170 5550 188”: a number or an address needs no mark before it.
    let is_given =
        |word: &Word| word.lower.starts_with(|first: char| first.is_ascii_digit()) || word.lower.contains('@');
    let given = words.iter().position(is_given).and_then(|at| at.checked_sub(1)).filter(|at| *at >= 3);
    let end = marked.into_iter().chain(given).min()?;
    let clause = &words[..=end];
    let asked = &sentence[..words[end].end];
    let told = tell(clause);
    let begin = clause.iter().take_while(|word| is_opening(&word.lower)).count();
    let is_asked = (clause.iter().any(|word| is_between(&word.lower)) || is_writing(word_at(clause, begin)))
        && speaks_of_sheet(&asked.to_lowercase())
        && told.pieces > 0
        && told.foreign <= 1;
    let said = sentence[words[end].end..].trim_start_matches([',', ':', '-', '–', ' ']);
    is_asked.then(|| Dictated { words: said.to_owned(), direction: asked.to_owned(), ..Dictated::default() })
}

/// The page that a direction names, in its words: “last card”.
fn find_page(words: &[Word], sentence: &str) -> String {
    for at in 0..words.len() {
        if let Some(length) = page_at(words, at) {
            let named: Vec<&Word> = words[at..at + length]
                .iter()
                .skip_while(|word| !crate::read::narrated::is_ordinal(&word.lower) && !is_sheet(&word.lower))
                .collect();
            let is_counted = named.len() > 1;
            if let (Some(first), Some(last), true) = (named.first(), named.last(), is_counted) {
                return sentence[first.start..last.end].replace(" one", " slide");
            }
        }
    }
    String::new()
}

/// Where the words stand that lead to what is said, and what they told.
struct Lead {
    end: usize,
    is_placed: bool,
    is_told: bool,
    /// Whether no verb dictates, but the quotation marks alone.
    is_bare: bool,
}

/// “Below that put what we can mend”, “At the bottom it should say “…””, “Say that check-out is at ten”.
fn behind_verb(sentence: &str, words: &[Word]) -> Option<Dictated> {
    let begin = words.iter().take_while(|word| is_opening(&word.lower)).count();
    let lead = lead_of(words, begin)?;
    if lead.is_bare && goes_on(sentence) {
        return None;
    }
    let mut at = lead.end;
    let first = words.get(at)?;
    let is_clause = THAT.contains(&first.lower.as_str()) && !first.is_quoted && tells_clause(&words[at + 1..]);
    if is_clause {
        at += 1;
    }
    let is_marked = words.get(at).is_some_and(|word| word.is_quoted) || words[at - 1].mark == Some(':');
    let is_large = sentence[words[at].start..]
        .chars()
        .next()
        .is_some_and(|letter| letter.is_uppercase() || letter.is_ascii_digit());
    let is_surely = is_clause || is_marked || lead.is_placed || lead.is_told && is_large;
    // “Put the price at the bottom”: a piece that is pointed at is no words of the page.
    let is_pointed = !is_marked
        && !is_clause
        && (is_pointing(word_at(words, at)) && words[at..].iter().take(4).any(|word| is_piece(&word.lower))
            || stands_for(word_at(words, at)) && at + 1 == words.len());
    if !is_surely || is_pointed {
        return None;
    }
    let (said, trailing) = strip_trailing(&sentence[quote_before(sentence, words[at].start)..]);
    let directions = &words[..at];
    let page = find_page(directions, sentence);
    let is_title = directions.iter().any(|word| is_title(&word.lower))
        || page.is_empty()
            && (directions.iter().any(|word| is_top(&word.lower))
                || words_of(&trailing).iter().any(|word| is_top(&word.lower)));
    Some(Dictated {
        words: unquoted(&said),
        is_title,
        page,
        direction: format!("{} {trailing}", sentence[..words[at].start].trim_end_matches(['"', '“', '„', '«', ' '])),
    })
}

/// “Under the title “Cold, but ours” we dance”: behind the quotation the sentence goes on and tells what happens.
fn goes_on(sentence: &str) -> bool {
    text::quoted(sentence).is_some_and(|(_, _, behind)| {
        let words = words_of(behind);
        words.len() >= 2 && tell(&words).foreign > 0
    })
}

/// Where the words of a direction end: a place, who is told, a verb of saying.
fn lead_of(words: &[Word], begin: usize) -> Option<Lead> {
    let mut at = begin;
    let mut is_placed = false;
    while let Some(length) = page_at(words, at)
        .filter(|_| at == begin)
        .or_else(|| place_at(words, at))
        .or_else(|| manner_at(words, at).filter(|_| is_placed))
    {
        is_placed = true;
        at += length;
    }
    // “Under it “are getting married””: the mark alone dictates.
    if is_placed && words.get(at).is_some_and(|word| word.is_quoted) {
        return Some(Lead { end: at, is_placed, is_told: false, is_bare: true });
    }
    let from = at;
    let mut is_thing = is_placed;
    while at < words.len() && !words[at].is_quoted {
        let word = word_at(words, at);
        let is_next = (is_saying(word) || is_writing(word)) && at > from;
        if is_next
            || !(SUBJECTS.contains(&word)
                || is_between(word)
                || is_sheet(word)
                || matches!(word, "the" | "first" | "line"))
        {
            break;
        }
        is_thing |= is_sheet(word) || matches!(word, "it" | "es");
        at += 1;
    }
    let verb = word_at(words, at);
    let says = is_saying(verb) && (at > from || is_placed);
    if !says && !is_writing(verb) || words.get(at).is_none_or(|word| word.is_quoted) {
        return None;
    }
    // “It says a lot about us”.
    if matches!(word_at(words, at + 1), "a" | "so" | "much" | "it" | "no" | "nothing" | "more") && says && !is_placed {
        return None;
    }
    at += 1;
    while at < words.len() && !words[at].is_quoted && words[at - 1].mark != Some(':') {
        if let Some(length) = place_at(words, at).or_else(|| manner_at(words, at)) {
            is_placed |= place_at(words, at).is_some();
            at += length;
        } else if BEHIND.contains(&word_at(words, at)) && !begins_said(words, at) {
            at += 1;
        } else {
            break;
        }
    }
    (at < words.len()).then_some(Lead {
        end: at,
        is_placed,
        is_told: is_thing && (says || at > from + 1),
        is_bare: false,
    })
}

/// Whether an article begins what is said and does not name its sort: “the raffle”, but “the words “…””.
fn begins_said(words: &[Word], at: usize) -> bool {
    let is_article =
        matches!(word_at(words, at), "the" | "der" | "den" | "le" | "la" | "el" | "il" | "line" | "text" | "words");
    let next = words.get(at + 1);
    let leads = next.is_some_and(|next| {
        next.is_quoted
            || next.mark == Some(':')
            || matches!(
                next.lower.as_str(),
                "words" | "line" | "text" | "sentence" | "satz" | "texte" | "phrase" | "texto" | "frase" | "testo"
            )
    });
    let ends = words[at].mark == Some(':');
    is_article && !leads && !ends
}

/// Whether words behind “that” are a clause, and “that” points at nothing: a verb stands among the first of them.
fn tells_clause(words: &[Word]) -> bool {
    #[rustfmt::skip]
    const FINITE: &[&str] = &[
        "is", "are", "was", "will", "can", "must", "has", "have", "there", "there's", "you", "we", "they", "it", "it's", "should", "goes", "go", "do", "does", "comes", "need", "needs", "ist", "sind", "wird", "werden", "kann", "muss", "hat", "haben", "soll", "jeder", "es",
        "wir", "est", "sont", "il", "on", "nous", "y", "son", "hay", "lo", "è", "sono", "si", "c'è",
    ];
    words.len() >= 2
        && (words.iter().take(7).any(|word| FINITE.contains(&word.lower.as_str()))
            || words.last().is_some_and(|last| last.lower.ends_with("en")))
}

/// The place of the quotation mark that stands directly before a place, else the place.
fn quote_before(sentence: &str, at: usize) -> usize {
    sentence[..at]
        .char_indices()
        .next_back()
        .filter(|(_, letter)| matches!(letter, '"' | '“' | '„' | '«' | '»'))
        .map_or(at, |(quote, _)| quote)
}

/// What is said, without where it shall stand: “Summer Fete at Oakwood School across the top”.
fn strip_trailing(said: &str) -> (String, String) {
    if let Some((_, inner, behind)) = text::quoted(said).filter(|(before, ..)| before.trim().is_empty()) {
        let rest = words_of(behind);
        let is_laid = !rest.is_empty() && {
            let told = tell(&rest);
            told.foreign == 0 && told.places + told.manners > 0
        };
        if is_laid {
            return (format!("“{inner}”"), behind.trim().to_owned());
        }
        return (said.to_owned(), String::new());
    }
    let words = words_of(said);
    for at in 1..words.len() {
        let mut end = at;
        while let Some(length) = place_at(&words, end).or_else(|| manner_at(&words, end)) {
            end += length;
        }
        let is_adverb_alone = end == at + 1 && !is_grade(word_at(&words, at));
        if end == words.len() && end > at && !is_adverb_alone && place_at(&words, at).is_some() {
            return (said[..words[at - 1].end].to_owned(), said[words[at].start..].to_owned());
        }
    }
    (said.to_owned(), String::new())
}

/// Words within quotation marks without these, where nothing else is said.
fn unquoted(said: &str) -> String {
    let bare = said.trim().trim_end_matches(['.', ',']);
    match text::quoted(bare) {
        Some((before, inner, behind))
            if before.trim().is_empty() && behind.trim_matches(['.', ',', ' ']).is_empty() =>
        {
            inner.to_owned()
        }
        _ => said.trim().to_owned(),
    }
}
