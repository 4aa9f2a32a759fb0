//! Reading a brief for its structure: what kind of thing it is, what it is about, its parts and facts, and, apart from
//! all that, its instructions.
//!
//! These are rules about punctuation and words, not understanding. What holds: every word of a brief is either an
//! instruction, which is obeyed, or content, which stands on a page; in doubt it is content. No word is ever added.
//! Deliberately not here: files (`compose::source`), pages (`compose`), places and colours.

pub mod amounts;
mod comparison;
mod dates;
pub mod flow;
pub mod instructions;
pub mod kinds;
pub mod language;
mod lines;
pub mod matter;
pub mod parts;
mod prices;
mod quotes;
mod request;
mod series;
mod style;
pub mod text;
mod vocabulary;

use crate::content::Matter;
use crate::document::{Category, Run};
use flow::Flow;
use instructions::{Clause, Wishes};
use kinds::Kind;
use lines::Line;
use parts::Part;
use request::Request;

/// No more letters of a brief are looked at.
const MAX_LETTERS: usize = 20_000;

/// No title has more letters than this; what is beyond is text.
const MAX_TITLE_LETTERS: usize = 140;

/// No detail has more letters than this.
const MAX_DETAIL_LETTERS: usize = 160;

/// A cover has no more details than this.
const MAX_DETAILS: usize = 14;

/// What a brief says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    /// The kind that it names.
    pub named_kind: Option<Kind>,
    /// Its instructions.
    pub wishes: Wishes,
    /// The words of its instructions and of its occasion, by which a theme is chosen.
    pub mood: String,
    /// The few words above the title.
    pub kicker: String,
    /// What it is called; may be empty.
    pub title: String,
    /// Under the title.
    pub subtitle: String,
    /// Days, hours, places, prices, contacts, calls to do something: each short.
    pub details: Vec<String>,
    /// Its parts in their order.
    pub parts: Vec<Part>,
    /// Two letters.
    pub language: String,
    /// What had to be decided because the brief says two things.
    pub assumed: Vec<String>,
}

/// Reads a brief that is to become a thing of a category.
pub fn read(prompt: &str, category: Category) -> Reading {
    let prompt: String = prompt.chars().take(MAX_LETTERS).collect();
    let mut lines = lines::read(&prompt);
    let (mut request, is_apart) = take_request(&mut lines);
    if is_apart {
        settle_title(&mut request, &lines);
    }
    let mut reader = Reader::new(request, category);
    reader.take_request_content();
    reader.take_lines(&lines);
    reader.finish(&prompt)
}

/// The sentence that asks for the thing, taken out of the lines, and whether its paragraph stands apart from what the
/// thing shall say. Where it does, what else stands in that paragraph is instructions unless it is surely a fact.
fn take_request(lines: &mut [Line]) -> (Request, bool) {
    let texts: Vec<usize> =
        (0..lines.len()).filter(|at| matches!(lines[*at], Line::Text(_) | Line::Heading(_))).collect();
    // At the beginning, where people ask, else at the end.
    let candidates: Vec<usize> = texts.iter().take(3).chain(texts.last()).copied().collect();
    for at in candidates {
        let (Line::Text(words) | Line::Heading(words)) = &lines[at] else { continue };
        let mut sentences = text::sentences(words);
        let Some(place) = sentences.iter().take(6).position(|sentence| request::is_request(sentence)) else { continue };
        let sentence = sentences.remove(place);
        let is_apart = stands_apart(lines, at);
        let mut read = request::read(&sentence, is_apart);
        lines[at] = Line::Blank;
        if is_apart {
            let (from, to) = paragraph_around(lines, at);
            for line in &mut lines[from..to] {
                if let Line::Text(words) | Line::Heading(words) = line {
                    sentences.extend(text::sentences(words));
                    *line = Line::Blank;
                }
            }
            let mut kept = Vec::new();
            for sentence in sentences {
                if is_lead(&sentence) {
                    continue;
                }
                let is_list = text::label(&sentence)
                    .is_some_and(|(label, body)| text::items(body).len() >= 3 && !instructions::is_label(label));
                match instructions::judge_of_request(&sentence) {
                    Clause::Content(content) => kept.push(content),
                    Clause::Instruction if is_list || request::named_by(&sentence).is_some() => kept.push(sentence),
                    Clause::Instruction => {
                        read.instructions.push_str(", ");
                        read.instructions.push_str(&sentence);
                    }
                }
            }
            if !kept.is_empty() {
                lines[at] = Line::Text(kept.join(". "));
            }
        } else {
            let rest = sentences.join(" ");
            if !rest.is_empty() {
                lines[at] = Line::Text(rest);
            }
        }
        return (read, is_apart);
    }
    (Request::default(), false)
}

/// “Text:”, “see below:” lead to what follows and say nothing.
fn is_lead(sentence: &str) -> bool {
    sentence.trim_end().ends_with(':') && sentence.split_whitespace().count() <= 3
}

/// Where the paragraph of a line begins and ends.
fn paragraph_around(lines: &[Line], at: usize) -> (usize, usize) {
    let is_part = |line: &Line| matches!(line, Line::Text(_) | Line::Heading(_));
    let mut from = at;
    while from > 0 && is_part(&lines[from - 1]) {
        from -= 1;
    }
    let mut to = at + 1;
    while to < lines.len() && is_part(&lines[to]) {
        to += 1;
    }
    (from, to)
}

/// Whether a paragraph of its own asks, and others say what the thing shall say.
fn stands_apart(lines: &[Line], at: usize) -> bool {
    let (from, to) = paragraph_around(lines, at);
    let is_brief = to - from <= 3;
    let is_bounded = matches!(lines.get(to), Some(Line::Blank | Line::Item(..) | Line::Marked(_)))
        || to == lines.len() && from > 0 && matches!(lines[from - 1], Line::Blank);
    let others = lines
        .iter()
        .enumerate()
        .filter(|(place, line)| (*place < from || *place >= to) && !matches!(line, Line::Blank))
        .count();
    let words: usize = lines
        .iter()
        .enumerate()
        .filter(|(place, _)| *place < from || *place >= to)
        .map(|(_, line)| match line {
            Line::Text(words) | Line::Heading(words) | Line::Item(_, words) | Line::Marked(words) => {
                words.split_whitespace().count()
            }
            Line::Blank => 0,
        })
        .sum();
    is_brief && is_bounded && (others >= 2 || words >= 8)
}

/// What stands below a request has its own title where the request names none by a name of its own.
fn settle_title(request: &mut Request, lines: &[Line]) {
    let is_strong = request.is_named;
    let first = lines.iter().enumerate().find(|(_, line)| !matches!(line, Line::Blank));
    let Some((at, Line::Text(words) | Line::Heading(words))) = first else { return };
    let is_short = words.chars().count() <= 70 && text::sentences(words).len() <= 2;
    let is_plain = text::label(words).is_none() || matches!(lines[at], Line::Heading(_));
    let titled = text::label(words).is_some_and(|(label, _)| {
        matches!(
            label.to_lowercase().as_str(),
            "title" | "titel" | "cover" | "headline" | "titre" | "título" | "titolo"
        )
    });
    if !is_strong && ((is_short && is_plain) || titled) {
        let subject = std::mem::take(&mut request.title);
        request.instructions.push_str(", ");
        request.instructions.push_str(&subject);
        request.subtitle.clear();
    }
}

/// A brief while it is read.
struct Reader {
    request: Request,
    kind: Kind,
    details: Vec<String>,
    parts: Vec<Part>,
    /// Whether what follows belongs to the last part.
    is_within: bool,
    subtitle: String,
    title: String,
    instructions: Vec<String>,
    flow: Option<Flow>,
    content: String,
}

impl Reader {
    fn new(request: Request, category: Category) -> Self {
        let kind = request.kind.unwrap_or_else(|| Kind::of_category(category));
        Self {
            kind,
            details: request.details.clone(),
            parts: Vec::new(),
            is_within: false,
            subtitle: request.subtitle.clone(),
            title: request.title.clone(),
            instructions: vec![request.instructions.clone()],
            flow: None,
            content: String::new(),
            request,
        }
    }

    fn is_paged(&self) -> bool {
        !self.kind.making().is_single
    }

    fn is_menu(&self) -> bool {
        self.kind == Kind::Menu
    }

    fn told_count(&self) -> Option<usize> {
        instructions::page_count(&self.request.instructions.to_lowercase()).map(|count| count as usize)
    }

    /// What stood behind the colon of the request, and clauses beside its subject.
    fn take_request_content(&mut self) {
        let content = std::mem::take(&mut self.request.content);
        let is_one = content.len() == 1;
        if is_one {
            self.take_body(&content[0]);
            return;
        }
        let joined: Vec<String> = content;
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
        self.content.push_str(body);
        self.content.push(' ');
        if self.kind == Kind::Diagram {
            self.take_flow(body);
            return;
        }
        if self.is_menu() {
            self.take_menu(&first, "");
        } else if self.is_paged() && text::items(&first).len() >= 3 && !is_data(&first) {
            let told = self.told_count();
            let named = parts::of_list(first.trim_end_matches('.'), told, false);
            self.take_parts(named);
        } else if self.is_paged() {
            self.take_sentence(&first);
        } else {
            self.take_headline(&first);
        }
        if !rest.is_empty() {
            self.take_text(&rest);
        }
    }

    /// The first words of a poster or a post: its title, then its details.
    fn take_headline(&mut self, sentence: &str) {
        if quotes::quote_of(sentence).is_some() || is_data(sentence) {
            self.take_sentence(sentence);
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
        let clauses = text::clauses(sentence);
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

    /// A clause beside the subject.
    fn take_clause(&mut self, clause: &str) {
        match instructions::judge(clause) {
            Clause::Instruction => self.instructions.push(clause.to_owned()),
            Clause::Content(content) => {
                self.content.push_str(&content);
                self.content.push(' ');
                if self.is_paged() {
                    self.take_content_sentence(&content);
                } else if is_data(&content) {
                    self.part().take_text(&content, false);
                } else if content.chars().count() > 90 && self.subtitle.is_empty() {
                    self.subtitle = text::capitalize(&content);
                } else {
                    self.details.push(text::capitalize(strip_detail_label(&content)));
                }
            }
        }
    }

    fn part(&mut self) -> &mut Part {
        if !self.is_within || self.parts.is_empty() {
            self.parts.push(Part::default());
            self.is_within = true;
        }
        let last = self.parts.len() - 1;
        &mut self.parts[last]
    }

    fn take_parts(&mut self, named: Vec<Part>) {
        for part in named {
            if parts::is_cover(&part.title) {
                continue;
            }
            self.parts.push(part);
        }
        self.is_within = false;
    }

    fn take_menu(&mut self, words: &str, name: &str) {
        let words = words.trim().trim_end_matches('.');
        if let Some((label, body)) = text::label(words).filter(|(_, body)| prices_of(body)) {
            let label = label.to_owned();
            self.take_menu(body, &label);
            return;
        }
        if let Some(items) = prices::list_of(words, 1) {
            let heading = if name.is_empty() {
                self.parts.last().filter(|_| self.is_within).map(|part| part.title.clone()).unwrap_or_default()
            } else {
                name.to_owned()
            };
            let matter =
                Matter::Menu { lead: String::new(), groups: vec![prices::group(&heading, items)], details: Vec::new() };
            if !name.is_empty() {
                self.parts.push(Part { title: text::capitalize(name), ..Part::default() });
                self.is_within = true;
            }
            let part = self.part();
            match (part.matters.last_mut(), matter) {
                (Some(Matter::Menu { groups, .. }), Matter::Menu { groups: more, .. }) => {
                    for group in more {
                        match groups.last_mut().filter(|last| last.name == group.name) {
                            Some(last) => last.items.extend(group.items),
                            None => groups.push(group),
                        }
                    }
                }
                (_, matter) => part.matters.push(matter),
            }
            return;
        }
        self.take_headline_or_detail(words);
    }

    fn take_headline_or_detail(&mut self, words: &str) {
        if self.title.is_empty() {
            self.take_headline(words);
            return;
        }
        match instructions::judge(words) {
            Clause::Instruction => self.instructions.push(words.to_owned()),
            Clause::Content(content) => self.details.push(text::capitalize(&content)),
        }
    }

    /// A sentence of a diagram; the first may begin with what the diagram is called.
    fn take_course(&mut self, content: &str) {
        let mut course = content.to_owned();
        if self.title.is_empty() && self.flow.is_none() {
            let clauses = text::clauses(content);
            if let Some((label, body)) =
                text::label(content).filter(|(label, body)| !body.is_empty() && !label.contains(['→', '>']))
            {
                self.title = text::capitalize(label);
                course = body.to_owned();
            } else if clauses.len() >= 3 && !content.contains(['→', '>']) && clauses[0].split_whitespace().count() > 1
            {
                self.title = text::capitalize(&clauses[0]);
                course = clauses[1..].join(", ");
            } else if content.split_whitespace().count() <= 10 && clauses.len() == 1 && !content.contains(['→', '>'])
            {
                self.title = text::capitalize(content.trim_end_matches(['.', ':']));
                return;
            }
        }
        self.flow.get_or_insert_default().take_told(&course);
    }

    fn take_flow(&mut self, words: &str) {
        let kept: Vec<String> = text::sentences(words)
            .into_iter()
            .filter(|sentence| {
                let is_content = matches!(instructions::judge(sentence), Clause::Content(_));
                if !is_content {
                    self.instructions.push(sentence.clone());
                }
                is_content
            })
            .collect();
        let flow = self.flow.get_or_insert_default();
        for sentence in kept {
            flow.take_told(&sentence);
        }
    }

    fn take_text(&mut self, words: &str) {
        for sentence in text::sentences(words) {
            self.take_sentence(&sentence);
        }
    }

    fn take_sentence(&mut self, sentence: &str) {
        let content = match instructions::judge(sentence) {
            Clause::Instruction => {
                self.instructions.push(sentence.to_owned());
                return;
            }
            Clause::Content(content) => content,
        };
        // Instructions at the end of a sentence are no part of it.
        let content = self.cut_trailing(&content, sentence);
        self.content.push_str(&content);
        self.content.push(' ');
        if self.kind == Kind::Diagram {
            self.take_course(&content);
            return;
        }
        if self.is_menu() {
            self.take_menu(&content, "");
            return;
        }
        self.take_content_sentence(&content);
    }

    /// “Free entry, in warm colours, A5” keeps its first words only.
    fn cut_trailing(&mut self, content: &str, sentence: &str) -> String {
        let mut clauses = text::clauses(content);
        let mut is_cut = false;
        while clauses.len() > 1
            && clauses.last().is_some_and(|last| matches!(instructions::judge(last), Clause::Instruction))
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
        if let Some((label, body)) = text::label(content)
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
                    || words.iter().take(4).any(|word| same_stem(word, &name)))
        })
    }

    /// “Label: words”; says whether it was taken.
    fn take_labelled(&mut self, label: &str, body: &str) -> bool {
        if instructions::is_label(label) {
            self.instructions.push(format!("{label}: {body}"));
            return true;
        }
        let lower = label.to_lowercase();
        match lower.as_str() {
            "title" | "headline" | "titel" | "überschrift" | "titre" | "título" | "titolo" | "name" | "subject"
            | "betreff" | "topic" | "thema"
                if !body.is_empty() && (self.title.is_empty() || lower != "name") =>
            {
                self.title = unquote(body);
                return true;
            }
            "subtitle" | "tagline" | "subline" | "claim" | "slogan" | "untertitel" | "sous-titre" | "subtítulo"
            | "sottotitolo" | "subheading" | "motto"
                if !body.is_empty() =>
            {
                self.subtitle = unquote(body);
                return true;
            }
            "text" | "content" | "contents" | "inhalt" | "body" | "copy" | "texte" | "texto" | "testo" | "message"
            | "details" | "facts" | "info" | "infos" | "angaben" | "fakten" | "data" | "numbers" | "sections"
            | "structure" | "slides" | "folien" | "pages" | "seiten" | "kapitel" | "abschnitte" | "outline"
            | "gliederung" | "aufbau" | "ablauf"
                if !body.is_empty() && !matches!(lower.as_str(), "ablauf") =>
            {
                self.take_body(body);
                return true;
            }
            _ => {}
        }
        if self.is_paged() {
            if parts::is_place(label) {
                self.take_page(body);
                return true;
            }
            if parts::is_cover(label) {
                self.take_cover(body);
                return true;
            }
            let known = self.parts.iter().position(|part| part.title.to_lowercase() == lower);
            let at = known.unwrap_or_else(|| {
                self.parts.push(Part::named(label));
                self.parts.len() - 1
            });
            self.parts[at].take_text(body, false);
            self.is_within = known.is_none();
            return true;
        }
        if self.is_within && body.is_empty() {
            return false;
        }
        // On one page a short label is a detail, a longer text a part.
        let is_list = text::items(body).len() >= 3 || text::sentences(body).len() > 1 || is_data(body);
        if is_list || body.is_empty() {
            let mut part = Part::named(label);
            part.take_text(body, false);
            self.parts.push(part);
            self.is_within = false;
        } else {
            let whole = format!("{label}: {body}");
            self.details.push(text::capitalize(strip_detail_label(&whole).trim_end_matches('.')));
        }
        true
    }

    /// What a page says that was told by its number: its title first.
    fn take_page(&mut self, body: &str) {
        let (head, rest) = match text::name_and_words(body) {
            Some((head, rest)) => (head, rest),
            None => {
                let sentences = text::sentences(body);
                match sentences.split_first() {
                    Some((first, rest)) if !rest.is_empty() && first.chars().count() <= 60 => {
                        (first.trim_end_matches('.').to_owned(), rest.join(" "))
                    }
                    _ => match text::clauses(body).split_first() {
                        Some((first, rest))
                            if !rest.is_empty()
                                && first.split_whitespace().count() <= 5
                                && amounts::next_amount(first, 0).is_none() =>
                        {
                            (first.clone(), rest.join(", "))
                        }
                        _ => (body.trim_end_matches('.').to_owned(), String::new()),
                    },
                }
            }
        };
        if parts::is_cover(&head) {
            self.take_cover(&rest);
            return;
        }
        let mut part = parts::of_item(&head, false);
        if part.matters.is_empty() {
            part.title = text::capitalize(&head);
        }
        part.take_text(&rest, false);
        self.parts.push(part);
        self.is_within = true;
    }

    fn take_cover(&mut self, body: &str) {
        for piece in text::items(body) {
            if self.title.is_empty() {
                self.title = unquote(&piece);
            } else if unquote(&piece).to_lowercase() != self.title.to_lowercase() {
                self.details.push(text::capitalize(&piece));
            }
        }
    }

    /// A sentence on a thing of one page: details are short, text stands under the title, the rest has its own place.
    fn take_for_single(&mut self, sentence: &str) {
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
        let clauses = text::clauses(bare);
        let is_brief = |words: &str| words.split_whitespace().count() <= 8;
        let has_moment = dates::has_moment(bare);
        if clauses.len() > 1
            && clauses.iter().all(|clause| is_brief(clause))
            && (has_moment || clauses.len() <= 4 && clauses.iter().all(|clause| clause.split_whitespace().count() <= 5))
        {
            for clause in clauses {
                self.take_clause(&clause);
            }
        } else if is_brief(bare) || has_moment && bare.split_whitespace().count() <= 14 || bare.contains('@') {
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

    fn take_lines(&mut self, lines: &[Line]) {
        let mut at = 0;
        while at < lines.len() {
            match &lines[at] {
                Line::Blank => {
                    at += 1;
                }
                Line::Heading(title) => {
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

    /// A line of text; on a thing of one page a short line is one detail, whatever commas it has.
    fn take_line(&mut self, words: &str, next: Option<&Line>, is_one_of_many: bool) {
        if let Some(inner) = words.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'))
            && matches!(instructions::judge_of_request(inner), Clause::Instruction)
            && amounts::next_amount(inner, 0).is_none_or(|_| instructions::page_count(&inner.to_lowercase()).is_some())
        {
            self.instructions.push(inner.to_owned());
            return;
        }
        if let Some((before, name)) = request::named_by(words).filter(|_| self.title.is_empty()) {
            self.title = text::capitalize(&name);
            let rest = before.trim();
            if !rest.is_empty() {
                self.take_text(rest);
            }
            return;
        }
        let has_price = |line: &Line| matches!(line, Line::Text(words) | Line::Item(_, words) if prices::priced(words).is_some_and(|item| !item.price.is_empty()));
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

    fn finish(mut self, prompt: &str) -> Reading {
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
            assumed: Vec::new(),
        }
    }
}

/// Whether a text is surely numbers: a series, columns, prices.
fn is_data(text: &str) -> bool {
    matter::of_text(text, matter::Context::default())
        .iter()
        .all(|matter| matches!(matter, Matter::Chart { .. } | Matter::Columns { .. } | Matter::Menu { .. }))
        && !text.trim().is_empty()
}

fn prices_of(text: &str) -> bool {
    prices::list_of(text, 1).is_some()
}

/// “When: Saturday”, “Where: the mill”: days and places say themselves that they are.
fn strip_detail_label(text: &str) -> &str {
    const LABELS: &[&str] = &[
        "when",
        "where",
        "date",
        "time",
        "place",
        "location",
        "venue",
        "wann",
        "wo",
        "datum",
        "ort",
        "uhrzeit",
        "zeit",
        "quand",
        "où",
        "lieu",
        "cuándo",
        "dónde",
        "lugar",
        "fecha",
        "quando",
        "dove",
        "luogo",
        "data",
        "cta",
        "call to action",
        "contact",
        "kontakt",
        "button",
        "date and time",
        "address",
        "adresse",
    ];
    match text::label(text) {
        Some((label, body)) if LABELS.contains(&label.to_lowercase().as_str()) && !body.is_empty() => body,
        _ => text,
    }
}

fn unquote(text: &str) -> String {
    let text = text.trim().trim_end_matches('.');
    match text::quoted(text) {
        Some((before, inner, behind)) if before.trim().is_empty() && behind.trim().is_empty() => inner.to_owned(),
        _ => text::capitalize(text),
    }
}

/// Whether two words begin alike for most of their letters: market, markets.
fn same_stem(one: &str, two: &str) -> bool {
    let shared = one.chars().zip(two.chars()).take_while(|(one, two)| one == two).count();
    shared >= 5 && shared + 2 >= one.chars().count().max(two.chars().count())
}
