//! Whether a sentence that stands apart from what a thing says speaks to whoever makes it.

use super::{ASKED, BEGGING, MAKE, WANTED, first_of, is_of_look, names_kind, opened, second_of, speaks, starts};
use crate::read::instructions::{Clause, judge_spoken};
use crate::read::style::{MOTIFS, is_refrain};
use crate::read::vocabulary::{OF_GUESTS, REFUSING};
use crate::read::{dates, facts, page_talk, text};

/// Whether a sentence that stands apart from what the thing says, at its end or in brackets, speaks to whoever makes it:
/// there a refusal or a word that begs is enough.
pub fn speaks_apart(sentence: &str) -> bool {
    if facts::has_fact(sentence) || sentence.contains('→') || sentence.contains("->") {
        return false;
    }
    if speaks(sentence) {
        return true;
    }
    if page_talk::readers::speaks_to_readers(sentence)
        || speaks_to_guests(sentence)
        || is_refrain(sentence)
        || is_list_of_others(sentence)
    {
        return false;
    }
    let lower = sentence.trim().to_lowercase();
    let words = text::words(&lower);
    let Some(first) = words.first().map(String::as_str) else { return true };
    let clauses = text::clauses(sentence);
    let instructed = clauses.iter().filter(|clause| matches!(judge_spoken(clause), Clause::Instruction)).count();
    let begs = words.iter().any(|word| BEGGING.contains(&word.as_str()));
    let refuses = words.iter().any(|word| word == "only" || REFUSING.contains(&word.as_str()));
    let is_of_looks = words.iter().any(|word| is_of_look(word));
    let has_moment = dates::has_moment(sentence);
    let speaks_of_self = words
        .iter()
        .any(|word| matches!(word.as_str(), "i" | "i'm" | "my" | "me" | "ich" | "mir" | "mein" | "je" | "moi"));
    let is_whole =
        instructed == clauses.len() || instructed > 0 && (begs || refuses) && instructed * 2 >= clauses.len();
    is_whole && instructed > 0 && !has_moment
        || begs && is_of_looks
        || refuses
            && is_of_looks
            && matches!(
                first,
                "no" | "not" | "nothing" | "don't" | "dont" | "never" | "keine" | "kein" | "bitte" | "pas" | "sin"
            )
        // “no skulls please, it's for families”.
        || refuses && begs && words.iter().any(|word| MOTIFS.contains(&word.as_str())) && !has_moment
        || speaks_of_self && is_of_looks
        || MAKE.contains(&first_of(&lower)) && refuses
        || matches!(first_of(&lower), "send" | "return" | "deliver" | "schick" | "schickt") && is_of_looks
        // “Make it count” is a call, “make it no angrier than it is” a wish.
        || MAKE.contains(&first_of(&lower)) && matches!(second_of(&lower), "it" | "es" | "them") && (refuses || begs || is_of_looks)
        // “two lines to sign on please”, “Kein Wappen oder so”.
        || (begs || refuses && matches!(first, "no" | "not" | "kein" | "keine" | "keinen" | "pas" | "sin"))
            && words.len() <= 9
            && words.iter().any(|word| page_talk::vocabulary::is_piece(word))
            && !words.iter().any(|word| page_talk::readers::is_theirs(word))
            && !has_moment
        || opened(&lower).1
            && matches!(
                first_of(&lower),
                "put" | "write" | "draw" | "make" | "add" | "print" | "type" | "mach" | "schreib"
            )
        || WANTED.iter().chain(ASKED).any(|lead| starts(&lower, lead) && (begs || is_of_looks || names_kind(&lower)))
}

/// “pls tell us about allergies”, “please bring a chair”: what guests are asked, without a word of looks.
fn speaks_to_guests(sentence: &str) -> bool {
    let lower = sentence.trim().to_lowercase();
    OF_GUESTS.contains(&first_of(&lower)) && !text::words(&lower).iter().any(|word| is_of_look(word))
}

/// “Please never: lift over 15 kg alone, take photos of visitors, promise food”: a list under its label of which most are no looks.
fn is_list_of_others(sentence: &str) -> bool {
    let Some((label, body)) = text::label(sentence) else { return false };
    let items = text::items(body);
    let looks = items.iter().filter(|item| text::words(item).iter().any(|word| is_of_look(word))).count();
    items.len() >= 3 && looks * 2 < items.len() && !crate::read::instructions::is_label(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_the_end_a_refusal_is_enough() {
        for sentence in [
            "no icons, last time someone drew some",
            "greys only please",
            "bitte keine Hundebildchen",
            "make it no angrier than it is",
            "no skulls please, it's for families",
            "bitte keine Herzchen",
        ] {
            assert!(speaks_apart(sentence), "{sentence}");
        }
        for sentence in [
            "No dogs",
            "Please do not feed the ducks",
            "salate bitte mitbringen",
            "cash only, closed tuesdays",
            "pls tell us about allergies",
            "Please never: lift more than you can, take photos of visitors, promise food",
            "No reservations that night",
            "free entry",
        ] {
            assert!(!speaks_apart(sentence), "{sentence}");
        }
    }
}
