//! “Label: words”: titles, pages by their number, sides of a sheet, parts, details.

use super::state::Reader;
use crate::content::{Matter, Point};
use crate::read::asides;
use crate::read::kinds::Kind;
use crate::read::matter::is_data;
use crate::read::naming::{self, is_title_label, is_under_label, unquote};
use crate::read::parts::{self, Part};
use crate::read::request::says_who;
use crate::read::vocabulary::PITCHED;
use crate::read::{amounts, instructions, quotes, text};
use crate::run::Run;

/// No more words stand under the title of a first page that says nothing else.
const MOST_UNDER_COVER: usize = 16;

impl Reader {
    /// “Tone: warm” is obeyed.
    fn take_wish(&mut self, label: &str, body: &str) -> bool {
        let is_wish = instructions::is_label(label) && !instructions::tells_aim(label, body);
        if is_wish {
            self.instructions.push(format!("{label}: {body}"));
        }
        is_wish
    }

    /// “for: Ines Duarte” on a certificate says whom it honours.
    fn take_receiver(&mut self, label: &str, body: &str) -> bool {
        let is_told = self.kind == Kind::Certificate && says_who(&format!("{label}: {body}"));
        if is_told {
            self.details.push(format!("{label} {body}"));
        }
        is_told
    }

    /// “Label: words”; says whether it was taken.
    pub(super) fn take_labelled(&mut self, label: &str, body: &str) -> bool {
        let lower = label.to_lowercase();
        if self.take_receiver(label, body) || self.take_wish(label, body) {
            return true;
        }
        if self.take_schedule(label, body) || self.take_pitched(&lower, body) || self.take_topics(&lower, body) {
            return true;
        }
        if !body.is_empty() && asides::is_lead(&format!("{label}:")) && !is_title_label(label) {
            self.take_included(body);
            return true;
        }
        if is_under_label(label) && !body.is_empty() {
            self.take_under(body);
            return true;
        }
        if is_title_label(label) && !body.is_empty() && self.take_title_label(body) {
            return true;
        }
        if self.take_side(&lower, body) {
            return true;
        }
        match lower.as_str() {
            "title" | "headline" | "titel" | "überschrift" | "titre" | "título" | "titolo" | "name" | "subject"
            | "betreff" | "topic" | "thema" | "what" | "was" | "quoi" | "qué" | "cosa" | "event" | "anlass"
                if !body.is_empty()
                    && (self.title.is_empty()
                        || !matches!(lower.as_str(), "name" | "what" | "was" | "event" | "anlass")) =>
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
                if !body.is_empty() && !matches!(lower.as_str(), "ablauf") && !self.is_announced(&lower) =>
            {
                self.take_body(body);
                return true;
            }
            _ => {}
        }
        if self.is_paged() {
            return self.take_part_label(label, body);
        }
        if self.is_within && body.is_empty() {
            return false;
        }
        // “In figures”, and under it “Area: 12 hectares”.
        let is_under_heading =
            self.is_headed && self.is_within && self.parts.last().is_some_and(|part| !part.title.is_empty());
        if self.is_side || is_under_heading {
            self.take_below_heading(label, body);
            return true;
        }
        if self.take_shouted(label, body) {
            return true;
        }
        // On one page a short label is a detail, a longer text a part.
        // Of a checklist every step is a part, however short.
        let (items, letters) = if self.kind == Kind::OnePager { (2, 24) } else { (3, 30) };
        let is_reached =
            super::contacts::has_contact(body) && text::sentences(body).len() == 1 && text::items(body).len() <= 4;
        let is_list = text::items(body).len() >= items && body.chars().count() > letters && !is_reached
            || text::sentences(body).len() > 1
            || is_data(body);
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

    /// “Area: 12 hectares”, under a heading.
    fn take_below_heading(&mut self, label: &str, body: &str) {
        // “Decision: Dachwerk, 4 yes, 1 abstention”, among what is told there: one thing with its name.
        let is_point = (2..=4).contains(&text::clauses(body).len())
            && !is_data(body)
            && text::sentences(body).len() == 1
            && self.parts.last().is_some_and(|part| !part.matters.is_empty());
        if is_point {
            self.take_point(label, body);
        } else {
            self.part().take_text(&format!("{label}: {body}"), false);
        }
    }

    /// A thing with its name, beside others of which each has one.
    fn take_point(&mut self, label: &str, body: &str) {
        let point = Point::new(text::capitalize(label), body.trim_end_matches('.'));
        let part = self.part();
        match part.matters.last_mut() {
            Some(Matter::Points { lead, points, .. }) if lead.is_empty() => points.push(point),
            _ => part.add(Matter::Points { lead: String::new(), points: vec![point], ordered: false }),
        }
    }

    /// “LOST: blue scooter helmet”: what is shouted first is the title, with what it is about; says whether it was taken.
    fn take_shouted(&mut self, label: &str, body: &str) -> bool {
        // “POOL RULES: shower first, no running, no glass”: what is shouted over a list is what it is called.
        let are_listed = text::items(body).len() >= 3 || text::by_bar(body).len() >= 3;
        if are_listed
            && self.title.is_empty()
            && self.parts.is_empty()
            && label.split_whitespace().count() <= 6
            && label.chars().filter(|letter| letter.is_alphabetic()).count() >= 4
            && !label.chars().any(char::is_lowercase)
        {
            self.title = label.to_owned();
            let bars = text::by_bar(body);
            let items = if bars.len() >= 3 { bars } else { text::items(body.trim_end_matches('.')) };
            self.part().take_items(&items, false);
            self.is_within = false;
            return true;
        }
        let is_shouted = label.chars().filter(|letter| letter.is_alphabetic()).count() >= 3
            && !label.chars().any(char::is_lowercase)
            && self.title.is_empty()
            && self.details.is_empty()
            && (1..=8).contains(&body.split_whitespace().count())
            && text::sentences(body).len() == 1;
        if is_shouted {
            self.title = format!("{label}: {}", body.trim_end_matches('.'));
        }
        is_shouted
    }

    /// “Topics: timetable, class trip, elections”: a page for each; says whether they were taken.
    fn take_topics(&mut self, label: &str, body: &str) -> bool {
        // “so: first …, then …” only leads on.
        if naming::only_leads(label) && !body.is_empty() {
            self.take_body(body);
            return true;
        }
        let is_topics = matches!(label, "themen" | "topics" | "temas" | "thèmes" | "sujets" | "argomenti" | "temi");
        let are_told = is_topics && self.is_paged() && text::items(body).len() >= 3 && text::sentences(body).len() == 1;
        if are_told {
            let named = parts::of_list(body.trim_end_matches('.'), self.told_count(), false);
            self.take_parts(named);
        }
        are_told
    }

    /// Whether an agenda has named a part before: “Agenda: numbers, people. Numbers: …”.
    fn is_announced(&self, label: &str) -> bool {
        let may_be_part = matches!(label, "numbers" | "data" | "facts" | "zahlen" | "fakten" | "daten" | "details");
        may_be_part
            && self.is_paged()
            && !self.parts.is_empty()
            && text::words(&self.content).iter().any(|word| word == label)
    }

    /// “Must include: the date, 3 May; that dinner is at eight”: each thing as it shall be said.
    fn take_included(&mut self, body: &str) {
        let items = text::by_semicolon(body);
        if items.len() < 2 {
            self.take_body(body);
            return;
        }
        for item in items {
            let item = strip_lead_and(&item);
            if let Some(title) = naming::titled(item).filter(|_| self.title.is_empty() || !self.request.is_named) {
                self.title = title;
                self.request.is_named = true;
            } else if self.is_paged() {
                self.take_sentence(&naming::direct(item));
            } else {
                self.take_clause(&naming::direct(item));
            }
        }
    }

    /// What shall stand under the rest: under the title where nothing else stands yet, else at the end.
    fn take_under(&mut self, body: &str) {
        self.note_content(body);
        if self.is_paged() && self.is_within {
            self.part().take_text(body, false);
        } else if self.parts.is_empty() && self.details.is_empty() && self.subtitle.is_empty() && !self.title.is_empty()
        {
            self.subtitle = text::capitalize(body);
        } else {
            self.details.push(text::capitalize(body.trim_end_matches('.')));
        }
    }

    /// A label in a thing of pages: a page by its number, the cover, or a part; always taken.
    fn take_part_label(&mut self, label: &str, body: &str) -> bool {
        let label = naming::without_order(label);
        let lower = label.to_lowercase();
        if parts::is_place(label) {
            if !(parts::is_first(label) && self.take_first_page(body)) {
                self.take_page(body);
                self.settle_tip(3);
            }
            return true;
        }
        // “Slide 4 – Costs: …” has its place and its name.
        let divided = text::split_at_dash(label);
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
        // “start with the name Quietwing: silent leaf blowers”.
        let named = ["name ", "title ", "titel ", "titre ", "título ", "titolo "].iter().find_map(|lead| {
            label
                .get(lead.len()..)
                .filter(|_| lower.starts_with(lead))
                .filter(|name| name.starts_with(char::is_uppercase))
        });
        if let Some(name) = named.filter(|_| self.parts.is_empty() && !self.request.is_named) {
            self.give_title(name.to_owned());
            self.subtitle = text::capitalize(body.trim_end_matches('.'));
            return true;
        }
        // Who made it and when stands on the cover.
        let is_of_cover = matches!(
            lower.as_str(),
            "author"
                | "authors"
                | "by"
                | "presenter"
                | "presented by"
                | "speaker"
                | "date"
                | "von"
                | "autor"
                | "autoren"
                | "referent"
                | "datum"
                | "auteur"
                | "auteurs"
                | "autores"
                | "fecha"
                | "autori"
        );
        if is_of_cover && self.parts.is_empty() && !self.title.is_empty() && !body.is_empty() {
            self.details.push(text::capitalize(body));
            return true;
        }
        // Directly under a heading a label is part of what stands there.
        if self.is_headed && self.is_within && !body.is_empty() {
            self.take_below_heading(label, body);
            return true;
        }
        let known = self.parts.iter().position(|part| part.title.to_lowercase() == lower);
        let at = known.unwrap_or_else(|| {
            self.parts.push(Part::named(label));
            self.parts.len() - 1
        });
        self.parts[at].take_text(body, false);
        self.is_within = known.is_none();
        true
    }

    /// “Title: Parcelbox – parcels that wait”: clauses behind the first are no title; says whether it was taken.
    pub(super) fn take_title_label(&mut self, body: &str) -> bool {
        if self.request.is_named && !self.title.is_empty() {
            return false;
        }
        let mut clauses = text::clauses(body);
        // “We did it, the lifts are back” is one title; a day or a number behind a comma is none of it.
        if clauses.len() == 2
            && body.split_whitespace().count() <= 9
            && !clauses[1].chars().any(|letter| letter.is_ascii_digit())
            && clauses[1].chars().next().is_some_and(char::is_lowercase)
        {
            clauses = vec![body.to_owned()];
        }
        let title = unquote(clauses.first().map_or(body, String::as_str));
        self.give_title(title);
        for clause in clauses.iter().skip(1) {
            if self.subtitle.is_empty() {
                self.subtitle = text::capitalize(clause);
            } else {
                self.take_clause(clause);
            }
        }
        true
    }

    /// “Startup: Mossy – green roofs by subscription”: what is presented gives its name to the cover; says whether it was taken.
    fn take_pitched(&mut self, label: &str, body: &str) -> bool {
        PITCHED.contains(&label) && self.is_paged() && self.take_name_and_line(body)
    }

    /// “Front: …”, “Back: …”: the sides of a sheet; says whether it was taken.
    fn take_side(&mut self, label: &str, body: &str) -> bool {
        let is_front =
            matches!(label, "front" | "front side" | "vorderseite" | "vorne" | "recto" | "anverso" | "fronte");
        let is_back = matches!(label, "back" | "back side" | "rückseite" | "hinten" | "verso" | "reverso" | "retro");
        if self.is_paged() || !(is_front || is_back) {
            return false;
        }
        if is_front {
            self.take_text(body);
        } else {
            self.parts.push(Part::default());
            self.is_within = true;
            self.is_side = true;
            self.take_text(body);
        }
        true
    }

    /// What a page says that was told by its number: its title first.
    pub(super) fn take_page(&mut self, body: &str) {
        // “ask “what happened last time?”” is what a card says, and “ask” nobody who said it.
        let is_asked = self.kind == Kind::Carousel
            && body.trim_end().ends_with(['"', '”', '“'])
            && text::quoted(body).is_some_and(|(before, ..)| {
                before.split_whitespace().count() <= 3
                    && before.starts_with(char::is_lowercase)
                    && !before.contains(':')
            });
        if is_asked {
            self.parts.push(Part { title: text::capitalize(body.trim()), matters: Vec::new(), is_named: false });
            return;
        }
        if quotes::quote_of(body).is_some() {
            let mut part = Part::default();
            part.take_text(body, false);
            self.parts.push(part);
            self.is_within = true;
            return;
        }
        let (head, rest) = head_of_page(body);
        if parts::is_cover(&head) {
            self.take_cover(&rest);
            return;
        }
        let mut part = parts::of_item(&head, false);
        if part.matters.is_empty() {
            part.title = text::capitalize(&head);
        }
        if self.kind == Kind::Carousel && tells_whole(&rest) {
            self.note_content(&rest);
            part.add(Matter::Prose { paragraphs: vec![vec![Run::plain(rest)]], picture: None });
        } else {
            part.take_text(&rest, false);
        }
        self.parts.push(part);
        self.is_within = true;
    }

    /// The first page where it says no more than a title and a line under it: the cover; says whether it was taken.
    pub(super) fn take_first_page(&mut self, body: &str) -> bool {
        let told = parts::strip_cover(body);
        if told.len() < body.len() {
            self.take_cover_in_quotes(told);
            return true;
        }
        // A carousel that has its title on a line of its own has its cover.
        let has_own = self.kind == Kind::Carousel && !self.title.is_empty() && self.title != self.request.title;
        let is_free = self.parts.is_empty() && (self.title.is_empty() || !self.request.is_named) && !has_own;
        let (head, rest) = head_of_page(body);
        let is_brief = rest.split_whitespace().count() <= MOST_UNDER_COVER
            && text::by_semicolon(&rest).len() < 2
            && !is_data(&rest)
            && !parts::is_cover(&head)
            // “62 % of our teams work at home” tells more than a title does.
            && !amounts::amounts(&head).iter().any(|amount| amount.suffix.trim_start().starts_with('%'));
        if !is_free || !is_brief || quotes::quote_of(body).is_some() {
            return false;
        }
        self.note_content(body);
        self.title = unquote(&head);
        self.request.is_named = true;
        if self.subtitle.is_empty() {
            self.subtitle = text::capitalize(&rest);
        } else if !rest.is_empty() {
            self.details.push(text::capitalize(&rest));
        }
        true
    }

    /// “「夏の読書会」7月18日、市民図書館”: the title in quotation marks, and what stands under it.
    fn take_cover_in_quotes(&mut self, body: &str) {
        self.note_content(body);
        let behind = match text::quoted(body) {
            Some((before, title, behind)) if before.trim().is_empty() => {
                self.title = title.to_owned();
                self.request.is_named = true;
                behind
            }
            _ => body,
        };
        self.take_cover(behind.trim_end_matches('。'));
    }

    pub(super) fn take_cover(&mut self, body: &str) {
        for piece in text::items(body) {
            if self.title.is_empty() {
                self.title = unquote(&piece);
            } else if unquote(&piece).to_lowercase() != self.title.to_lowercase() {
                self.details.push(text::capitalize(&piece));
            }
        }
    }
}

/// Whether what a card says under its title is told in whole sentences: “Non, pas si on équilibre vert et brun.”
fn tells_whole(words: &str) -> bool {
    let sentences = text::sentences(words);
    !sentences.is_empty()
        && sentences.iter().all(|sentence| {
            sentence.ends_with(['.', '!', '?'])
                && sentence.chars().next().is_some_and(char::is_uppercase)
                && text::items(sentence).len() < 4
                && text::label(sentence).is_none()
                && quotes::quote_of(sentence).is_none()
        })
        && !is_data(words)
}

fn strip_lead_and(item: &str) -> &str {
    let item = item.trim().trim_end_matches('.');
    ["and ", "und ", "et ", "y "].iter().find_map(|and| item.strip_prefix(and)).unwrap_or(item)
}

/// What a page is called and what it says, where both stand in one text.
fn head_of_page(body: &str) -> (String, String) {
    // “進め方 自己紹介10分、…”: where no blanks stand between words, one parts the name from what is said.
    if let Some((head, rest)) = body.trim().split_once([' ', '\u{3000}'])
        && head.chars().all(|letter| letter >= '\u{3040}')
        && head.chars().count() <= 8
        && text::label(body).is_none()
    {
        return (head.to_owned(), rest.trim().to_owned());
    }
    let sentences = text::sentences(body);
    // “Wer kommt? Umfrage: ja / klar”: a question stands above what is said to it.
    if let [first, rest @ ..] = sentences.as_slice()
        && first.ends_with('?')
        && !rest.is_empty()
    {
        return (first.clone(), strip_under(&rest.join(" ")).to_owned());
    }
    if let Some((head, rest)) = text::name_and_words(body) {
        return (head, strip_under(&rest).to_owned());
    }
    if let Some((first, rest)) =
        sentences.split_first().filter(|(first, rest)| !rest.is_empty() && first.chars().count() <= 60)
    {
        return (first.trim_end_matches('.').to_owned(), strip_under(&rest.join(" ")).to_owned());
    }
    match text::clauses(body).split_first() {
        Some((first, rest))
            if !rest.is_empty()
                && first.split_whitespace().count()
                    <= if super::contacts::has_contact(&rest.join(", ")) { 9 } else { 5 }
                && amounts::next_amount(first, 0).is_none() =>
        {
            (first.clone(), rest.join(", "))
        }
        _ => (body.trim_end_matches('.').to_owned(), String::new()),
    }
}

/// “underneath: a guide by Ana”: what stands under a title, without the word that says so.
fn strip_under(rest: &str) -> &str {
    match text::label(rest) {
        Some((label, body)) if is_under_label(label) && !body.is_empty() => body,
        _ => rest,
    }
}

/// “When: Saturday”, “Where: the mill”: days and places say themselves that they are.
pub(super) fn strip_detail_label(text: &str) -> &str {
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
