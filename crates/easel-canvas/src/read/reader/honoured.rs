//! Who a certificate honours: the name is its title, what it is for stands under it, what kind of certificate it is above.

use super::state::Reader;
use crate::read::kinds::{self, Kind};
use crate::read::{amounts, dates, text};

/// Words that say to whom something is given.
#[rustfmt::skip]
const GIVEN: &[&str] = &[
    "is hereby awarded to", "is awarded to", "awarded to", "is presented to", "presented to", "is given to", "given to", "granted to", "goes to",
    "this certifies that", "certifies that", "certify that", "wird verliehen an", "verliehen an", "überreicht an", "geht an", "hiermit wird bescheinigt, dass",
    "décerné à", "décernée à", "remis à", "otorgado a", "se otorga a", "conferito a", "rilasciato a",
];

/// Words that may lead to a name.
const FOR: &[&str] = &["for", "to", "für", "an", "pour", "à", "para", "a", "per"];

/// Words that lead to what somebody did.
const REASONS: &[&str] =
    &["who", "has", "have", "on", "zur", "zum", "die", "der", "hat", "qui", "pour avoir", "por", "quien", "che", "ha"];

/// What a certificate is of, where it says no more: “of completion”.
#[rustfmt::skip]
const KINDS: &[&str] = &[
    "completion", "participation", "attendance", "achievement", "appreciation", "excellence", "merit", "recognition", "honour", "honor", "thanks", "training",
];

/// Small words within a name.
#[rustfmt::skip]
const PARTICLES: &[&str] = &["de", "da", "di", "del", "della", "van", "von", "der", "den", "la", "le", "bin", "al", "y", "e", "and", "und", "&", "et", "zu"];

/// A name typed in small letters has no more words.
const MOST_WORDS_OF_A_NAME: usize = 5;

/// A name in a text, with what stands around it.
#[derive(Debug, PartialEq, Eq)]
struct Honoured<'t> {
    before: &'t str,
    /// The words that lead to the name.
    lead: &'t str,
    name: &'t str,
    behind: &'t str,
}

/// The name behind words that say to whom something is given.
fn given(words: &str) -> Option<Honoured<'_>> {
    find(words, GIVEN, 1, name_at)
}

/// The name of at least two words that words begin with, before what it is for: “Nora Lindqvist for completing Pastry”.
fn named_first(words: &str) -> Option<Honoured<'_>> {
    let (name, count) = name_at(words);
    let behind = words[name.len()..].trim_start();
    let is_reason = FOR.iter().chain(REASONS).any(|lead| text::strip_start(behind, lead).is_some());
    (count >= 2 && is_reason).then_some(Honoured { before: "", lead: "", name, behind })
}

/// The name of at least two words behind a word that may lead to one.
fn meant(words: &str) -> Option<Honoured<'_>> {
    find(words, FOR, 2, name_at)
}

/// “geht an familie yilmaz”: the name where all is typed in small letters.
fn given_small(words: &str) -> Option<Honoured<'_>> {
    find(words, GIVEN, 1, small_name_at)
}

fn find<'t>(words: &'t str, leads: &[&str], least: usize, name_at: fn(&str) -> (&str, usize)) -> Option<Honoured<'t>> {
    let starts = std::iter::once(0).chain(words.match_indices(' ').map(|(at, _)| at + 1));
    starts.filter_map(|at| words.get(at..).map(|rest| (at, rest))).find_map(|(at, rest)| {
        let behind = leads.iter().find_map(|lead| text::strip_start(rest, lead))?;
        let lead = rest[..rest.len() - behind.len()].trim();
        let (name, count) = name_at(behind.trim_start());
        (count >= least).then(|| Honoured {
            before: words[..at].trim().trim_end_matches([',', ':', '–', '-', ' ']),
            lead,
            name,
            behind: behind.trim_start()[name.len()..].trim_start_matches([',', '.', ':', ';', '–', '-', ' ']).trim(),
        })
    })
}

/// The name that a text begins with, and how many large words it has.
fn name_at(text: &str) -> (&str, usize) {
    let (mut end, mut count) = (0, 0);
    let mut at = 0;
    for word in text.split_inclusive(' ') {
        let bare = word.trim_end();
        let name = bare.trim_end_matches([',', '.', ';', ':', '!']);
        let is_large =
            name.chars().next().is_some_and(char::is_uppercase) && !name.chars().any(|letter| letter.is_ascii_digit());
        if is_large {
            count += 1;
            end = at + name.len();
        } else if count == 0 || !PARTICLES.contains(&name) {
            break;
        }
        at += word.len();
        if bare.len() > name.len() && !(bare.ends_with('.') && name.chars().count() <= 3) {
            break;
        }
    }
    (&text[..end], count)
}

/// The name that a text in small letters begins with, up to its first mark or to what the name is honoured for.
fn small_name_at(text: &str) -> (&str, usize) {
    let (mut end, mut count) = (0, 0);
    let mut at = 0;
    for word in text.split_inclusive(' ').take(MOST_WORDS_OF_A_NAME) {
        let bare = word.trim_end();
        let name = bare.trim_end_matches([',', '.', ';', ':', '!']);
        let is_reason = FOR.iter().chain(REASONS).any(|reason| *reason == name) && !PARTICLES.contains(&name);
        if is_reason || name.is_empty() || name.chars().any(|letter| letter.is_ascii_digit()) {
            break;
        }
        count += 1;
        end = at + name.len();
        at += word.len();
        if bare.len() > name.len() {
            break;
        }
    }
    (&text[..end], count)
}

/// A name typed in small letters as it is written: “ole van der berg” is “Ole van der Berg”.
fn written_large(name: &str) -> String {
    let words =
        name.split(' ').map(|word| if PARTICLES.contains(&word) { word.to_owned() } else { text::capitalize(word) });
    words.collect::<Vec<_>>().join(" ")
}

/// Whether texts are typed in small letters, but for the first of each.
fn are_small(texts: &[String]) -> bool {
    texts.iter().all(|words| !words.chars().skip(1).any(char::is_uppercase))
}

impl Reader {
    /// Makes who is honoured the title.
    pub(super) fn settle_honoured(&mut self) {
        self.join_givings();
        let texts: Vec<String> =
            [self.title.clone(), self.subtitle.clone()].into_iter().chain(self.details.iter().cloned()).collect();
        let find = |seek: &dyn for<'t> Fn(&'t str) -> Option<Honoured<'t>>| {
            texts.iter().enumerate().find_map(|(at, words)| seek(words).map(|found| (at, found)))
        };
        let typed_small = || if are_small(&texts) { find(&given_small) } else { None };
        if let Some((at, found)) = find(&given).or_else(typed_small) {
            self.take_out(at);
            let title = std::mem::replace(&mut self.title, written_large(found.name));
            let above = format!("{} {}", found.before, found.lead);
            self.put_above(&text::capitalize(&above));
            self.tell(&[&title, found.behind]);
        } else if let Some(found) = named_first(&texts[0]) {
            found.name.clone_into(&mut self.title);
            self.request.is_named = true;
            self.tell(&[found.behind]);
        } else if let Some((at, found)) = find(&meant) {
            self.take_out(at);
            let title = std::mem::replace(&mut self.title, found.name.to_owned());
            if KINDS.contains(&found.before.to_lowercase().as_str()) && !self.request.kicker.is_empty() {
                self.request.kicker = format!("{} of {}", self.request.kicker, found.before.to_lowercase());
                self.tell(&[&title, found.behind]);
            } else if self.request.kicker.is_empty() && is_kind(&title) {
                self.request.kicker = title;
                self.tell(&[found.before, found.behind]);
            } else {
                self.tell(&[&title, found.before, found.behind]);
            }
        }
        if self.subtitle.is_empty()
            && let Some(at) = self.details.iter().position(|detail| is_achievement(detail))
        {
            self.subtitle = self.details.remove(at);
        }
    }

    /// “This is to certify that”, and the name on a line of its own: both are one.
    fn join_givings(&mut self) {
        let ends = |detail: &String| {
            let lower = detail.to_lowercase();
            GIVEN.iter().any(|lead| lower.trim_end_matches([':', ',', ' ']).ends_with(lead))
        };
        if let Some(at) = self.details.iter().position(ends).filter(|at| at + 1 < self.details.len()) {
            let name = self.details.remove(at + 1);
            let lead = self.details[at].trim_end_matches([':', ',', ' ']);
            self.details[at] = format!("{lead} {name}");
        }
    }

    /// Takes out the title (0), what stands under it (1), or a detail.
    fn take_out(&mut self, at: usize) {
        match at {
            0 => self.title.clear(),
            1 => self.subtitle.clear(),
            _ => drop(self.details.remove(at - 2)),
        }
        self.request.is_named = true;
    }

    /// Puts words above the name, behind the kind of certificate where there is room for both.
    fn put_above(&mut self, words: &str) {
        let kind = std::mem::replace(&mut self.request.kicker, words.trim().to_owned());
        if !kind.is_empty() && kind.chars().count() + words.chars().count() < MOST_ABOVE {
            self.request.kicker = format!("{kind} · {}", self.request.kicker);
        } else if !kind.is_empty() {
            self.details.insert(0, kind);
        }
    }

    /// Puts what was the title and what stood around the name before the other details.
    fn tell(&mut self, words: &[&str]) {
        let told = words.iter().filter(|words| !words.is_empty()).map(|words| text::capitalize(words));
        self.details.splice(0..0, told.collect::<Vec<_>>());
    }
}

/// Whether words are no more than the name of the kind: “Certificate”, “Urkunde”.
fn is_kind(words: &str) -> bool {
    kinds::find(words)
        .is_some_and(|named| named.kind == Kind::Certificate && named.start == 0 && named.end == words.len())
}

/// No more letters stand above the name.
const MOST_ABOVE: usize = 58;

/// Whether a detail may be what somebody is honoured for: no day, no length of time, and not who signs.
fn is_achievement(detail: &str) -> bool {
    let lower = detail.to_lowercase();
    let is_ordinal = detail.chars().find(|letter| !letter.is_ascii_digit()) == Some('.');
    let is_number = amounts::next_amount(detail, 0).is_some_and(|amount| amount.start == 0) && !is_ordinal;
    let is_signed =
        ["signed", "unterschrieben", "unterschrift", "date", "datum", "instructor", "signé", "firmado", "place", "ort"]
            .iter()
            .any(|word| text::strip_start(&lower, word).is_some());
    !is_number && !is_signed && (is_ordinal || !dates::has_moment(detail)) && detail.split_whitespace().count() >= 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_to_whom_it_is_given() {
        for (words, before, name, behind) in [
            (
                "Completion awarded to Nora Lindqvist for completing Pastry",
                "Completion",
                "Nora Lindqvist",
                "for completing Pastry",
            ),
            ("1. Platz im Turnier für Jonas Weber", "1. Platz im Turnier", "Jonas Weber", ""),
            ("presented to Dr. Ada de la Cruz, 3 May", "", "Dr. Ada de la Cruz", "3 May"),
        ] {
            let found = given(words).or_else(|| meant(words)).unwrap_or_else(|| panic!("{words}"));
            assert_eq!((found.before, found.name, found.behind), (before, name, behind));
        }
        for words in ["for completing the course", "Swimming for beginners", "2. Platz beim Lesewettbewerb"] {
            assert_eq!(given(words).or_else(|| meant(words)), None, "{words}");
        }
    }
}
