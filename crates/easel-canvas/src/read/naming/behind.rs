//! Names that stand before the words that say that they are one: “Night Owls is what we call it”, “Die Spätlese, so heißt das
//! Ganze”.
//!
//! What holds: what is named begins large and is no sentence. Deliberately not here: names behind such words (`naming`).

use crate::read::text;

/// What is said behind a name, and of nothing else.
#[rustfmt::skip]
const BEHIND: &[&str] = &[
    "is what we call it", "is what we call ourselves", "that's what we call it", "is what it's called", "is what it is called", "that's what it's called",
    "that is what it is called", "is the name", "is our name", "is the title", "is the heading", "is the headline", "that's the name", "that's our name",
    "that's the title", "that's the heading", "so that is the heading", "so that's the heading", "so that is the title", "so that's the title", "as the title", "as the heading", "as the headline", "as a title",
    "so heißt es", "so heißt das ganze", "so heißt er", "so heißen wir", "heißt das ganze", "heißt es", "heißen wir", "ist der titel", "ist der name",
    "ist die überschrift", "ist unser name", "als titel", "als überschrift", "c'est le titre", "c'est le nom", "c'est notre nom", "est le titre", "est le nom",
    "comme titre", "en titre", "es el título", "es el nombre", "así se llama", "así nos llamamos", "como título", "de título", "è il titolo", "è il nome",
    "si chiama così", "come titolo", "is de titel", "is de naam", "als titel", "é o título", "é o nome", "como título",
];

/// What leads to a name at the end of a sentence that asks: “a chart of our orders, with the title From shelf to door”.
#[rustfmt::skip]
const TITLED: &[&str] = &[
    "with the title ", "with the heading ", "with the headline ", "under the title ", "titled ", "entitled ", "mit dem titel ", "mit der überschrift ",
    "unter dem titel ", "avec le titre ", "avec pour titre ", "sous le titre ", "con el título ", "con título ", "bajo el título ", "con il titolo ",
    "dal titolo ", "com o título ", "met de titel ",
];

/// The longest name that such words are said of.
const MOST_WORDS: usize = 7;

/// The name before the words that say that it is one, where a sentence says no more.
pub fn named_behind(sentence: &str) -> Option<String> {
    let bare = sentence.trim().trim_end_matches(['.', '!', ' ']);
    let lower = bare.to_lowercase();
    if lower.len() != bare.len() {
        return None;
    }
    let end = BEHIND.iter().filter(|behind| lower.ends_with(**behind)).map(|behind| bare.len() - behind.len()).min()?;
    let name = bare[..end].strip_suffix([' ', ','])?.trim_end_matches([',', ' ', '–', '-']);
    is_name(name).then(|| name.to_owned())
}

/// The name behind the words that lead to it, with what the sentence says before; a name ends where a clause does.
pub fn titled_at_end(sentence: &str) -> Option<(String, String)> {
    let lower = sentence.to_lowercase();
    if lower.len() != sentence.len() {
        return None;
    }
    let (at, lead) = TITLED.iter().filter_map(|lead| lower.find(lead).map(|at| (at, lead))).min()?;
    let is_begun = sentence[..at].is_empty() || sentence[..at].ends_with([' ', '\n']);
    let told = &sentence[at + lead.len()..];
    // “Under the title “Low tide” we sing all night” tells what happens, and names nothing.
    let goes_on = |behind: &str| !behind.trim().is_empty() && !behind.trim_start().starts_with([',', '.', ';', '!']);
    if text::quoted(told).is_some_and(|(before, _, behind)| before.trim().is_empty() && goes_on(behind)) {
        return None;
    }
    let clauses = text::clauses(told);
    let [name, more @ ..] = clauses.as_slice() else { return None };
    let name = name.trim_end_matches(['.', '!']);
    let before = sentence[..at].trim().trim_end_matches(',');
    let rest = std::iter::once(before).chain(more.iter().map(String::as_str)).filter(|words| !words.is_empty());
    (is_begun && is_name(name)).then(|| (rest.collect::<Vec<_>>().join(", "), name.to_owned()))
}

fn is_name(name: &str) -> bool {
    let begins = name.trim_start_matches(['“', '"', '„', '«', ' ']).chars().next();
    begins.is_some_and(|first| first.is_uppercase() || first.is_ascii_digit())
        && (1..=MOST_WORDS).contains(&name.split_whitespace().count())
        && text::sentences(name).len() == 1
        && text::clauses(name).len() == 1
        && text::label(name).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_stand_before_the_words_that_tell_of_it() {
        for (sentence, name) in [
            ("Night Owls is what we call it", "Night Owls"),
            ("NIGHT OWLS, that's the title!", "NIGHT OWLS"),
            ("Die lange Nacht, so heißt das Ganze.", "Die lange Nacht"),
            ("Les Oiseaux de nuit, c'est le nom", "Les Oiseaux de nuit"),
            ("Noche de búhos es el título", "Noche de búhos"),
            ("La notte dei gufi come titolo", "La notte dei gufi"),
            ("“Owls” as the heading", "“Owls”"),
        ] {
            assert_eq!(named_behind(sentence).as_deref(), Some(name), "{sentence}");
        }
        for sentence in ["it is what we call it", "My first memory, my last hope, is the title", "what is the name"] {
            assert_eq!(named_behind(sentence), None, "{sentence}");
        }
    }

    #[test]
    fn a_name_may_end_what_is_asked_for() {
        for (sentence, before, name) in [
            ("a chart of our orders, with the title From shelf to door", "a chart of our orders", "From shelf to door"),
            ("Ein Plakat mit dem Titel Nachtwache, bitte", "Ein Plakat, bitte", "Nachtwache"),
            ("une affiche avec le titre Nuit blanche", "une affiche", "Nuit blanche"),
            ("Un cartel con el título Noche en vela", "Un cartel", "Noche en vela"),
        ] {
            let found = titled_at_end(sentence);
            assert_eq!(found, Some((before.to_owned(), name.to_owned())), "{sentence}");
        }
        assert_eq!(titled_at_end("the team with the title in its pocket"), None);
        assert_eq!(titled_at_end("untitled Works on paper"), None);
        assert_eq!(titled_at_end("Under the title “Low tide” we sing all night"), None);
    }
}
