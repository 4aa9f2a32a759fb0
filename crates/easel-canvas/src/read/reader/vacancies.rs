//! A vacancy: who looks for whom, what applicants bring and what they get.
//!
//! What holds: every word of the sentence stays; the place is the title, and what leads to it stands above. Deliberately not
//! here: whether a brief is a vacancy at all, which its words tell beforehand (`look_ahead`).

use super::state::Reader;
use crate::read::kinds::Kind;
use crate::read::lines::Line;
use crate::read::parts::Part;
use crate::read::text;

/// Verbs of looking for somebody.
#[rustfmt::skip]
const LOOKING: &[&str] = &[
    "is looking for ", "are looking for ", "looking for ", "is hiring ", "are hiring ", "hiring ", "is seeking ", "seeks ", "we need ", "needs ", "sucht ", "suchen ", "recherche ",
    "recherchons ", "cherche ", "cherchons ", "recrute ", "busca ", "buscamos ", "cerca ", "cerchiamo ",
];

/// Words that only a vacancy has.
#[rustfmt::skip]
const SIGNS: &[&str] = &[
    "(m/f/d)", "(m/f/x)", "(f/m/d)", "(f/m/x)", "(m/w/d)", "(w/m/d)", "(d/m/w)", "(h/f)", "(f/h)", "(m/f)", "full time", "full-time", "part time", "part-time", "an hour plus",
    "apply", "job ad", "vacancy", "stellenanzeige", "vollzeit", "teilzeit", "bewerbung", "bewirb dich", "brutto", "offre d'emploi", "temps plein", "oferta de empleo",
    "jornada completa", "tempo pieno", "no experience needed", "stunden pro woche", "hours a week",
];

/// What leads to what applicants bring and what they get.
#[rustfmt::skip]
const OFFERS: &[&str] = &[
    "you bring", "you have", "you get", "you offer", "we offer", "what we offer", "we ask for", "your tasks are", "you will", "wir bieten dir", "wir bieten ihnen", "wir bieten",
    "du bringst mit", "sie bringen mit", "das bringst du mit", "du bekommst", "nous offrons", "vous avez", "ofrecemos", "offriamo",
];

/// What ends the name of a place, before where and when it is.
const BEHIND: &[&str] = &[
    "in", "at", "for", "für", "to", "zur", "zum", "bei", "with", "mit", "ab", "from", "im", "am", "on", "who", "die",
    "der", "chez", "para", "per", "pour", "en", "presso",
];

const ARTICLES: &[&str] = &["a", "an", "eine", "einen", "ein", "un", "une", "una", "uno"];

/// No name of a place has more words.
const MOST_WORDS: usize = 6;

/// What leads to it has no more letters.
const MOST_LEAD_LETTERS: usize = 60;

/// Whether what is asked for tells of a vacancy.
pub(super) fn are_told(kind_name: &str, content: &[String], lines: &[Line]) -> bool {
    let tells = |words: &str| {
        let lower = words.to_lowercase();
        SIGNS.iter().any(|sign| lower.contains(sign))
    };
    tells(kind_name)
        || content.iter().any(|words| tells(words))
        || lines
            .iter()
            .any(|line| matches!(line, Line::Text(words) | Line::Item(_, words) | Line::Heading(words) if tells(words)))
}

/// A sentence that looks for somebody.
#[derive(Debug, PartialEq, Eq)]
struct Vacancy {
    lead: String,
    place: String,
    rest: String,
}

/// “Fenwick Joinery is looking for a joiner (m/f/d), full time”.
fn vacancy_of(sentence: &str) -> Option<Vacancy> {
    let lower = sentence.to_lowercase();
    if lower.len() != sentence.len() {
        return None;
    }
    let begins = |at: usize| at == 0 || lower[..at].ends_with(' ');
    let verb_end =
        LOOKING.iter().filter_map(|verb| lower.find(verb).filter(|at| begins(*at)).map(|at| at + verb.len())).min()?;
    if lower[..verb_end].split_whitespace().count() > 8 || text::clauses(&sentence[..verb_end]).len() > 1 {
        return None;
    }
    // Between the verb and the article stands at most since when.
    let words = crate::read::dates::split_words(sentence);
    let from = words.iter().position(|(at, _)| *at >= verb_end)?;
    let article =
        (from..words.len().min(from + 4)).find(|at| ARTICLES.contains(&words[*at].1.to_lowercase().as_str()))?;
    let begin = words.get(article + 1)?.0;
    let mut end = sentence.len();
    for (count, (at, word)) in words[article + 1..].iter().enumerate() {
        let bare = word.to_lowercase();
        if count > 0 && BEHIND.contains(&bare.as_str()) {
            end = *at;
            break;
        }
        if word.ends_with([',', ';', '.', '!', ':']) {
            end = at + word.len();
            break;
        }
    }
    let place = sentence[begin..end].trim().trim_end_matches([',', ';', '.', '!', ':']);
    let lead = sentence[..words[article].0].trim();
    let is_named =
        (1..=MOST_WORDS).contains(&place.split_whitespace().count()) && lead.chars().count() <= MOST_LEAD_LETTERS;
    is_named.then(|| Vacancy {
        lead: lead.to_owned(),
        place: place.to_owned(),
        rest: sentence[end..].trim().trim_end_matches(['.', '!']).to_owned(),
    })
}

/// “You bring a licence and time, we offer £19 an hour and tea”: what leads to a list, and the list.
fn offers_of(sentence: &str) -> Vec<(String, Vec<String>)> {
    let lower = sentence.to_lowercase();
    let mut starts: Vec<(usize, usize)> = Vec::new();
    if lower.len() == sentence.len() {
        for lead in OFFERS {
            for (at, _) in lower.match_indices(lead) {
                let end = at + lead.len();
                let is_begin = at == 0 || lower[..at].trim_end().ends_with([',', ';', '.', '–']);
                let is_word = lower[end..].starts_with([' ', ':']);
                if is_begin && is_word && !starts.iter().any(|(known, _)| *known == at) {
                    starts.push((at, end));
                }
            }
        }
    }
    starts.sort_unstable();
    if starts.first().is_none_or(|(at, _)| *at > 0) {
        return Vec::new();
    }
    let ends = starts.iter().skip(1).map(|(at, _)| *at).chain([sentence.len()]);
    let told: Vec<(String, Vec<String>)> = starts
        .iter()
        .zip(ends)
        .map(|((at, end), next)| {
            let list = sentence[*end..next].trim_matches([' ', ':', ',', ';', '.', '!']);
            let mut items = text::items(list);
            // “a licence and two hands” are two things.
            if let [only] = items.as_slice()
                && let Some((one, two)) =
                    [" and ", " und ", " et ", " y ", " e "].iter().find_map(|and| only.split_once(and))
            {
                items = vec![one.to_owned(), two.to_owned()];
            }
            (text::capitalize(&sentence[*at..*end]), items)
        })
        .collect();
    if told.iter().all(|(_, items)| items.len() >= 2) { told } else { Vec::new() }
}

impl Reader {
    /// Takes a sentence of a vacancy; says whether it was one.
    pub(super) fn take_vacancy(&mut self, sentence: &str) -> bool {
        if !self.is_vacancy || self.is_paged() || self.is_menu() || self.kind == Kind::Diagram {
            return false;
        }
        let offers = offers_of(sentence);
        if !offers.is_empty() {
            self.note_content(sentence);
            for (lead, items) in offers {
                let mut part = Part::named(&lead);
                part.take_items(&items, false);
                self.parts.push(part);
            }
            self.is_within = false;
            return true;
        }
        let is_free = self.parts.is_empty() && (self.title.is_empty() || !self.request.is_named);
        let Some(vacancy) = vacancy_of(sentence).filter(|_| is_free && self.request.kicker.is_empty()) else {
            return false;
        };
        self.note_content(sentence);
        let before = std::mem::replace(&mut self.title, text::capitalize(&vacancy.place));
        self.instructions.push(before);
        self.request.is_named = true;
        self.request.kicker = text::capitalize(&vacancy.lead);
        for clause in text::clauses(&vacancy.rest) {
            self.take_clause(&clause);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vacancy_is_who_looks_for_whom() {
        for (sentence, lead, place, rest) in [
            (
                "Fenwick Joinery is looking for a joiner (m/f/d), full time, from 1 May.",
                "Fenwick Joinery is looking for",
                "joiner (m/f/d)",
                "full time, from 1 May",
            ),
            (
                "Das Haus Lindenblick sucht ab sofort eine Pflegefachkraft (w/m/d) in Teilzeit.",
                "Das Haus Lindenblick sucht ab sofort",
                "Pflegefachkraft (w/m/d)",
                "in Teilzeit",
            ),
            (
                "we need a kitchen porter at the Blue Anchor, evenings",
                "we need",
                "kitchen porter",
                "at the Blue Anchor, evenings",
            ),
        ] {
            let found = vacancy_of(sentence).unwrap_or_else(|| panic!("{sentence}"));
            assert_eq!((found.lead.as_str(), found.place.as_str(), found.rest.as_str()), (lead, place, rest));
        }
        assert_eq!(vacancy_of("Come in, we like people and need nobody"), None);
    }

    #[test]
    fn what_is_brought_and_what_is_offered_are_lists() {
        let told = offers_of("You bring a licence and two hands, we offer £19 an hour, 28 days off and tea.");
        assert_eq!(told.len(), 2);
        assert_eq!(told[1].1, ["£19 an hour", "28 days off", "tea"]);
        assert!(offers_of("You have to see it, really").is_empty() || told.len() == 2);
    }
}
