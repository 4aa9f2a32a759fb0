//! Sentences that name what a thing of one page is about: who invites to what, the name of what is shown, for whom it is.
//!
//! What holds: every word of the sentence stays, what invites above the name and the rest below it. Deliberately not here:
//! the sentence that asks for the thing (`request`).

use super::state::Reader;
use crate::read::instructions::{self, Clause};
use crate::read::kinds::Kind;
use crate::read::{dates, request, text};

/// How guests are invited, before what to.
#[rustfmt::skip]
const INVITING: &[&str] = &[
    "pleasure of your company", "honour of your company", "honor of your company", "honour of your presence", "honor of your presence", "invite you", "invites you",
    "invite you all", "are invited", "is invited", "you're invited", "lädt sie", "lädt euch", "lädt dich", "laden sie", "laden euch", "laden dich", "geben sich die ehre", "gibt sich die ehre", "vous invite",
    "vous invitent", "vous convie", "vous convient", "le plaisir de vous inviter", "le invita", "les invita", "les invitan", "os invita", "os invitamos", "vi invita", "vi invitano",
    "lieti di invitarvi", "lieta di invitarvi",
];

/// What leads to what one is invited to.
#[rustfmt::skip]
const TO: &[&str] = &[
    " at the ", " to the ", " to our ", " to a ", " to an ", " for the ", " at our ", " zum ", " zur ", " zu unserem ", " zu unserer ", " zu ", " à la ", " à l'", " au ", " à notre ", " a la ",
    " al ", " a nuestra ", " a nuestro ", " alla ", " all'", " allo ",
];

/// What ends the name of it, before when and where it is.
#[rustfmt::skip]
const BEHIND: &[&str] = &[" on ", " at ", " in ", " am ", " um ", " im ", " ab ", " le ", " el ", " il ", ", ", " to celebrate ", " in honour ", " ein", " a partir "];

/// Nothing that invites has more letters.
const MOST_LETTERS: usize = 130;

/// A sentence that invites.
#[derive(Debug, PartialEq, Eq)]
struct Invited {
    /// Who invites, and how.
    lead: String,
    /// What to.
    event: String,
    /// When, where and what else.
    rest: String,
}

/// “The board requests the pleasure of your company at the Founders' Dinner on 5 November”.
fn invited_of(sentence: &str) -> Option<Invited> {
    let lower = sentence.to_lowercase();
    if lower.len() != sentence.len() {
        return None;
    }
    let end = INVITING.iter().filter_map(|words| lower.find(words).map(|at| at + words.len())).min()?;
    let (at, lead) = TO
        .iter()
        .filter_map(|to| lower[end..].find(to).map(|at| (end + at, *to)))
        .min_by_key(|(at, to)| (*at, usize::MAX - to.len()))?;
    // Between both stands at most how warmly.
    if lower[end..at].split_whitespace().count() > 3 || lower[end..at].contains(['.', '!', ':']) {
        return None;
    }
    let begin = at + lead.len();
    let stop = BEHIND
        .iter()
        .filter_map(|behind| lower[begin..].find(behind).map(|at| begin + at))
        .min()
        .unwrap_or(sentence.len());
    let stop = dates::first_moment(&sentence[begin..]).map_or(stop, |moment| stop.min(begin + moment));
    let event = sentence[begin..stop].trim().trim_end_matches(['.', '!', ',']);
    let is_named = (1..=8).contains(&event.split_whitespace().count()) && at <= MOST_LETTERS;
    is_named.then(|| Invited {
        lead: sentence[..at].trim().to_owned(),
        event: event.to_owned(),
        rest: sentence[stop..].trim().trim_start_matches([',', ' ']).trim_end_matches(['.', '!']).to_owned(),
    })
}

/// For whom something is, by their age: “für Kinder ab 4 Jahren”, “for ages 8 to 12”.
pub(super) fn divide_age(title: &str) -> Option<(String, String)> {
    const FOR: &[&str] = &[" für ", " for ", " pour ", " para ", " per "];
    let at = FOR.iter().filter_map(|lead| title.find(lead)).min()?;
    let (name, whom) = (title[..at].trim(), title[at..].trim());
    let is_age =
        whom.contains(|letter: char| letter.is_ascii_digit()) && instructions::is_audience(&whom.to_lowercase());
    (is_age && !name.is_empty()).then(|| (name.to_owned(), whom.to_owned()))
}

/// “The Fox Who Lost His Shadow.”: an article and words of which every longer one begins large.
fn is_titled(sentence: &str) -> bool {
    let words: Vec<&str> = sentence.trim_end_matches(['.', '!']).split_whitespace().collect();
    let first = words.first().copied().unwrap_or_default();
    (3..=9).contains(&words.len())
        && matches!(
            first,
            "The"
                | "A"
                | "An"
                | "My"
                | "Our"
                | "Der"
                | "Die"
                | "Das"
                | "Ein"
                | "Eine"
                | "Le"
                | "La"
                | "Les"
                | "L'"
                | "El"
                | "Il"
                | "Lo"
                | "Un"
                | "Una"
                | "Une"
        )
        && words.iter().skip(1).all(|word| word.starts_with(char::is_uppercase) || word.chars().count() <= 3)
        && words.iter().skip(1).filter(|word| word.starts_with(char::is_uppercase)).count() >= 2
        && !sentence.contains([',', ':', '@'])
        && !sentence.chars().any(|letter| letter.is_ascii_digit())
}

impl Reader {
    fn is_free_page(&self) -> bool {
        !self.is_paged()
            && !self.is_menu()
            && self.kind != Kind::Diagram
            && !self.request.is_named
            && self.parts.is_empty()
    }

    /// Takes a sentence that invites; says whether it was one.
    pub(super) fn take_invited(&mut self, sentence: &str) -> bool {
        let is_free = self.is_free_page()
            && self.details.is_empty()
            && matches!(self.kind, Kind::Invitation | Kind::Card | Kind::Poster | Kind::Flyer | Kind::Post);
        let Some(told) = is_free.then(|| invited_of(sentence)).flatten() else { return false };
        self.note_content(sentence);
        let before = std::mem::replace(&mut self.title, text::capitalize(&told.event));
        self.instructions.push(before);
        self.request.is_named = true;
        self.details.push(text::capitalize(&told.lead));
        // When and where stand apart, as they do in a request.
        let read = request::read(&format!("invitation to {} {}", told.event, told.rest), false);
        let is_whole = read.content.is_empty()
            && read.title.to_lowercase() == told.event.to_lowercase()
            && !read.details.is_empty();
        if is_whole {
            self.details.extend(read.details);
        } else {
            for clause in text::clauses(&told.rest) {
                self.take_clause(&clause);
            }
        }
        true
    }

    /// “The Fox Who Lost His Shadow.”, below “our puppet show”: the name is the title, and the occasion stands above; says whether
    /// it was taken.
    pub(super) fn take_name_below(&mut self, sentence: &str) -> bool {
        let is_name = self.is_free_page()
            && !self.title.is_empty()
            && self.title == self.request.title
            && self.details.is_empty()
            && self.request.kicker.is_empty()
            && self.title.split_whitespace().count() <= 6
            && is_titled(sentence)
            && matches!(instructions::judge(sentence), Clause::Content(_));
        if is_name {
            self.note_content(sentence);
            self.request.kicker = std::mem::replace(&mut self.title, sentence.trim_end_matches('.').to_owned());
            self.request.is_named = true;
        }
        is_name
    }

    /// Lines that invite together: “The Lord Mayor”, “requests the pleasure of your company”, “at the Citizenship Ceremony”; how
    /// many were taken.
    pub(super) fn take_invited_lines(&mut self, run: &[&str]) -> usize {
        if !(self.is_free_page() && self.details.is_empty() && matches!(self.kind, Kind::Invitation | Kind::Card)) {
            return 0;
        }
        (2..=run.len().min(4))
            .find(|count| {
                let joined = run[..*count].join(" ");
                let is_told = invited_of(&joined).is_some_and(|told| told.rest.is_empty());
                is_told && self.take_invited(&joined)
            })
            .unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_invites_stands_before_what_to() {
        for (sentence, lead, event, rest) in [
            (
                "The Board of the Library request the pleasure of your company at the Founders' Dinner on Wednesday the fifth of November.",
                "The Board of the Library request the pleasure of your company",
                "Founders' Dinner",
                "on Wednesday the fifth of November",
            ),
            (
                "Der Verein lädt Sie herzlich zum Sommerkonzert am 4. Juli ein",
                "Der Verein lädt Sie herzlich",
                "Sommerkonzert",
                "am 4. Juli ein",
            ),
            (
                "Nous avons le plaisir de vous inviter à la remise des prix le 3 mai",
                "Nous avons le plaisir de vous inviter",
                "remise des prix",
                "le 3 mai",
            ),
        ] {
            let told = invited_of(sentence).unwrap_or_else(|| panic!("{sentence}"));
            assert_eq!((told.lead.as_str(), told.event.as_str(), told.rest.as_str()), (lead, event, rest));
        }
        assert_eq!(invited_of("Come to the fair on Sunday"), None);
    }

    #[test]
    fn an_age_is_no_part_of_a_name() {
        assert_eq!(
            divide_age("Vorlesenachmittag für Kinder ab 4 Jahren"),
            Some(("Vorlesenachmittag".to_owned(), "für Kinder ab 4 Jahren".to_owned()))
        );
        assert_eq!(divide_age("Prayers for Rain"), None);
        assert!(
            is_titled("The Fox Who Lost His Shadow.")
                && !is_titled("The doors open at eight.")
                && !is_titled("Kaffee und Kuchen")
        );
    }
}
