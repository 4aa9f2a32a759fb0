//! What an e-mail has around its words: heads, marks of forwarding, greetings, farewells, signatures.
//!
//! They speak from one person to another and stand on no page. Its subject is kept apart: it may ask for the thing, and
//! where nothing else names what the thing is about, it does.

use super::greeting::is_greeting;
use super::lines::Line;
use super::request;
use super::text;

/// Labels of who sent it to whom and when.
#[rustfmt::skip]
const HEADS: &[&str] = &[
    "from", "to", "cc", "bcc", "sent", "reply-to", "date", "von", "an", "gesendet", "kopie", "datum", "de", "à", "envoyé", "para", "enviado", "fecha",
    "da", "a", "inviato", "data", "importance", "priority", "attachments", "anlagen",
];

/// Labels of what it is about.
#[rustfmt::skip]
const SUBJECTS: &[&str] = &["subject", "betreff", "objet", "asunto", "oggetto", "re", "fwd", "fw", "aw", "wg", "tr", "rv"];

/// Marks before a subject that say that it was answered or sent on.
const MARKS: &[&str] = &["re:", "fwd:", "fw:", "aw:", "wg:", "tr:", "rv:", "subject:", "betreff:"];

/// Words that end a letter.
#[rustfmt::skip]
const FAREWELLS: &[&str] = &[
    "thanks", "thank you", "thanks a lot", "thanks a mil", "thanks a million", "thanks so much", "thank you so much", "many thanks", "thx", "ta",
    "cheers", "best", "all the best", "best wishes", "regards", "best regards", "kind regards", "warm regards", "yours", "yours sincerely", "sincerely",
    "talk soon", "xx", "xo", "xoxo", "x", "lg", "vg", "mfg", "viele grüße", "liebe grüße", "beste grüße", "schöne grüße", "herzliche grüße", "grüße",
    "gruß", "viele grüsse", "liebe grüsse", "mit freundlichen grüßen", "danke", "danke schonmal", "danke schon mal", "danke dir", "danke euch",
    "danke im voraus", "danke und gruß", "danke und grüße", "danke und viele grüße", "danke und liebe grüße", "danke & gruß", "danke & grüße", "thanks and best", "thanks and regards", "merci et bonne soirée", "vielen dank", "merci", "merci beaucoup", "merci d'avance", "merci et bonne journée", "bonne journée", "cordialement",
    "bien à vous", "à bientôt", "bises", "saludos", "un saludo", "gracias", "muchas gracias", "mil gracias", "abrazo", "saluti", "grazie",
    "grazie mille", "cordiali saluti", "ok thanks", "valeu", "obrigado", "obrigada", "abraços", "よろしくお願いします", "よろしくお願いいたします",
    "ありがとうございます", "감사합니다", "谢谢", "謝謝", "תודה", "شكرا", "धन्यवाद", "ขอบคุณ", "спасибо", "ευχαριστώ",
    "with kind regards", "with best regards", "with many thanks", "many thanks in advance", "with many thanks in advance", "thanks in advance",
    "with kind regards and many thanks in advance", "yours faithfully", "yours truly", "sincerely yours", "servus", "pfiat di", "pfiati", "ciao", "tschüss",
    "hugs", "un beso", "besos", "muito obrigada", "muito obrigado", "cumprimentos", "dziękuję", "dziękuję pięknie", "pozdrawiam", "groetjes", "groeten",
    "bedankt", "besitos", "bisous", "kusjes", "met vriendelijke groet", "tack", "hälsningar", "danke im vorraus", "gracias de antemano", "grazie in anticipo", "merci pour tout", "bien cordialement",
];

/// Takes away what surrounds the words of a letter; its subject is returned where it asks for nothing.
pub fn strip(lines: &mut Vec<Line>) -> String {
    unfold_heads(lines);
    let (subject, is_asked) = take_heads(lines);
    lines.retain(|line| !is_mark_of_forwarding(line));
    drop_farewell(lines);
    drop_greeting(lines, usize::from(is_asked));
    subject
}

/// “From: Ana To: Studio Subject: open day”: the heads of a letter that stand on one line get lines of their own.
fn unfold_heads(lines: &mut Vec<Line>) {
    let Some(at) = lines.iter().position(|line| !matches!(line, Line::Blank)) else { return };
    let Line::Text(words) = &lines[at] else { return };
    let mut starts: Vec<usize> = Vec::new();
    for (colon, _) in words.match_indices(": ") {
        let begin = words[..colon].rfind(' ').map_or(0, |blank| blank + 1);
        let label = &words[begin..colon];
        // “Subject: Fwd: open day”: what stands directly behind a head is a mark of it.
        let is_mark = words[..begin].trim_end().ends_with(':');
        if is_head(&label.to_lowercase()) && label.starts_with(char::is_uppercase) && !is_mark {
            starts.push(begin);
        }
    }
    if starts.first() != Some(&0) || starts.len() < 3 {
        return;
    }
    let ends = starts.iter().skip(1).copied().chain([words.len()]);
    let heads: Vec<Line> =
        starts.iter().zip(ends).map(|(start, end)| Line::Text(words[*start..end].trim().to_owned())).collect();
    lines.splice(at..=at, heads);
}

/// Whether a label in small letters is one that stands above a letter.
fn is_head(label: &str) -> bool {
    HEADS.contains(&label) || SUBJECTS.contains(&label)
}

/// A line that a label begins: its label in small letters, and what it says.
fn head_of(line: &Line) -> Option<(String, String)> {
    let Line::Text(words) = line else { return None };
    let (label, body) = text::label(words)?;
    Some((label.to_lowercase(), body.to_owned()))
}

/// Lines of a head stand together; one of them is surely of a letter: an address or a subject. What the letter is about
/// where that asks for nothing, and whether it asks and was left in front.
fn take_heads(lines: &mut Vec<Line>) -> (String, bool) {
    let (mut subject, mut is_asked) = (String::new(), false);
    let mut at = 0;
    while at < lines.len() {
        let run = lines[at..].iter().take_while(|line| head_of(line).is_some_and(|(label, _)| is_head(&label))).count();
        if run == 0 {
            at += 1;
            continue;
        }
        let heads: Vec<(String, String)> = lines[at..at + run].iter().filter_map(head_of).collect();
        let has_subject = heads.iter().any(|(label, _)| SUBJECTS.contains(&label.as_str()));
        let has_address = heads.iter().any(|(_, body)| body.contains('@'));
        // “Re: poster” alone at the very beginning is a subject too.
        let is_first = lines[..at].iter().all(|line| matches!(line, Line::Blank));
        if !(run >= 2 && (has_subject || has_address) || has_subject && is_first) {
            at += run;
            continue;
        }
        let named = heads.iter().find(|(label, _)| SUBJECTS.contains(&label.as_str()));
        let named = named.map(|(_, body)| strip_marks(body)).unwrap_or_default();
        // A subject that asks for the thing is the first sentence of it.
        let asks = request::is_request(&named) && is_first && named.split_whitespace().count() >= 3;
        lines.drain(at..at + run);
        if asks {
            lines.splice(at..at, [Line::Text(named), Line::Blank]);
            at += 2;
            is_asked = true;
        } else if subject.is_empty() && !request::is_request(&named) {
            subject = named;
        }
    }
    (subject, is_asked)
}

fn strip_marks(subject: &str) -> String {
    let mut subject = subject.trim();
    while let Some(rest) = MARKS.iter().find_map(|mark| {
        subject.get(..mark.len()).filter(|head| head.to_lowercase() == *mark).map(|_| &subject[mark.len()..])
    }) {
        subject = rest.trim_start();
    }
    subject.trim_end_matches(['?', '!', ' ']).to_owned()
}

/// “---- Forwarded message ----”, “On Monday Ana wrote:”, “Sent from my phone”.
fn is_mark_of_forwarding(line: &Line) -> bool {
    let (Line::Text(words) | Line::Heading(words) | Line::Item(_, words)) = line else { return false };
    let lower = words.to_lowercase();
    let bare = lower.trim_matches(|letter: char| !letter.is_alphanumeric());
    // “Fwd from Gianna: look what they wrote”.
    let is_forwarded = ["fwd from ", "fw from ", "forwarded by ", "forwarded from ", "wg von ", "weitergeleitet von "]
        .iter()
        .any(|sign| lower.starts_with(sign))
        && text::label(words).is_some()
        || [
            "forwarded message",
            "begin forwarded message",
            "original message",
            "weitergeleitete nachricht",
            "ursprüngliche nachricht",
            "message transféré",
            "mensaje reenviado",
            "messaggio inoltrato",
        ]
        .contains(&bare);
    let is_sent = [
        "sent from my ",
        "sent from ",
        "von meinem ",
        "gesendet von meinem",
        "envoyé de mon",
        "enviado desde mi",
        "inviato da",
    ]
    .iter()
    .any(|sign| lower.starts_with(sign))
        && ["phone", "pad", "android", "handy", "outlook", "mobil", "samsung", "gmail"]
            .iter()
            .any(|sign| lower.contains(sign));
    let is_written = lower.ends_with(':') || matches!(line, Line::Heading(_));
    let is_written = is_written
        && [" wrote", " schrieb", " a écrit", " escribió", " ha scritto"]
            .iter()
            .any(|sign| lower.trim_end_matches(':').ends_with(sign));
    is_forwarded || is_sent || is_written
}

/// The words of a farewell on a line, without the name that may follow them; `None` where it is none.
fn farewell_of(line: &Line) -> Option<&'static str> {
    let (Line::Text(words) | Line::Heading(words)) = line else { return None };
    let lower = words.to_lowercase();
    let bare = lower.trim_matches(|letter: char| !letter.is_alphanumeric());
    FAREWELLS
        .iter()
        .copied()
        .filter(|farewell| {
            // “Regards, Greta”, “Danke Uli”: the name stands on the same line.
            bare == *farewell
                || bare.strip_prefix(*farewell).is_some_and(|rest| {
                    rest.starts_with([',', '!', '.', ' ', '-', '–'])
                        && (is_name(words.get(farewell.len()..).unwrap_or(rest)) || goes_on(rest))
                })
        })
        .max_by_key(|farewell| farewell.len())
}

/// Whether a sentence is a farewell and nothing else, with or without the name of who wrote: “Groetjes, Mirjam”.
pub fn is_farewell(sentence: &str) -> bool {
    farewell_of(&Line::Text(sentence.to_owned())).is_some()
}

/// Whether words behind a farewell still belong to it: “dear”, “and apologies for the length,”.
fn goes_on(rest: &str) -> bool {
    #[rustfmt::skip]
    const DEARS: &[&str] = &[
        "dear", "love", "mate", "guys", "all", "everyone", "everybody", "so", "much", "again", "in", "advance", "ihr", "lieben", "dir", "euch", "nochmal", "ma", "belle",
    ];
    let words = text::words(rest);
    let is_more = matches!(words.first().map(String::as_str), Some("and" | "und" | "et" | "y" | "e" | "&"))
        && (3..=8).contains(&words.len())
        && rest.trim_end().ends_with(',')
        && !rest.chars().any(|letter| letter.is_ascii_digit());
    is_more || (1..=4).contains(&words.len()) && words.iter().all(|word| DEARS.contains(&word.as_str()))
}

/// Whether words may be a name under a letter: at most three, without a number.
pub fn is_name(words: &str) -> bool {
    let words = words.trim_matches(|letter: char| !letter.is_alphanumeric());
    (1..=3).contains(&words.split_whitespace().count())
        && words
            .chars()
            .next()
            .is_some_and(|first| first.is_uppercase() || !first.is_lowercase() && first.is_alphabetic())
        && !words.chars().any(|letter| letter.is_ascii_digit())
}

fn words_of(line: &Line) -> &str {
    match line {
        Line::Text(words)
        | Line::Heading(words)
        | Line::Item(_, words)
        | Line::Nested(_, words)
        | Line::Marked(words) => words,
        Line::Blank | Line::Drawn(_) => "",
    }
}

/// The last farewell goes with the name under it, and with a signature where nothing but that follows.
fn drop_farewell(lines: &mut Vec<Line>) {
    let Some(at) = lines.iter().rposition(|line| farewell_of(line).is_some()) else { return };
    // Several may stand under each other: “thanks a lot”, “xx Pia”.
    let from = lines[..at].iter().rposition(|line| farewell_of(line).is_none()).map_or(0, |before| before + 1);
    if lines[..from].iter().all(|line| matches!(line, Line::Blank)) {
        return;
    }
    // A letter that is to be set ends as letters do.
    let is_set = |line: &Line| is_salutation(words_of(line)) && words_of(line).trim_end().ends_with(',');
    let said = lines[..from].iter().filter(|line| !matches!(line, Line::Blank));
    if said.skip(2).any(is_set) {
        return;
    }
    let rest = &lines[at + 1..];
    let name_lines = rest.iter().take_while(|line| !matches!(line, Line::Blank)).count();
    let is_signed = name_lines <= 2 && rest[..name_lines].iter().all(|line| is_name(words_of(line)));
    let signer = rest.first().map(|line| words_of(line).split_whitespace().next().unwrap_or_default().to_owned());
    let mut end = at + 1 + if is_signed { name_lines } else { 0 };
    let behind: Vec<&Line> = lines[end..].iter().filter(|line| !matches!(line, Line::Blank)).collect();
    let names_signer = behind
        .first()
        .zip(signer.as_deref())
        .is_some_and(|(line, signer)| !signer.is_empty() && words_of(line).contains(signer));
    let are_names = behind.len() <= 2 && behind.iter().all(|line| is_name(words_of(line)));
    // “Dana Whitfield | Operations Manager | North Pier Trust”: all of a signature may stand on one line.
    let is_brief = behind.len() <= 6
        && behind.iter().all(|line| {
            let words = words_of(line);
            text::by_bar(words).iter().all(|piece| piece.split_whitespace().count() <= 8)
        });
    if is_brief && (are_names || names_signer) {
        end = lines.len();
    } else if !is_signed && name_lines > 0 {
        // A thing may say “Thank you” itself, with its own words behind.
        return;
    }
    lines.drain(from..end);
}

/// Whether a line begins a letter to those who read it: “Dear residents,”.
fn is_salutation(words: &str) -> bool {
    let first = words.split_whitespace().next().unwrap_or_default().to_lowercase();
    words.split_whitespace().count() <= 6
        && matches!(
            first.as_str(),
            "dear"
                | "liebe"
                | "lieber"
                | "sehr"
                | "cher"
                | "chers"
                | "chère"
                | "chères"
                | "estimado"
                | "estimados"
                | "estimadas"
                | "cari"
                | "gentili"
        )
}

/// Takes away the greeting that stands first, or behind so many lines that were put before it.
fn drop_greeting(lines: &mut Vec<Line>, behind: usize) {
    let mut said = lines.iter().enumerate().filter(|(_, line)| !matches!(line, Line::Blank)).map(|(at, _)| at);
    let Some(at) = said.nth(behind) else { return };
    if lines.len() <= at + 1 {
        return;
    }
    let (Line::Text(words) | Line::Heading(words)) = &lines[at] else { return };
    let first = words.split_whitespace().next().unwrap_or_default().to_lowercase();
    // “Morning Steph,”: a few words with a comma behind them greet, whatever they are.
    let is_address = words.trim_end().ends_with(',')
        && words.split_whitespace().count() <= 4
        && !words.chars().any(|letter| letter.is_ascii_digit())
        && text::clauses(words).len() == 1;
    let is_greeting =
        is_address || is_greeting(first.trim_end_matches([',', '!'])) && words.split_whitespace().count() <= 5;
    // A letter that stands before the sentence that asks for it is addressed to its readers.
    let salutes = is_salutation(words);
    let last = lines[at + 1..].iter().rev().find(|line| !matches!(line, Line::Blank)).map_or("", words_of);
    let asks = |line: &Line| text::sentences(words_of(line)).iter().any(|sentence| request::is_request(sentence));
    let is_letter = salutes
        && request::is_request(last.trim_matches(['(', ')', '[', ']', ' ']))
        && !lines[at + 1..].iter().filter(|line| !matches!(line, Line::Blank)).take(2).any(asks);
    if is_greeting && !is_letter && !request::is_request(words) {
        lines.remove(at);
        return;
    }
    if let Some(rest) = without_greeting(words).filter(|_| !salutes) {
        let rest = rest.to_owned();
        if let Line::Text(words) = &mut lines[at] {
            *words = rest;
        }
    }
}

/// “Servus, Speiseplan …”, “Morning Claire, here is …”: the words behind a greeting that begins a line.
fn without_greeting(words: &str) -> Option<&str> {
    let (greeting, rest) = words.split_once(", ")?;
    let first = greeting.split_whitespace().next()?.to_lowercase();
    let is_brief = greeting.split_whitespace().count() <= 2
        && greeting.chars().all(|letter| letter.is_alphabetic() || letter == ' ');
    (is_brief && is_greeting(&first) && rest.split_whitespace().count() >= 3).then_some(rest)
}

#[cfg(test)]
mod tests {
    use crate::read::lines::{self, Line};

    fn words(prompt: &str) -> (Vec<String>, String) {
        let mut lines = lines::read(prompt);
        let subject = super::strip(&mut lines);
        let words = lines.iter().filter_map(|line| match line {
            Line::Text(words) | Line::Heading(words) | Line::Item(_, words) => Some(words.clone()),
            _ => None,
        });
        (words.collect(), subject)
    }

    #[test]
    fn takes_away_what_surrounds_a_letter() {
        let (kept, subject) = words(
            "From: Tom <tom@weir.example>\nTo: Studio\nSubject: Re: Weir repairs\nDate: Mon, 3 Mar\n\nHello Ina,\n\nThe weir \
             is closed until May.\n\nKind regards\nTom\n\nTom Weaver\nHead of Water\nSent from my iPhone",
        );
        assert_eq!(kept, ["The weir is closed until May."]);
        assert_eq!(subject, "Weir repairs");
        let (kept, subject) =
            words("Fwd: Re: poster??\n\nRegatta on the lake, 3 May\nthanks a mil\nxx Pia\n\n> bring boots");
        assert_eq!(kept, ["Regatta on the lake, 3 May", "bring boots"]);
        assert_eq!(subject, "");
        assert_eq!(words("Hi Sam,\n\nplease draw it.\n\nThanks,\nAnna").0, ["please draw it."]);
    }

    #[test]
    fn a_subject_that_asks_is_read_as_what_is_asked() {
        let (kept, _) = words("Subject: deck for the lock keepers\nFrom: a@b.example\n\nGates\nNew hinges");
        assert_eq!(kept[0], "deck for the lock keepers");
    }

    #[test]
    fn leaves_alone_what_a_thing_says() {
        for prompt in [
            "From: Grandma\nTo: Leo\nfor one pony ride",
            "Thank you\nfor twenty years of Monday soup in the yard",
            "Date: 3 May\nPlace: the lock",
        ] {
            let (kept, _) = words(prompt);
            assert_eq!(kept.len(), prompt.lines().count(), "{prompt}");
        }
    }
}
