//! Words by which somebody is reached: an address, a number, who answers questions.

use crate::read::text;

/// Whether words say who answers questions: “Questions: room 107, tel. 0731 555 40”.
pub(super) fn is_contact(content: &str) -> bool {
    let named = text::label(content).is_some_and(|(label, _)| {
        matches!(
            label.to_lowercase().as_str(),
            "questions"
                | "contact"
                | "fragen"
                | "kontakt"
                | "rückfragen"
                | "info"
                | "infos"
                | "more"
                | "source"
                | "quelle"
                | "contacto"
                | "contatti"
                | "preguntas"
        )
    });
    named || text::is_brief_question(content) || content.contains('@')
}

/// Whether words tell how to reach somebody: an address, or a number that is called.
pub(super) fn has_contact(words: &str) -> bool {
    // A number that is called has its digits close to each other.
    let mut run = 0;
    let is_called = words.chars().any(|letter| {
        if letter.is_ascii_digit() {
            run += 1;
        } else if !matches!(letter, ' ' | '-' | '/' | '(' | ')' | '+') {
            run = 0;
        }
        run >= 8
    });
    words.contains('@') || is_called
}
