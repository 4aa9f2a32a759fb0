//! A brief while it is read: its sentences find their places as parts, details, a title, a line under it.
//!
//! Every word that is taken is either kept as an instruction or stands in the reading.

use super::amounts;
use super::dates;
use super::flow;
use super::instructions::{self, Clause};
use super::kinds::Kind;
use super::lines::Line;
use super::matter::is_data;
use super::page_talk::readers;
use super::parts::{self, Part};
use super::prices;
use super::text;

mod bounds;
mod by_line;
mod called;
mod contacts;
mod course;
mod guests;
mod headed;
mod honoured;
mod invited;
mod labelled;
mod letters;
mod listed;
mod matrices;
pub mod menu_items;
mod offered;
mod pairs;
mod recipes;
mod runs;
mod single;
mod spoken;
mod state;
mod vacancies;

use contacts::is_contact;
use labelled::strip_detail_label;
pub use state::Reader;

impl Reader {
    /// What stood behind the colon of the request, and clauses beside its subject.
    pub fn take_request_content(&mut self) {
        let mut content = std::mem::take(&mut self.request.content);
        // “Menu for our pop up, the soup is six pounds, the pie nine”: what stands beside the subject may be the first of several.
        if self.is_menu() && !content.is_empty() && prices::told::one_of(&self.subtitle).is_some() {
            content.insert(0, std::mem::take(&mut self.subtitle));
        }
        let is_one = content.len() == 1;
        if is_one {
            self.take_body(&content[0]);
            return;
        }
        let joined: Vec<String> = content;
        if self.take_vacancy(&joined.join(", ")) {
            return;
        }
        if joined.is_empty() {
            return;
        }
        let whole = joined.join(", ");
        if self.is_listing(&whole) {
            self.take_body(&whole);
        } else {
            for clause in joined {
                self.take_clause(&clause);
            }
        }
    }

    fn is_listing(&self, text: &str) -> bool {
        self.kind == Kind::Diagram || self.is_menu() || (self.is_paged() && text::items(text).len() >= 3)
    }

    /// What stands behind the colon of a request: a list of parts in a deck, prices in a menu, a title and details on a poster.
    fn take_body(&mut self, body: &str) {
        let sentences = text::sentences(body);
        let (first, rest) = match sentences.split_first() {
            Some((first, rest)) => (first.clone(), rest.join(" ")),
            None => return,
        };
        self.note_content(body);
        if self.kind == Kind::Diagram && self.is_matrix {
            for clause in text::clauses(body) {
                self.take_field(&clause);
            }
            return;
        }
        if self.kind == Kind::Diagram {
            if !self.take_title_of_lanes(body) {
                self.take_flow(body);
            }
            return;
        }
        if self.is_paged() && self.take_plans(&sentences) == sentences.len() {
            return;
        }
        let states = self.take_states(&sentences, 1);
        if states > 0 {
            // What follows the sentence that asks may be more of them.
            self.is_within = states == sentences.len();
            self.take_text(&sentences[states..].join(" "));
            return;
        }
        if self.is_paged() && (self.take_whose_life(&first) || self.take_headed_list(&first)) {
            self.take_text(&rest);
            return;
        }
        if self.is_paged() && self.take_told_in_turn(&first) {
            self.take_text(&rest);
            return;
        }
        if self.take_rules(&first) {
            self.take_text(&rest);
            return;
        }
        if self.is_menu() {
            let first = self.cut_trailing(&first, &first);
            if !self.take_told_dishes(&first) {
                self.take_menu(&first, "");
            }
        } else if self.is_paged() && text::items(&first).len() >= 3 && !is_data(&first) && !self.tells_meeting(&first) {
            let told = self.told_count();
            let named = parts::of_list(first.trim_end_matches('.'), told, false);
            self.take_parts(named);
        } else if self.is_paged() {
            if !self.take_bare_title(&first) && !self.take_name_and_line(&first) {
                self.take_sentence(&first);
            }
        } else if !(self.request.is_bare && self.take_quoted_name(&first)) {
            self.give_way_to(&first);
            self.take_headline(&first);
        }
        if !rest.is_empty() {
            self.take_text(&rest);
        }
    }

    /// Whether the list behind what is asked for says when something was and who was there, and names no parts.
    fn tells_meeting(&self, words: &str) -> bool {
        self.kind == Kind::Document && text::clauses(words).iter().any(|clause| dates::has_moment(clause))
    }

    /// “one slide: our pricing. Free 0 € …”: a few words before what is said of them; says whether they were taken.
    fn take_bare_title(&mut self, words: &str) -> bool {
        let topic = super::naming::topic_of(words).filter(|(_, rest)| rest.is_empty()).map(|(topic, _)| topic);
        let bare = topic.as_deref().unwrap_or(words).trim().trim_end_matches(['.', ':']);
        // “One slide for the AGM: the choir in numbers”, and then a list: the occasion stands above.
        let gives_way =
            self.is_followed && self.request.is_bare && !self.request.is_named && self.request.kicker.is_empty();
        let is_bare = (self.title.is_empty() || gives_way)
            && self.parts.is_empty()
            && text::clauses(bare).len() == 1
            && (bare.split_whitespace().count() <= 5
                && amounts::next_amount(bare, 0).is_none()
                && super::naming::is_title(bare)
                || self.is_followed && self.is_headline(bare));
        if is_bare {
            let occasion = std::mem::replace(&mut self.title, text::capitalize(bare));
            if self.request.kicker.is_empty() {
                self.request.kicker = occasion;
            }
            self.request.is_named = true;
        }
        is_bare
    }

    /// A clause beside the subject.
    fn take_clause(&mut self, clause: &str) {
        let is_of_lanes = self.kind == Kind::Diagram && flow::lanes::are_asked(clause);
        let judged = if is_of_lanes {
            Clause::Instruction
        } else if super::request::says_who(clause) || says_age(clause) {
            Clause::Content(clause.to_owned())
        } else {
            instructions::judge(clause)
        };
        match judged {
            Clause::Instruction => self.instructions.push(clause.to_owned()),
            Clause::Content(content) => {
                self.note_content(&content);
                if self.take_offered(&content) {
                    return;
                }
                if self.is_paged() && self.parts.is_empty() && is_when_or_where(&content) {
                    self.details.push(text::capitalize(&content));
                } else if self.is_paged() {
                    self.take_content_sentence(&content);
                } else if is_data(&content) {
                    self.part().take_text(&content, false);
                } else if content.chars().count() > 60
                    && self.subtitle.is_empty()
                    && !dates::has_moment(&content)
                    && !single::names_price(&content)
                {
                    self.subtitle = text::capitalize(&content);
                } else {
                    self.details.push(text::capitalize(strip_detail_label(&content)));
                }
            }
        }
    }

    /// Whether words before a list are what the list is called: “how I trained for my first 5k”, “4 erreurs sur les devis”.
    fn is_headline(&self, bare: &str) -> bool {
        let has_fact =
            amounts::amounts(bare).iter().any(|amount| amount.is_price(bare) || amount.suffix.starts_with('%'));
        (2..=10).contains(&bare.split_whitespace().count())
            && !has_fact
            && !dates::has_moment(bare)
            && text::label(bare).is_none()
            && matches!(instructions::judge(bare), Clause::Content(_))
    }

    fn take_parts(&mut self, named: Vec<Part>) {
        for part in named {
            if parts::is_cover(&part.title) {
                continue;
            }
            self.parts.push(part);
            // “no papers” on a card says something and asks for no more.
            self.settle_tip(2);
        }
        self.is_within = false;
    }

    /// What is known of the whole before the first sentence is read: whether a menu says prices, in what sort of sentences a
    /// diagram is told.
    pub fn look_ahead(&mut self, lines: &[Line]) {
        self.is_unpriced = !menu_items::name_prices(&self.request.content, lines);
        self.is_week = menu_items::name_days(&self.request.content, lines);
        self.is_vacancy = vacancies::are_told(&self.request.kind_name, &self.request.content, lines);
        self.is_matrix = matrices::is_told(&self.request.kind_name, lines);
        self.headings = lines.iter().filter(|line| matches!(line, Line::Heading(_))).count();
        let items = lines.iter().filter(|line| matches!(line, Line::Item(..))).count();
        self.is_followed =
            items >= 2 && matches!(lines.iter().find(|line| !matches!(line, Line::Blank)), Some(Line::Item(..)));
        if self.kind != Kind::Diagram {
            return;
        }
        let told: Vec<String> = self
            .request
            .content
            .iter()
            .chain(lines.iter().filter_map(|line| match line {
                Line::Text(words) | Line::Item(_, words) => Some(words),
                _ => None,
            }))
            .flat_map(|words| text::sentences(words))
            .collect();
        self.sort = flow::sort_of(&told, &self.request.kind_name);
        self.look_for_lanes(&told);
    }

    fn take_text(&mut self, words: &str) {
        if self.take_answer(words) {
            return;
        }
        let sentences = text::sentences(words);
        let mut at = 0;
        while at < sentences.len() {
            let taken = match self.take_states(&sentences[at..], 2) {
                0 => self.take_pairs(&sentences[at..]),
                states => states,
            };
            if taken > 0 {
                at += taken;
                continue;
            }
            match self.take_plans(&sentences[at..]) {
                // “… posset 8. Wine pairing +25.”: beside other sentences what is had for more is no dish of its own.
                0 if self.is_menu() && sentences.len() > 1 && prices::surcharge(&sentences[at]).is_some() => {
                    self.details.push(text::capitalize(sentences[at].trim_end_matches('.')));
                    at += 1;
                }
                0 => {
                    self.take_sentence(&sentences[at]);
                    at += 1;
                }
                count => at += count,
            }
        }
    }

    fn take_sentence(&mut self, sentence: &str) {
        // “Stellenanzeige für Instagram: Wir suchen dich!”: where it is shown is not what it says.
        if let Some((label, body)) =
            text::label(sentence).filter(|(label, body)| !body.is_empty() && is_of_medium(label))
        {
            self.instructions.push(label.to_owned());
            self.take_text(body);
            return;
        }
        if let Some((topic, rest)) = super::naming::topic_of(sentence).filter(|_| self.title.is_empty()) {
            self.title = topic;
            if !rest.is_empty() {
                self.take_text(&rest);
            }
            return;
        }
        if self.is_paged() && (self.take_told(sentence) || self.take_end(sentence))
            || self.take_naming_sentence(sentence)
            || self.take_leading(sentence)
            || self.take_named(sentence)
        {
            return;
        }
        if self.take_highlight(sentence) {
            self.instructions.push(sentence.to_owned());
            return;
        }
        // What comes later is left open under its name.
        if let Some((label, _)) =
            text::label(sentence).filter(|(_, body)| self.is_paged() && instructions::is_put_off(body))
        {
            self.parts.push(Part::named(label));
            self.is_within = false;
            return;
        }
        let content = match instructions::judge(sentence) {
            Clause::Instruction => {
                self.instructions.push(sentence.to_owned());
                return;
            }
            Clause::Content(content) => content,
        };
        // “to be added by Noor on Friday” under a heading: the page stays open.
        let is_open = self.is_headed && self.parts.last().is_some_and(|part| part.matters.is_empty());
        if is_open && text::clauses(sentence).iter().any(|clause| instructions::is_put_off(clause)) {
            self.instructions.push(sentence.to_owned());
            return;
        }
        // Instructions at the end of a sentence are no part of it.
        let content = self.cut_trailing(&content, sentence);
        self.note_content(&content);
        if let Some((label, body)) = text::label(&content)
            && super::naming::is_title_label(label)
            && !body.is_empty()
            && !self.is_paged()
            && self.take_title_label(body)
        {
            return;
        }
        if self.take_field(&content) {
            return;
        }
        if self.kind == Kind::Diagram {
            // Beside a chart or a course of years words are details, as is who answers questions.
            let is_beside = self.flow.is_none() && !self.parts.is_empty();
            if is_beside || is_contact(&content) {
                self.details.push(text::capitalize(&content));
            } else {
                self.take_course(&content);
            }
            return;
        }
        if self.is_menu() {
            let named =
                text::label(&content).filter(|(label, body)| super::naming::is_title_label(label) && !body.is_empty());
            if let Some((_, body)) = named
                && self.take_title_label(body)
            {
                return;
            }
            self.take_menu(&content, "");
            return;
        }
        self.take_content_sentence(&content);
    }

    /// “Free entry, in warm colours, A5” keeps its first words only.
    fn cut_trailing(&mut self, content: &str, sentence: &str) -> String {
        let mut clauses = text::clauses(content);
        let mut is_cut = false;
        // “5 steps: wet hands, soap, rinse, dry”: the last word of a list is one of its things.
        let is_listed = text::label(content).is_some_and(|(_, body)| text::items(body).len() >= 3);
        // “No phones, no pictures”: what visitors are told is no wish at its end either, nor who said something.
        if readers::speaks_to_readers(content) || super::quotes::quote_of(content).is_some() {
            return content.to_owned();
        }
        // “English (C1), German (A2)”: of things that all have brackets none is a wish.
        if clauses.len() > 1 && clauses.iter().all(|clause| clause.trim_end_matches('.').ends_with(')')) {
            return content.to_owned();
        }
        while clauses.len() > 1
            && clauses.last().is_some_and(|last| {
                !(says_age(last) || is_listed && last.split_whitespace().count() == 1)
                    && matches!(instructions::judge(last), Clause::Instruction)
            })
        {
            self.instructions.extend(clauses.pop());
            is_cut = true;
        }
        if is_cut {
            return clauses.join(", ");
        }
        let whole = sentence.trim();
        if whole.trim_end_matches(['.', '!', '?', ';', ',']) == content { whole.to_owned() } else { content.to_owned() }
    }

    fn take_content_sentence(&mut self, content: &str) {
        // “The quote: “…””.
        if !self.is_paged() && text::label(content).is_some() && super::quotes::quote_of(content).is_some() {
            self.part().take_text(content, false);
            self.is_within = false;
            return;
        }
        if let Some((label, body)) = text::label(content).or_else(|| self.bare_section(content))
            && self.take_labelled(label, body)
        {
            return;
        }
        if !self.is_paged() && !self.is_within {
            self.take_for_single(content);
            return;
        }
        // A sentence about a part that was named goes there.
        if let Some(at) = self.part_about(content) {
            self.parts[at].take_text(content, false);
            return;
        }
        self.part().take_text(content, false);
    }

    /// “Market €1.8bn in Europe” between sections that have their colons: the section and what it says.
    fn bare_section<'t>(&self, content: &'t str) -> Option<(&'t str, &'t str)> {
        #[rustfmt::skip]
        const SECTIONS: &[&str] = &[
            "Market", "Traction", "Revenue", "Pricing", "Budget", "Ask", "Funding", "Customers", "Growth", "Markt", "Umsatz", "Kunden", "Wachstum", "Finanzierung",
            "Marché", "Mercado", "Mercato",
        ];
        let (section, said) = content.split_once(' ')?;
        let is_among = self.kind == Kind::Deck
            && self.parts.last().is_some_and(|part| !part.title.is_empty())
            && SECTIONS.contains(&section);
        let first = said.split_whitespace().next()?;
        (is_among && first.contains(|letter: char| letter.is_ascii_digit())).then_some((section, said))
    }

    /// A part without words yet whose name a sentence holds.
    fn part_about(&self, content: &str) -> Option<usize> {
        let words = text::words(content);
        let lower = content.to_lowercase();
        self.parts.iter().position(|part| {
            let name = part.title.to_lowercase();
            part.is_named
                && part.matters.is_empty()
                && !name.is_empty()
                && (words.contains(&name)
                    || name.split_whitespace().count() > 1 && lower.contains(&name)
                    || words.iter().take(4).any(|word| text::same_stem(word, &name)))
        })
    }
}

/// “Free, for children from 4”: behind what is said it says who may come.
fn says_age(clause: &str) -> bool {
    instructions::is_audience(&clause.to_lowercase()) && clause.contains(|letter: char| letter.is_ascii_digit())
}

/// Whether a label says where a thing is shown: “job ad for Instagram”.
fn is_of_medium(label: &str) -> bool {
    let words = text::words(label);
    let is_for = |word: &String| matches!(word.as_str(), "for" | "für" | "pour" | "para" | "per");
    words.len() >= 3
        && words.last().is_some_and(|last| {
            matches!(last.as_str(), "instagram" | "insta" | "linkedin" | "facebook" | "whatsapp" | "tiktok" | "twitter")
        })
        && is_for(&words[words.len() - 2])
}

/// Whether a few words say when or in which room something is: “19 Uhr”, “room 104”.
fn is_when_or_where(words: &str) -> bool {
    let first = words.split_whitespace().next().unwrap_or_default().to_lowercase();
    let is_room = matches!(first.as_str(), "raum" | "room" | "salle" | "sala" | "aula" | "saal" | "hörsaal" | "zimmer");
    words.split_whitespace().count() <= 4 && (is_room || dates::has_moment(words) || dates::is_period(words))
}
