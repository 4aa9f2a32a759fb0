//! Sentences on a thing of one page: a title first, then short details, a line under the title, and what has a place of its own.

use super::state::Reader;
use crate::content::Matter;
use crate::read::instructions::{self, Clause};
use crate::read::kinds::Kind;
use crate::read::matter::is_data;
use crate::read::page_talk::readers;
use crate::read::request::{self, Request};
use crate::read::{amounts, dates, quotes, spelled, text};

/// Occasions that a person has, and whose card is about them.
#[rustfmt::skip]
const OF_PEOPLE: &[&str] = &[
    "birth", "baby", "christening", "baptism", "wedding", "engagement", "graduation", "retirement", "birthday", "anniversary", "geburt", "taufe", "hochzeit",
    "verlobung", "geburtstag", "konfirmation", "kommunion", "naissance", "baptême", "mariage", "fiançailles", "anniversaire", "communion", "nacimiento", "bautizo",
    "boda", "cumpleaños", "comunión", "nascita", "battesimo", "matrimonio", "nozze", "laurea", "compleanno", "comunione", "cresima",
];

/// A line at the head of a page has no more letters.
const LONGEST_HEAD_LINE: usize = 90;

/// A matter as one line at the head of a page; `None` where it says more.
fn head_line(matter: &Matter) -> Option<String> {
    let line = match matter {
        Matter::Prose { paragraphs, .. } if paragraphs.len() == 1 => crate::content::plain(&paragraphs[0]),
        Matter::Points { lead, points, .. } if lead.is_empty() && points.iter().all(|point| point.body.is_empty()) => {
            points.iter().map(|point| point.head.as_str()).collect::<Vec<_>>().join(", ")
        }
        _ => return None,
    };
    (line.chars().count() <= LONGEST_HEAD_LINE && !line.ends_with('.')).then_some(line)
}

/// A sentence that names a price and has no more letters is a detail of its own.
const LONGEST_PRICED: usize = 150;

/// “The plant swap is”, before the day that was cut from it.
fn strip_copula(title: &mut String) {
    const COPULAS: &[&str] = &[
        " is",
        " are",
        " takes place",
        " starts",
        " will be",
        " ist",
        " findet",
        " est",
        " aura lieu",
        " es",
        " será",
        " è",
        " sarà",
    ];
    if let Some(end) = COPULAS.iter().find(|copula| title.ends_with(**copula) && title.len() > copula.len() + 3) {
        title.truncate(title.len() - end.len());
    }
}

pub(super) fn names_price(words: &str) -> bool {
    amounts::amounts(words).iter().any(|amount| amount.is_price(words)) || spelled::names_price(words)
}

impl Reader {
    /// Lines between the name on a page to be read and its first heading stand at its head: who it is, how to reach them.
    pub(super) fn take_head_lines(&mut self) {
        let is_head = matches!(self.kind, Kind::OnePager | Kind::Document)
            && !self.parts.is_empty()
            && !self.title.is_empty()
            && self.parts.len() <= 3;
        let lines: Option<Vec<String>> = self
            .parts
            .iter()
            .filter(|part| part.title.is_empty())
            .flat_map(|part| &part.matters)
            .map(head_line)
            .collect();
        let is_bare = self.parts.iter().all(|part| part.title.is_empty());
        if let Some(lines) = lines.filter(|_| is_head && is_bare) {
            self.details.extend(lines);
            self.parts.clear();
        }
    }

    /// The first words of a poster or a post: its title, then its details.
    pub(super) fn take_headline(&mut self, sentence: &str) {
        if quotes::quote_of(sentence).is_some() || is_data(sentence) {
            // A menu asks for a headline itself where it finds no dish.
            if self.is_menu() {
                self.part().take_text(sentence, true);
            } else {
                self.take_sentence(sentence);
            }
            return;
        }
        if let Some((_, title, behind)) =
            text::quoted(sentence).filter(|(before, ..)| before.trim().is_empty() && self.title.is_empty())
        {
            self.title = title.to_owned();
            for clause in text::clauses(behind) {
                self.take_clause(&clause);
            }
            return;
        }
        let mut clauses = text::clauses(sentence);
        if self.is_named_by(clauses.first().map_or("", String::as_str)) {
            self.request.kicker = std::mem::replace(&mut self.title, clauses.remove(0));
            self.request.is_named = true;
        }
        let mut clauses = clauses.into_iter();
        if self.title.is_empty() {
            let Some(first) = clauses.next() else { return };
            let mark = if sentence.trim_end().ends_with(['!', '?']) && clauses.len() == 0 {
                &sentence.trim_end()[sentence.trim_end().len() - 1..]
            } else {
                ""
            };
            match instructions::judge(&first) {
                Clause::Content(content) => {
                    let mut request = Request::default();
                    let (title, body) = text::label(&content).unwrap_or((content.as_str(), ""));
                    match dates::first_moment(title).filter(|at| *at > 6) {
                        Some(_) => {
                            let mut read = request::read(&format!("poster for {title}"), false);
                            request.title = std::mem::take(&mut read.title);
                            strip_copula(&mut request.title);
                            self.details.extend(read.details);
                        }
                        None => request.title = text::capitalize(title),
                    }
                    self.title = format!("{}{mark}", request.title.trim_end_matches('.'));
                    if !body.is_empty() {
                        self.take_clause(body);
                    }
                }
                Clause::Instruction => self.instructions.push(first),
            }
        }
        for clause in clauses {
            self.take_clause(&clause);
        }
    }

    /// “Post for our nursing home: Our oldest resident turned 94 today!”: whose it is or on which occasion stands above what is
    /// said, where that is a whole sentence and no list of details.
    pub(super) fn give_way_to(&mut self, sentence: &str) {
        #[rustfmt::skip]
        const DETAILS: &[&str] = &[
            "free", "entry", "admission", "gratis", "kostenlos", "eintritt", "entrée", "entrada", "ingresso", "with", "mit", "avec", "con", "for", "für", "from", "ab",
            "to", "bring", "at", "on", "every", "jeden", "no", "kein", "keine",
        ];
        #[rustfmt::skip]
        const SAYING: &[&str] = &[
            "is", "are", "was", "were", "has", "have", "turned", "won", "need", "needs", "can", "can't", "ist", "sind", "hat", "haben", "wird", "wir", "suchen",
            "est", "sont", "ont", "son", "è", "sono",
        ];
        let clauses = text::clauses(sentence);
        let first = clauses.first().map_or("", String::as_str);
        let words = text::words(first);
        let is_shouted = first.split_whitespace().take(2).all(|word| {
            word.chars().filter(|letter| letter.is_alphabetic()).count() >= 2 && !word.chars().any(char::is_lowercase)
        });
        let is_large = first.chars().next().is_some_and(char::is_uppercase);
        // Whoever types everything small says it with a verb: “chocolate is poison for dogs”.
        let is_told = matches!(self.kind, Kind::Post | Kind::Story)
            && clauses.len() == 1
            && words.iter().skip(1).any(|word| SAYING.contains(&word.as_str()));
        let is_said = (4..=12).contains(&words.len())
            && (is_large || is_told)
            && !words.first().is_some_and(|word| DETAILS.contains(&word.as_str()))
            && dates::first_moment(first).is_none_or(|at| at > 12)
            && !names_price(first)
            && (clauses.len() == 1 || words.len() >= 6 || is_shouted);
        let may = self.request.is_bare
            && !self.request.is_named
            && !self.title.is_empty()
            && self.title == self.request.title
            && self.details.is_empty();
        if may && (is_said || is_shouted && words.len() >= 2) && text::label(first).is_none() {
            let kicker = std::mem::take(&mut self.title);
            if self.request.kicker.is_empty() {
                self.request.kicker = kicker;
            }
        }
    }

    /// “Faire-part de naissance: Louise, née le …”: the name of whom a card is about, behind its occasion.
    fn is_named_by(&self, first: &str) -> bool {
        matches!(self.kind, Kind::Invitation | Kind::Card)
            && !self.request.is_named
            && self.request.kicker.is_empty()
            && OF_PEOPLE.contains(&self.title.to_lowercase().as_str())
            && (1..=5).contains(&first.split_whitespace().count())
            && first.split_whitespace().all(|word| {
                word.chars().next().is_some_and(char::is_uppercase)
                    || matches!(word, "&" | "and" | "und" | "et" | "y" | "e")
            })
            && !first.chars().any(|letter| letter.is_ascii_digit())
    }

    /// “Clara Hoffmann & Luis Ortega.” below “our wedding”: who invites is the title, and the occasion stands above; says
    /// whether it was taken.
    fn take_couple(&mut self, sentence: &str) -> bool {
        // “Ines & Karl, 12 September, 2 pm”: behind their names comes when and where.
        let clauses = text::clauses(sentence.trim().trim_end_matches(['.', '!']));
        let [names, more @ ..] = clauses.as_slice() else { return false };
        let is_name = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
        let is_joined = |word: &&str| matches!(*word, "&" | "and" | "und" | "et" | "y" | "e" | "+");
        let words: Vec<&str> = names.split_whitespace().collect();
        let is_couple = matches!(self.kind, Kind::Invitation | Kind::Card)
            && !self.request.is_named
            && self.request.kicker.is_empty()
            && (3..=9).contains(&words.len())
            && words.iter().filter(|word| is_joined(word)).count() == 1
            && words.iter().all(|word| is_joined(word) || is_name(word))
            && words.first().is_some_and(|first| is_name(first))
            && words.last().is_some_and(|last| is_name(last));
        if is_couple {
            self.request.kicker = std::mem::replace(&mut self.title, names.clone());
            self.request.is_named = true;
            more.iter().for_each(|clause| self.take_clause(clause));
        }
        is_couple
    }

    /// “"Brains & Beers" at The Anchor, thursday 8pm” below “our quiz night”: the name in quotation marks is the title, and the
    /// occasion stands above; says whether it was taken.
    pub(super) fn take_quoted_name(&mut self, sentence: &str) -> bool {
        let quoted = text::quoted(sentence).filter(|(before, name, _)| {
            before.trim().is_empty() && name.split_whitespace().count() <= 6 && quotes::quote_of(sentence).is_none()
        });
        let is_free = !self.request.is_named && self.request.kicker.is_empty() && self.details.is_empty();
        let Some((_, name, behind)) = quoted.filter(|_| is_free && self.title.split_whitespace().count() <= 3) else {
            return false;
        };
        self.request.kicker = std::mem::replace(&mut self.title, name.to_owned());
        self.request.is_named = true;
        let behind = behind.trim().trim_start_matches([',', '–', '-', ':', ' ']).trim_end_matches('.');
        for clause in text::clauses(behind) {
            self.take_clause(&clause);
        }
        true
    }

    /// “Milo turns 6!” below “party”: what is celebrated is the title, and the occasion stands above; says whether it was taken.
    fn take_celebrated(&mut self, sentence: &str) -> bool {
        #[rustfmt::skip]
        const EVENTS: &[&str] = &[
            "turns", "turning", "retires", "retiring", "graduates", "graduating", "wird", "werden", "feiert", "feiern", "cumple", "cumplen", "compie", "compiono",
            "fête", "fêtent", "prend", "marries",
        ];
        let words: Vec<&str> = sentence.split_whitespace().collect();
        let is_news = matches!(self.kind, Kind::Invitation | Kind::Card)
            && self.request.is_occasion
            && !self.request.is_named
            && self.request.kicker.is_empty()
            && (2..=7).contains(&words.len())
            && words[0].chars().next().is_some_and(char::is_uppercase)
            && words.iter().skip(1).any(|word| EVENTS.contains(&word.to_lowercase().as_str()));
        if is_news {
            self.request.kicker = std::mem::replace(&mut self.title, sentence.trim_end_matches('.').to_owned());
            self.request.is_named = true;
        }
        is_news
    }

    /// A sentence on a thing of one page: details are short, text stands under the title, the rest has its own place.
    pub(super) fn take_for_single(&mut self, sentence: &str) {
        let bare = sentence.trim();
        if is_data(bare) || quotes::quote_of(bare).is_some() {
            self.part().take_text(bare, false);
            self.is_within = false;
            return;
        }
        if self.title.is_empty() {
            self.take_headline(bare);
            return;
        }
        if self.take_offered(bare) {
            return;
        }
        // “every sunday 9 am / bring your own mat / free”: bars between things.
        let bars = text::by_bar(bare);
        if bars.len() >= 3 {
            bars.iter().for_each(|piece| self.take_for_single(piece));
            return;
        }
        // “If it rains, the Sunday after”: the condition stays with what follows from it.
        let is_conditional = ["if ", "wenn ", "falls ", "si ", "se ", "bei ", "in case "]
            .iter()
            .any(|lead| bare.to_lowercase().starts_with(lead));
        if is_conditional && bare.split_whitespace().count() <= 14 {
            self.details.push(text::capitalize(bare.trim_end_matches('.')));
            return;
        }
        if self.take_couple(bare) || self.take_celebrated(bare) || self.take_quoted_name(bare) {
            return;
        }
        let clauses = text::clauses(bare);
        let is_brief = |words: &str| words.split_whitespace().count() <= 8;
        let has_moment = dates::has_moment(bare);
        // “No phones, no pictures”: of what visitors are told no clause is heard for itself.
        let is_refusal = readers::refuses_in_a_row(bare);
        let is_whole = is_refusal
            || readers::speaks_to_readers(bare)
                && clauses.iter().any(|clause| matches!(instructions::judge(clause), Clause::Instruction));
        if clauses.len() > 1
            && !is_whole
            && clauses.iter().all(|clause| is_brief(clause))
            && (has_moment || clauses.len() <= 2 && clauses.iter().all(|clause| clause.split_whitespace().count() <= 5))
        {
            for clause in clauses {
                self.take_clause(&clause);
            }
        } else if clauses.len() >= 3
            && !is_whole
            && !has_moment
            && clauses.iter().all(|clause| is_brief(clause))
            && !bare.contains('@')
            // “It is £20 a head, drinks on top, and children eat for half”: what is told of a price stays together.
            && !names_price(bare)
        {
            self.is_within = false;
            self.part().take_items(&text::items(bare), false);
            self.is_within = false;
        } else if is_brief(bare)
            || is_refusal
            || has_moment && bare.split_whitespace().count() <= 14
            || bare.contains('@')
            || names_price(bare) && bare.chars().count() <= LONGEST_PRICED
        {
            self.details.push(text::capitalize(bare.trim_end_matches('.')));
        } else if self.subtitle.is_empty() && bare.chars().count() <= 170 {
            self.subtitle = bare.to_owned();
        } else {
            self.is_within = false;
            let part = match self
                .parts
                .last_mut()
                .filter(|part| part.title.is_empty() && matches!(part.matters.last(), Some(Matter::Prose { .. })))
            {
                Some(part) => part,
                None => self.part(),
            };
            part.take_text(bare, false);
            self.is_within = false;
        }
    }
}
