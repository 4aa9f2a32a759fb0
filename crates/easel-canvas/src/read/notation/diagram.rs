//! A diagram while it is read from a notation: boxes by the names that the notation has for them, and the arrows between them.
//!
//! Always true: no name has two boxes, no words keep a mark of their notation, and boxes and arrows are bounded. Deliberately not
//! here: what the signs of a notation mean (`mermaid`, `plantuml`, `graphviz`).

use crate::content::{Arrow, Point};
use crate::read::flow::Flow;

/// A diagram that was written in a notation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Noted {
    /// What it draws.
    pub flow: Flow,
    /// What it is called, where its notation says so.
    pub title: String,
}

/// No more boxes of a notation are drawn.
const MAX_BOXES: usize = 120;

/// No more arrows of a notation are drawn.
const MAX_ARROWS: usize = 300;

/// Boxes by the names that a notation has for them.
#[derive(Default)]
pub struct Named {
    /// What was drawn so far.
    pub flow: Flow,
    /// The name of each box.
    pub names: Vec<String>,
}

impl Named {
    /// The box of a name, made where it is not there yet; words settle what stands in it.
    pub fn take_box(&mut self, name: &str, words: Option<&str>) -> Option<usize> {
        let at = self.names.iter().position(|known| known == name);
        let at = match at {
            Some(at) => at,
            None if self.names.len() >= MAX_BOXES => return None,
            None => {
                self.names.push(name.to_owned());
                self.flow.boxes.push(Point::new(clean(name), ""));
                self.names.len() - 1
            }
        };
        if let Some(words) = words.map(clean).filter(|words| !words.is_empty()) {
            self.flow.boxes[at].head = words;
        }
        Some(at)
    }

    /// An arrow with its words, as long as there are not too many.
    pub fn connect(&mut self, from: usize, to: usize, label: &str) {
        if self.flow.arrows.len() < MAX_ARROWS {
            self.flow.arrows.push(Arrow { from, to, label: clean(label) });
        }
    }
}

/// Words of a notation without its quotation marks and breaks.
pub fn clean(words: &str) -> String {
    let mut words = words.to_owned();
    for mark in ["<br/>", "<br />", "<br>", "\\n", "\\l", "\\r"] {
        words = words.replace(mark, " ");
    }
    let words = words.trim().trim_matches(['"', '`', ';']).trim();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
