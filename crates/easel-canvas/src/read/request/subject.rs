//! The subject of a request without its day, hour and place, which are details.

use super::record::{Request, add};
use crate::read::kinds::Kind;
use crate::read::naming::{asks_how, divide_moments, divide_place};
use crate::read::style::{AUDIENCES, GLUE, MEDIA};
use crate::read::vocabulary::{OWNERS, PITCHED, is_determiner};
use crate::read::{amounts, dates, text};

/// The subject without its day, hour and place, which are details.
pub(super) fn read_subject(subject: &str, request: &mut Request) {
    let subject = subject.trim().trim_matches([',', ':', ';', '-', '–', '.', '。', ' ']);
    // “夏祭りのポスター”: the letter that joins both is of neither.
    let subject = subject.strip_suffix('の').or_else(|| subject.strip_suffix('的')).unwrap_or(subject);
    // “menu dell'agriturismo”.
    let joined = ["dell'", "dell’", "all'", "all’"].iter().find_map(|of| text::strip_joined(subject, of));
    let subject = joined.unwrap_or(subject);
    // “for our insta please”: where it is shown is no subject.
    let words = text::words(subject);
    let is_shown = |word: &String| {
        MEDIA.contains(&word.as_str())
            || GLUE.contains(&word.as_str())
            || matches!(word.as_str(), "pls" | "plz" | "handbook" | "wiki")
    };
    if !words.is_empty() && words.iter().all(is_shown) && words.iter().any(|word| MEDIA.contains(&word.as_str())) {
        add(&mut request.instructions, subject);
        return;
    }
    // “for the board on the 14th”, “for residents”, “for thursday”: for whom and when, where something else is said.
    if is_for_people(&words)
        || words.len() <= 2
            && words.iter().all(|word| {
                dates::is_weekday(word)
                    || matches!(
                        word.as_str(),
                        "tomorrow" | "next" | "week" | "morgen" | "nächste" | "woche" | "demain" | "mañana"
                    )
            })
            && !words.is_empty()
    {
        add(&mut request.instructions, subject);
        return;
    }
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
    // “the thursday all-hands”: a day before a name belongs to it.
    if !rest.is_empty() && head.split_whitespace().all(|word| is_determiner(&word.to_lowercase())) {
        return finish_subject(subject, "", "", request);
    }
    let mut with = "";
    if rest.is_empty()
        && let Some(at) = [" with ", " mit ", " including ", " covering ", " that covers ", " featuring "]
            .iter()
            .filter_map(|with| head.find(with))
            .min()
        && amounts::next_amount(&head[at..], 0).is_some()
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

/// Whether words name people for whom a thing is made, and at most a day: “the board on the 14th”, “all residents”.
fn is_for_people(words: &[String]) -> bool {
    let bare: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .skip_while(|word| is_determiner(word) || matches!(*word, "all" | "alle" | "tous" | "todos" | "tutti"))
        .collect();
    let Some((first, rest)) = bare.split_first() else { return false };
    let is_day = |words: &[&str]| {
        matches!(words.first(), Some(&("on" | "at" | "this" | "next" | "am" | "by")))
            && (dates::has_moment(&words.join(" "))
                || words.iter().any(|word| word.chars().any(|letter| letter.is_ascii_digit())))
    };
    AUDIENCES.contains(first) && (rest.is_empty() || rest.len() <= 4 && is_day(rest))
}

fn finish_subject(head: &str, moments: &str, with: &str, request: &mut Request) {
    let mut bare = head.trim();
    // Where and when it happens stand apart from what happens.
    let happens = matches!(
        request.kind,
        Some(Kind::Poster | Kind::Flyer | Kind::Invitation | Kind::Post | Kind::Story | Kind::Banner | Kind::Carousel)
    ) || !moments.is_empty();
    let divided = if happens && request.title.is_empty() { divide_place(bare) } else { None };
    let mut place = None;
    if let Some((thing, at)) = &divided {
        bare = thing;
        place = Some(at.clone());
    }
    let head = strip_article(bare);
    // “für unseren Blutspendetag: Do 18.9., …”: where only a day follows, nothing else says what it is.
    let is_told = request
        .content
        .first()
        .is_some_and(|content| dates::first_moment(content).is_none_or(|at| at > 3) && text::words(content).len() > 1);
    if is_owner(bare, head)
        && happens
        && (is_told || request.content.iter().any(|content| text::words(content).len() == 1))
    {
        add(&mut request.instructions, bare);
        return;
    }
    if request.title.is_empty() {
        let large = bare.split_whitespace().filter(|word| word.chars().next().is_some_and(char::is_uppercase)).count();
        request.is_named = if head.len() == bare.len() {
            large >= 1 && bare.chars().next().is_some_and(char::is_uppercase) || is_pitched(bare)
        } else {
            large >= 2
        };
        // “a carousel on how to repot an orchid”: a question that is answered is what it is called.
        request.is_named |= asks_how(head);
        request.title = text::capitalize(head);
        let first = text::words(bare).into_iter().next().unwrap_or_default();
        request.is_bare = head.len() < bare.len() && head.split_whitespace().count() <= 3 && is_determiner(&first);
    } else if !head.is_empty() && request.kind == Some(Kind::Menu) && request.subtitle.is_empty() {
        // “price list hair salon “Shears””: what has the name stands under it.
        request.subtitle = text::capitalize(head);
    } else if !head.is_empty() {
        request.content.push(head.to_owned());
    }
    request.details.extend(divide_moments(moments));
    request.details.extend(place);
    if !with.is_empty() {
        request.content.push(with.to_owned());
    }
}

/// “project Heron”: what is presented, and its name.
fn is_pitched(subject: &str) -> bool {
    subject.split_once(' ').is_some_and(|(thing, name)| {
        PITCHED.contains(&thing.to_lowercase().as_str())
            && name.starts_with(char::is_uppercase)
            && name.split_whitespace().count() <= 3
    })
}

/// “Story for our shop: SALE”: whose it is, and not what it says.
fn is_owner(whole: &str, head: &str) -> bool {
    let first = whole.split_whitespace().next().unwrap_or_default().to_lowercase();
    OWNERS.contains(&first.as_str()) && head.split_whitespace().count() == 1
}

fn strip_article(text: &str) -> &str {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_article = is_determiner(&first.to_lowercase()) && first.chars().next().is_some_and(char::is_lowercase);
    if is_article && text.len() > first.len() { text[first.len()..].trim_start() } else { text }
}
