//! Pages that are told one after the other in sentences: “The first just says …, the second, called “…”, explains that …”.
//!
//! A page is told by its place, then by what it is called, then by what it says. Words that only tell so are left out; every
//! other word is kept. Deliberately not here: pages with labels (“Slide 3: …”, `labelled`) and what a page's words are
//! (`matter`).

use super::text;
use super::vocabulary::is_number;

/// A page that a sentence tells.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NarratedPage {
    /// What it is called; may be empty.
    pub title: String,
    /// What stands under that; may be empty.
    pub subtitle: String,
    /// What it says; may be empty.
    pub body: String,
}

/// Words before the place.
const BEFORE: &[&str] =
    &["and ", "so ", "then ", "und ", "dann ", "on ", "auf ", "in ", "sur ", "en ", "su ", "op ", "at "];

/// Articles of a place.
const ARTICLES: &[&str] = &[
    "the ", "a ", "an ", "ein ", "eine ", "einer ", "un ", "une ", "una ", "die ", "der ", "das ", "dem ", "den ",
    "la ", "le ", "el ", "il ", "lo ", "de ", "l'", "l’",
];

/// Places in their order, and the last.
#[rustfmt::skip]
const PLACES: &[&str] = &[
    "opening", "title", "cover", "closing", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "last", "final", "next", "other", "another", "erste", "ersten",
    "zweite", "zweiten", "dritte", "dritten", "vierte", "vierten", "fünfte", "fünften", "sechste", "sechsten", "siebte", "siebten", "achte", "achten",
    "letzte", "letzten", "nächste", "nächsten", "weitere", "weiteren", "première", "deuxième", "troisième", "quatrième", "cinquième", "sixième", "dernière", "suivante",
    "primera", "segunda", "tercera", "cuarta", "quinta", "sexta", "última", "siguiente", "prima", "seconda", "terza", "quarta", "sesta", "ultima",
    "eerste", "tweede", "derde", "vierde", "vijfde", "zesde", "laatste", "volgende",
];

/// What has a place.
#[rustfmt::skip]
const PAGES: &[&str] = &[
    "slide", "page", "card", "panel", "frame", "screen", "folie", "seite", "karte", "kachel", "diapo", "diapositive", "page", "diapositiva", "lámina",
    "página", "tarjeta", "pagina", "scheda", "dia", "kaart", "one",
];

/// Words that only lead from the place to what the page is called or says.
#[rustfmt::skip]
const TELLING: &[&str] = &[
    "just", "only", "simply", "then", "saying", "showing", "explaining", "listing", "giving", "covering", "naming", "den", "por", "para", "should", "shall", "must", "can", "will", "says", "say", "reads", "read", "shows", "show", "explains", "explain",
    "tells", "tell", "lists", "list", "gives", "give", "has", "have", "contains", "contain", "covers", "cover", "presents", "present", "states",
    "introduces", "describes", "summarises", "summarizes", "names", "carries", "is", "are", "be", "comes", "about", "called", "named", "titled",
    "entitled", "headed", "that", "them", "with", "the", "a", "an", "title", "headline", "heading", "words", "text", "bar", "line", "pie", "chart",
    "table", "it", "as", "nur", "soll", "sollte", "sagt", "zeigt", "erklärt", "nennt", "listet", "enthält", "hat", "ist", "heißt", "steht", "stehen",
    "kommt", "kommen", "dass", "mit", "dem", "titel", "der", "die", "das", "überschrift", "ein", "eine", "balkendiagramm", "tabelle", "diagramm",
    "dit", "montre", "explique", "que", "est", "s'appelle", "intitulée", "avec", "titre", "dice", "muestra", "explica", "es", "se", "llama", "titulada",
    "con", "título", "mostra", "spiega", "che", "è", "si", "chiama", "titolo", "zegt", "toont", "heet", "dat", "met", "titel",
];

/// Whether a word is the place of a page.
pub fn is_ordinal(word: &str) -> bool {
    PLACES.contains(&word)
}

/// Whether a word is the name of a page.
pub fn is_page(word: &str) -> bool {
    word != "one" && (PAGES.contains(&word) || word == "bild")
}

/// Marks and words that a page can be told behind, within a sentence.
const WITHIN: &[&str] = &[", ", "; ", " and ", " und ", " et ", " y ", " e "];

/// Where pages are told within a sentence, the same with a sentence for each: “a chart of visits, and a second slide saying
/// why: …”. Only what is named with its place counts: “the second slide”.
pub fn divide(words: &str) -> Option<Vec<String>> {
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    for mark in WITHIN {
        for (at, _) in words.match_indices(mark) {
            let begin = at + mark.len();
            if cuts.iter().all(|(cut, _)| cut.abs_diff(at) > 1) && names_page(&words[begin..]) {
                cuts.push((at, begin));
            }
        }
    }
    if cuts.is_empty() {
        return None;
    }
    cuts.sort_unstable();
    let mut pieces = Vec::with_capacity(cuts.len() + 1);
    let mut from = 0;
    for (at, begin) in cuts {
        pieces.push(words[from..at].trim().to_owned());
        from = begin;
    }
    pieces.push(words[from..].trim().to_owned());
    Some(pieces)
}

/// What is told in turn, at least three things: “first …, then …, then …”; none where words tell otherwise.
pub fn in_turn(words: &str) -> Vec<String> {
    const MARKS: &[&str] =
        &[", then ", "; then ", ". then ", " and then ", ", dann ", ". dann ", ", puis ", ", luego ", ", poi "];
    const FIRST: &[&str] = &["first ", "zuerst ", "erst ", "d'abord ", "primero ", "prima "];
    let Some(mut rest) = FIRST.iter().find_map(|first| strip_small(words.trim(), first)) else { return Vec::new() };
    let mut pieces = Vec::new();
    loop {
        let lower = rest.to_lowercase();
        let next = MARKS
            .iter()
            .filter_map(|mark| lower.find(mark).map(|at| (at, mark.len())))
            .min()
            .filter(|_| lower.len() == rest.len());
        let Some((at, length)) = next else { break };
        pieces.push(rest[..at].trim().to_owned());
        rest = &rest[at + length..];
    }
    pieces.push(rest.trim().trim_end_matches('.').to_owned());
    if pieces.len() >= 3 { pieces } else { Vec::new() }
}

/// Whether a text begins with the place of a page and says what stands there: “a second slide with the reasons: …”.
fn names_page(text: &str) -> bool {
    let bare = BEFORE[..5].iter().find_map(|before| strip_small(text, before)).unwrap_or(text);
    let Some(rest) = ARTICLES
        .iter()
        .find_map(|article| strip_small(bare, article))
        .or_else(|| strip_small(bare, "another ").map(|_| bare))
    else {
        return false;
    };
    let (place, behind) = first_word(rest);
    let (page, more) = first_word(behind);
    PLACES.contains(&place.as_str()) && is_page(&page) && text::words(more).len() >= 2 && behind_place(bare).is_some()
}

/// Whether a sentence tells of the page before all others by its name: “the opening slide has …”.
pub fn is_opening(sentence: &str) -> bool {
    text::words(sentence)
        .iter()
        .take(3)
        .any(|word| matches!(word.as_str(), "opening" | "title" | "cover" | "titelfolie"))
}

/// The page that a sentence begins to tell; `None` where it tells of none.
///
/// Where pages were told before, “then The hall, …” tells of the next.
pub fn page_of(sentence: &str, has_told: bool) -> Option<NarratedPage> {
    if let Some(told) = has_told.then(|| next_page(sentence.trim())).flatten() {
        return Some(told);
    }
    let rest = behind_place(sentence.trim())?;
    let (rest, title) = take_title(rest);
    let mut told = NarratedPage { title, ..NarratedPage::default() };
    let body = rest.trim().trim_end_matches('.');
    let (verb, said) = strip_telling(body);
    let (said, under) = divide_under(said);
    told.subtitle = under;
    // “just says Clean Hands”: what a page says and nothing else is what it is called.
    let is_whole = told.title.is_empty()
        && !said.contains([';', ':'])
        && said.split_whitespace().count() <= 9
        && !matches!(verb.last().map(String::as_str), Some("that" | "dass" | "que" | "che" | "dat"));
    if is_whole {
        told.title = text::capitalize(said.trim_matches(['"', '“', '”', '„', '«', '»', ' ', ',']));
    } else if let Some((label, behind)) = text::label(said).filter(|_| told.title.is_empty()) {
        told.title = text::capitalize(label);
        told.body = behind.to_owned();
    } else {
        told.body = text::capitalize(said);
    }
    Some(told)
}

/// “then The hall, the heating broke in January”: a name that begins large, and what is said behind its comma.
fn next_page(sentence: &str) -> Option<NarratedPage> {
    let rest = ["and then ", "then ", "und dann ", "dann ", "danach ", "puis ", "luego ", "poi "]
        .iter()
        .find_map(|then| strip_small(sentence, then))?;
    let (title, body) = rest.trim().split_once([',', ':'])?;
    let is_name = title.chars().next().is_some_and(char::is_uppercase) && title.split_whitespace().count() <= 5;
    is_name.then(|| NarratedPage {
        title: title.trim().to_owned(),
        body: text::capitalize(body.trim().trim_end_matches('.')),
        ..NarratedPage::default()
    })
}

/// The text behind “the second slide”, “slide two”, “on the third”.
fn behind_place(sentence: &str) -> Option<&str> {
    let mut rest = sentence;
    let mut has_article = false;
    for before in BEFORE {
        rest = text::strip_start(rest, before.trim_end())
            .filter(|more| more.starts_with(' '))
            .map_or(rest, str::trim_start);
    }
    for article in ARTICLES {
        if let Some(more) = strip_small(rest, article) {
            rest = more;
            has_article = true;
            break;
        }
    }
    let (first, behind) = first_word(rest);
    if PLACES.contains(&first.as_str()) {
        let (second, more) = first_word(behind);
        if PAGES.contains(&second.as_str()) {
            let is_told = title_follows(more) || TELLING.contains(&first_word(more).0.as_str());
            return is_told.then_some(more);
        }
        // “The second, called …”, “the third (“…”) …”, “the fourth is a chart”: the place stands for the page.
        let leads_on = behind.trim_start().starts_with(['(', ',', '"', '“', '„', '«', ':']) && title_follows(behind)
            || TELLING.contains(&second.as_str())
                && !matches!(second.as_str(), "the" | "a" | "an" | "die" | "der" | "das" | "la" | "el")
            || second == "belongs";
        return (has_article && leads_on).then_some(behind);
    }
    if PAGES.contains(&first.as_str()) && first != "one" {
        let (second, more) = first_word(behind);
        return (is_number(&second) && !more.trim_start().starts_with(':')).then_some(more);
    }
    None
}

fn strip_small<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    let head = text.get(..start.len())?;
    (head.to_lowercase() == start).then(|| &text[start.len()..])
}

/// The first word in small letters without marks, and the text behind it with its marks.
fn first_word(text: &str) -> (String, &str) {
    let text = text.trim_start();
    let end = text
        .find(|letter: char| letter.is_whitespace() || matches!(letter, ',' | ':' | '(' | ';'))
        .unwrap_or(text.len());
    (text[..end].to_lowercase(), &text[end..])
}

/// Whether a title stands directly behind a place: in brackets, or behind a word that says so.
fn title_follows(behind: &str) -> bool {
    let bare = behind.trim_start().trim_start_matches([',', ' ']);
    bare.starts_with(['(', '"', '“', '„', '«', ':'])
        || [
            "called",
            "named",
            "titled",
            "entitled",
            "headed",
            "with",
            "genannt",
            "mit",
            "namens",
            "intitulée",
            "titulada",
            "intitolata",
        ]
        .contains(&first_word(bare).0.as_str())
}

/// Takes out the title in quotation marks where the words before it only lead to it.
fn take_title(rest: &str) -> (String, String) {
    let Some((before, title, behind)) = text::quoted(rest) else { return (rest.to_owned(), String::new()) };
    let words = text::words(before);
    // A whole sentence between the marks is what somebody said.
    let is_led = words.iter().all(|word| TELLING.contains(&word.as_str())) && words.len() <= 8;
    let is_title = is_led && title.split_whitespace().count() <= 12;
    if !is_title {
        return (rest.to_owned(), String::new());
    }
    let behind = behind.trim_start_matches([')', ',', ':', ' ', '.']);
    (behind.to_owned(), text::capitalize(title))
}

/// The words that only tell, and what they lead to.
fn strip_telling(body: &str) -> (Vec<String>, &str) {
    let mut rest = body.trim_start_matches([',', ':', ')', ' ']);
    let mut verbs = Vec::new();
    loop {
        let (word, behind) = first_word(rest);
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '\'');
        if bare.is_empty() || !TELLING.contains(&bare) || behind.trim().is_empty() {
            return (verbs, rest);
        }
        // Behind a verb an article begins what is said.
        if !verbs.is_empty()
            && matches!(bare, "the" | "a" | "an" | "die" | "der" | "das" | "ein" | "eine" | "with" | "it")
        {
            return (verbs, rest);
        }
        verbs.push(bare.to_owned());
        rest = behind.trim_start_matches([',', ':', ' ']);
    }
}

/// “Clean Hands, with the line “Week 12” underneath”: what stands under it.
fn divide_under(said: &str) -> (&str, String) {
    const WITH: &[&str] = &[
        ", with the line ",
        " with the line ",
        ", with the words ",
        " with the words ",
        ", with the subtitle ",
        " with the subtitle ",
        ", underneath ",
        ", below it ",
        ", mit der zeile ",
        " mit der zeile ",
        ", darunter ",
        " und darunter ",
        " and underneath ",
        " and below ",
        ", en dessous ",
        ", debajo ",
        ", sotto ",
        ", daaronder ",
    ];
    let lower = said.to_lowercase();
    if lower.len() != said.len() {
        return (said, String::new());
    }
    match WITH.iter().filter_map(|with| lower.find(with).map(|at| (at, with.len()))).min() {
        Some((at, length)) => {
            let under = said[at + length..].trim().trim_end_matches(['.', ' ']);
            let bare = ["underneath", "below", "below it", "under it", "darunter"]
                .iter()
                .find_map(|end| under.strip_suffix(end))
                .unwrap_or(under);
            (said[..at].trim(), text::capitalize(bare.trim().trim_matches(['"', '“', '”', '„', '«', '»', ' ', ':'])))
        }
        None => (said, String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(sentence: &str) -> (String, String, String) {
        let told = page_of(sentence, false).unwrap_or_else(|| panic!("{sentence}"));
        (told.title, told.subtitle, told.body)
    }

    #[test]
    fn reads_pages_that_are_told_by_their_places() {
        for (sentence, title, subtitle, body) in [
            (
                "The first one just says Open Doors, with the line \"Spring 2031\" underneath.",
                "Open Doors",
                "Spring 2031",
                "",
            ),
            ("The second, called \"Why boats\", explains that rivers are quiet.", "Why boats", "", "Rivers are quiet"),
            ("On the third (\"Three rules\") list them: wait; look; row.", "Three rules", "", "Wait; look; row"),
            ("Die zweite Folie heißt „Kosten“: Boot 300 €, Steg 90 €.", "Kosten", "", "Boot 300 €, Steg 90 €"),
            ("Slide two shows the map.", "The map", "", ""),
            ("The last one is called \"Next\": races start on 9 May.", "Next", "", "Races start on 9 May"),
        ] {
            assert_eq!(told(sentence), (title.to_owned(), subtitle.to_owned(), body.to_owned()), "{sentence}");
        }
        let then = page_of("then The hall, the heating broke", true).expect("a page");
        assert_eq!((then.title.as_str(), then.body.as_str()), ("The hall", "The heating broke"));
        for sentence in [
            "First we ask the board.",
            "The second half was better.",
            "The first page of the log is torn.",
            "The last bus leaves at nine.",
            "The next day it rained.",
        ] {
            assert_eq!(page_of(sentence, false), None, "{sentence}");
        }
    }
}
