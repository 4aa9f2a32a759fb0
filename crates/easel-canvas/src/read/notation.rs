//! Diagrams that stand in a brief in the notation of a program: Mermaid, PlantUML, Graphviz.
//!
//! The notation is taken out of the brief before anything else is read, so that none of its marks is ever printed. What
//! stays of it are boxes, arrows and the words on them. Deliberately not here: courses that are told in words (`flow`).

mod diagram;
mod graphviz;
mod mermaid;
mod plantuml;

pub use diagram::Noted;

/// The first diagram in a notation of a brief, with what stands before it and behind it; `None` where there is none.
pub fn take(prompt: &str) -> Option<(String, Noted, String)> {
    let lines: Vec<&str> = prompt.lines().collect();
    let found = lines.iter().enumerate().find_map(|(at, line)| block_at(&lines, at, line.trim()));
    let Block { from, to, noted } = found?;
    Some((lines[..from].join("\n"), noted, lines[to..].join("\n")))
}

/// Lines of a notation: where they begin and end, and what they draw.
struct Block {
    from: usize,
    to: usize,
    noted: Noted,
}

fn block_at(lines: &[&str], at: usize, line: &str) -> Option<Block> {
    let lower = line.to_lowercase();
    let fenced_from = if at > 0 && lines[at - 1].trim_start().starts_with("```") { at - 1 } else { at };
    let fence_end = |to: usize| to + usize::from(lines.get(to).is_some_and(|line| line.trim() == "```"));
    let made = |to: usize, noted: Noted| {
        (noted.flow.boxes.len() >= 2).then(|| Block { from: fenced_from, to: fence_end(to), noted })
    };
    if lower.starts_with("@startuml") {
        let to = lines[at..].iter().position(|line| line.trim().to_lowercase().starts_with("@enduml"));
        let to = to.map_or(lines.len(), |length| at + length + 1);
        return made(to, plantuml::read(&lines[at + 1..to]));
    }
    if is_graphviz(&lower) {
        let (to, noted) = graphviz::read(&lines[at..])?;
        return made(at + to, noted);
    }
    let (to, noted) = mermaid::read(&lines[at..])?;
    made(at + to, noted)
}

fn is_graphviz(lower: &str) -> bool {
    let rest = lower.strip_prefix("strict ").unwrap_or(lower);
    (rest.starts_with("digraph") || rest.starts_with("graph")) && rest.contains('{') && !rest.contains("-->")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(prompt: &str) -> (String, Vec<String>) {
        let (before, noted, behind) = take(prompt).unwrap_or_else(|| panic!("no diagram in {prompt}"));
        let (rest, flow) = (format!("{before}\n{behind}"), noted.flow);
        let arrows = flow
            .arrows
            .iter()
            .map(|arrow| format!("{} -{}> {}", flow.boxes[arrow.from].head, arrow.label, flow.boxes[arrow.to].head))
            .collect();
        (rest.trim().to_owned(), arrows)
    }

    #[test]
    fn reads_mermaid() {
        let (rest, arrows) = drawn(
            "in blue please\n\nflowchart TD\n  A[Kiln cold] --> B{Door shut?}\n  B -->|yes| C([Heat]) --> D((Fire))\n  \
             B -- no --> E[\"Shut it\"]\n  E -.-> B\n  style A fill:#fff\n\nthanks",
        );
        assert_eq!(rest, "in blue please\n\n\nthanks");
        assert_eq!(
            arrows,
            [
                "Kiln cold -> Door shut?",
                "Door shut? -yes> Heat",
                "Heat -> Fire",
                "Door shut? -no> Shut it",
                "Shut it -> Door shut?"
            ]
        );
        let (_, arrows) =
            drawn("```mermaid\nsequenceDiagram\nparticipant W as Weaver\nW->>Mill: yarn, 40 kg\nMill-->>W: cloth\n```");
        assert_eq!(arrows, ["Weaver -yarn, 40 kg> Mill", "Mill -cloth> Weaver"]);
        let (_, arrows) = drawn("stateDiagram-v2\n[*] --> Open\nOpen --> Paid: card accepted\nPaid --> [*]");
        assert_eq!(arrows, ["Open -card accepted> Paid"]);
    }

    #[test]
    fn reads_plantuml() {
        let (rest, arrows) = drawn(
            "@startuml\ntitle Lost keys\nstart\n:Search the coat;\nif (Found?) then (yes)\n:Go home;\nelse (no)\n:Call the \
             neighbour;\nendif\n:Sleep;\nstop\n@enduml",
        );
        assert_eq!(rest, "");
        assert_eq!(
            arrows,
            [
                "Search the coat -> Found?",
                "Found? -yes> Go home",
                "Found? -no> Call the neighbour",
                "Go home -> Sleep",
                "Call the neighbour -> Sleep"
            ]
        );
        let (_, arrows) =
            drawn("@startuml\nactor Rider\nRider -> Stable : books\nStable --> Rider : confirms\n@enduml");
        assert_eq!(arrows, ["Rider -books> Stable", "Stable -confirms> Rider"]);
    }

    #[test]
    fn reads_graphviz() {
        let (_, arrows) =
            drawn("digraph { rankdir=LR; a [label=\"Well\"]; a -> b -> \"Water tower\" [label=\"pumped\"]; }");
        assert_eq!(arrows, ["Well -pumped> b", "b -pumped> Water tower"]);
    }

    #[test]
    fn leaves_words_alone() {
        for prompt in
            ["graph of our sales: May 3, June 4, July 9", "flowchart please\n\nApply, then wait", "Open -> Paid"]
        {
            assert_eq!(take(prompt), None, "{prompt}");
        }
    }
}
