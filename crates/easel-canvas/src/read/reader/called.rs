//! What a thing is called where nothing in its brief names it, what is cut from a name, and what needs none: a quotation with
//! the one who said it.

use super::{Reader, is_data};
use crate::content::Matter;
use crate::read::kinds::Kind;
use crate::read::{matter, text};

impl Reader {
    /// A menu without a name says what it is: “Eiskarte”, “Price list”. So do notes of several parts: “Meeting notes”.
    pub(super) fn call_by_kind(&mut self) {
        self.strip_begging();
        let name = self.request.kind_name.as_str();
        let is_paper = matches!(self.kind, Kind::Document | Kind::OnePager)
            && self.parts.len() > 1
            && name.split_whitespace().count() == 2
            && !name.starts_with("one ");
        if self.title.is_empty() && (self.is_menu() || is_paper) {
            self.title = text::capitalize(name);
        }
    }

    /// “Fauré – Cantique de Jean Racine”: lines that each have a name and words are points with both.
    pub(super) fn name_lines(&mut self) {
        let is_named = |line: &str| {
            [" – ", " — ", " - "].iter().any(|dash| line.contains(dash))
                && line.split_whitespace().count() <= 14
                && !line.ends_with(['.', '!', '?'])
                && text::name_and_words(line).is_some()
        };
        for part in self.parts.iter_mut().filter(|part| !part.title.is_empty()) {
            let [Matter::Prose { paragraphs, picture: None }] = part.matters.as_slice() else { continue };
            let lines: Vec<String> = paragraphs.iter().map(|runs| crate::content::plain(runs)).collect();
            if lines.len() >= 2 && lines.iter().all(|line| is_named(line)) {
                let points = lines.iter().map(|line| matter::point_of(line)).collect();
                part.matters = vec![Matter::Points { lead: String::new(), points, ordered: false }];
            }
        }
    }

    /// “by Ida Lund, Weir Echo”, under what someone said; says whether it was taken.
    pub(super) fn take_speaker(&mut self, words: &str) -> bool {
        let lower = words.to_lowercase();
        let name = ["by ", "von ", "par ", "por "]
            .iter()
            .find_map(|lead| words.get(lead.len()..).filter(|_| lower.starts_with(lead)));
        let last = self.parts.last_mut().and_then(|part| part.matters.last_mut());
        let (Some(name), Some(Matter::Quote { by, .. })) = (name, last) else { return false };
        let is_name = by.is_empty()
            && name.starts_with(char::is_uppercase)
            && name.split_whitespace().count() <= 8
            && text::label(name).is_none()
            && !is_data(name);
        if is_name {
            name.trim_end_matches('.').clone_into(by);
            self.content.push_str(words);
            self.content.push(' ');
        }
        is_name
    }

    /// Whether all that it says beside its details is what someone said: it needs no name over it.
    pub(super) fn is_quotation(&self) -> bool {
        let mut matters = self.parts.iter().flat_map(|part| &part.matters).peekable();
        matters.peek().is_some() && matters.all(|matter| matches!(matter, Matter::Quote { .. }))
    }

    /// “Recruitment process please” begs at its end.
    fn strip_begging(&mut self) {
        let lower = self.title.to_lowercase();
        let begging = [" please", " pls", " plz", " bitte", " svp", " por favor", " per favore"];
        if let Some(end) = begging.iter().find(|end| lower.ends_with(**end) && lower.len() == self.title.len()) {
            self.title.truncate(self.title.len() - end.len());
        }
    }
}
