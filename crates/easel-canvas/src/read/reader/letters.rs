//! A letter as it is read: its subject is the title, who writes stands above it, and below the rest of its head and its
//! paragraphs.
//!
//! What holds: every paragraph stays one, and in its order. Deliberately not here: how a letter is told (`letter`).

use super::state::Reader;
use crate::content::Matter;
use crate::read::kinds::Kind;
use crate::read::letter;
use crate::read::lines::Line;
use crate::read::parts::Part;
use crate::read::text;
use crate::run::Run;

/// A line above the title has no more letters.
const MOST_LETTERS_ABOVE: usize = 60;

impl Reader {
    /// Takes lines that are a letter; says whether they were.
    pub(super) fn take_letter(&mut self, lines: &[Line]) -> bool {
        if !matches!(self.kind, Kind::Document | Kind::OnePager) {
            return false;
        }
        let Some(letter) = letter::of_lines(lines) else { return false };
        if !letter.subject.is_empty() {
            self.take_subject(&letter.subject);
        }
        self.is_within = false;
        for line in letter.head {
            self.note_content(&line);
            if self.title.is_empty() {
                self.title = line;
            } else if self.request.kicker.is_empty()
                && self.parts.is_empty()
                && line.chars().count() <= MOST_LETTERS_ABOVE
            {
                // Who writes stands above what it is about, as on a letterhead.
                self.request.kicker = line;
            } else {
                self.part().add(Matter::Prose { paragraphs: vec![vec![Run::plain(line)]], picture: None });
            }
        }
        self.take_paragraphs(&lines[letter.greeting..]);
        true
    }

    /// “Trip to the fort, class 4b”: what it is about, and for whom.
    fn take_subject(&mut self, subject: &str) {
        self.note_content(subject);
        let clauses = text::clauses(subject);
        match clauses.as_slice() {
            [title, under] if self.subtitle.is_empty() && under.split_whitespace().count() <= 5 => {
                self.title = text::capitalize(title);
                self.subtitle = text::capitalize(under);
            }
            _ => self.title = text::capitalize(subject.trim_end_matches('.')),
        }
        self.request.is_named = true;
    }

    fn take_paragraphs(&mut self, lines: &[Line]) {
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            match line {
                Line::Text(words) => self.take_paragraph(words),
                // Read as a heading because it ends with a colon.
                Line::Heading(words) if letter::greets(words) => self.take_paragraph(&format!("{words}:")),
                Line::Heading(words) => self.take_heading(words),
                Line::Item(..) | Line::Nested(..) => {
                    at = self.take_items(lines, at);
                    continue;
                }
                Line::Marked(_) => {
                    at = self.take_marked(lines, at);
                    continue;
                }
                Line::Drawn(noted) => self.take_noted(noted.clone()),
                Line::Blank => {}
            }
            at += 1;
        }
    }

    /// A paragraph; what is listed behind a label in it is a list.
    fn take_paragraph(&mut self, words: &str) {
        self.note_content(words);
        let sentences = text::sentences(words);
        let listed = sentences
            .first()
            .and_then(|first| text::label(first))
            .filter(|(label, body)| text::items(body).len() >= 3 && label.split_whitespace().count() <= 4);
        let mut told = words.trim().to_owned();
        if let Some((label, body)) = listed {
            self.parts.push(Part::named(label));
            self.is_within = true;
            self.part().take_items(&text::items(body.trim_end_matches('.')), false);
            told = sentences[1..].join(" ");
        }
        if !told.is_empty() {
            self.part().add(Matter::Prose { paragraphs: vec![vec![Run::plain(told)]], picture: None });
        }
    }
}
