//! What a thing is called where nothing in its brief names it, and what is cut from a name.

use super::Reader;
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

    /// “Recruitment process please” begs at its end.
    fn strip_begging(&mut self) {
        let lower = self.title.to_lowercase();
        let begging = [" please", " pls", " plz", " bitte", " svp", " por favor", " per favore"];
        if let Some(end) = begging.iter().find(|end| lower.ends_with(**end) && lower.len() == self.title.len()) {
            self.title.truncate(self.title.len() - end.len());
        }
    }
}
