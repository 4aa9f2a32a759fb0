//! Mermaid: flowcharts, states and sequences.

use super::diagram::{Named, Noted, clean};

/// What a chart of Mermaid draws.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Flow,
    Sequence,
    State,
}

/// Reads a chart from its first line on; how many lines it takes and what it draws.
pub(super) fn read(lines: &[&str]) -> Option<(usize, Noted)> {
    let sort = sort_of(lines.first()?.trim())?;
    let mut named = Named::default();
    let mut title = String::new();
    let mut taken = 1;
    for (at, raw) in lines.iter().enumerate().skip(1) {
        let line = raw.trim().trim_end_matches(';');
        if line == "```" {
            break;
        }
        if line.is_empty() || line.starts_with("%%") {
            continue;
        }
        if let Some(named) = line.strip_prefix("accTitle:").or_else(|| line.strip_prefix("title ")) {
            title = clean(named);
        } else if !is_setting(line) && !take_line(line, sort, &mut named) {
            break;
        }
        taken = at + 1;
    }
    Some((taken, Noted { flow: named.flow, title }))
}

fn sort_of(line: &str) -> Option<Sort> {
    let mut words = line.trim_end_matches(';').split_whitespace();
    let (first, second, more) = (words.next()?, words.next(), words.next());
    let is_direction =
        second.is_none_or(|second| matches!(second.to_uppercase().as_str(), "TD" | "TB" | "BT" | "LR" | "RL"));
    match first {
        "flowchart" | "graph" | "flowchart-elk" if is_direction && more.is_none() && second.is_some() => {
            Some(Sort::Flow)
        }
        "sequenceDiagram" if second.is_none() => Some(Sort::Sequence),
        "stateDiagram" | "stateDiagram-v2" if second.is_none() => Some(Sort::State),
        _ => None,
    }
}

/// Lines that say how a chart looks, and not what it says.
fn is_setting(line: &str) -> bool {
    let first = line.split([' ', ':']).next().unwrap_or_default();
    matches!(
        first,
        "style"
            | "classDef"
            | "class"
            | "linkStyle"
            | "click"
            | "direction"
            | "subgraph"
            | "end"
            | "autonumber"
            | "activate"
            | "deactivate"
            | "loop"
            | "alt"
            | "else"
            | "opt"
            | "par"
            | "and"
            | "rect"
            | "note"
            | "Note"
            | "accDescr"
            | "---"
    )
}

fn take_line(line: &str, sort: Sort, named: &mut Named) -> bool {
    match sort {
        Sort::Flow => take_chain(line, named),
        Sort::Sequence => take_message(line, named),
        Sort::State => take_state(line, named),
    }
}

/// `A[Text] -->|label| B{Text} & C`. A word alone that names no box yet is none: it stands behind the chart.
fn take_chain(line: &str, named: &mut Named) -> bool {
    if line.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        && !named.names.iter().any(|name| name == line)
    {
        return false;
    }
    let Some((mut from, mut rest)) = take_nodes(line, named) else { return false };
    while !rest.is_empty() {
        let Some((label, behind)) = link(rest) else { return false };
        let Some((to, more)) = take_nodes(behind, named) else { return false };
        for one in &from {
            for two in &to {
                named.connect(*one, *two, &label);
            }
        }
        (from, rest) = (to, more);
    }
    true
}

/// The boxes at the beginning of a text, several where `&` joins them, and what follows.
fn take_nodes<'t>(text: &'t str, named: &mut Named) -> Option<(Vec<usize>, &'t str)> {
    let mut places = Vec::new();
    let mut rest = text.trim_start();
    loop {
        let end = rest
            .char_indices()
            .find(|(at, letter)| {
                let is_within_name = *letter == '-' && rest[at + 1..].starts_with(char::is_alphanumeric);
                !(letter.is_alphanumeric() || *letter == '_' || is_within_name)
            })
            .map_or(rest.len(), |(at, _)| at);
        if end == 0 {
            return None;
        }
        let (name, behind) = rest.split_at(end);
        let (words, behind) = words_of_box(behind)?;
        places.extend(named.take_box(name, words));
        // A class of looks behind a box: `:::warning`.
        let behind = match behind.strip_prefix(":::") {
            Some(class) => class.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_'),
            None => behind,
        };
        rest = behind.trim_start();
        match rest.strip_prefix('&') {
            Some(more) => rest = more.trim_start(),
            None => return Some((places, rest)),
        }
    }
}

/// The words within the brackets that directly follow the name of a box; `None` where a bracket stays open.
fn words_of_box(text: &str) -> Option<(Option<&str>, &str)> {
    const BRACKETS: &[(&str, &str)] = &[
        ("((", "))"),
        ("([", "])"),
        ("[[", "]]"),
        ("[(", ")]"),
        ("{{", "}}"),
        ("[/", "/]"),
        ("[\\", "\\]"),
        ("[", "]"),
        ("(", ")"),
        ("{", "}"),
        (">", "]"),
    ];
    let Some((open, close)) = BRACKETS.iter().find(|(open, _)| text.starts_with(open)) else {
        return Some((None, text));
    };
    let inner = &text[open.len()..];
    // Brackets within quotation marks belong to the words.
    let from = inner.strip_prefix('"').and_then(|quoted| quoted.find('"')).map_or(0, |end| end + 2);
    let end = from + inner.get(from..)?.find(close)?;
    Some((Some(&inner[..end]), &inner[end + close.len()..]))
}

/// The word on a link and what follows the link: `-->|yes|`, `-- yes -->`, `-.->`, `==>`, `---`.
fn link(text: &str) -> Option<(String, &str)> {
    let is_line = |letter: char| matches!(letter, '-' | '=' | '.' | '<' | '~');
    let is_end = |letter: char| is_line(letter) || matches!(letter, '>' | 'o' | 'x');
    let text = text.trim_start();
    let end = text.find(|letter| !is_line(letter)).unwrap_or(text.len());
    if end < 2 {
        return None;
    }
    let rest = &text[end..];
    let tip = rest.strip_prefix(['>', 'o', 'x']).filter(|behind| !behind.starts_with(char::is_alphanumeric));
    let is_closed = tip.is_some() || end >= 3 && !text[..end].starts_with("-.");
    if is_closed {
        let behind = tip.unwrap_or(rest).trim_start();
        return Some(match behind.strip_prefix('|').and_then(|label| label.split_once('|')) {
            Some((label, behind)) => (label.to_owned(), behind),
            None => (String::new(), behind),
        });
    }
    // `-- yes -->`: the label ends where the line goes on.
    let close = ["--", "==", "-.", ".-"].iter().filter_map(|line| rest.find(line)).min()?;
    let behind = rest[close..].trim_start_matches(is_end);
    Some((rest[..close].to_owned(), behind))
}

/// `Ann->>Bob: hello`.
fn take_message(line: &str, named: &mut Named) -> bool {
    for word in ["participant ", "actor ", "create participant "] {
        if let Some(rest) = line.strip_prefix(word) {
            let (name, words) = rest.split_once(" as ").unwrap_or((rest, rest));
            named.take_box(name.trim(), Some(words));
            return true;
        }
    }
    let Some((ends, label)) = line.split_once(':') else { return false };
    let Some(at) = ends.find("-") else { return false };
    let from = ends[..at].trim_end_matches(['<', ' ']);
    let to = ends[at..].trim_start_matches(['-', '>', ')', 'x', '<', '+', ' ']);
    if from.is_empty() || to.is_empty() {
        return false;
    }
    if let (Some(from), Some(to)) = (named.take_box(from, None), named.take_box(to, None)) {
        named.connect(from, to, label);
    }
    true
}

/// `Open --> Paid: card accepted`; where it all begins and ends is no box.
fn take_state(line: &str, named: &mut Named) -> bool {
    if let Some(rest) = line.strip_prefix("state ") {
        if let Some((words, name)) = rest.split_once(" as ") {
            named.take_box(name.trim(), Some(words));
        }
        return true;
    }
    if line == "}" {
        return true;
    }
    let Some((from, rest)) = line.split_once("-->") else {
        if let Some((name, words)) = line.split_once(" : ") {
            named.take_box(name.trim(), Some(words));
            return true;
        }
        return false;
    };
    let (to, label) = rest.split_once(':').unwrap_or((rest, ""));
    let (from, to) = (from.trim(), to.trim());
    if from == "[*]" || to == "[*]" {
        let inner = if from == "[*]" { to } else { from };
        if inner != "[*]" {
            named.take_box(inner, None);
        }
        return true;
    }
    if let (Some(from), Some(to)) = (named.take_box(from, None), named.take_box(to, None)) {
        named.connect(from, to, label);
    }
    true
}
