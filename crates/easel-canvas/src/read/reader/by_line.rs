//! A brief line by line: headings, lists, tables, lines of their own; and what the reading comes to at its end.

use super::invited;
use super::spoken::end_of;
use super::state::Reader;
use crate::content::Matter;
use crate::read::flow::posts;
use crate::read::instructions::{self, Clause};
use crate::read::kinds::{self, Kind};
use crate::read::lines::Line;
use crate::read::matter::is_data;
use crate::read::naming::{self, unquote};
use crate::read::parts::{self, Part};
use crate::read::{Reading, amounts, courses, dates, maker, prices, quotes, request, text};

/// Headings that only lead to what the thing says.
#[rustfmt::skip]
const LEADS: &[&str] = &[
    "text", "content", "contents", "inhalt", "info", "infos", "slides", "folien", "pages", "seiten", "sections", "structure", "outline", "gliederung", "angaben",
    "programme text", "copy",
];

/// Headings that lead to numbers and facts.
const OF_DATA: &[&str] = &["details", "facts", "key facts", "fakten", "numbers", "data", "zahlen"];

/// Whether an item of a numbered list stands directly above, which had nothing under it: the last of a list heads nothing.
fn follows_item(lines: &[Line], at: usize) -> bool {
    let tells = |words: &str| text::name_and_words(words).is_some() || words.split_whitespace().count() > 8;
    at > 0 && matches!(&lines[at - 1], Line::Item(true, words) if tells(words))
}

/// Whether what stands before a number makes it part of a name: “Corpse Reviver No. 2”.
fn is_numbered(before: &str) -> bool {
    [" no", " nr", " n°", " №"].iter().any(|sign| before.to_lowercase().ends_with(sign))
}

/// “need the tap list redone:”: whoever writes begins with what they need.
fn asks_for_all(title: &str) -> bool {
    let lower = title.to_lowercase();
    [
        "need ",
        "i need ",
        "we need ",
        "i'd like ",
        "we'd like ",
        "brauche ",
        "ich brauche ",
        "wir brauchen ",
        "il me faut ",
        "necesito ",
        "mi serve ",
    ]
    .iter()
    .any(|lead| lower.starts_with(lead))
}

impl Reader {
    pub fn take_lines(&mut self, lines: &[Line]) {
        if self.take_letter(lines) {
            return;
        }
        let mut at = 0;
        let mut was_untitled = self.title.is_empty();
        while at < lines.len() {
            if was_untitled && !self.title.is_empty() && self.take_line_under(lines, at) {
                at += 1;
            }
            was_untitled = self.title.is_empty();
            if at == lines.len() {
                return;
            }
            if let Some(next) = self.take_invitation(lines, at).or_else(|| self.take_run(lines, at)) {
                at = next;
                continue;
            }
            match &lines[at] {
                Line::Blank => {
                    self.is_headed &= self.parts.last().is_some_and(|part| part.matters.is_empty());
                    at += 1;
                }
                // “Paper Plane”, and under it in small letters what is in it.
                Line::Heading(name) | Line::Text(name) if self.is_dish(name, lines.get(at + 1)) => {
                    if let Some(Line::Text(note)) = lines.get(at + 1) {
                        self.take_unpriced(name, note);
                    }
                    at += 2;
                }
                // “TINTOS”, and under it wines: several short headings over prices are courses, and none is the name of the menu.
                Line::Heading(title) | Line::Text(title) if self.heads_a_course(title, lines, at) => {
                    self.take_course_name(title);
                    at += 1;
                }
                Line::Heading(title) => {
                    self.take_heading(title);
                    at += 1;
                }
                // A numbered line with text or a list right under it is a heading.
                Line::Item(true, title) if self.is_numbered_heading(lines, at) => {
                    self.is_within = false;
                    self.parts.push(Part::named(title.trim_end_matches([':', '.'])));
                    self.is_within = true;
                    self.is_headed = true;
                    at += 1;
                }
                Line::Item(..) | Line::Nested(..) => at = self.take_items(lines, at),
                Line::Drawn(noted) => {
                    self.take_noted(noted.clone());
                    at += 1;
                }
                Line::Marked(_) => at = self.take_marked(lines, at),
                Line::Text(words) => {
                    self.take_line(words, lines.get(at + 1), lines.len() > 3);
                    at += 1;
                }
            }
        }
    }

    /// “Kelpline”, and right under it, with nothing below, what that is; says whether it was taken.
    fn take_line_under(&mut self, lines: &[Line], at: usize) -> bool {
        let is_last = matches!(lines.get(at + 1), None | Some(Line::Blank));
        let words = match lines.get(at) {
            Some(Line::Text(words)) if self.is_paged() || self.kind == Kind::Diagram => words,
            Some(Line::Item(false, words)) => words,
            _ => return false,
        };
        let is_subtitle = is_last
            && self.subtitle.is_empty()
            && self.parts.is_empty()
            && self.flow.is_none()
            && words.split_whitespace().count() <= 16
            && text::sentences(words).len() == 1
            && text::label(words).is_none()
            && !words.contains(['→', '@'])
            && !is_data(words)
            && quotes::quote_of(words).is_none()
            && matches!(instructions::judge(words), Clause::Content(_));
        if is_subtitle {
            self.note_content(words);
            self.subtitle = text::capitalize(words.trim());
        }
        is_subtitle
    }

    /// Whether a numbered line heads what follows it: text, or a list of another kind.
    pub(super) fn is_numbered_heading(&self, lines: &[Line], at: usize) -> bool {
        let (Some(Line::Item(true, title)), false) = (lines.get(at), self.kind == Kind::Diagram || self.is_menu())
        else {
            return false;
        };
        // The last of several items without anything under them heads nothing either.
        let is_one_of_many = at >= 2 && lines[at - 2..at].iter().all(|line| matches!(line, Line::Item(true, _)));
        if follows_item(lines, at) || is_one_of_many {
            return false;
        }
        let is_short = title.split_whitespace().count() <= 8;
        match lines.get(at + 1) {
            // “last card: …” is no text under the item before it.
            Some(Line::Text(words)) if text::label(words).is_some_and(|(label, _)| parts::is_place(label)) => false,
            // Nor is “end with follow me”.
            Some(Line::Text(words)) if end_of(words).is_some() => false,
            Some(Line::Text(_)) => is_short,
            Some(Line::Item(false, _)) => is_short && text::label(title).is_none_or(|(_, body)| body.is_empty()),
            Some(Line::Nested(..)) => is_short && self.is_paged(),
            _ => false,
        }
    }

    /// Whether a short line of a menu is the name of a dish that the next line describes.
    fn is_dish(&self, name: &str, next: Option<&Line>) -> bool {
        let Some(Line::Text(note)) = next else { return false };
        self.is_menu()
            && !self.title.is_empty()
            && name.split_whitespace().count() <= 6
            && name.chars().next().is_some_and(char::is_uppercase)
            && note.chars().next().is_some_and(char::is_lowercase)
            && text::clauses(note).len() >= 2
            && prices::priced(name).is_none_or(|item| is_numbered(&item.name))
            && prices::priced(note).is_none()
    }

    /// A line of text; on a thing of one page a short line is one detail, whatever commas it has.
    pub(super) fn take_line(&mut self, words: &str, next: Option<&Line>, is_one_of_many: bool) {
        if let Some(inner) = words.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'))
            && matches!(instructions::judge_of_request(inner), Clause::Instruction)
            && amounts::next_amount(inner, 0).is_none_or(|_| instructions::page_count(&inner.to_lowercase()).is_some())
        {
            self.instructions.push(inner.to_owned());
            return;
        }
        // “Bild 4: Wer kommt? Umfrage: ja / klar”: what is said to the question is of that page.
        let asks = |body: &str| matches!(text::sentences(body).as_slice(), [first, _, ..] if first.ends_with('?'));
        if let Some((label, body)) =
            text::label(words).filter(|(label, body)| self.is_paged() && parts::is_place(label) && asks(body))
        {
            self.note_content(body);
            self.take_labelled(label, body);
            return;
        }
        if self.take_sizes(words)
            || text::sentences(words).len() == 1 && self.take_vacancy(words)
            || self.repeats_title(words)
            || is_one_of_many && self.take_short_sentences(words, next)
            || self.take_speaker(words)
            || self.take_naming(words, next, is_one_of_many)
            || self.is_menu() && self.take_course_line(words, next, is_one_of_many)
        {
            return;
        }
        let is_single =
            !self.is_paged() && is_one_of_many && !self.is_within && !self.is_menu() && self.kind != Kind::Diagram;
        if !is_single || text::sentences(words).len() > 1 {
            self.take_text(words);
            return;
        }
        match instructions::judge(words) {
            Clause::Instruction => self.instructions.push(words.to_owned()),
            Clause::Content(content) => {
                self.note_content(&content);
                if self.title.is_empty()
                    && content.chars().count() <= 90
                    && text::label(&content).is_none()
                    && !is_data(&content)
                    && (naming::is_title(&content) || next.is_none())
                {
                    self.set_title(words.trim());
                } else if matches!(self.kind, Kind::OnePager)
                    && words.trim_end().ends_with('.')
                    && words.split_whitespace().count() >= 6
                {
                    self.take_content_sentence(words.trim());
                } else if content.chars().count() <= 90
                    && !is_data(&content)
                    && quotes::quote_of(&content).is_none()
                    && text::label(&content).is_none()
                {
                    self.details.push(text::capitalize(words.trim().trim_end_matches('.')));
                } else {
                    self.take_content_sentence(&content);
                }
            }
        }
    }

    /// A line that names what the thing is about, by words or by its place; says whether it was taken.
    fn take_naming(&mut self, words: &str, next: Option<&Line>, is_one_of_many: bool) -> bool {
        let sentences = text::sentences(words);
        if sentences.len() == 1 && (self.take_leading(words) || self.take_named(words)) {
            return true;
        }
        if let ([first, rest @ ..], true) = (sentences.as_slice(), self.title.is_empty() && sentences.len() > 1)
            && naming::named_by(first).is_some()
        {
            self.take_line(first, None, false);
            self.take_text(&rest.join(" "));
            return true;
        }
        if let Some((before, name)) = naming::named_by(words).filter(|_| self.title.is_empty()) {
            self.title = text::capitalize(&name);
            let rest = before.trim();
            let is_brief = rest.split_whitespace().count() <= 12 && text::sentences(rest).len() == 1;
            if is_brief && self.subtitle.is_empty() && matches!(instructions::judge(rest), Clause::Content(_)) {
                self.subtitle = text::capitalize(rest);
            } else if !rest.is_empty() {
                self.take_text(rest);
            }
            return true;
        }
        if let Some(title) = naming::bare_title(words).filter(|_| self.title.is_empty()) {
            self.title = title;
            return true;
        }
        if let Some((topic, rest)) = naming::topic_of(words).filter(|_| self.title.is_empty()) {
            self.title = topic;
            if !rest.is_empty() {
                self.take_text(&rest);
            }
            return true;
        }
        if self.title.is_empty()
            && self.parts.is_empty()
            && self.flow.is_none()
            && next.is_some()
            && is_one_of_many
            && (self.is_paged() || self.kind == Kind::Diagram)
            && (words.chars().count() <= 70 || text::clauses(words).len() > 2 && words.chars().count() <= 120)
            && text::sentences(words).len() == 1
            && !(self.kind == Kind::Diagram && words.ends_with(['.', '?']))
            && !self.tells_course(words)
            && naming::is_title(words)
        {
            self.set_title(words.trim());
            return true;
        }
        false
    }

    /// A line of a menu that is a dish without a price or names a course; says whether it was taken.
    fn take_course_line(&mut self, words: &str, next: Option<&Line>, is_one_of_many: bool) -> bool {
        let has_price = |line: &Line| matches!(line, Line::Text(words) | Line::Item(_, words) if prices::price_first(words).is_some() || prices::priced(words).is_some_and(|item| !item.price.is_empty()));
        if text::sentences(words).len() == 1 && self.take_days(words) {
            return true;
        }
        if self.is_in_unpriced_course()
            && prices::price_first(words).is_none()
            && prices::priced(words).is_none()
            && text::label(words).is_none()
            && text::sentences(words).len() == 1
            // A sentence is told to the guests.
            && !(words.ends_with('.') && words.split_whitespace().count() > 4)
            && !dates::has_moment(words)
            && matches!(instructions::judge(words), Clause::Content(_))
        {
            self.take_unpriced(words, "");
            return true;
        }
        if self.title.is_empty() && is_one_of_many && next.is_some() && courses::is_course(words) {
            self.take_course_name(words);
            return true;
        }
        if is_one_of_many {
            // “Dolce: cantucci e vin santo” is a course with its dishes, and heads nothing.
            let is_group = next.is_some_and(has_price)
                && text::label(words).is_none_or(|(_, body)| body.is_empty())
                && prices::priced(words).or_else(|| prices::odd::told_free(words)).is_none()
                && prices::price_first(words).is_none()
                && !self.title.is_empty()
                && !prices::speaks_of_prices(words)
                && words.split_whitespace().count() <= 6;
            if is_group {
                self.parts.push(Part { title: text::capitalize(words.trim_end_matches(':')), ..Part::default() });
                self.is_within = true;
                return true;
            }
        }
        false
    }

    /// A title; what stands behind a dash is the line under it.
    fn set_title(&mut self, words: &str) {
        let words = words.trim().trim_end_matches(['.', ',', ';', ':']);
        let words = [" by the way", " btw"].iter().find_map(|said| words.strip_suffix(said)).unwrap_or(words);
        // “SAVE THE DATE” over two names says what kind of thing it is.
        if kinds::is_name(words) && self.request.kicker.is_empty() && self.kind != Kind::Poster {
            self.request.kicker = text::capitalize(words);
            return;
        }
        let clauses = text::clauses(words);
        let is_told = |clause: &String| {
            dates::has_moment(clause) || clause.chars().any(|letter| letter.is_ascii_digit()) && clauses.len() > 2
        };
        if clauses.len() > 1 && clauses[1..].iter().any(is_told) && text::quoted(words).is_none() {
            self.title = unquote(&clauses[0]);
            self.details.extend(clauses[1..].iter().map(|clause| text::capitalize(clause)));
        } else if self.kind == Kind::Diagram
            && clauses.len() == 2
            && self.subtitle.is_empty()
            && words.split_whitespace().count() > 5
        {
            self.title = unquote(&clauses[0]);
            self.take_beside_title(&clauses[1]);
        } else {
            self.title = unquote(words);
        }
        // “Summer feast on 12 July at the fire station”: when and where stand apart.
        if !self.is_paged()
            && dates::first_moment(&self.title).is_some_and(|at| at > 6)
            && text::clauses(&self.title).len() == 1
        {
            let read = request::read(&format!("poster for {}", self.title), false);
            if !read.title.is_empty() && read.content.is_empty() && read.subtitle.is_empty() {
                self.title = read.title;
                self.details.splice(0..0, read.details);
            }
        }
        self.part_names();
    }

    /// “Clara and Jonah are getting married”: the names are the title.
    fn part_names(&mut self) {
        #[rustfmt::skip]
        const NEWS: &[&str] = &[" are getting married", " get married", " tie the knot", " heiraten", " geben sich das ja-wort", " se marient", " se casan", " si sposano"];
        let lower = self.title.to_lowercase();
        if lower.len() != self.title.len() || self.is_paged() || !self.subtitle.is_empty() {
            return;
        }
        if let Some(at) = NEWS.iter().filter_map(|news| lower.find(news)).min().filter(|at| *at > 3) {
            let news = self.title.split_off(at);
            self.subtitle = text::capitalize(news.trim());
        }
    }

    pub(super) fn take_heading(&mut self, title: &str) {
        if self.take_sizes(title) {
            return;
        }
        // Said to the guests, of all that stands around it.
        if self.is_menu() && !self.title.is_empty() && prices::speaks_of_prices(title) {
            self.details.push(text::capitalize(title));
            self.is_within = false;
            return;
        }
        if instructions::is_label(title) {
            self.instructions.push(title.to_owned());
            return;
        }
        // “SMALL” over dishes is no wish: only at the beginning words of looks are one.
        let is_first = self.title.is_empty() && self.parts.is_empty();
        // One of several questions with their answers asks nobody for anything, and is not what the whole is called.
        let is_question = title.ends_with('?') && self.headings > 1;
        let is_wish = is_first && (matches!(instructions::judge(title), Clause::Instruction) || asks_for_all(title))
            || maker::speaks(title);
        if is_wish && !is_question {
            self.instructions.push(title.to_owned());
            return;
        }
        if let Some((label, body)) = text::label(title).filter(|(_, body)| !body.is_empty()) {
            let (label, body) = (label.to_owned(), body.to_owned());
            if self.take_labelled(&label, &body) {
                return;
            }
        }
        // “Numbers” among other headings is the name of a page.
        let lower = title.to_lowercase();
        let is_page = self.is_paged() && self.headings > 2 && OF_DATA.contains(&lower.as_str());
        let is_lead = !is_page && (LEADS.contains(&lower.as_str()) || OF_DATA.contains(&lower.as_str()));
        self.is_within = false;
        if is_lead {
            return;
        }
        if self.title.is_empty() && self.is_menu() && courses::is_course(title) {
            self.take_course_name(title);
            return;
        }
        if self.title.is_empty() && self.parts.is_empty() && !is_question {
            self.set_title(title);
            return;
        }
        // What stood before the first heading of a letter or a release belongs to its head.
        if self.title.is_empty()
            && self.subtitle.is_empty()
            && let [Part { title: none, matters, .. }] = self.parts.as_slice()
            && none.is_empty()
            && let [Matter::Prose { paragraphs, .. }] = matters.as_slice()
            && paragraphs.len() <= 2
        {
            self.details.extend(paragraphs.iter().map(|runs| crate::content::plain(runs)));
            self.parts.clear();
            self.set_title(title);
            return;
        }
        self.take_head_lines();
        let lower = title.to_lowercase();
        match self.parts.iter().position(|part| part.title.to_lowercase() == lower && part.matters.is_empty()) {
            Some(at) => {
                let part = self.parts.remove(at);
                self.parts.push(part);
            }
            None => self.parts.push(Part::named(title)),
        }
        self.is_within = true;
        self.is_headed = true;
    }

    pub(super) fn take_marked(&mut self, lines: &[Line], from: usize) -> usize {
        let mut rows = Vec::new();
        let mut at = from;
        while let Some(Line::Marked(row)) = lines.get(at) {
            rows.push(row.as_str());
            at += 1;
        }
        for block in crate::compose::read_markdown(&rows.join("\n")) {
            if let crate::compose::Block::Table(table) = block {
                if self.kind == Kind::Diagram
                    && self.flow.is_none()
                    && let Some(flow) = posts::tree_of(&table)
                {
                    self.flow = Some(flow);
                    continue;
                }
                self.part().take_table(table);
            }
        }
        at
    }

    /// “Harborline – owner update” is a title and the line under it.
    fn divide_title(&mut self) {
        if !self.subtitle.is_empty() {
            return;
        }
        for dash in text::DASHES {
            // “Minutes – Housing Co-op Larkspur”: what kind of thing it is stands above.
            if let Some((head, rest)) = self.title.clone().split_once(dash)
                && self.request.kicker.is_empty()
                && kinds::is_name(head)
            {
                self.request.kicker = head.trim().to_owned();
                self.title = text::capitalize(rest.trim());
                return;
            }
            if let Some((head, rest)) = self.title.clone().split_once(dash)
                && head.chars().count() >= 2
                && rest.chars().count() >= 3
            {
                self.title = head.trim().to_owned();
                self.subtitle = text::capitalize(rest.trim());
                return;
            }
        }
    }

    /// A line between the title and the first heading, no sentence, is the line under the title.
    fn take_words_under_title(&mut self) {
        let is_first = self.parts.len() > 1 && self.subtitle.is_empty() && !self.title.is_empty();
        let words = match self.parts.first() {
            Some(Part { title, matters, .. }) if is_first && title.is_empty() => match matters.as_slice() {
                [Matter::Prose { paragraphs, .. }] if paragraphs.len() == 1 => crate::content::plain(&paragraphs[0]),
                _ => return,
            },
            _ => return,
        };
        // “We make electric tugboats.” is no name either, and tells who presents.
        let is_trade = self.kind == Kind::Deck
            && words.split_whitespace().count() <= 10
            && text::words(&words).first().is_some_and(|first| matches!(first.as_str(), "we" | "wir" | "nous"));
        if words.split_whitespace().count() <= 16 && (is_trade || !words.trim_end().ends_with(['.', '!', ':'])) {
            self.subtitle = text::capitalize(words.trim().trim_end_matches('.'));
            self.parts.remove(0);
        }
    }

    pub fn finish(mut self, prompt: &str, subject: &str) -> Reading {
        // A few words and nothing else are what the thing is called.
        if let [Part { title, matters, .. }] = self.parts.as_slice()
            && let [Matter::Prose { paragraphs, .. }] = matters.as_slice()
            && self.title.is_empty()
            && title.is_empty()
            && prompt.split_whitespace().count() <= 8
        {
            let words: Vec<String> = paragraphs.iter().map(|runs| crate::content::plain(runs)).collect();
            self.title = text::capitalize(words.join(" ").trim_end_matches('.'));
            self.parts.clear();
        }
        if self.title.is_empty() {
            self.title = text::capitalize(subject);
        }
        self.settle_sizes();
        self.set_apart_from_guests();
        self.call_by_detail();
        self.call_by_trade();
        self.call_by_kind();
        if self.title.is_empty() && self.parts.is_empty() {
            self.title = std::mem::take(&mut self.request.kicker);
        }
        if self.kind == Kind::Certificate {
            self.settle_honoured();
        }
        self.divide_title();
        if let Some((name, whom)) =
            invited::divide_age(&self.title).filter(|_| self.subtitle.is_empty() && !self.is_paged())
        {
            (self.title, self.subtitle) = (name, whom);
        }
        self.name_first_course();
        self.name_lines();
        self.take_words_under_title();
        self.bound();
        if let Some(flow) = self.flow.take().filter(|flow| !flow.boxes.is_empty()) {
            let matter = flow.into_matter();
            self.parts.push(Part { title: String::new(), matters: vec![matter], is_named: false });
        }
        let mood = self.instructions.join(", ");
        let wishes = instructions::wishes(&mood);
        let mut content = format!("{} {} {} {}", self.title, self.subtitle, self.details.join(" "), self.content);
        if content.split_whitespace().count() < 3 {
            content.push_str(prompt);
        }
        let language = instructions::language_of(&content, prompt, &wishes);
        // “Slide 4 – Costs”: the dash behind the place of a page is none of its name.
        for part in &mut self.parts {
            let bare = part.title.trim_start_matches(['–', '—', ' ']);
            if bare.len() < part.title.len() {
                part.title = text::capitalize(bare);
            }
        }
        self.parts.retain(|part| !part.title.is_empty() || !part.matters.is_empty());
        Reading {
            named_kind: self.request.kind,
            mood: format!("{mood} {} {}", self.request.kicker, self.title),
            wishes,
            kicker: self.request.kicker,
            title: self.title,
            subtitle: self.subtitle,
            details: self.details,
            parts: self.parts,
            language,
        }
    }
}
