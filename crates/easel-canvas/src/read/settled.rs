//! What a request seems to be called, seen again once its lines are known: a year alone, or for whom it is.
//!
//! What holds: what is no name is kept, above the title or as an instruction. Deliberately not here: how a request is read
//! (`request`).

use super::kinds::Kind;
use super::lines::Line;
use super::request::Request;

/// Takes a name back that names nothing.
pub fn settle_name(request: &mut Request, lines: &[Line]) {
    if request.is_named || request.title.is_empty() {
        return;
    }
    // “our price list 2026”: the year alone names nothing that has lines of its own.
    let is_year = request.title.chars().all(|letter| letter.is_ascii_digit()) && request.kicker.is_empty();
    if is_year && lines.iter().any(|line| matches!(line, Line::Text(_) | Line::Heading(_))) {
        request.kicker = std::mem::take(&mut request.title);
        return;
    }
    // “Three slides for the trustees, Willow Farm Nursery, year 2025”: behind those who look on stands whose it is.
    let are_several = request.title.split_whitespace().count() == 1 && request.title.ends_with('s');
    let is_name = request.content.first().is_some_and(|name| is_proper(name));
    if request.kind == Some(Kind::Deck) && are_several && is_name {
        let audience = std::mem::replace(&mut request.title, request.content.remove(0));
        request.instructions = format!("{}, for the {}", request.instructions, audience.to_lowercase());
        request.is_named = true;
    }
}

/// Whether words are the name of a house: two or more, of which each begins large.
fn is_proper(words: &str) -> bool {
    (2..=5).contains(&words.split_whitespace().count())
        && words.split_whitespace().all(|word| word.starts_with(char::is_uppercase))
        && !words.contains([':', '.', '@'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_look_on_give_way_to_a_name() {
        let asked = |title: &str, content: &str| {
            let mut request = Request {
                title: title.to_owned(),
                content: vec![content.to_owned()],
                kind: Some(Kind::Deck),
                ..Request::default()
            };
            settle_name(&mut request, &[]);
            request.title
        };
        assert_eq!(asked("Trustees", "Willow Farm Nursery"), "Willow Farm Nursery");
        assert_eq!(asked("Volcanoes", "how they form"), "Volcanoes");
        assert_eq!(asked("Bridge", "Two Old Towers"), "Bridge");
    }

    #[test]
    fn a_year_stands_above_what_is_named_below() {
        let mut request = Request { title: "2026".to_owned(), ..Request::default() };
        settle_name(&mut request, &[Line::Text("Haus am See".to_owned())]);
        assert_eq!((request.title.as_str(), request.kicker.as_str()), ("", "2026"));
    }
}
