//! Sentences that tell what stands where: pages by their places, what a thing is called.

use super::state::Reader;
use crate::content::{Column, Matter};
use crate::read::asides;
use crate::read::kinds::Kind;
use crate::read::naming;
use crate::read::narrated;
use crate::read::parts::{self, Part};
use crate::read::text;
use crate::read::vocabulary::is_determiner;
use crate::run::Run;

/// Verbs that begin a sentence which names what is to stand out among others.
const HIGHLIGHT: &[&str] =
    &["highlight", "emphasize", "emphasise", "feature", "hebe", "heb", "betone", "destaca", "resalta", "evidenzia"];

/// Whether a page that is told says a few short things and no sentence.
fn is_list(body: &str) -> bool {
    let items = text::items(body);
    items.len() >= 3
        && text::sentences(body).len() == 1
        && text::label(body).is_none()
        && items.iter().all(|item| item.split_whitespace().count() <= 6)
}

/// What a sentence says the last page shall say: “end w/ follow me @dana.builds”.
pub(super) fn end_of(sentence: &str) -> Option<&str> {
    #[rustfmt::skip]
    const ENDS: &[&str] = &[
        "end with", "end w/", "ends with", "ending with", "finish with", "finish w/", "close with", "schließe mit", "ende mit", "am ende", "zum schluss",
        "termine par", "finir par", "termina con", "acaba con", "finisci con",
    ];
    let bare = sentence.trim().trim_end_matches(['.', '!']);
    let bare = naming::strip_and(bare).trim_start();
    let said = ENDS.iter().find_map(|end| text::strip_start(bare, end).or_else(|| bare.strip_prefix(end)))?;
    let said = said.trim().trim_start_matches([':', '-', '–', ' ']).trim_matches(['"', '“', '”', '„']);
    let first = said.split_whitespace().next().unwrap_or_default().to_lowercase();
    ((2..=14).contains(&said.split_whitespace().count()) && !is_determiner(&first)).then_some(said)
}

impl Reader {
    /// “Highlight Team”: of things that are held beside each other that one stands out; says whether there is one.
    pub(super) fn take_highlight(&mut self, sentence: &str) -> bool {
        let words = text::words(sentence);
        let is_popular = [
            "most popular",
            "best value",
            "recommended",
            "empfohlen",
            "beliebteste",
            "le plus populaire",
            "más popular",
            "più scelto",
        ]
        .iter()
        .any(|sign| sentence.to_lowercase().contains(sign));
        let is_told = is_popular || words.first().is_some_and(|first| HIGHLIGHT.contains(&first.as_str()));
        if words.len() > 7 || !is_told {
            return false;
        }
        let columns = self.parts.iter_mut().flat_map(|part| &mut part.matters).filter_map(|matter| match matter {
            Matter::Columns { columns, .. } => Some(columns),
            _ => None,
        });
        let wanted = |column: &&mut Column| words.contains(&column.head.to_lowercase());
        let found = columns.flatten().find(wanted);
        found.map(|column| column.is_highlighted = true).is_some()
    }

    /// “The second, called “Why boats”, explains that …”; says whether the sentence tells of a page.
    pub(super) fn take_told(&mut self, sentence: &str) -> bool {
        if !matches!(self.kind, Kind::Deck | Kind::Carousel) {
            return false;
        }
        let Some(told) = narrated::page_of(sentence, self.has_told) else { return false };
        self.has_told = true;
        self.note_content(sentence);
        if narrated::is_opening(sentence) && !told.title.is_empty() {
            self.title = told.title;
            self.request.is_named = true;
            let more = told.subtitle.as_str();
            let body = ["And ", "and ", "Und ", "und ", "Et "]
                .iter()
                .find_map(|and| told.body.strip_prefix(and))
                .unwrap_or(&told.body);
            let body = ["the date ", "the time ", "das datum ", "the words "]
                .iter()
                .find_map(|lead| text::strip_start(body, lead.trim_end()))
                .unwrap_or(body);
            self.details.extend(
                [more, body.trim()].iter().filter(|words| !words.is_empty()).map(|words| text::capitalize(words)),
            );
            return true;
        }
        // The first page that says no more than a title is the cover.
        if self.parts.is_empty() && told.body.is_empty() && (!self.request.is_named || self.title.is_empty()) {
            self.title = told.title;
            if self.subtitle.is_empty() {
                self.subtitle = told.subtitle;
            } else if !told.subtitle.is_empty() {
                self.details.push(told.subtitle);
            }
            return true;
        }
        let mut part = Part { title: told.title, matters: Vec::new(), is_named: true };
        part.take_text(&told.subtitle, false);
        // “The fourth is a bar chart with the title “…”: …”.
        let lower = sentence.to_lowercase();
        if [" chart", " graph", "diagramm", "balken", "grafico", "gráfico", "graphique"]
            .iter()
            .any(|word| lower.contains(word))
        {
            part.take_series(&told.body);
        } else if is_list(&told.body) {
            part.take_items(&text::items(&told.body), false);
        } else {
            part.take_text(&told.body, false);
        }
        self.parts.push(part);
        self.settle_tip(3);
        self.is_within = true;
        self.is_headed = false;
        true
    }

    /// “end with follow me @dana.builds”: what the last page says; says whether it was taken.
    pub(super) fn take_end(&mut self, sentence: &str) -> bool {
        let Some(said) = end_of(sentence).filter(|_| !self.parts.is_empty()) else { return false };
        self.note_content(said);
        // Where as many pages are told as there are, it stands on the last of them.
        let pages = self.parts.len() + usize::from(!self.title.is_empty());
        let is_full = self.told_count().is_some_and(|told| pages >= told);
        match self.parts.last_mut().filter(|_| is_full) {
            Some(last) => {
                last.add(Matter::Prose { paragraphs: vec![vec![Run::plain(text::capitalize(said))]], picture: None });
            }
            None => self.parts.push(Part { title: text::capitalize(said), matters: Vec::new(), is_named: false }),
        }
        self.is_within = false;
        true
    }

    /// “first what we shipped (…), then numbers - …, then support: …”: a page for each; says whether they were taken.
    pub(super) fn take_told_in_turn(&mut self, words: &str) -> bool {
        let pieces = narrated::in_turn(words);
        for piece in &pieces {
            self.note_content(piece);
            self.parts.push(Part { is_named: true, ..parts::of_item(piece, false) });
        }
        self.is_within = false;
        !pieces.is_empty()
    }

    /// “Must include: the date, 3 May; …”: a label that leads to what shall be said; says whether it was one.
    pub(super) fn take_leading(&mut self, words: &str) -> bool {
        let Some((label, body)) = text::label(words).filter(|(_, body)| !body.is_empty()) else { return false };
        asides::is_lead(&format!("{label}:")) && self.take_labelled(label, body)
    }

    /// Statements beside the sentence that asks stand under a title that is known, else at the end.
    pub fn take_statements(&mut self, is_end: bool) {
        if is_end || !self.title.is_empty() || self.is_vacancy {
            for statement in std::mem::take(&mut self.request.statements) {
                self.take_text(&statement);
            }
            self.is_within &= !self.is_paged();
        }
    }

    /// Gives the thing a name of its own. “Missing dog flyer. His name is Biscuit”: what it is about stands above the name.
    pub(super) fn give_title(&mut self, name: String) {
        let before = std::mem::replace(&mut self.title, name);
        let is_brief = before.split_whitespace().count() <= 3;
        let has_occasion = !self.is_paged() && !self.is_menu() && self.kind != Kind::Diagram;
        if is_brief && self.request.kicker.is_empty() && has_occasion {
            self.request.kicker = before;
        }
        self.request.is_named = true;
    }

    /// “… and nothing about money on it, and call it From shelf to door”: a name among what was said to whoever makes it.
    pub fn take_name_beside(&mut self, said: &str) {
        #[rustfmt::skip]
        const OF_NAMES: &[&str] = &[
            "call it ", "title", "heading", "headline", "nenn es ", "nennt es ", "titel", "überschrift", "titre", "appelle", "título", "titolo",
        ];
        if self.request.is_named {
            return;
        }
        let tells = |clause: &&str| OF_NAMES.iter().any(|word| clause.to_lowercase().contains(word));
        let clauses = text::clauses(said);
        let named = clauses
            .iter()
            .map(|clause| naming::strip_and(clause))
            .filter(tells)
            .filter_map(naming::named_by)
            .find(|(rest, _)| rest.is_empty());
        if let Some((_, name)) = named {
            self.note_content(&name);
            self.give_title(text::capitalize(&name));
        }
    }

    /// “It's called Songs for the Dark Months, and …”; says whether the sentence names the thing.
    pub(super) fn take_named(&mut self, sentence: &str) -> bool {
        if self.request.is_named && !self.title.is_empty() || !self.parts.is_empty() && self.is_paged() {
            return false;
        }
        let named = naming::titled(sentence).map(|title| (String::new(), title)).or_else(|| naming::named_by(sentence));
        let Some((rest, name)) = named else { return false };
        self.note_content(&name);
        self.give_title(text::capitalize(&name));
        if !rest.is_empty() {
            self.take_text(&text::capitalize(&rest));
        }
        true
    }
}
