//! What is said to a person and stands on no page: greetings and thanks, for whom a thing is, what comes later.
//!
//! Deliberately not here: wishes for a look (`look`), and what a clause of whoever asks is as a whole (`spoken`).

use crate::read::dates;
use crate::read::style::{AUDIENCES, REMARKS};
use crate::read::text::words;

/// Greetings, thanks, dates by which it is needed: what is said to a person and not on a page.
pub(super) fn is_talk(lower: &str) -> bool {
    #[rustfmt::skip]
    const WHOLE: &[&str] = &[
        "thanks", "thank you", "thx", "cheers", "many thanks", "thanks a lot", "thanks!", "ty", "best", "best regards", "kind regards", "regards",
        "hi", "hello", "hey", "hi there", "hi team", "hello team", "hey team", "hi all", "asap", "danke", "vielen dank", "lg", "vg", "mfg",
        "viele grüße", "liebe grüße", "beste grüße", "mit freundlichen grüßen", "hallo", "moin", "hallo zusammen", "hallo team", "merci", "bonjour",
        "that's the title", "that is the title", "das ist der titel", "that's it", "thats it", "that's all", "thats all", "ok so", "okay so", "okay", "so", "anyway", "ok bye", "okay bye", "bye", "cordialement", "gracias", "hola", "un saludo", "saludos", "grazie", "ciao", "saluti", "etc", "usw", "please", "bitte", "thanks in advance",
        "danke im voraus", "danke schon mal", "danke dir", "ok", "fwd", "fw", "re",
    ];
    #[rustfmt::skip]
    const PARTS: &[&str] = &[
        "need it by", "needed by", "need this by", "by tomorrow", "by end of day", "by eod", "as soon as possible", "so schnell wie möglich",
        "brauche ich bis", "brauchen wir bis", "bis morgen früh", "schon mal danke", "can you make", "could you make", "can you do", "could you do",
        "can you put together", "can you turn", "could you turn", "turn this into", "turn it into", "turn the", "make this into", "kannst du mir",
        "könntest du", "daraus bitte", "mach daraus", "let me know if", "sag bescheid", "sent from my iphone", "see below", "see attached",
        "siehe unten", "siehe anhang", "from the attached", "the attached file", "based on the attached", "use the attached", "aus der angehängten",
        "aus dem anhang", "at your disposal", "look forward to hearing", "hesitate to", "stehe ich gern", "stehen wir gern", "à votre disposition",
        "a su disposición", "a disposizione per",
    ];
    let bare = lower.trim_matches(|letter: char| !letter.is_alphanumeric());
    let is_remark = lower.split_whitespace().count() <= 14 && REMARKS.iter().any(|part| lower.contains(part));
    is_remark || WHOLE.contains(&bare) || (PARTS.iter().any(|part| lower.contains(part)) && !lower.contains('"'))
}

/// “for investors”, “for our new hires”, “für die Geschäftsführung”.
pub fn is_audience(lower: &str) -> bool {
    let words = words(lower);
    let begins = ["for", "für", "pour", "para", "per", "to", "at"].contains(&words.first().map_or("", String::as_str));
    let is_aimed = ["aimed at", "audience", "intended for", "meant for", "targeted at", "zielgruppe"]
        .iter()
        .any(|lead| lower.starts_with(lead));
    let named = words.iter().any(|word| AUDIENCES.contains(&word.as_str()));
    // “for grade 3”, “for my year 5 class”, “für die 4. Klasse”, “for kids aged 10”, “for people over 50”.
    let is_of_age = words.len() <= 7
        && words.iter().any(|word| word.chars().any(|letter| letter.is_ascii_digit()))
        && words.iter().any(|word| {
            matches!(
                word.as_str(),
                "grade"
                    | "grades"
                    | "graders"
                    | "year"
                    | "class"
                    | "klasse"
                    | "aged"
                    | "age"
                    | "ages"
                    | "olds"
                    | "old"
                    | "over"
                    | "jährige"
                    | "classe"
                    | "clase"
                    | "ans"
                    | "años"
            )
        })
        && !dates::has_moment(lower);
    is_aimed || (begins && named && words.len() <= 5) || (begins && is_of_age)
}

/// Whether words say that what belongs there comes later: “liefere ich nach”, “names come on Monday”, “tbd”.
pub fn is_put_off(words: &str) -> bool {
    let lower = words.trim().trim_matches(['.', '!', '(', ')', ' ']).to_lowercase();
    let says = [
        "will follow",
        "to follow",
        "follows later",
        "comes later",
        "come later",
        "names come",
        "i'll send",
        "i will send",
        "i send",
        "liefere ich nach",
        "reiche ich nach",
        "kommt noch",
        "kommen noch",
        "folgt noch",
        "folgen noch",
        "wird nachgereicht",
        "to be added",
        "to be defined",
        "to be confirmed",
        "to be announced",
        "still missing",
        "à venir",
        "por definir",
        "da definire",
        "noch offen",
    ]
    .iter()
    .any(|sign| lower.contains(sign));
    lower.split_whitespace().count() <= 8 && says
        || matches!(lower.as_str(), "tbd" | "tbc" | "tba" | "folgt" | "xxx" | "???" | "...")
}
