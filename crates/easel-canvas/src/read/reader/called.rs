//! What a thing is called where nothing in its brief names it, what is cut from a name, and what needs none: a quotation with
//! the one who said it.

use super::state::Reader;
use crate::content::Matter;
use crate::read::instructions::{self, Clause};
use crate::read::kinds::Kind;
use crate::read::lines::Line;
use crate::read::matter::{self, is_data};
use crate::read::vocabulary::is_determiner;
use crate::read::{amounts, dates, text};
use crate::run::Run;

impl Reader {
    /// A menu without a name says what it is: “Eiskarte”, “Price list”. So do notes of several parts: “Meeting notes”.
    pub(super) fn call_by_kind(&mut self) {
        self.strip_begging();
        let name = self.request.kind_name.as_str();
        let is_paper = matches!(self.kind, Kind::Document | Kind::OnePager)
            && self.parts.len() > 1
            && name.split_whitespace().count() == 2
            && !name.starts_with("one ");
        if self.title.is_empty() && (self.is_menu() || is_paper) {
            self.title = text::capitalize(name);
        }
    }

    /// A thing of one page that nothing names is called by its first detail. Words beside the prices of a menu are seldom its name,
    /// and whole sentences never.
    pub(super) fn call_by_detail(&mut self) {
        let is_name =
            |words: &String| words.split_whitespace().count() <= 8 && amounts::next_amount(words, 0).is_none();
        // “small / large” tells what the prices of a menu are for.
        let first = self.details.iter().position(|words| !self.is_menu() || is_house(words));
        let Some(first) = first else { return };
        // “canteen menu”: what it is of, and what it is, says more than words beside its prices.
        if self.title.is_empty()
            && self.is_menu()
            && !self.request.kicker.is_empty()
            && !self.request.kind_name.is_empty()
        {
            self.title = format!("{} {}", std::mem::take(&mut self.request.kicker), self.request.kind_name);
            return;
        }
        let may = !self.is_menu() || self.details.get(first).is_some_and(is_name);
        // What an axis tells is no name of a matrix.
        let is_matrix = self.is_matrix && self.kind == Kind::Diagram;
        if self.title.is_empty() && !self.is_paged() && !self.is_quotation() && !is_matrix && may {
            self.title = self.details.remove(first);
        }
    }

    /// “We build cargo bikes for bakeries”: slides that nothing names are called by what is made by those who show them.
    pub(super) fn call_by_trade(&mut self) {
        if !self.title.is_empty() || self.kind != Kind::Deck {
            return;
        }
        let Some((at, title, rest)) =
            self.parts.iter().enumerate().filter(|(_, part)| part.title.is_empty()).find_map(|(at, part)| {
                let told = first_words(part.matters.first()?)?;
                let sentences = text::sentences(&told);
                let first = sentences.first()?;
                let may_be_named = at == 0 && self.details.is_empty();
                let title = trade_of(first).or_else(|| review_of(first).filter(|_| may_be_named))?;
                Some((at, title, sentences[1..].join(" ")))
            })
        else {
            return;
        };
        self.title = title;
        let part = &mut self.parts[at];
        if !rest.is_empty() {
            set_first_words(&mut part.matters[0], rest);
        } else if matches!(part.matters[0], Matter::Prose { .. }) {
            match &mut part.matters[0] {
                Matter::Prose { paragraphs, .. } if paragraphs.len() > 1 => drop(paragraphs.remove(0)),
                _ => drop(part.matters.remove(0)),
            }
        } else {
            set_first_words(&mut part.matters[0], String::new());
        }
        self.parts.retain(|part| !part.title.is_empty() || !part.matters.is_empty());
    }

    /// “Village Run” below “Poster for the village run”: the first line that says the title again is how it is written.
    pub(super) fn repeats_title(&mut self, words: &str) -> bool {
        let own = words.trim().trim_end_matches(['.', '!']);
        let is_same = !self.title.is_empty()
            && self.parts.is_empty()
            && self.details.is_empty()
            && own.to_lowercase() == self.title.to_lowercase();
        // “Open day at Brook Farm, Sunday 4 May” below “open day”: the title in full, and when it is.
        let clauses = text::clauses(own);
        let is_fuller = !self.title.is_empty()
            && !self.is_paged()
            && !self.is_menu()
            && !self.request.is_named
            && self.parts.is_empty()
            && self.details.is_empty()
            && clauses.len() > 1
            && clauses[0].split_whitespace().count() <= 7
            && clauses[0].starts_with(char::is_uppercase)
            && text::strip_start(&clauses[0], &self.title.to_lowercase()).is_some_and(|rest| !rest.trim().is_empty());
        if is_fuller {
            self.title.clone_from(&clauses[0]);
            self.request.is_named = true;
            clauses[1..].iter().for_each(|clause| self.take_clause(clause));
            return true;
        }
        if is_same {
            words.trim().clone_into(&mut self.title);
            self.request.is_named = true;
        }
        is_same
    }

    /// “Fair rents. No surprises.” over what is said of it: two short sentences on a line are one title; says whether they were taken.
    pub(super) fn take_short_sentences(&mut self, words: &str, next: Option<&Line>) -> bool {
        let sentences = text::sentences(words);
        let is_short = |sentence: &String| {
            (1..=3).contains(&sentence.split_whitespace().count())
                && sentence.starts_with(char::is_uppercase)
                && sentence.ends_with(['.', '!'])
                && !is_data(sentence)
                && !dates::has_moment(sentence)
                && matches!(instructions::judge(sentence), Clause::Content(_))
        };
        let is_title = self.title.is_empty()
            && self.parts.is_empty()
            && self.details.is_empty()
            && !self.is_paged()
            && matches!(next, Some(Line::Text(_) | Line::Item(..)))
            && sentences.len() == 2
            && sentences.iter().all(is_short);
        if is_title {
            self.note_content(words);
            words.trim().clone_into(&mut self.title);
        }
        is_title
    }

    /// “Fauré – Cantique de Jean Racine”: lines that each have a name and words are points with both.
    pub(super) fn name_lines(&mut self) {
        let is_named = |line: &str| {
            text::has_dash(line)
                && line.split_whitespace().count() <= 14
                && !line.ends_with(['.', '!', '?'])
                && text::name_and_words(line).is_some()
        };
        for part in self.parts.iter_mut().filter(|part| !part.title.is_empty()) {
            let [Matter::Prose { paragraphs, picture: None }] = part.matters.as_slice() else { continue };
            let lines: Vec<String> = paragraphs.iter().map(|runs| crate::content::plain(runs)).collect();
            if lines.len() >= 2 && lines.iter().all(|line| is_named(line)) {
                let points = lines.iter().map(|line| matter::point_of(line)).collect();
                part.matters = vec![Matter::Points { lead: String::new(), points, ordered: false }];
            }
        }
    }

    /// “by Ida Lund, Weir Echo”, under what someone said; says whether it was taken.
    pub(super) fn take_speaker(&mut self, words: &str) -> bool {
        let lower = words.to_lowercase();
        let name = ["by ", "von ", "par ", "por "]
            .iter()
            .find_map(|lead| words.get(lead.len()..).filter(|_| lower.starts_with(lead)));
        let last = self.parts.last_mut().and_then(|part| part.matters.last_mut());
        let (Some(name), Some(Matter::Quote { by, .. })) = (name, last) else { return false };
        let is_name = by.is_empty()
            && name.starts_with(char::is_uppercase)
            && name.split_whitespace().count() <= 8
            && text::label(name).is_none()
            && !is_data(name);
        if is_name {
            name.trim_end_matches('.').clone_into(by);
            self.note_content(words);
        }
        is_name
    }

    /// Whether all that it says beside its details is what someone said: it needs no name over it.
    pub(super) fn is_quotation(&self) -> bool {
        let mut matters = self.parts.iter().flat_map(|part| &part.matters).peekable();
        matters.peek().is_some() && matters.all(|matter| matches!(matter, Matter::Quote { .. }))
    }

    /// “Recruitment process please” begs at its end.
    fn strip_begging(&mut self) {
        let lower = self.title.to_lowercase();
        let begging = [" please", " pls", " plz", " bitte", " svp", " por favor", " per favore"];
        if let Some(end) = begging.iter().find(|end| lower.ends_with(**end) && lower.len() == self.title.len()) {
            self.title.truncate(self.title.len() - end.len());
        }
    }
}

/// Whether words beside the prices of a menu may be the name of the house: every longer word of them begins large.
pub(super) fn is_house(words: &str) -> bool {
    let name = words.split(',').next().unwrap_or_default();
    let all: Vec<&str> = name.split_whitespace().collect();
    (2..=6).contains(&all.len())
        && all.iter().all(|word| word.chars().count() <= 3 || !word.starts_with(char::is_lowercase))
        && all.iter().filter(|word| word.starts_with(char::is_uppercase)).count() >= 2
        && !name.contains(['?', '!', ':', '/', '@'])
        && !all.iter().any(|word| word.split(['-', '–']).any(dates::is_weekday))
}

/// The words with which something begins that is no heading.
fn first_words(matter: &Matter) -> Option<String> {
    match matter {
        Matter::Prose { paragraphs, .. } => paragraphs.first().map(|runs| crate::content::plain(runs)),
        Matter::Figures { lead, .. } | Matter::Points { lead, .. } => Some(lead.clone()),
        _ => None,
    }
    .filter(|words| !words.is_empty())
}

fn set_first_words(matter: &mut Matter, words: String) {
    match matter {
        Matter::Prose { paragraphs, .. } => {
            if let Some(first) = paragraphs.first_mut() {
                *first = vec![Run::plain(words)];
            }
        }
        Matter::Figures { lead, .. } | Matter::Points { lead, .. } => *lead = words,
        _ => {}
    }
}

/// “Business review 2025 for Hotel Seeblick.”: a first sentence that names what is looked back at or ahead to, and tells no more.
fn review_of(sentence: &str) -> Option<String> {
    #[rustfmt::skip]
    const REVIEWS: &[&str] = &[
        "review", "update", "report", "plan", "strategy", "overview", "roadmap", "results", "status", "summary", "recap", "retro", "kickoff", "proposal", "budget",
        "bericht", "jahresbericht", "quartalsbericht", "rückblick", "überblick", "planung", "strategie", "ergebnisse", "bilanz", "bilan", "revue", "informe",
        "resumen", "balance", "riepilogo", "bilancio", "resoconto",
    ];
    const TELLING: &[&str] = &["is", "are", "was", "we", "has", "have", "ist", "sind", "wir", "war"];
    let sentence = sentence.trim().trim_end_matches('.');
    let words = text::words(sentence);
    let is_review = (2..=9).contains(&words.len())
        && words.iter().any(|word| REVIEWS.contains(&word.as_str()))
        && sentence.starts_with(char::is_uppercase)
        && text::clauses(sentence).len() == 1
        && text::label(sentence).is_none()
        && !words.iter().any(|word| TELLING.contains(&word.as_str()));
    is_review.then(|| sentence.to_owned())
}

/// What is made or sold, where a short sentence says no more than that: “We make sensors for beehives”.
fn trade_of(sentence: &str) -> Option<String> {
    const MAKERS: &[&str] = &["we", "wir", "nous", "nosotros", "noi"];
    #[rustfmt::skip]
    const TRADES: &[&str] = &[
        "make", "build", "sell", "offer", "develop", "produce", "brew", "bake", "grow", "design", "rent", "repair", "bauen", "verkaufen", "machen", "entwickeln", "bieten",
        "produzieren", "brauen", "backen", "vermieten", "reparieren", "züchten", "fabriquons", "vendons", "faisons", "hacemos", "vendemos", "facciamo", "vendiamo",
    ];
    let sentence = sentence.trim().trim_end_matches(['.', '!']);
    let words: Vec<(usize, &str)> = dates::split_words(sentence);
    let [(_, who), (_, verb), (from, first), rest @ ..] = words.as_slice() else { return None };
    let is_trade = MAKERS.contains(&who.to_lowercase().as_str()) && TRADES.contains(&verb.to_lowercase().as_str());
    let from = match rest.first().filter(|_| is_determiner(&first.to_lowercase())) {
        Some((next, _)) => *next,
        None => *from,
    };
    let made = &sentence[from..];
    (is_trade
        && !matches!(first.to_lowercase().as_str(), "it" | "this" | "that" | "sure" | "es" | "das" | "no" | "not")
        && made.split_whitespace().count() <= 8
        && text::clauses(made).len() == 1
        && amounts::next_amount(made, 0).is_none())
    .then(|| text::capitalize(made))
}

#[cfg(test)]
mod tests {
    use super::trade_of;

    #[test]
    fn what_is_made_is_told_from_other_sentences() {
        assert_eq!(trade_of("We make sensors for beehives.").as_deref(), Some("Sensors for beehives"));
        assert_eq!(trade_of("wir bauen Lastenräder für Bäckereien").as_deref(), Some("Lastenräder für Bäckereien"));
        for sentence in ["We make it work", "We have 40 customers", "We sell 300 loaves a day", "We make"] {
            assert_eq!(trade_of(sentence), None, "{sentence}");
        }
    }
}
