//! The sentence that asks for the thing: what it is, what it is about, and what is said of it in passing.
//!
//! “Pitch deck for Loopwise, a route planner for bakeries, 8 slides, dark” is a deck, called Loopwise, with a line under
//! its title and two instructions.

use super::dates;
use super::instructions::{self, Clause};
use super::kinds::{self, Kind};
use super::naming::divide_moments;
use super::text;
use super::vocabulary::{ABOUT, ARTICLES, ASKING, PAGE_WORDS};

/// What the sentence came to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// The kind of thing.
    pub kind: Option<Kind>,
    /// The few words above the title: the occasion.
    pub kicker: String,
    /// What it is called or about.
    pub title: String,
    /// What the subject is, in apposition to its name.
    pub subtitle: String,
    /// Days, hours, places.
    pub details: Vec<String>,
    /// What stood behind its colon, and clauses that are neither subject nor instruction.
    pub content: Vec<String>,
    /// Its instructions, to be obeyed.
    pub instructions: String,
    /// Whether the title is a name of its own: in quotation marks, or with a large letter where it began.
    pub is_named: bool,
}

/// Whether a sentence asks for a thing: it names a kind near its beginning or begins as people ask.
pub fn is_request(sentence: &str) -> bool {
    let lower = sentence.trim().to_lowercase();
    let head = head_of(sentence).0;
    let named = kinds::find(head).filter(|named| head[..named.start].split_whitespace().count() <= 9);
    let asks = ASKING.iter().any(|ask| ask.len() > 3 && text::strip_start(&lower, ask).is_some());
    // “We want you to join”, “Make friends” ask for nothing to be drawn.
    named.is_some()
        || (asks
            && lower.split_whitespace().count() <= 14
            && [
                "create",
                "design",
                "draw",
                "generate",
                "erstelle",
                "entwirf",
                "gestalte",
                "crea",
                "diseña",
                "crée",
                "dessine",
                "создай",
                "нарисуй",
            ]
            .iter()
            .any(|verb| lower.contains(verb)))
}

/// What stands before the colon of a request, and what behind it.
fn head_of(sentence: &str) -> (&str, &str) {
    let mut depth = 0_i32;
    for (at, letter) in sentence.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ':' | '：' if depth <= 0 => {
                let rest = &sentence[at + letter.len_utf8()..];
                if rest.is_empty() || rest.starts_with(char::is_whitespace) || letter == '：' {
                    return (sentence[..at].trim(), rest.trim());
                }
            }
            _ => {}
        }
    }
    // A dash after the kind does the same: “Flyer – Summer fair, 12 July”.
    for dash in [" – ", " — ", " - "] {
        if let Some((head, rest)) = sentence.split_once(dash)
            && kinds::find(head).is_some_and(|named| named.end >= head.trim_end().len())
        {
            return (head.trim(), rest.trim());
        }
    }
    (sentence.trim(), "")
}

/// Reads the sentence; where it stands apart from what the thing shall say, its clauses are instructions unless they are
/// surely facts.
pub fn read(sentence: &str, is_apart: bool) -> Request {
    let (head, body) = head_of(sentence.trim().trim_end_matches(['.', '!', '?', ' ']));
    let mut request = Request::default();
    if !body.is_empty() {
        request.content.push(body.to_owned());
    }
    let mut head = head.to_owned();
    // What stands in quotation marks is the title, whatever stands around it.
    if let Some((before, title, behind)) = text::quoted(&head.clone()) {
        request.title = title.to_owned();
        request.is_named = true;
        head = format!("{} {}", strip_called(before), behind);
    }
    let mut clauses = text::clauses(&head).into_iter();
    let first = clauses.next().unwrap_or_default();
    read_first(&first, &mut request);
    for clause in clauses {
        take_clause(&clause, is_apart, &mut request);
    }
    request
}

/// “called”, “with the title” before a title say that it is one.
fn strip_called(text: &str) -> &str {
    let trimmed = text.trim_end_matches([' ', ',', ':', '-', '–']);
    let lower = trimmed.to_lowercase();
    for ending in [
        " called",
        " titled",
        " entitled",
        " named",
        " with the title",
        " with the headline",
        " with title",
        " with headline",
        " saying",
        " that says",
        " which says",
        " with the words",
        " with the text",
        " reading",
        " for",
        " about",
        " on",
        " mit dem titel",
        " mit titel",
        " mit der überschrift",
        " mit dem text",
        " namens",
        " zum thema",
        " für",
        " über",
        " intitulé",
        " intitulée",
        " avec le titre",
        " titulado",
        " titulada",
        " con el título",
        " dal titolo",
        " intitolato",
    ] {
        if lower.ends_with(ending) && lower.len() == trimmed.len() {
            return &trimmed[..trimmed.len() - ending.len()];
        }
    }
    trimmed
}

fn take_clause(clause: &str, is_apart: bool, request: &mut Request) {
    let judged = if is_apart && !is_name_like(clause) {
        instructions::judge_of_request(clause)
    } else {
        instructions::judge(clause)
    };
    match judged {
        Clause::Instruction => add(&mut request.instructions, clause),
        Clause::Content(content) => {
            let first = content.split_whitespace().next().unwrap_or_default().to_lowercase();
            let is_apposition =
                ["a", "an", "the", "ein", "eine", "der", "die", "das", "un", "une", "una", "our", "unser", "unsere"]
                    .contains(&first.as_str());
            if is_apposition
                && request.subtitle.is_empty()
                && request.details.is_empty()
                && !request.title.is_empty()
                && !content.chars().any(|letter| letter.is_ascii_digit())
            {
                request.subtitle = text::capitalize(&content);
            } else {
                request.content.push(content);
            }
        }
    }
}

/// Whether a clause is a name: every longer word of it begins large, and it has no number.
fn is_name_like(clause: &str) -> bool {
    clause.chars().next().is_some_and(char::is_uppercase)
        && clause.split_whitespace().count() <= 6
        && clause
            .split_whitespace()
            .all(|word| word.chars().count() <= 3 || word.chars().next().is_some_and(char::is_uppercase))
        && !clause.chars().any(|letter| letter.is_ascii_digit())
}

fn add(list: &mut String, text: &str) {
    if !list.is_empty() {
        list.push_str(", ");
    }
    list.push_str(text);
}

fn read_first(clause: &str, request: &mut Request) {
    let asked = strip_asking(clause);
    if asked.is_empty() {
        return;
    }
    let Some(named) = kinds::find(&asked) else {
        // “8 slides about X” names its kind by its pages alone.
        let (subject, more) = cut_instructions(&asked);
        add_some(&mut request.instructions, &more);
        read_subject(&subject, request);
        return;
    };
    request.kind = Some(named.kind);
    let before = asked[..named.start].trim();
    let name = &asked[named.start..named.end];
    let behind = asked[named.end..].trim();
    // “poster design”, “deck template” say no more than the kind.
    let behind = ["design", "template", "layout", "vorlage"]
        .iter()
        .find_map(|word| text::strip_start(behind, word))
        .unwrap_or(behind)
        .trim();
    add(&mut request.instructions, name);
    let mut occasion = occasion_of(before, request);
    if named.is_compound {
        occasion = compound_start(name, named.kind);
    }
    let (subject, more) = cut_instructions(strip_about(behind));
    add_some(&mut request.instructions, &more);
    if named.kind.says_its_name() {
        occasion = text::capitalize(&format!("{occasion} {name}"));
    }
    let quoted_title = !request.title.is_empty();
    if subject.is_empty() {
        if quoted_title {
            request.kicker = text::capitalize(&occasion);
        } else {
            read_subject(&occasion, request);
        }
        return;
    }
    request.kicker = text::capitalize(&occasion);
    read_subject(&subject, request);
}

fn add_some(list: &mut String, text: &str) {
    if !text.is_empty() {
        add(list, text);
    }
}

/// “Hochzeitseinladung” is for a wedding: the word before the kind, without the letter that joins both.
fn compound_start(name: &str, _kind: Kind) -> String {
    let lower = name.to_lowercase();
    let Some(inner) = kinds::FORMS
        .iter()
        .flat_map(|form| form.names)
        .filter(|known| lower.contains(**known) && known.chars().count() >= 5)
        .filter_map(|known| lower.find(*known))
        .filter(|at| *at > 0)
        .min()
    else {
        return String::new();
    };
    let start = name.get(..inner).unwrap_or_default().trim_end_matches('-');
    let lower = start.to_lowercase();
    let joined =
        ["ungs", "heits", "keits", "tions", "schafts", "täts", "lings", "tums", "ags", "eits", "erts", "stags"]
            .iter()
            .any(|end| lower.ends_with(end));
    if joined { start[..start.len() - 1].to_owned() } else { start.to_owned() }
}

/// What stands before the kind without articles, tones, and numbers of pages.
fn occasion_of(before: &str, request: &mut Request) -> String {
    let words: Vec<&str> = before.split_whitespace().collect();
    let mut kept: Vec<&str> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '#').to_lowercase();
        let is_page =
            instructions::page_count(&bare.replace('-', " ")).is_some() || PAGE_WORDS.contains(&bare.as_str());
        let is_number = bare.parse::<u32>().is_ok() && !dates::is_period(&bare);
        let next_is_page = words.get(at + 1).is_some_and(|next| {
            PAGE_WORDS.contains(&next.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase().as_str())
        });
        let is_last_of_style = instructions::is_made_of_style(&bare) || instructions::is_sheet(&bare) || bare == "din";
        let is_article = ARTICLES.contains(&bare.as_str()) && kept.is_empty();
        if is_page || is_number && (kept.is_empty() || next_is_page) || is_last_of_style || is_article {
            add(&mut request.instructions, word);
        } else if !(kept.is_empty()
            && matches!(bare.as_str(), "and" | "und" | "or" | "with" | "in" | "for" | "of" | "as" | "&"))
        {
            kept.push(word);
        }
    }
    while kept.last().is_some_and(|word| {
        matches!(
            word.to_lowercase().as_str(),
            "and" | "und" | "for" | "as" | "of" | "a" | "an" | "into" | "als" | "in" | "on" | "the"
        )
    }) {
        kept.pop();
    }
    kept.join(" ").trim_matches([',', ':', '-', '–', ' ']).to_owned()
}

fn strip_asking(text: &str) -> String {
    let mut text = text.trim().trim_start_matches(['#', '-', '*', '•', ' ']);
    loop {
        let found = ASKING
            .iter()
            .chain(ARTICLES)
            .filter_map(|word| {
                text::strip_start(text, word)
                    .filter(|rest| rest.starts_with([' ', ',', ':', '\u{a0}']) || rest.is_empty())
            })
            .min_by_key(|rest| rest.len());
        match found {
            Some(rest) => text = rest.trim_start_matches([' ', ',', ':', '\u{a0}']),
            None => return text.to_owned(),
        }
    }
}

/// What follows “for”, “about”, “über” behind the kind.
fn strip_about(text: &str) -> &str {
    let mut text = text.trim().trim_start_matches([':', '-', '–', ',', ' ']);
    for _ in 0..2 {
        let padded = format!(" {} ", text.to_lowercase());
        let longest = ABOUT
            .iter()
            .chain(&[
                " called ",
                " titled ",
                " named ",
                " saying ",
                " to ",
                " zum thema ",
                " namens ",
                " that announces ",
                " to announce ",
                " which announces ",
                " inviting ",
                " the ",
                " an ",
                " в ",
                " della ",
                " dello ",
                " dei ",
                " di ",
            ])
            .filter(|about| padded.starts_with(**about))
            .max_by_key(|about| about.len());
        match longest.and_then(|about| text.get(about.len() - 2..)) {
            Some(rest) if !text.is_empty() => text = rest.trim_start(),
            _ => break,
        }
    }
    text
}

/// The text up to where only instructions follow, and these.
fn cut_instructions(text: &str) -> (String, String) {
    let text = text.trim();
    if matches!(instructions::judge(text), Clause::Instruction) {
        return (String::new(), text.to_owned());
    }
    let places: Vec<usize> = text.match_indices(' ').map(|(at, _)| at).collect();
    for at in places {
        let tail = text[at..].trim();
        let first = tail.split_whitespace().next().unwrap_or_default().to_lowercase();
        let begins = matches!(
            first.as_str(),
            "in" | "with"
                | "for"
                | "as"
                | "on"
                | "auf"
                | "mit"
                | "im"
                | "für"
                | "en"
                | "avec"
                | "con"
                | "pour"
                | "para"
                | "per"
                | "without"
                | "ohne"
                | "that"
                | "–"
                | "-"
                | "to"
                | "als"
                | "on one"
                | "fürs"
                | "at"
                | "sans"
                | "sin"
                | "sur"
                | "su"
        );
        if begins && matches!(instructions::judge(tail), Clause::Instruction) {
            return (text[..at].trim().trim_end_matches([',', '-', '–', ' ']).to_owned(), tail.to_owned());
        }
    }
    (text.to_owned(), String::new())
}

/// The subject without its day, hour and place, which are details.
fn read_subject(subject: &str, request: &mut Request) {
    let subject = subject.trim().trim_matches([',', ':', ';', '-', '–', '.', ' ']);
    // “by Thursday” says until when it is needed.
    let lower = subject.to_lowercase();
    let is_deadline =
        ["by ", "until ", "bis ", "asap"].iter().any(|lead| lower.starts_with(lead)) && dates::has_moment(subject);
    if is_deadline && subject.split_whitespace().count() <= 4 {
        add(&mut request.instructions, subject);
        return;
    }
    let (mut head, rest) = match dates::first_moment(subject) {
        Some(at) if at > 0 => (&subject[..at], &subject[at..]),
        _ => (subject, ""),
    };
    let mut with = "";
    if rest.is_empty()
        && let Some(at) = [" with ", " mit ", " including ", " covering ", " that covers ", " featuring "]
            .iter()
            .filter_map(|with| head.find(with))
            .min()
        && super::amounts::next_amount(&head[at..], 0).is_some()
    {
        with = head[at..].trim_start().split_once(' ').map_or("", |(_, rest)| rest);
        head = &head[..at];
    }
    let mut head = head.trim();
    loop {
        let lower = head.to_lowercase();
        let end = [
            " on", " am", " at", " um", " from", " ab", " vom", " the", " den", " le", " du", " el", " il", " der",
            " von", " in", ",", " –", " -", " dem", " every", " jeden", " à", " a", " alle", " bis", " by", " until",
            " this", " next",
        ]
        .iter()
        .find(|end| lower.ends_with(**end));
        match end.filter(|_| lower.len() == head.len()) {
            // “every” and its like belong to the moment.
            Some(end)
                if matches!(
                    *end,
                    " every" | " jeden" | " until" | " by" | " bis" | " ab" | " from" | " alle" | " this" | " next"
                ) =>
            {
                let cut = head.len() - end.len();
                let moved = format!("{} {rest}", head[cut..].trim());
                return finish_subject(&head[..cut], &moved, with, request);
            }
            Some(end) => head = head[..head.len() - end.len()].trim_end(),
            None => break,
        }
    }
    finish_subject(head, rest, with, request);
}

fn finish_subject(head: &str, moments: &str, with: &str, request: &mut Request) {
    let bare = head.trim();
    let head = strip_article(bare);
    if request.title.is_empty() {
        let large = bare.split_whitespace().filter(|word| word.chars().next().is_some_and(char::is_uppercase)).count();
        request.is_named = if head.len() == bare.len() {
            large >= 1 && bare.chars().next().is_some_and(char::is_uppercase)
        } else {
            large >= 2
        };
        request.title = text::capitalize(head);
    } else if !head.is_empty() {
        request.content.push(head.to_owned());
    }
    request.details.extend(divide_moments(moments));
    if !with.is_empty() {
        request.content.push(with.to_owned());
    }
}

fn strip_article(text: &str) -> &str {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_article =
        ARTICLES.contains(&first.to_lowercase().as_str()) && first.chars().next().is_some_and(char::is_lowercase);
    if is_article && text.len() > first.len() { text[first.len()..].trim_start() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_the_thing_from_its_subject_and_from_wishes() {
        for (sentence, kind, kicker, title, subtitle, details, content) in [
            (
                "Pitch deck for Loopwise, a route planner for bakeries, 8 slides, dark",
                Kind::Deck,
                "",
                "Loopwise",
                "A route planner for bakeries",
                vec![],
                vec![],
            ),
            (
                "Poster: Summer Jazz Night, 12 July, Riverside Park",
                Kind::Poster,
                "",
                "",
                "",
                vec![],
                vec!["Summer Jazz Night, 12 July, Riverside Park"],
            ),
            (
                "Create a poster saying \"Open studio\", Saturday, free entry",
                Kind::Poster,
                "",
                "Open studio",
                "",
                vec![],
                vec!["Saturday", "free entry"],
            ),
            (
                "Please make us a moody flyer for our summer concert on 12 July at 8 pm in Riverside Park",
                Kind::Flyer,
                "",
                "Summer concert",
                "",
                vec!["12 July at 8 pm", "Riverside Park"],
                vec![],
            ),
            ("Summer party invitation in dark blue", Kind::Invitation, "", "Summer party", "", vec![], vec![]),
            (
                "Wedding invitation for Anna & Paul, lots of white space",
                Kind::Invitation,
                "Wedding",
                "Anna & Paul",
                "",
                vec![],
                vec![],
            ),
            ("Hochzeitseinladung für Mira und Jon", Kind::Invitation, "Hochzeit", "Mira und Jon", "", vec![], vec![]),
            (
                "Präsentation über erneuerbare Energien für die Geschäftsführung, 5 Folien",
                Kind::Deck,
                "",
                "Erneuerbare Energien",
                "",
                vec![],
                vec![],
            ),
        ] {
            let read = read(sentence, false);
            assert_eq!(read.kind, Some(kind), "{sentence}");
            assert_eq!(
                (read.kicker.as_str(), read.title.as_str(), read.subtitle.as_str()),
                (kicker, title, subtitle),
                "{sentence}"
            );
            assert_eq!(read.details, details, "{sentence}");
            assert_eq!(read.content, content, "{sentence}");
        }
    }

    #[test]
    fn knows_a_request_from_other_sentences() {
        for sentence in [
            "Poster for the fair",
            "Can you make a one-pager about bees?",
            "Speisekarte für das Café Luna",
            "Design something about bees",
        ] {
            assert!(is_request(sentence), "{sentence}");
        }
        for sentence in ["Join us for an evening of jazz", "We make bread", "Doors open at 7"] {
            assert!(!is_request(sentence), "{sentence}");
        }
    }
}
