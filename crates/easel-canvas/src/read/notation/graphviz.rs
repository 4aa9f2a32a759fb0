//! Graphviz: `digraph { a -> b [label="rents"]; }`.

use super::diagram::{Named, Noted, clean};

/// Reads a graph from its first line on; how many lines it takes and what it draws.
pub(super) fn read(lines: &[&str]) -> Option<(usize, Noted)> {
    let text = lines.join("\n");
    let open = text.find('{')?;
    let (mut depth, mut is_quoted, mut end) = (0_usize, false, text.len());
    for (at, letter) in text.char_indices().skip_while(|(at, _)| *at < open) {
        match letter {
            '"' => is_quoted = !is_quoted,
            '{' if !is_quoted => depth += 1,
            '}' if !is_quoted => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    end = at;
                    break;
                }
            }
            _ => {}
        }
    }
    let taken = text[..end].matches('\n').count() + 1;
    let mut named = Named::default();
    let mut title = String::new();
    for statement in statements(&text[open + 1..end]) {
        take_statement(&statement, &mut named, &mut title);
    }
    Some((taken.min(lines.len()), Noted { flow: named.flow, title }))
}

/// The statements of a body; nothing is cut within quotation marks or brackets.
fn statements(body: &str) -> Vec<String> {
    let (mut all, mut one, mut is_quoted, mut depth) = (Vec::new(), String::new(), false, 0_i32);
    for letter in body.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            '[' if !is_quoted => depth += 1,
            ']' if !is_quoted => depth -= 1,
            _ => {}
        }
        if !is_quoted && depth <= 0 && matches!(letter, ';' | '\n' | '{' | '}') {
            all.push(std::mem::take(&mut one));
        } else {
            one.push(letter);
        }
    }
    all.push(one);
    all.retain(|statement| !statement.trim().is_empty());
    all
}

fn take_statement(statement: &str, named: &mut Named, title: &mut String) {
    let (head, attributes) = statement.split_once('[').unwrap_or((statement, ""));
    let head = head.trim();
    let label = label_of(attributes);
    let first = head.split_whitespace().next().unwrap_or_default();
    if matches!(first, "node" | "edge" | "graph" | "subgraph") || head.starts_with("//") || head.starts_with('#') {
        return;
    }
    if let Some((name, value)) = head.split_once('=') {
        if name.trim() == "label" && title.is_empty() {
            *title = clean(value);
        }
        return;
    }
    let nodes: Vec<&str> = head.split("->").flat_map(|part| part.split("--")).collect();
    if let [only] = nodes.as_slice() {
        named.take_box(&clean(only), label.as_deref());
        return;
    }
    let places: Vec<Option<usize>> = nodes.iter().map(|name| named.take_box(&clean(name), None)).collect();
    for pair in places.windows(2) {
        if let [Some(from), Some(to)] = pair {
            named.connect(*from, *to, label.as_deref().unwrap_or_default());
        }
    }
}

fn label_of(attributes: &str) -> Option<String> {
    let rest = attributes.split_once("label")?.1.trim_start().strip_prefix('=')?.trim_start();
    Some(match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next().unwrap_or_default().to_owned(),
        None => rest.split([',', ']', ' ']).next().unwrap_or_default().to_owned(),
    })
}
