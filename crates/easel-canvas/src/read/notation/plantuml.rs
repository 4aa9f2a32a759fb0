//! PlantUML: activities with their branches, and messages between participants.

use super::diagram::{Named, Noted, clean};

/// A question whose branches are being read.
struct Branching {
    question: usize,
    /// The ends of the branches that were read.
    ends: Vec<(usize, String)>,
    /// Whether a branch for the other answer was told.
    has_else: bool,
}

/// Reads the lines between `@startuml` and `@enduml`.
pub(super) fn read(lines: &[&str]) -> Noted {
    let mut reader = Reader::default();
    let mut action = String::new();
    for raw in lines {
        let line = raw.trim();
        // An action may go on over several lines.
        if !action.is_empty() || line.starts_with(':') && !line.ends_with([';', '|', '<', '>', '/', ']', '}']) {
            action.push(' ');
            action.push_str(line);
            if line.ends_with(';') {
                reader.take_action(&std::mem::take(&mut action));
            }
            continue;
        }
        reader.take_line(line);
    }
    Noted { flow: reader.named.flow, title: reader.title }
}

#[derive(Default)]
struct Reader {
    named: Named,
    title: String,
    /// What the next action follows, each with the word on the arrow to it.
    open: Vec<(usize, String)>,
    branchings: Vec<Branching>,
    count: usize,
}

impl Reader {
    fn take_line(&mut self, line: &str) {
        let lower = line.to_lowercase();
        let first = lower.split([' ', '(']).next().unwrap_or_default();
        match first {
            "title" => self.title = clean(&line[5..]),
            "if" => self.take_question(line),
            "elseif" => {
                self.end_branch();
                self.reopen(String::new());
                self.take_question(line);
                // Its branches end where those of the first question do.
                if let Some(inner) = self.branchings.pop()
                    && let Some(outer) = self.branchings.last_mut()
                {
                    outer.question = inner.question;
                }
            }
            "else" => {
                self.end_branch();
                self.reopen(within(line));
                if let Some(last) = self.branchings.last_mut() {
                    last.has_else = true;
                }
            }
            "endif" => {
                self.end_branch();
                if let Some(done) = self.branchings.pop() {
                    self.open = done.ends;
                    if !done.has_else {
                        self.open.push((done.question, String::new()));
                    }
                }
            }
            "while" | "repeat" | "start" | "fork" | "end" | "split" | "note" | "legend" | "skinparam" | "endwhile"
            | "left" | "hide" | "autonumber" | "activate" | "deactivate" => {}
            "stop" | "kill" | "detach" => self.open.clear(),
            _ if line.starts_with(':') => self.take_action(line),
            _ => self.take_message(line),
        }
    }

    fn add_box(&mut self, words: &str) -> Option<usize> {
        self.count += 1;
        let at = self.named.take_box(&format!("#{}", self.count), Some(words))?;
        for (from, label) in std::mem::take(&mut self.open) {
            self.named.connect(from, at, &label);
        }
        Some(at)
    }

    fn take_action(&mut self, line: &str) {
        let words = line.trim().trim_start_matches(':').trim_end_matches([';', '|', '<', '>', '/', ']', '}']);
        if let Some(at) = self.add_box(words) {
            self.open = vec![(at, String::new())];
        }
    }

    fn take_question(&mut self, line: &str) {
        let question = within(line);
        let then = line.split_once(" then").map(|(_, rest)| within(rest)).unwrap_or_default();
        if let Some(at) = self.add_box(&question) {
            self.branchings.push(Branching { question: at, ends: Vec::new(), has_else: false });
            self.open = vec![(at, then)];
        }
    }

    fn end_branch(&mut self) {
        let open = std::mem::take(&mut self.open);
        if let Some(last) = self.branchings.last_mut() {
            last.ends.extend(open);
        }
    }

    fn reopen(&mut self, label: String) {
        if let Some(last) = self.branchings.last() {
            self.open = vec![(last.question, label)];
        }
    }

    /// `Rider -> Stable : books`, `[Web] --> [Store]`, `actor Rider`.
    fn take_message(&mut self, line: &str) {
        for word in ["actor ", "participant ", "component ", "database ", "node ", "entity ", "boundary ", "queue "] {
            if let Some(rest) = line.strip_prefix(word) {
                let (words, name) = rest.split_once(" as ").unwrap_or((rest, rest));
                self.named.take_box(&bare(name), Some(&bare(words)));
                return;
            }
        }
        let (ends, label) = line.split_once(" : ").or_else(|| line.split_once(": ")).unwrap_or((line, ""));
        let arrow = ["<--", "<-", "-->", "->", "..>", "-down->", "-up->", "-left->", "-right->"]
            .iter()
            .filter_map(|arrow| ends.find(arrow).map(|at| (at, *arrow)))
            .min_by_key(|(at, arrow)| (*at, std::cmp::Reverse(arrow.len())));
        let Some((at, arrow)) = arrow else { return };
        let (one, two) = (bare(&ends[..at]), bare(&ends[at + arrow.len()..]));
        if one.is_empty() || two.is_empty() || one == "(*)" || two == "(*)" {
            return;
        }
        if let (Some(one), Some(two)) = (self.named.take_box(&one, None), self.named.take_box(&two, None)) {
            let (from, to) = if arrow.starts_with('<') { (two, one) } else { (one, two) };
            self.named.connect(from, to, label);
        }
    }
}

/// The words within the first round brackets.
fn within(line: &str) -> String {
    let Some((_, rest)) = line.split_once('(') else { return String::new() };
    let mut depth = 1_i32;
    let end = rest.char_indices().find(|(_, letter)| {
        depth += i32::from(*letter == '(') - i32::from(*letter == ')');
        depth == 0
    });
    rest[..end.map_or(rest.len(), |(at, _)| at)].to_owned()
}

/// A name without the marks that say what it is.
fn bare(name: &str) -> String {
    name.trim().trim_matches(['[', ']', '"', ' ', '>', '<', '-']).to_owned()
}
