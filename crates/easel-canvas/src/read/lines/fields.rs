//! “When? Saturday at ten. Where? Mill Lane.”: questions of a word with their answers behind them, as the fields of an
//! announcement.
//!
//! What holds: a question is one only beside another that asks for the day, the place or the like. Deliberately not here:
//! questions of several words, which head a text (`questions`).

use crate::read::text;

/// What an announcement is asked for, in small letters.
#[rustfmt::skip]
const ASKED: &[&str] = &[
    "when", "where", "what", "who", "wann", "wo", "was", "wer", "quand", "où", "quoi", "qui", "cuándo", "dónde", "qué", "quién", "¿cuándo", "¿dónde", "¿qué", "¿quién", "quando", "dove",
    "cosa", "chi", "wanneer", "waar", "wat", "onde",
];

/// The brief with a line and a colon for each such question, where a paragraph has two that ask for day, place or thing.
pub fn as_labels(prompt: &str) -> Option<String> {
    let lines: Vec<String> = prompt.split('\n').map(|line| divided(line).unwrap_or_else(|| line.to_owned())).collect();
    let told = lines.join("\n");
    (told != prompt).then_some(told)
}

fn divided(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split(' ').collect();
    let begins = |at: usize| at == 0 || words[at - 1].ends_with(['.', '!', '?', ',', ';']);
    let is_question = |at: usize| {
        words[at].strip_suffix('?').is_some_and(|word| {
            word.chars().count() >= 2 && word.chars().all(|letter| letter.is_alphabetic() || letter == '¿')
        }) && begins(at)
            && words.get(at + 1).is_some_and(|next| !next.ends_with('?') && *next != "→" && *next != "->")
    };
    let found: Vec<usize> = (0..words.len()).filter(|at| is_question(*at)).collect();
    let asked = found.iter().filter(|at| ASKED.contains(&words[**at].trim_end_matches('?').to_lowercase().as_str()));
    if asked.count() < 2 {
        return None;
    }
    let mut told = words[..found[0]].join(" ");
    let ends = found.iter().skip(1).copied().chain([words.len()]);
    for (at, end) in found.iter().zip(ends) {
        let label = text::capitalize(words[*at].trim_matches(['?', '¿']));
        let answer = words[at + 1..end].join(" ");
        told.push_str(&format!("\n{label}: {}", answer.trim_end_matches([',', ';', ' '])));
    }
    Some(told.trim_start().to_owned())
}

#[cfg(test)]
mod tests {
    use super::as_labels;

    #[test]
    fn questions_of_a_word_are_labels_beside_each_other() {
        assert_eq!(
            as_labels("Plant swap! When? Sunday at ten. Where? Mill Lane. Bring? A pot.").as_deref(),
            Some("Plant swap!\nWhen: Sunday at ten.\nWhere: Mill Lane.\nBring: A pot.")
        );
        assert_eq!(
            as_labels("Quand? Le 3 mai, où? Place du Marché").as_deref(),
            Some("Quand: Le 3 mai\nOù: Place du Marché")
        );
        assert_eq!(as_labels("Tired? Come and rest. Where? Here."), None);
        assert_eq!(as_labels("Paid? yes -> ship, no -> ask"), None);
    }
}
