//! The end of a brief, where people say how what stands above shall be made.
//!
//! What holds: only sentences of the last paragraph, from its end on, of which most clauses are wishes; what is
//! surely a fact in them stays. Deliberately not here: notes that speak to somebody (`asides`), and wishes at the
//! beginning (`asking`).

use super::instructions::{self, Clause};
use super::lines::Line;
use super::maker;
use super::request;
use super::text;

/// So many lines have to stand above.
const LEAST_ABOVE: usize = 3;

/// Takes wishes from the end of the lines; what they say, to be obeyed.
pub fn strip(lines: &mut Vec<Line>) -> String {
    set_arrow_apart(lines);
    let above = lines.iter().filter(|line| !matches!(line, Line::Blank)).count();
    if above <= LEAST_ABOVE {
        return String::new();
    }
    let Some(last) = lines.iter().rposition(|line| !matches!(line, Line::Blank)) else { return String::new() };
    let Line::Text(words) = &lines[last] else { return String::new() };
    let mut obeyed: Vec<String> = Vec::new();
    let mut sentences = text::sentences(words);
    let mut kept = Vec::new();
    while let Some(sentence) = sentences.last().filter(|sentence| wishes(sentence)) {
        if let Some(address) = address_in(sentence) {
            kept.push(address);
        }
        obeyed.extend(sentences.pop());
    }
    if obeyed.is_empty() {
        return String::new();
    }
    kept.reverse();
    sentences.extend(kept);
    lines[last] = if sentences.is_empty() { Line::Blank } else { Line::Text(sentences.join(" ")) };
    obeyed.reverse();
    obeyed.join(", ")
}

/// “Otter Coffee. -> instagram square, our orange”: behind an arrow at the end stands what shall come of it, in a paragraph of
/// its own.
fn set_arrow_apart(lines: &mut Vec<Line>) {
    let Some(last) = lines.iter().rposition(|line| !matches!(line, Line::Blank)) else { return };
    let Line::Text(words) = &lines[last] else { return };
    let arrow = ["-> ", "=> ", "→ "].iter().find_map(|arrow| words.rfind(arrow).map(|at| (at, at + arrow.len())));
    let ends = |at: usize| at == 0 || words[..at].trim_end().ends_with(['.', '!', '?']);
    let Some((at, behind)) = arrow.filter(|(at, behind)| {
        let told = &words[*behind..];
        ends(*at) && (wishes(told) || request::is_request(told) && text::clauses(told).len() >= 2)
    }) else {
        return;
    };
    let (before, told) = (words[..at].trim().to_owned(), words[behind..].trim().to_owned());
    lines[last] = Line::Text(told);
    if !before.is_empty() {
        lines.splice(last..last, [Line::Text(before), Line::Blank]);
    }
}

/// Whether most clauses of a sentence are wishes, and none of the others is a fact beside an address.
fn wishes(sentence: &str) -> bool {
    let clauses = text::clauses(sentence.trim_end_matches(['.', '!', '?']));
    let first = text::words(sentence).into_iter().next().unwrap_or_default();
    // “If stock is short, …” tells what happens then.
    let is_conditional = matches!(first.as_str(), "if" | "when" | "wenn" | "falls" | "bei" | "si" | "se" | "quand");
    if is_conditional || clauses.is_empty() || text::label(sentence).is_some() && !request::is_request(sentence) {
        return false;
    }
    let is_wish = |clause: &String| {
        let is_alone = clauses.len() == 1;
        matches!(instructions::judge(clause), Clause::Instruction)
            || !is_alone && matches!(instructions::judge_spoken(clause), Clause::Instruction)
            || instructions::page_count(&clause.to_lowercase()).is_some()
            || maker::speaks(clause)
            || begs_of_page(clause)
    };
    let wished: Vec<bool> = clauses.iter().map(is_wish).collect();
    let is_fact = |clause: &String| {
        matches!(instructions::judge_of_request(clause), Clause::Content(_)) && address_in(clause).is_none()
    };
    let count = wished.iter().filter(|wished| **wished).count();
    // Of two clauses the first surely speaks to whoever makes the thing, and the other tells why.
    let is_purpose = |clause: &String| {
        let words = text::words(&clause.to_lowercase());
        words.len() <= 6
            && words
                .first()
                .is_some_and(|first| matches!(first.as_str(), "for" | "für" | "fürs" | "pour" | "para" | "per"))
    };
    let is_for = count > 0 && clauses.iter().zip(&wished).all(|(clause, wished)| *wished || is_purpose(clause));
    let are_most = is_for || count * 2 > clauses.len() || clauses.len() == 2 && maker::speaks(&clauses[0]);
    are_most && !clauses.iter().zip(&wished).any(|(clause, wished)| !wished && is_fact(clause))
}

/// “and please leave the last slide empty apart from our address”: a word that begs before a page.
fn begs_of_page(clause: &str) -> bool {
    let words = text::words(&clause.to_lowercase());
    words.iter().any(|word| maker::BEGGING.contains(&word.as_str()))
        && words.iter().any(|word| super::vocabulary::PAGE_WORDS.contains(&word.as_str()))
}

/// The address that a wish names: what shall stand there.
fn address_in(sentence: &str) -> Option<String> {
    let found = sentence.split_whitespace().find(|word| super::facts::has_fact(word) && word.contains(['@', '.']))?;
    let address = found.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '@');
    address.contains(['@', '.']).then(|| address.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::read::lines;

    fn stripped(prompt: &str) -> (String, String) {
        let mut lines = lines::read(prompt);
        let obeyed = super::strip(&mut lines);
        let last = lines.iter().rev().find_map(|line| match line {
            lines::Line::Text(words) | lines::Line::Item(_, words) => Some(words.clone()),
            _ => None,
        });
        (last.unwrap_or_default(), obeyed)
    }

    #[test]
    fn wishes_at_the_end_are_obeyed() {
        let above = "Deck\n\nRoof: leaks\nDoor: sticks\nGate: hangs\n";
        let (last, obeyed) = stripped(&format!("{above}About 6 slides, lots of white, one idea per slide."));
        assert_eq!(last, "Gate: hangs");
        assert!(obeyed.contains("lots of white"));
        for said in [
            "Doors open at 7, free entry.",
            "No dogs, cash only",
            "Call Ada, 0171 555 019",
            "Thanks to all who helped!",
            "Come by bike",
        ] {
            assert_eq!(stripped(&format!("{above}{said}")), (said.to_owned(), String::new()));
        }
    }
}
