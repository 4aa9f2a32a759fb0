//! What is said to whoever makes the thing, beside what the thing says: in brackets, in notes at the end, in the marks of a
//! chat, in lines that only lead to the text.
//!
//! What is taken out is returned to be obeyed. A line with a price, an address or a quotation stays. Deliberately not here:
//! the sentence that asks for the thing (`asking`) and the grammar of such sentences (`maker`).

use super::brackets;
use super::facts;
use super::lines::Line;
use super::mail;
use super::maker::apart::speaks_apart;
use super::naming;
use super::request;
use super::text;
use super::vocabulary::QUESTION_WORDS;

/// No more notes stand at the end of a brief.
const MOST_NOTES: usize = 3;

/// A line that leads to the text stands among the first so many.
const MOST_OPENING: usize = 7;

/// A sentence of so many clauses is read clause by clause.
const LONG_NOTE: usize = 4;

/// A note has no more words than this.
const MOST_WORDS: usize = 60;

/// Takes asides out of the lines; what they say, to be obeyed.
pub fn strip(lines: &mut Vec<Line>) -> String {
    let mut said = Vec::new();
    set_lead_apart(lines);
    strip_brackets(lines, &mut said);
    for line in lines.iter_mut() {
        if let Line::Text(words) | Line::Item(_, words) | Line::Nested(_, words) = line {
            cut_bracket(words, &mut said);
        }
    }
    let asks = |line: &&Line| matches!(line, Line::Text(words) | Line::Heading(words) if text::sentences(words).iter().any(|sentence| request::is_request(sentence)));
    let is_asked =
        lines.iter().filter(|line| matches!(line, Line::Text(_) | Line::Heading(_))).take(3).any(|line| asks(&line));
    strip_notes(lines, is_asked, &mut said);
    strip_last_words(lines, &mut said);
    said.join(", ")
}

/// Whether a line or a sentence only leads to the text of the thing: “The text would be:”, “Wording as follows:”.
pub fn is_lead(sentence: &str) -> bool {
    #[rustfmt::skip]
    const TEXT: &[&str] = &[
        "text", "texts", "wording", "words", "copy", "content", "contents", "say", "says", "read", "reads", "stand", "stands", "include", "includes",
        "following", "follows", "below", "here", "mention", "inhalt", "inhalte", "stehen", "steht", "drauf", "draufstehen", "folgendes",
        "folgende", "voici", "suivant", "suivante", "texte", "contenu", "texto", "contenido", "siguiente", "testo", "seguente", "contenuto", "treść",
        "tekst", "inhoud", "conteúdo", "contain", "contains",
    ];
    let trimmed = sentence.trim();
    let Some(head) = trimmed.strip_suffix([':', '：']) else { return false };
    let words = text::words(head);
    // “Includes:” alone may well stand on the thing.
    let is_alone = words.len() == 1
        && !matches!(
            words[0].as_str(),
            "text"
                | "texts"
                | "wording"
                | "copy"
                | "content"
                | "contents"
                | "inhalt"
                | "inhalte"
                | "texte"
                | "texto"
                | "testo"
                | "voici"
        );
    !is_alone
        && !words.first().is_some_and(|first| QUESTION_WORDS.contains(&first.as_str()))
        && (1..=14).contains(&words.len())
        && words.iter().any(|word| TEXT.contains(&word.as_str()))
        && !naming::is_title_label(head.trim())
        && !head.chars().any(|letter| letter.is_ascii_digit())
        && text::quoted(head).is_none()
}

/// A line that leads to the text goes; what stands before it stands apart from what follows.
fn set_lead_apart(lines: &mut Vec<Line>) {
    let said = lines.iter().enumerate().filter(|(_, line)| !matches!(line, Line::Blank)).map(|(at, _)| at);
    let candidates: Vec<usize> = said.take(MOST_OPENING).collect();
    for at in candidates {
        if let Line::Text(words) = &lines[at]
            && let Some((before, behind)) = divide_at_lead(words)
        {
            lines.splice(at..=at, [Line::Text(before), Line::Blank, Line::Text(behind)]);
            return join_opening(lines, at + 1);
        }
        let is_followed = lines[at + 1..].iter().any(|line| !matches!(line, Line::Blank));
        if !is_followed {
            return;
        }
        match &lines[at] {
            // Read as a heading because it ends with a colon.
            Line::Heading(words) if is_lead(&format!("{words}:")) => {
                let is_first = lines[..at].iter().all(|line| matches!(line, Line::Blank));
                if !is_first && !request::is_request(words) {
                    lines[at] = Line::Blank;
                    return join_opening(lines, at);
                }
            }
            Line::Text(words) if words.trim_end().ends_with([':', '：']) => {
                let mut sentences = text::sentences(words);
                let is_lead = sentences.last().is_some_and(|last| is_lead(last) && !request::is_request(last));
                if is_lead && sentences.len() > 1 {
                    sentences.pop();
                    lines[at] = Line::Text(sentences.join(" "));
                    lines.insert(at + 1, Line::Blank);
                    return join_opening(lines, at + 1);
                }
                if is_lead {
                    lines[at] = Line::Blank;
                    return join_opening(lines, at);
                }
            }
            _ => {}
        }
    }
}

/// “i'd love a post for it. the text i thought of is: Kiln opening! Come and see”: what asks, and what stands behind the words
/// that lead to the text, in one paragraph.
fn divide_at_lead(words: &str) -> Option<(String, String)> {
    let sentences = text::sentences(words);
    let place = sentences.iter().position(|sentence| {
        text::label(sentence).is_some_and(|(label, body)| {
            !body.is_empty() && label.split_whitespace().count() >= 3 && is_lead(&format!("{label}:"))
        })
    })?;
    let (_, body) = text::label(&sentences[place])?;
    let (before, behind) = (&sentences[..place], &sentences[place + 1..]);
    let asks = before.iter().any(|sentence| request::is_request(sentence));
    asks.then(|| (before.join(" "), [&[body.to_owned()], behind].concat().join(" ")))
}

/// What stands before a line that leads to the text is one paragraph, whatever gaps it has.
fn join_opening(lines: &mut Vec<Line>, end: usize) {
    let are_texts = lines[..end].iter().all(|line| matches!(line, Line::Text(_) | Line::Blank));
    let words: Vec<String> = lines[..end]
        .iter()
        .filter_map(|line| match line {
            Line::Text(words) => Some(words.trim().to_owned()),
            _ => None,
        })
        .collect();
    if !are_texts || words.len() < 2 {
        return;
    }
    let whole = words
        .iter()
        .map(|words| if words.ends_with(['.', '!', '?', ':']) { words.clone() } else { format!("{words}.") })
        .collect::<Vec<_>>()
        .join(" ");
    lines.splice(..end, [Line::Text(whole), Line::Blank]);
}

/// Lines in brackets, and comments of a markup that nobody shows.
fn strip_brackets(lines: &mut Vec<Line>, said: &mut Vec<String>) {
    lines.retain(|line| {
        let (Line::Text(words) | Line::Heading(words)) = line else { return true };
        let words = words.trim();
        if let Some(inner) = words.strip_prefix("<!--") {
            said.push(inner.trim_end_matches("-->").trim().to_owned());
            return false;
        }
        let inner = words.strip_prefix(['(', '[']).and_then(|rest| rest.strip_suffix([')', ']']));
        let Some(inner) = inner.filter(|inner| !inner.contains(['(', '['])) else { return true };
        let is_note = text::sentences(inner).first().is_some_and(|first| is_note(first));
        if is_note {
            said.push(inner.to_owned());
        }
        !is_note
    });
}

/// “Moths per night: 2018: 412, 2019: 398 (make this a line chart, please)”: wishes in brackets.
fn cut_bracket(words: &mut String, said: &mut Vec<String>) {
    let mut from = 0;
    while let Some(open) = words[from..].find('(').map(|at| from + at) {
        let Some(close) = words[open..].find(')').map(|at| open + at) else { return };
        let inner = &words[open + 1..close];
        let before = words[..open].trim_end();
        let is_wish = !before.is_empty() && !inner.contains('(') && brackets::speaks(inner);
        if !is_wish {
            from = close;
            continue;
        }
        said.push(inner.to_owned());
        let behind = words[close + 1..].trim_start();
        let is_joined = behind.is_empty() || behind.starts_with([',', '.', ';', ':', '!', '?']);
        // At the end the full stop behind the bracket goes with it.
        let behind = if behind == "." { "" } else { behind };
        from = before.len();
        *words = if is_joined { format!("{before}{behind}") } else { format!("{before} {behind}") };
    }
}

/// Whether a sentence that stands apart is a note: also with a label before it, as “tone: honest”.
fn is_note(sentence: &str) -> bool {
    // “Outlook: will follow” names a page.
    if text::name_and_words(sentence).is_some_and(|(_, body)| super::instructions::is_put_off(&body)) {
        return false;
    }
    thanks(sentence) && text::clauses(sentence).len() > 1
        || text::label(sentence).is_some_and(|(label, _)| super::instructions::is_label(label))
        || speaks_apart(sentence)
}

/// The paragraphs at the end that speak to whoever makes the thing.
fn strip_notes(lines: &mut Vec<Line>, is_asked: bool, said: &mut Vec<String>) {
    for _ in 0..MOST_NOTES {
        let Some(last) = lines.iter().rposition(|line| !matches!(line, Line::Blank)) else { return };
        if !matches!(lines[last], Line::Text(_)) {
            return;
        }
        let from = lines[..last].iter().rposition(|line| !matches!(line, Line::Text(_))).map_or(0, |before| before + 1);
        let is_all = lines[..from].iter().all(|line| matches!(line, Line::Blank));
        // Of a paragraph that says more the last line may be a note alone.
        let candidates = if is_all && from == last {
            Vec::new()
        } else if is_all {
            vec![last]
        } else {
            vec![from, last]
        };
        let from = candidates.into_iter().find(|from| is_note_from(lines, *from, is_asked));
        let Some(from) = from else { return };
        let mut kept = Vec::new();
        for line in lines.drain(from..) {
            let Line::Text(words) = line else { continue };
            for sentence in text::sentences(&words) {
                if facts::has_fact(&sentence) && !speaks_apart(&sentence) {
                    kept.push(sentence);
                } else {
                    said.push(sentence);
                }
            }
        }
        if !kept.is_empty() {
            lines.push(Line::Text(kept.join(" ")));
            return;
        }
    }
}

/// Sentences at the very end that speak to whoever makes the thing, thank or take leave.
fn strip_last_words(lines: &mut [Line], said: &mut Vec<String>) {
    let Some(at) = lines.iter().rposition(|line| !matches!(line, Line::Blank)) else { return };
    let has_more = lines[..at].iter().any(|line| !matches!(line, Line::Blank));
    let Line::Text(words) = &mut lines[at] else { return };
    let mut sentences = text::sentences(words);
    let mut is_cut = strip_signature(&mut sentences, said);
    while sentences.len() > 1
        && sentences
            .last()
            .is_some_and(|last| thanks(last) || mail::is_farewell(last) || is_note(last) && !request::is_request(last))
    {
        let Some(last) = sentences.pop() else { break };
        let (kept, taken) = divide_note(&last);
        said.push(taken);
        is_cut = true;
        if !kept.is_empty() {
            sentences.push(kept);
            break;
        }
    }
    // What is left of a paragraph whose wishes were taken before.
    if let [last] = sentences.as_slice()
        && has_more
        && mail::is_farewell(last)
    {
        said.extend(sentences.pop());
        lines[at] = Line::Blank;
        return;
    }
    if is_cut {
        *words = sentences.join(" ");
    }
}

/// “Merci! Toni”: the name of who wrote, behind thanks or a farewell.
fn strip_signature(sentences: &mut Vec<String>, said: &mut Vec<String>) -> bool {
    let [.., before, name] = sentences.as_slice() else { return false };
    // “can it have stars? from ada and tom”: who wrote, behind a wish.
    let lead = text::words(name).first().cloned().unwrap_or_default();
    let is_from = matches!(lead.as_str(), "from" | "von" | "love")
        && (2..=4).contains(&name.split_whitespace().count())
        && !name.chars().any(|letter| letter.is_ascii_digit())
        && super::maker::speaks(before);
    if is_from {
        said.extend(sentences.pop());
        return true;
    }
    let takes_leave = before.split_whitespace().count() <= 3 && (thanks(before) || mail::is_farewell(before));
    let is_signed = takes_leave && mail::is_name(name) && name.split_whitespace().count() <= 2;
    if is_signed {
        said.extend(sentences.pop());
    }
    is_signed
}

/// A long sentence that is spoken holds facts beside wishes: its clauses that are none of the one or the other.
fn divide_note(sentence: &str) -> (String, String) {
    let clauses = text::clauses(sentence);
    if clauses.len() < LONG_NOTE {
        return (String::new(), sentence.to_owned());
    }
    let (taken, kept): (Vec<String>, Vec<String>) = clauses
        .into_iter()
        .partition(|clause| thanks(clause) || speaks_apart(clause) || clause.to_lowercase().starts_with("and not "));
    (kept.join(", "), taken.join(", "))
}

/// “Thank you so much, dear!”: thanks that say not what for.
fn thanks(sentence: &str) -> bool {
    #[rustfmt::skip]
    const THANKS: &[&str] = &[
        "thanks", "thank you", "thx", "ta", "cheers", "danke", "vielen dank", "merci", "gracias", "¡gracias", "muchas gracias", "grazie", "obrigado", "obrigada",
        "okay bye", "ok bye", "bye", "un beso", "besos", "un abrazo", "bises", "bisous", "je vous remercie", "wir danken", "ich danke", "muito obrigada", "muito obrigado", "dziękuję",
    ];
    let lower = text::without_drawl(&sentence.trim().to_lowercase());
    let rest = THANKS.iter().filter_map(|word| text::strip_start(&lower, word)).min_by_key(|rest| rest.len());
    rest.is_some_and(|rest| {
        let next = text::words(rest).first().cloned().unwrap_or_default();
        !matches!(next.as_str(), "for" | "to" | "für" | "an" | "pour" | "à" | "por" | "a" | "per" | "that")
            && rest.split_whitespace().count() <= 8
            && !rest.chars().any(|letter| letter.is_ascii_digit())
    })
}

/// Whether the lines from a place on are a note: their first sentence is one.
fn is_note_from(lines: &[Line], from: usize, is_asked: bool) -> bool {
    let words: Vec<&str> = lines[from..]
        .iter()
        .filter_map(|line| match line {
            Line::Text(words) => Some(words.as_str()),
            _ => None,
        })
        .collect();
    let whole = words.join(" ");
    let count = whole.split_whitespace().count();
    let sentences = text::sentences(words.first().copied().unwrap_or_default());
    let Some(first) = sentences.first() else { return false };
    count <= MOST_WORDS
        && words.len() <= 3
        && is_note(first)
        && (is_asked || !request::is_request(first))
        && (sentences.len() == 1
            || sentences.iter().filter(|sentence| !facts::has_fact(sentence)).count() * 2 >= sentences.len())
}

#[cfg(test)]
mod tests {
    use crate::read::lines::{self, Line};

    fn stripped(prompt: &str) -> (Vec<String>, String) {
        let mut lines = lines::read(prompt);
        let said = super::strip(&mut lines);
        let words = lines.iter().filter_map(|line| match line {
            Line::Text(words) | Line::Heading(words) | Line::Item(_, words) => Some(words.clone()),
            _ => None,
        });
        (words.collect(), said)
    }

    #[test]
    fn a_farewell_behind_the_last_wish_goes_with_it() {
        let above = "Menu for the bar\n\nBar Faro\nSquid 7\nTortilla 4\n";
        for end in [
            "Closed on Mondays. Groetjes, Mirjam",
            "Closed on Mondays. besitos",
            "Closed on Mondays. Merci! Toni",
            "Closed on Mondays. Pozdrawiam, Iwona",
            "Closed on Mondays. Muito obrigada!",
        ] {
            let (kept, _) = stripped(&format!("{above}\n{end}"));
            assert_eq!(kept.last().map(String::as_str), Some("Closed on Mondays."), "{end}");
        }
        for end in
            ["Closed on Mondays. Ask for Toni", "Thank you for your patience. Toni cooks", "Run by Mirjam. Come in"]
        {
            let (kept, _) = stripped(&format!("{above}\n{end}"));
            assert_eq!(kept.last().map(String::as_str), Some(end));
        }
    }

    #[test]
    fn takes_notes_away_and_keeps_what_is_said() {
        let (kept, said) = stripped(
            "Poster for the regatta, A3. The text would be:\n\nRegatta on the weir\nSunday, 3 May\nBring boots\n\nno \
             pictures of boats please, last year's looked like a shoe",
        );
        assert_eq!(kept, ["Poster for the regatta, A3.", "Regatta on the weir", "Sunday, 3 May", "Bring boots"]);
        assert!(said.contains("no pictures"));
        let (kept, _) = stripped(
            "Flyer\n\nRegatta on the weir\nSunday, 3 May\n\n(bitte keine Bilder vom Wehr)\nFragen: 0171 555 01 93",
        );
        assert_eq!(kept.last().map(String::as_str), Some("Fragen: 0171 555 01 93"));
        assert_eq!(kept.len(), 4);
        let (kept, _) = stripped("Poster\n\nRegatta on the weir\nSunday, 3 May\n\nNo dogs, cash only");
        assert_eq!(kept.last().map(String::as_str), Some("No dogs, cash only"));
    }
}
