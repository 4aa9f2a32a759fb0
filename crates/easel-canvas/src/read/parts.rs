//! The parts that a brief lists, and what each says: “8 slides: problem, solution, market (€4.2bn)”, “First day: …”,
//! headings with text under them.

use super::amounts;
use super::dates;
use super::instructions::{self, Clause};
use super::matter::{self, Context};
use super::narrated;
use super::series;
use super::text;
use super::vocabulary::{NUMBER_WORDS, is_number};
use crate::chart::TableData;
use crate::content::Matter;

/// A part of a design.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Part {
    /// Its name; may be empty.
    pub title: String,
    /// What it says; nothing where it was only named.
    pub matters: Vec<Matter>,
    /// Whether the person named it as a page or a part of its own.
    pub is_named: bool,
}

impl Part {
    /// A part that was named and of which nothing was said yet.
    pub fn named(title: &str) -> Self {
        Self { title: text::capitalize(title), matters: Vec::new(), is_named: true }
    }

    /// Adds what a text says.
    pub fn take_text(&mut self, words: &str, is_menu: bool) {
        let content: Vec<String> = text::sentences(words)
            .into_iter()
            .filter(|sentence| matches!(instructions::judge(sentence), Clause::Content(_)))
            .map(|sentence| content_of(&sentence))
            .collect();
        if content.is_empty() {
            return;
        }
        let heading = self.title.clone();
        let read = matter::of_text(&content.join(" "), Context { heading: &heading, is_menu });
        for matter in read {
            self.add(matter);
        }
    }

    /// Adds numbers that are to be drawn as a chart; where they are none, what the text says.
    pub fn take_series(&mut self, words: &str) {
        match series::chart_of(words, true) {
            Some(chart) => self.add(Matter::Chart { lead: String::new(), chart, insights: Vec::new() }),
            None => self.take_text(words, false),
        }
    }

    /// Adds a list.
    pub fn take_items(&mut self, items: &[String], ordered: bool) {
        if let Some(matter) = matter::of_items(items, ordered, &self.title) {
            self.add(matter);
        }
    }

    /// Adds a table.
    pub fn take_table(&mut self, table: TableData) {
        self.add(Matter::Table { lead: String::new(), table });
    }

    /// Adds a matter; a short text before a list leads to it, and text goes on where text was.
    pub fn add(&mut self, matter: Matter) {
        match (self.matters.last_mut(), matter) {
            (Some(Matter::Prose { paragraphs, .. }), Matter::Prose { paragraphs: more, .. }) => paragraphs.extend(more),
            (Some(Matter::Menu { groups, .. }), Matter::Menu { groups: more, .. }) => groups.extend(more),
            (Some(Matter::Figures { figures, .. }), Matter::Figures { figures: more, .. })
                if figures.len() + more.len() <= 6 =>
            {
                figures.extend(more);
            }
            // Years under each other are one list.
            (
                Some(Matter::Points { points, ordered: false, .. }),
                Matter::Points { lead, points: more, ordered: false },
            ) if lead.is_empty() && points.iter().chain(&more).all(|point| matter::is_years(&point.head)) => {
                points.extend(more);
            }
            (_, matter) => self.matters.push(matter),
        }
    }
}

/// A sentence as content: where only its beginning leads to it, without that.
fn content_of(sentence: &str) -> String {
    match instructions::judge(sentence) {
        // The mark at the end stays with a whole sentence.
        Clause::Content(content) if sentence.trim().trim_end_matches(['.', '!', '?', ',', ';']) == content => {
            sentence.trim().to_owned()
        }
        Clause::Content(content) => content,
        Clause::Instruction => String::new(),
    }
}

/// Labels of a part by its place: “Slide 3”, “Seite 2”, “last card”.
pub fn is_place(label: &str) -> bool {
    if is_place_without_blanks(label) {
        return true;
    }
    let words = text::words(label);
    match words.as_slice() {
        [one, two] => {
            narrated::is_page(one) && is_number(two)
                || (narrated::is_ordinal(one) || is_single(one) || one == "end") && narrated::is_page(two)
        }
        _ => false,
    }
}

/// “1枚目”, “スライド3”, “第2页”.
fn is_place_without_blanks(label: &str) -> bool {
    let bare = label.trim().trim_start_matches("スライド").trim_start_matches(['第', ' ']);
    let digits =
        bare.chars().take_while(|letter| letter.is_numeric() || "一二三四五六七八九十".contains(*letter)).count();
    let behind: String = bare.chars().skip(digits).collect();
    let is_counted =
        matches!(behind.as_str(), "枚目" | "ページ" | "ページ目" | "頁" | "页" | "頁目" | "장" | "번째 슬라이드");
    (1..=2).contains(&digits) && (is_counted || behind.is_empty() && label.starts_with("スライド"))
}

/// Whether a number is one: “one slide: …” is a page among others.
fn is_single(word: &str) -> bool {
    word == "1" || NUMBER_WORDS.iter().any(|(name, number)| *name == word && *number == 1)
}

/// Whether a place is the first: “Slide 1”, “first card”.
pub fn is_first(label: &str) -> bool {
    text::words(label).iter().any(|word| {
        matches!(
            word.as_str(),
            "1枚目"
                | "一枚目"
                | "スライド1"
                | "第1页"
                | "第一页"
                | "第1頁"
                | "1"
                | "one"
                | "eins"
                | "first"
                | "erste"
                | "première"
                | "primera"
                | "prima"
                | "eerste"
        )
    })
}

/// Names of the first page, which is the cover itself.
pub fn is_cover(name: &str) -> bool {
    matches!(
        name.to_lowercase().trim(),
        "cover"
            | "title"
            | "title slide"
            | "title frame"
            | "first frame"
            | "title page"
            | "cover slide"
            | "cover page"
            | "titel"
            | "표지"
            | "表紙"
            | "封面"
            | "обложка"
            | "الغلاف"
            | "first card"
            | "front page"
            | "title card"
            | "titelfolie"
            | "titelseite"
            | "deckblatt"
            | "couverture"
            | "portada"
            | "copertina"
            | "front"
            | "intro slide"
            | "opening"
            | "hook"
            | "aufhänger"
            | "accroche"
            | "gancho"
    )
}

/// “表紙「夏の読書会」7月18日”: what a cover says behind its name, in scripts that set no blank there.
pub fn strip_cover(body: &str) -> &str {
    ["表紙", "タイトル", "封面", "표지"]
        .iter()
        .find_map(|name| body.trim().strip_prefix(name))
        .map_or(body, |rest| rest.trim_start_matches(['：', ':', '、', '，', ' ']))
}

/// Names of a page that only lists the others.
pub fn is_agenda(name: &str) -> bool {
    matches!(
        name.to_lowercase().trim(),
        "agenda"
            | "contents"
            | "table of contents"
            | "inhalt"
            | "inhaltsverzeichnis"
            | "sommaire"
            | "índice"
            | "indice"
            | "toc"
    )
}

/// Names of a page that ends a design and needs no more words.
pub fn is_farewell(name: &str) -> bool {
    matches!(
        name.to_lowercase().trim_end_matches(['!', '.', '?']).trim(),
        "thank you"
            | "thanks"
            | "questions"
            | "q&a"
            | "q & a"
            | "danke"
            | "vielen dank"
            | "fragen"
            | "merci"
            | "gracias"
            | "grazie"
            | "the end"
            | "thank you slide"
            | "questions and answers"
            | "discussion"
            | "diskussion"
    )
}

/// The parts of a list that names them; a number that is told settles what belongs together.
pub fn of_list(text: &str, told: Option<usize>, is_menu: bool) -> Vec<Part> {
    let items = text::items(text);
    let mut parts: Vec<Part> = Vec::new();
    let any_label = items.iter().filter(|item| text::label(item).is_some()).count() >= 2;
    for item in &items {
        let has_label = text::label(item).is_some();
        let excess = told.is_some_and(|told| items.len() > told);
        let begins_with_number = amounts::next_amount(item, 0).is_some_and(|amount| amount.start == 0);
        let goes_on = (any_label && !has_label)
            || (begins_with_number && !parts.is_empty())
            || (excess
                && amounts::next_amount(item, 0).is_some()
                && parts.last().is_some_and(|part| !part.matters.is_empty())
                && item.chars().next().is_some_and(char::is_lowercase)
                && is_verbal(item));
        match parts.last_mut().filter(|_| goes_on) {
            Some(last) => last.take_text(item, is_menu),
            None => parts.push(of_item(item, is_menu)),
        }
    }
    parts
}

/// Whether a piece begins as a thing goes on: “growing 14%”, “up 8%”, “with 40 customers”.
fn is_verbal(item: &str) -> bool {
    let first = item.split_whitespace().next().unwrap_or_default().to_lowercase();
    first.ends_with("ing")
        || matches!(
            first.as_str(),
            "up" | "down"
                | "with"
                | "from"
                | "of"
                | "plus"
                | "mit"
                | "davon"
                | "und"
                | "and"
                | "minus"
                | "over"
                | "about"
                | "wächst"
                | "steigt"
        )
}

/// A part with its name and its words: “market (€4.2bn)”, “an ask of €2.5m”, “problem – bread is thrown away”.
pub fn of_item(item: &str, is_menu: bool) -> Part {
    let item = strip_article(item.trim().trim_end_matches(['.', ';', ',']));
    if let Some((head, body)) = text::name_and_words(item) {
        let mut part = Part::named(&head);
        part.take_text(&body, is_menu);
        return part;
    }
    // “Chess club Wednesdays 3 pm”: an hour is no number of its own.
    let counted = amounts::next_amount(item, 0).filter(|amount| amount.start > 0 && !dates::has_moment(item));
    if let Some(amount) = counted {
        let head = item[..amount.start].trim();
        let words = head.split_whitespace().count();
        // “an ask of €2.5m” is called Ask.
        let name = strip_end(head);
        if (1..=3).contains(&words) && !name.is_empty() {
            let mut part = Part::named(name);
            part.take_text(&item[amount.start..], is_menu);
            if part.matters.is_empty() {
                part.take_text(item, is_menu);
            }
            return part;
        }
    }
    Part::named(item)
}

fn strip_article(text: &str) -> &str {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_article = matches!(
        first,
        "a" | "an"
            | "the"
            | "our"
            | "ein"
            | "eine"
            | "einen"
            | "der"
            | "die"
            | "das"
            | "unser"
            | "unsere"
            | "and"
            | "und"
            | "le"
            | "la"
            | "les"
            | "un"
            | "une"
            | "el"
            | "una"
            | "then"
            | "finally"
            | "dann"
    );
    // “The champion is never the buyer” is a sentence and keeps its beginning.
    let tells = text.split_whitespace().count() > 5 && !matches!(first, "and" | "und" | "then" | "finally" | "dann");
    if is_article && !tells && text.len() > first.len() {
        strip_article(text[first.len()..].trim_start())
    } else {
        text
    }
}

fn strip_end(head: &str) -> &str {
    let mut head = head;
    for end in [
        " of", " is", " at", " around", " about", " ca.", " approx.", " von", " über", " bei", " de", " for", " to",
        " =", " :", " with", " mit", " für", " auf",
    ] {
        head = head.strip_suffix(end).unwrap_or(head);
    }
    head.trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_parts_with_what_they_say() {
        let parts =
            of_list("problem, solution, market (€4.2bn, growing 14%), team and an ask of €2.5m", Some(6), false);
        let titles: Vec<&str> = parts.iter().map(|part| part.title.as_str()).collect();
        assert_eq!(titles, ["Problem", "Solution", "Market", "Team", "Ask"]);
        assert!(parts[0].matters.is_empty());
        assert!(
            matches!(&parts[2].matters[0], Matter::Figures { figures, .. } if figures.len() == 2),
            "{:?}",
            parts[2]
        );
        assert!(!parts[4].matters.is_empty());
    }

    #[test]
    fn knows_pages_by_name() {
        assert!(is_cover("Title slide") && is_agenda("Agenda") && is_farewell("Thank you!") && is_place("Slide 3"));
        assert!(!is_cover("Market") && !is_place("Slide rule"));
    }
}
