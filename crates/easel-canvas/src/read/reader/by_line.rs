//! A brief line by line: headings, lists, tables, lines of their own; and what the reading comes to at its end.

use super::{Reader, is_data, unquote};
use crate::content::Matter;
use crate::document::Run;
use crate::read::instructions::{self, Clause};
use crate::read::kinds::Kind;
use crate::read::lines::Line;
use crate::read::parts::{self, Part};
use crate::read::{Reading, amounts, dates, naming, prices, quotes, text};

/// No title has more letters than this; what is beyond is text.
const MAX_TITLE_LETTERS: usize = 140;

/// No detail has more letters than this.
const MAX_DETAIL_LETTERS: usize = 160;

/// A cover has no more details than this.
const MAX_DETAILS: usize = 14;

/// Whether what stands before a number makes it part of a name: “Corpse Reviver No. 2”.
fn is_numbered(before: &str) -> bool {
    [" no", " nr", " n°", " №"].iter().any(|sign| before.to_lowercase().ends_with(sign))
}

impl Reader {
    pub fn take_lines(&mut self, lines: &[Line]) {
        let mut at = 0;
        while at < lines.len() {
            match &lines[at] {
                Line::Blank => {
                    at += 1;
                }
                // “Paper Plane”, and under it in small letters what is in it.
                Line::Heading(name) | Line::Text(name) if self.is_dish(name, lines.get(at + 1)) => {
                    if let Some(Line::Text(note)) = lines.get(at + 1) {
                        self.take_unpriced(name, note);
                    }
                    at += 2;
                }
                Line::Heading(title) => {
                    self.take_heading(title);
                    at += 1;
                }
                // A numbered line with text right under it is a heading.
                Line::Item(true, title)
                    if matches!(lines.get(at + 1), Some(Line::Text(_))) && title.split_whitespace().count() <= 8 =>
                {
                    self.take_heading(title);
                    at += 1;
                }
                Line::Item(..) => at = self.take_items(lines, at),
                Line::Marked(_) => at = self.take_marked(lines, at),
                Line::Text(words) => {
                    self.take_line(words, lines.get(at + 1), lines.len() > 3);
                    at += 1;
                }
            }
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
    fn take_line(&mut self, words: &str, next: Option<&Line>, is_one_of_many: bool) {
        if let Some(inner) = words.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'))
            && matches!(instructions::judge_of_request(inner), Clause::Instruction)
            && amounts::next_amount(inner, 0).is_none_or(|_| instructions::page_count(&inner.to_lowercase()).is_some())
        {
            self.instructions.push(inner.to_owned());
            return;
        }
        if let Some((before, name)) = naming::named_by(words).filter(|_| self.title.is_empty()) {
            self.title = text::capitalize(&name);
            let rest = before.trim();
            if !rest.is_empty() {
                self.take_text(rest);
            }
            return;
        }
        let has_price = |line: &Line| matches!(line, Line::Text(words) | Line::Item(_, words) if prices::priced(words).is_some_and(|item| !item.price.is_empty()));
        if self.is_menu()
            && self.is_in_unpriced_course()
            && prices::priced(words).is_none()
            && text::label(words).is_none()
            && text::sentences(words).len() == 1
            && !dates::has_moment(words)
            && matches!(instructions::judge(words), Clause::Content(_))
        {
            self.take_unpriced(words, "");
            return;
        }
        if self.is_menu() && is_one_of_many {
            let is_group = next.is_some_and(has_price)
                && prices::priced(words).is_none()
                && !self.title.is_empty()
                && words.split_whitespace().count() <= 6;
            if is_group {
                self.parts.push(Part { title: text::capitalize(words.trim_end_matches(':')), ..Part::default() });
                self.is_within = true;
                return;
            }
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
                self.content.push_str(&content);
                self.content.push(' ');
                if self.title.is_empty()
                    && content.chars().count() <= 90
                    && text::label(&content).is_none()
                    && !is_data(&content)
                {
                    self.set_title(words.trim());
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

    /// A title; what stands behind a dash is the line under it.
    fn set_title(&mut self, words: &str) {
        let words = words.trim().trim_end_matches(['.', ',', ';', ':']);
        self.title = unquote(words);
    }

    fn take_heading(&mut self, title: &str) {
        if instructions::is_label(title) {
            self.instructions.push(title.to_owned());
            return;
        }
        if let Clause::Instruction = instructions::judge(title) {
            self.instructions.push(title.to_owned());
            return;
        }
        let is_lead = matches!(
            title.to_lowercase().as_str(),
            "text"
                | "content"
                | "contents"
                | "inhalt"
                | "details"
                | "facts"
                | "info"
                | "infos"
                | "slides"
                | "folien"
                | "pages"
                | "seiten"
                | "sections"
                | "structure"
                | "outline"
                | "gliederung"
                | "key facts"
                | "fakten"
                | "angaben"
                | "programme text"
                | "copy"
        );
        self.is_within = false;
        if is_lead {
            return;
        }
        if self.title.is_empty() && self.parts.is_empty() {
            self.title = text::capitalize(title);
            return;
        }
        let lower = title.to_lowercase();
        match self.parts.iter().position(|part| part.title.to_lowercase() == lower && part.matters.is_empty()) {
            Some(at) => {
                let part = self.parts.remove(at);
                self.parts.push(part);
            }
            None => self.parts.push(Part::named(title)),
        }
        self.is_within = true;
    }

    /// A list of lines; where each has a name and words, or pages are told, each is a part of its own.
    fn take_items(&mut self, lines: &[Line], from: usize) -> usize {
        let mut items = Vec::new();
        let mut ordered = false;
        let mut at = from;
        while at < lines.len() {
            match &lines[at] {
                Line::Item(is_ordered, item) => {
                    ordered = *is_ordered;
                    items.push(item.clone());
                }
                Line::Blank if matches!(lines.get(at + 1), Some(Line::Item(..))) => {}
                _ => break,
            }
            at += 1;
        }
        items.retain(|item| {
            let keeps = matches!(instructions::judge(item), Clause::Content(_));
            if !keeps {
                self.instructions.push(item.clone());
            }
            keeps
        });
        self.content.push_str(&items.join(". "));
        self.content.push(' ');
        if items.is_empty() {
            return at;
        }
        if self.kind == Kind::Diagram {
            let flow = self.flow.get_or_insert_default();
            items.iter().for_each(|item| flow.take_step(item));
        } else if self.is_menu() {
            items.iter().for_each(|item| self.take_menu(item, ""));
        } else if !self.is_within
            && self.is_paged()
            && (self.told_count().is_some() || items.iter().all(|item| text::label(item).is_some()))
        {
            for item in &items {
                match text::label(item) {
                    Some((label, body)) if parts::is_place(label) => self.take_page(body),
                    Some((label, body)) if parts::is_cover(label) => self.take_cover(body),
                    _ if parts::is_cover(item) => {}
                    _ => self.parts.push(parts::of_item(item, false)),
                }
            }
            self.is_within = false;
        } else if !self.is_within
            && !self.is_paged()
            && items.iter().all(|item| {
                text::label(item).is_some_and(|(_, body)| !body.is_empty() && body.split_whitespace().count() <= 8)
            })
        {
            for item in &items {
                if let Some((label, body)) = text::label(item) {
                    self.take_labelled(label, body);
                }
            }
        } else {
            self.part().take_items(&items, ordered);
        }
        at
    }

    fn take_marked(&mut self, lines: &[Line], from: usize) -> usize {
        let mut rows = Vec::new();
        let mut at = from;
        while let Some(Line::Marked(row)) = lines.get(at) {
            rows.push(row.as_str());
            at += 1;
        }
        for block in crate::compose::read_markdown(&rows.join("\n")) {
            if let crate::compose::Block::Table(table) = block {
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
        for dash in [" – ", " — ", " - "] {
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

    /// Brings what stands at a head to lengths that can stand there; nothing of it is lost.
    fn bound(&mut self) {
        let mut beyond = Vec::new();
        if self.title.chars().count() > MAX_TITLE_LETTERS {
            let cut = self.title.char_indices().map(|(at, _)| at).nth(MAX_TITLE_LETTERS).unwrap_or(self.title.len());
            let cut = self.title[..cut].rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(cut);
            beyond.push(self.title.split_off(cut).trim().to_owned());
        }
        if self.subtitle.chars().count() > MAX_DETAIL_LETTERS * 2 {
            beyond.push(std::mem::take(&mut self.subtitle));
        }
        if self.request.kicker.chars().count() > 60 {
            beyond.push(std::mem::take(&mut self.request.kicker));
        }
        let (short, long): (Vec<String>, Vec<String>) = std::mem::take(&mut self.details)
            .into_iter()
            .partition(|detail| detail.chars().count() <= MAX_DETAIL_LETTERS);
        self.details = short;
        beyond.extend(long);
        // More details than can stand on a cover are a text of their own.
        if self.details.len() > MAX_DETAILS {
            beyond.extend(self.details.split_off(MAX_DETAILS));
        }
        for part in &mut self.parts {
            if part.title.chars().count() > MAX_TITLE_LETTERS {
                beyond.push(std::mem::take(&mut part.title));
            }
        }
        if !beyond.is_empty() {
            let paragraphs = beyond.into_iter().map(|words| vec![Run::plain(words)]).collect();
            self.parts.push(Part {
                title: String::new(),
                matters: vec![Matter::Prose { paragraphs, picture: None }],
                is_named: false,
            });
        }
    }

    pub fn finish(mut self, prompt: &str) -> Reading {
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
        if self.title.is_empty() && !self.details.is_empty() && !self.is_paged() {
            self.title = self.details.remove(0);
        }
        self.divide_title();
        self.bound();
        if let Some(flow) = self.flow.take().filter(|flow| !flow.boxes.is_empty()) {
            let matter = Matter::Flow { boxes: flow.boxes, arrows: flow.arrows };
            self.parts.push(Part { title: String::new(), matters: vec![matter], is_named: false });
        }
        let mood = self.instructions.join(", ");
        let wishes = instructions::wishes(&mood);
        let mut content = format!("{} {} {} {}", self.title, self.subtitle, self.details.join(" "), self.content);
        if content.split_whitespace().count() < 3 {
            content.push_str(prompt);
        }
        let language = instructions::language_of(&content, &wishes);
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
