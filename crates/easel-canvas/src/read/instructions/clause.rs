//! What a clause is: something that the thing shall say, or something about the thing.
//!
//! Always true: what is not recognised as an instruction is content. Deliberately not here: what is an instruction only because of
//! where it stands (`spoken`).

use super::count::page_count;
use super::look::{is_chinese_manner, is_japanese_manner, is_made_of_style};
use super::talk::{is_audience, is_talk};
use crate::brief::size_of_label;
use crate::read::page_talk::readers;
use crate::read::style::{self, DESIGN, GLUE, LABELS, LEADS, MENTIONS, MOTIFS, STYLE};
use crate::read::text::{self, words};
use crate::read::vocabulary::{REFUSING, is_determiner};
use crate::read::{amounts, colors, dates, maker};

/// What a clause is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clause {
    /// Something that the thing shall say.
    Content(String),
    /// Something about the thing.
    Instruction,
}

/// Whether a label names instructions: “Tone: warm”.
pub fn is_label(label: &str) -> bool {
    let label = label.trim().trim_start_matches(['-', '*', '•', '#', ' ']).to_lowercase();
    LABELS.contains(&label.as_str())
}

/// Tells whether a clause or a sentence is content; what only leads to it (“please include”) is taken away.
pub fn judge(clause: &str) -> Clause {
    let bare = clause.trim().trim_matches(['.', '!', ',', ';', ' ']);
    if bare.is_empty() {
        return Clause::Instruction;
    }
    // What has an arrow is a course of things.
    if bare.contains(['→', '➔', '➜', '⇒']) || bare.contains("->") || style::is_refrain(bare) {
        return Clause::Content(bare.to_owned());
    }
    let lower = bare.to_lowercase();
    if let Some((head, body)) = text::label(bare).filter(|(head, _)| is_label(head)) {
        // “for: Ines Duarte” says who gets it.
        return if names_somebody(head, body) || tells_aim(head, body) {
            Clause::Content(bare.to_owned())
        } else {
            Clause::Instruction
        };
    }
    // What is quoted as a whole says something, whatever its words are.
    let is_quoted =
        text::quoted(bare).is_some_and(|(before, _, behind)| before.trim().is_empty() && behind.trim().is_empty());
    if is_quoted || readers::speaks_to_readers(bare) {
        return Clause::Content(bare.to_owned());
    }
    if is_japanese_manner(bare)
        || is_chinese_manner(bare)
        || is_made_of_style(&lower)
        || is_audience(&lower)
        || is_talk(&lower)
        || maker::speaks(bare)
    {
        return Clause::Instruction;
    }
    // “Thanks for Rosa Delgado” says whom.
    let is_named = ["thanks for ", "thanks to ", "thank you to ", "danke für ", "dank an ", "danke an ", "merci à "]
        .iter()
        .any(|lead| {
            lower.starts_with(lead) && bare.get(lead.len()..).is_some_and(|who| who.starts_with(char::is_uppercase))
        });
    if is_named {
        return Clause::Content(bare.to_owned());
    }
    // “yellow and black like our cars”.
    let likened = [" like ", " wie ", " comme ", " como ", " come "].iter().find_map(|like| lower.split_once(like));
    if likened.is_some_and(|(tones, like)| {
        is_made_of_style(tones) && !colors::read(tones).colors.is_empty() && like.split_whitespace().count() <= 6
    }) {
        return Clause::Instruction;
    }
    if is_fancied(&lower) {
        return Clause::Instruction;
    }
    let clauses = text::clauses(bare);
    if clauses.len() > 1 && are_obeyed(&clauses) {
        return Clause::Instruction;
    }
    if let Some(content) = mentioned(bare) {
        return match judge(&content) {
            Clause::Content(content) => Clause::Content(content),
            Clause::Instruction => Clause::Instruction,
        };
    }
    if speaks_of_design(&lower) {
        return Clause::Instruction;
    }
    Clause::Content(strip_manner(bare))
}

/// Whether a label says who gets something, and its words are a name and no audience.
fn names_somebody(head: &str, body: &str) -> bool {
    let names: Vec<&str> = body.split_whitespace().collect();
    matches!(head.trim().to_lowercase().as_str(), "for" | "to" | "für" | "an" | "pour" | "para" | "per")
        && (2..=4).contains(&names.len())
        && names.iter().all(|name| name.starts_with(char::is_uppercase))
        && !names.iter().any(|name| style::AUDIENCES.contains(&name.to_lowercase().as_str()))
}

/// “goal: 2 days by June”: what a label of an aim says with a number is of the thing, and of no order.
pub fn tells_aim(head: &str, body: &str) -> bool {
    matches!(head.trim().to_lowercase().as_str(), "goal" | "objective" | "ziel" | "objectif" | "objetivo" | "obiettivo")
        && amounts::next_amount(body, 0).is_some()
        && page_count(&body.to_lowercase()).is_none()
}

/// “dark green + gold would be cool thx”: what somebody would like of a look.
fn is_fancied(lower: &str) -> bool {
    #[rustfmt::skip]
    const FANCIES: &[&str] = &[
        " would be cool", " would be nice", " would be great", " would be lovely", " would be good", " would be perfect", " would be awesome", " wäre cool",
        " wäre schön", " wäre toll", " wäre super", " wäre gut", " fände ich schön", " serait top", " serait bien", " serait super", " estaría bien",
        " sería genial", " sarebbe bello",
    ];
    FANCIES.iter().find_map(|fancy| lower.split_once(fancy)).is_some_and(|(tones, behind)| {
        behind.split_whitespace().count() <= 2
            && (is_made_of_style(tones)
                || tones.split_whitespace().count() <= 6 && !colors::read(tones).colors.is_empty())
    })
}

/// Whether all clauses are instructions; “no scary germs” behind two of them says what shall not be on it, and so does “no
/// angels” behind one.
fn are_obeyed(clauses: &[String]) -> bool {
    const REFUSALS: &[&str] = &[
        "no ", "not ", "without ", "kein ", "keine ", "nicht ", "ohne ", "pas de ", "sans ", "sin ", "senza ",
        "niente ",
    ];
    let is_refused = |clause: &String| {
        clause.split_whitespace().count() <= 4
            && REFUSALS.iter().any(|lead| clause.to_lowercase().starts_with(lead))
            && amounts::next_amount(clause, 0).is_none()
    };
    let obeyed: Vec<bool> = clauses.iter().map(|clause| matches!(judge(clause), Clause::Instruction)).collect();
    let count = obeyed.iter().filter(|obeyed| **obeyed).count();
    let refuses_motif = |clause: &String| words(clause).last().is_some_and(|last| MOTIFS.contains(&last.as_str()));
    count == clauses.len()
        || obeyed[0]
            && obeyed
                .iter()
                .zip(clauses)
                .all(|(obeyed, clause)| *obeyed || is_refused(clause) && (count >= 2 || refuses_motif(clause)))
}

/// The words behind “please include” and the like; only where the verb is one of telling and not of offering.
fn mentioned(bare: &str) -> Option<String> {
    let mut longest: Option<&str> = None;
    for lead in MENTIONS {
        if lead.split(' ').count() == 1
            && !matches!(
                *lead,
                "include" | "mention" | "also" | "erwähne" | "nenne" | "nenn" | "außerdem" | "mentionner" | "add"
            )
        {
            continue;
        }
        if let Some(rest) = text::strip_start(bare, lead)
            && longest.is_none_or(|known| rest.len() < known.len())
        {
            longest = Some(rest);
        }
    }
    let rest = longest?.trim_start_matches([':', ',', '–', '-', ' ']).trim();
    (!rest.is_empty() && rest.len() < bare.len()).then(|| rest.to_owned())
}

/// Whether a clause begins as one does that speaks to a designer, and names something of a look.
fn speaks_of_design(lower: &str) -> bool {
    let lower = ["pls ", "plz ", "please ", "and ", "but ", "just ", "also ", "bitte "]
        .iter()
        .find_map(|word| lower.strip_prefix(word).filter(|rest| LEADS.iter().any(|lead| rest.starts_with(lead))))
        .unwrap_or(lower);
    let leads = LEADS.iter().any(|lead| {
        lower.strip_prefix(lead).is_some_and(|rest| lead.ends_with(' ') || !rest.starts_with(char::is_alphanumeric))
    });
    let words = words(lower);
    // “in the locker”: a word of a look that stands alone behind an article is a noun.
    let is_noun = |at: usize| at > 0 && at + 1 == words.len() && is_determiner(&words[at - 1]);
    let known = words
        .iter()
        .enumerate()
        .filter(|(at, word)| {
            STYLE.contains(&word.as_str()) && !is_noun(*at)
                || DESIGN.contains(&word.as_str())
                || colors::names_color(word)
        })
        .count();
    let counts = page_count(lower).is_some() || size_of_label(lower).is_some();
    let shown = words.iter().filter(|word| !GLUE.contains(&word.as_str())).count();
    let is_negated = words.first().is_some_and(|first| first == "avoid" || REFUSING.contains(&first.as_str()));
    let has_fact =
        amounts::next_amount(lower, 0).is_some() && !counts || dates::has_moment(lower) || lower.contains('@');
    let is_feeling = [
        "should feel",
        "should look",
        "should sound",
        "soll wirken",
        "soll aussehen",
        "look like",
        "feel like",
        "looks like",
        "feels like",
    ]
    .iter()
    .any(|part| lower.contains(part));
    if is_feeling && !has_fact {
        return true;
    }
    if (leads || is_negated) && !has_fact {
        // Some beginnings are as often those of what is said: “Leave when it's over”.
        let is_certain = ![
            "leave",
            "avoid",
            "don't",
            "do not",
            "dont",
            "think",
            "something",
            "no need to",
            "max",
            "put the",
            "use the",
            "use our",
            "keep the",
            "please keep",
            "please no",
            "please don't",
            "please do not",
            "kein",
            "bitte kein",
            "bitte nicht",
            "lass ",
            "nimm ",
        ]
        .iter()
        .any(|lead| lower.starts_with(lead))
            && !is_call(lower);
        return known > 0 || counts || (leads && shown <= 2 && is_certain);
    }
    counts && leads && !is_call(lower)
}

/// “Make it count”, “keep it rolling”: what those who read shall do; a look is an adjective, a call is a verb or whose it is.
fn is_call(lower: &str) -> bool {
    const CALLED: &[&str] =
        &["count", "happen", "matter", "last", "work", "grow", "stick", "home", "yours", "ours", "mean", "through"];
    // “Leave the presents at home”.
    if [" at home", " zu hause", " daheim", " à la maison", " en casa", " a casa"]
        .iter()
        .any(|home| lower.contains(home))
    {
        return true;
    }
    let words = words(lower);
    let [verb, thing, called, ..] = words.as_slice() else { return false };
    matches!(verb.as_str(), "make" | "keep")
        && matches!(thing.as_str(), "it" | "this")
        && (CALLED.contains(&called.as_str()) || verb == "keep" && called.ends_with("ing"))
}

/// Takes away how something shall be shown: “as a bar chart”, “on one slide”.
fn strip_manner(text: &str) -> String {
    #[rustfmt::skip]
    const MANNERS: &[&str] = &[
        " as a bar chart", " as a line chart", " as a pie chart", " as a donut chart", " as a chart", " as a graph", " as a table", " as bar chart",
        " as chart", " as table", " as bullet points", " as bullets", " as columns", " as a diagram", " as a timeline", " as a flow", " in a chart",
        " in a table", " in big type", " in large type", " in big letters", " in large letters", " on one slide", " on one page",
        " on a single slide", " on a single page", " als balkendiagramm", " als liniendiagramm", " als diagramm", " als tabelle",
        " als kreisdiagramm", " in groß", " auf einer seite", " auf einer folie", " auf eine seite", " auf eine folie",
    ];
    let mut text = text.to_owned();
    loop {
        let lower = text.to_lowercase();
        let Some((at, manner)) =
            MANNERS.iter().find_map(|manner| lower.find(manner).map(|at| (at, *manner))).filter(|(at, manner)| {
                lower.len() == text.len() && !lower[at + manner.len()..].starts_with(char::is_alphanumeric)
            })
        else {
            return text.trim().to_owned();
        };
        text.replace_range(at..at + manner.len(), "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_instructions_from_content() {
        for clause in [
            "moody and elegant",
            "lots of white space",
            "8 slides",
            "in dark blue",
            "warm and quiet",
            "no stock photos",
            "for investors",
            "A4 portrait",
            "please keep it short",
            "should feel like a letter from a friend",
            "Tone: friendly",
            "on one slide",
            "thanks!",
            "schlicht und edel",
            "ohne Schnickschnack",
            "für den Vorstand",
            "nicht zu bunt",
            "in Grün und Beige",
            "make it bold",
            "nothing too corporate",
            "viel Weißraum",
            "bitte im Querformat",
            "big type",
            "Zart, hellblau, keine Engel",
            "festive, no balloons",
        ] {
            assert_eq!(judge(clause), Clause::Instruction, "{clause}");
        }
        for clause in [
            "Warm bread every morning",
            "Free entry",
            "Please bring a mat",
            "No ticket needed",
            "Use code SUMMER10",
            "Doors at 7 pm",
            "ohne Anmeldung",
            "Bitte Badesachen mitbringen",
            "Fresh pasta €9",
            "for beginners and advanced players alike, from 12 May",
            "Join us",
            "20% off",
            "\"Make it loud\"",
            "„Mach es groß“",
            "Leave your phone in the locker",
            "Your photo on our wall",
            "Please no photos during the show",
        ] {
            assert!(matches!(judge(clause), Clause::Content(_)), "{clause}");
        }
        assert_eq!(
            judge("please include our opening hours Tue to Sun"),
            Clause::Content("our opening hours Tue to Sun".to_owned())
        );
    }
}
