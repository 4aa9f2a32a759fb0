//! Lists with marks: points, parts by their names, steps of a course, a tree.

use super::state::Reader;
use crate::content::{Matter, Point};
use crate::read::instructions::{self, Clause};
use crate::read::kinds::Kind;
use crate::read::lines::Line;
use crate::read::parts::{self, Part};
use crate::read::vocabulary::NUMBER_WORDS;
use crate::read::{maker, naming, text};

/// Items with what stands under each of them behind it.
fn join_nested(items: &[String], depths: &[usize]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    let least = depths.iter().min().copied().unwrap_or(0);
    for (item, depth) in items.iter().zip(depths) {
        match joined.last_mut().filter(|_| *depth > least) {
            Some(last) => {
                let mark = if last.contains(": ") { "; " } else { ": " };
                let bare = last.trim_end_matches([':', ' ']).to_owned();
                *last = format!("{bare}{mark}{item}");
            }
            None => joined.push(item.clone()),
        }
    }
    joined
}

impl Reader {
    /// The steps of a course, and below each what one may do there.
    fn take_steps_of(&mut self, items: &[String], depths: &[usize]) {
        let flow = self.flow();
        for (item, depth) in items.iter().zip(depths) {
            if *depth == 0 || !flow.take_option(item) {
                flow.take_step(item);
            }
        }
    }

    /// “1. Title: Mill Co-op – a year in flour”: the first of several pages is the cover; says whether it was taken.
    fn take_title_item(&mut self, label: &str, body: &str) -> bool {
        naming::is_title_label(label) && !body.is_empty() && self.take_title_label(body)
    }

    /// Takes items that are the fields of an announcement, each as a line; says whether they were.
    fn take_fields(&mut self, items: &[String]) -> bool {
        let are_fields = self.are_fields(items);
        if are_fields {
            items.iter().for_each(|item| self.take_line(item, None, items.len() > 1));
        }
        are_fields
    }

    /// “- what: Plant swap - when: 3 May - where: the old dairy”: items that answer the questions of an announcement, on a thing of
    /// one page, and are no points of a list.
    fn are_fields(&self, items: &[String]) -> bool {
        #[rustfmt::skip]
        const QUESTIONS: &[&str] = &[
            "what", "when", "where", "who", "date", "time", "place", "was", "wann", "wo", "wer", "datum", "zeit", "ort", "quoi", "quand", "où", "qui", "lieu", "qué", "que",
            "cuándo", "cuando", "dónde", "donde", "quién", "fecha", "lugar", "cosa", "quando", "dove", "chi", "luogo", "wat", "wanneer", "waar", "wie",
        ];
        let asked = |item: &&String| {
            text::label(item).is_some_and(|(label, _)| QUESTIONS.contains(&label.trim().to_lowercase().as_str()))
        };
        !self.is_paged()
            && !self.is_menu()
            && !self.is_within
            && self.kind != Kind::Diagram
            && items.iter().all(|item| text::label(item).is_some_and(|(_, body)| !body.is_empty()))
            && items.iter().filter(asked).count() >= 2
    }

    /// A list of lines; where each has a name and words, or pages are told, each is a part of its own.
    pub(super) fn take_items(&mut self, lines: &[Line], from: usize) -> usize {
        let (mut items, mut depths, ordered, at) = self.gather_items(lines, from);
        // “Apologies: Stu.”, and then what was spoken of: a numbered list is none of a label that has its words.
        let is_told = self.parts.last().is_some_and(|part| !part.matters.is_empty());
        if ordered && !self.is_headed && is_told && matches!(self.kind, Kind::Document | Kind::OnePager) {
            self.is_within = false;
        }
        if self.kind == Kind::Diagram && !ordered && depths.iter().any(|depth| *depth > 0) {
            self.take_tree(&items, &depths);
            return at;
        }
        self.take_titled(&mut items, &mut depths);
        self.leave_lead(&items, ordered);
        let mut items = if self.kind == Kind::Diagram { items } else { join_nested(&items, &depths) };
        if items.len() != depths.len() {
            depths = vec![0; items.len()];
        }
        let all: Vec<(String, usize)> =
            std::mem::take(&mut items).into_iter().zip(std::mem::take(&mut depths)).collect();
        // “2. Use a wooden box”, between steps that are said to readers, is said to them too.
        let is_content = |item: &str| matches!(instructions::judge(item), Clause::Content(_));
        let are_told = ordered && all.iter().filter(|(item, _)| is_content(item)).count() * 2 > all.len();
        for (item, depth) in all {
            if is_content(&item) || are_told && !maker::speaks(&item) {
                items.push(item);
                depths.push(depth);
            } else {
                self.instructions.push(item);
            }
        }
        self.note_content(&items.join(". "));
        if items.is_empty() || self.take_fields(&items) {
            return at;
        }
        if self.kind == Kind::Diagram {
            self.take_steps_of(&items, &depths);
        } else if self.is_menu() && self.is_unpriced && !self.title.is_empty() {
            items.iter().for_each(|item| self.take_unpriced(item, ""));
        } else if self.is_menu() {
            items.iter().for_each(|item| self.take_menu(item, ""));
        } else if !self.is_within
            && self.is_paged()
            && (self.told_count().is_some_and(|told| told > 1)
                || self.kind == Kind::Carousel && self.parts.is_empty() && self.counts_items(items.len())
                || self.kind == Kind::Carousel && ordered && items.len() >= 3
                || items.iter().all(|item| text::label(item).is_some()))
        {
            // Of a carousel that has its title the cover and the last card are counted, too.
            let has_cover = self.kind == Kind::Carousel && !self.title.is_empty();
            let are_pages = ordered && (has_cover || self.told_count().is_none_or(|told| told <= items.len()));
            for (at, item) in items.iter().enumerate() {
                match text::label(item) {
                    Some((label, body)) if at == 0 && self.take_title_item(label, body) => {}
                    _ if are_pages && at == 0 && !self.counts_items(items.len()) && self.take_first_page(item) => {}
                    _ if are_pages => {
                        self.take_page(item);
                        self.settle_tip(2);
                    }
                    Some((label, body)) if parts::is_place(label) => self.take_page(body),
                    Some((label, body)) if parts::is_cover(label) => self.take_cover(body),
                    _ if parts::is_cover(item) => {}
                    _ => {
                        self.parts.push(parts::of_item(item, false));
                        self.settle_tip(2);
                    }
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

    /// Whether the title says how many items there are: “5 tips for the first marathon”; none of them is the cover then.
    fn counts_items(&self, count: usize) -> bool {
        text::words(&self.title).iter().take(3).any(|word| {
            word.parse::<usize>() == Ok(count)
                || NUMBER_WORDS.iter().any(|(name, number)| name == word && *number as usize == count)
        })
    }

    /// A tip of a carousel of so many words says something by its title alone, and asks for no more.
    pub(super) fn settle_tip(&mut self, least: usize) {
        if self.kind == Kind::Carousel
            && let Some(part) = self.parts.last_mut().filter(|part| part.matters.is_empty())
            && part.title.split_whitespace().count() >= least
        {
            part.is_named = false;
        }
    }

    /// “Projekt Brücke. 1) Context: …”: what stands before numbered pages and has no name of its own is the line under the title.
    fn leave_lead(&mut self, items: &[String], ordered: bool) {
        let [Part { title, matters, .. }] = self.parts.as_slice() else { return };
        let are_pages =
            ordered && self.is_paged() && items.len() >= 3 && items.iter().all(|item| text::label(item).is_some());
        if !(are_pages && self.is_within && title.is_empty() && self.subtitle.is_empty() && !self.title.is_empty()) {
            return;
        }
        if let [Matter::Prose { paragraphs, .. }] = matters.as_slice()
            && let [only] = paragraphs.as_slice()
        {
            let lead = crate::content::plain(only);
            if lead.split_whitespace().count() <= 12 {
                self.subtitle = text::capitalize(lead.trim_end_matches('.'));
                self.parts.clear();
                self.is_within = false;
            }
        }
    }

    /// The words of the items of a list, how deep each stands, whether they are numbered, and where the list ends.
    fn gather_items(&self, lines: &[Line], from: usize) -> (Vec<String>, Vec<usize>, bool, usize) {
        let mut items: Vec<String> = Vec::new();
        let mut depths: Vec<usize> = Vec::new();
        let mut ordered = false;
        let mut at = from;
        while at < lines.len() {
            match &lines[at] {
                Line::Item(is_ordered, item) => {
                    if at > from && self.is_numbered_heading(lines, at) {
                        break;
                    }
                    ordered = *is_ordered;
                    items.push(item.clone());
                    depths.push(0);
                }
                Line::Nested(depth, item) => {
                    items.push(item.clone());
                    depths.push(*depth);
                }
                Line::Blank if matches!(lines.get(at + 1), Some(Line::Item(..) | Line::Nested(..))) => {}
                _ => break,
            }
            at += 1;
        }
        (items, depths, ordered, at)
    }

    /// Items that say what the thing is called are its title; others are told without what only says that they shall be.
    fn take_titled(&mut self, items: &mut Vec<String>, depths: &mut Vec<usize>) {
        if self.kind == Kind::Diagram {
            return;
        }
        if let Some((at, title)) = items.iter().enumerate().find_map(|(at, item)| Some((at, naming::titled(item)?)))
            && (self.title.is_empty() || !self.request.is_named)
        {
            self.title = title;
            self.request.is_named = true;
            items.remove(at);
            depths.remove(at);
        }
        items.iter_mut().for_each(|item| *item = naming::direct(item));
    }

    /// A list whose items have lists of their own: a tree from the line that stands over it.
    fn take_tree(&mut self, items: &[String], depths: &[usize]) {
        let flow = self.flow.get_or_insert_default();
        if flow.boxes.is_empty() && self.title.ends_with('?') {
            flow.take_step(&std::mem::take(&mut self.title));
        } else if let ([root], false) = (flow.boxes.as_mut_slice(), self.title.is_empty()) {
            // “Director: Ana Ruiz” over the list is who stands above it.
            *root = Point::new(std::mem::take(&mut self.title), root.head.clone());
        }
        flow.take_tree(items, depths);
        self.note_content(&items.join(". "));
    }
}
