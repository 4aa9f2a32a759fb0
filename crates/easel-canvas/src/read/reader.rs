//! A brief while it is read: its sentences find their places as parts, details, a title, a line under it.
//!
//! Every word that is taken is either kept as an instruction or stands in the reading.

use super::flow::Flow;
use super::instructions::{self, Clause};
use super::kinds::Kind;
use super::matter;
use super::parts::{self, Part};
use super::prices;
use super::quotes;
use super::request::{self, Request};
use super::text;
use super::{amounts, dates};
use crate::content::Matter;
use crate::document::Category;

mod by_line;
mod dishes;

/// A brief while it is read.
pub struct Reader {
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
    pub fn new(request: Request, category: Category) -> Self {
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
    pub fn take_request_content(&mut self) {
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
                    || words.iter().take(4).any(|word| text::same_stem(word, &name)))
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
            // “Slide 4 – Costs: …” has its place and its name.
            let divided = [" – ", " — ", " - "].iter().find_map(|dash| label.split_once(dash));
            if let Some((_, name)) = divided.filter(|(place, _)| parts::is_place(place)) {
                let mut part = Part::named(name);
                part.take_text(body, false);
                self.parts.push(part);
                self.is_within = true;
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
