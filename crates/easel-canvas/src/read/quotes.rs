//! What someone said, and who: “It just works.” – Ana Ruiz, Head of Ops.

use super::text;

/// Words that someone said and who said them, where a text is a quotation; a label such as “Quote” is left out.
pub fn quote_of(text: &str) -> Option<(String, String)> {
    let text = text.trim();
    let (before, said, behind) = text::quoted(text)?;
    if said.split_whitespace().count() < 4 && said.chars().count() < 12 {
        return None;
    }
    // “"Make it loud"”: a few words alone, without a mark of a sentence, are a name.
    let is_alone = before.trim().is_empty() && behind.trim().is_empty();
    if is_alone && said.split_whitespace().count() <= 5 && !said.ends_with(['.', '!', '?', '…', ',']) {
        return None;
    }
    // “"Brains & Beers" at The Anchor”: a name, and where it is.
    let first = behind.split_whitespace().next().unwrap_or_default();
    if said.split_whitespace().count() <= 4
        && !said.ends_with(['.', '!', '?'])
        && before.trim().is_empty()
        && matches!(
            first,
            "at" | "in" | "on" | "im" | "am" | "bei" | "in der" | "au" | "à" | "en" | "al" | "with" | "mit"
        )
    {
        return None;
    }
    let before = before.trim().trim_end_matches([':', ',', ' ', '-', '–', '—']);
    let behind =
        behind.trim().trim_start_matches(['—', '–', '-', ',', '.', '~', '(', ' ']).trim_end_matches([')', '.', ' ']);
    let by = if !behind.is_empty() { strip_saying(behind) } else { strip_saying(before) };
    let is_label = |words: &str| words.is_empty() || words.split_whitespace().count() <= 12;
    (is_label(before) && is_label(behind) && (behind.is_empty() || before.is_empty() || is_quote_label(before)))
        .then(|| (said.to_owned(), by))
}

fn is_quote_label(text: &str) -> bool {
    let lower = text.to_lowercase();
    [
        "quote",
        "testimonial",
        "zitat",
        "citation",
        "cita",
        "citazione",
        "kundenstimme",
        "voice",
        "stimme",
        "customer",
        "says",
        "said",
        "sagt",
    ]
    .iter()
    .any(|sign| lower.contains(sign))
}

/// “says Ana Ruiz”, “Quote from Ana Ruiz”, “Zitat von Ana Ruiz” without what is not the name.
fn strip_saying(words: &str) -> String {
    let mut words = words.trim();
    loop {
        let start = words;
        for lead in [
            "quote",
            "the quote",
            "das zitat",
            "a quote",
            "testimonial",
            "customer quote",
            "zitat",
            "kundenzitat",
            "kundenstimme",
            "from",
            "by",
            "von",
            "says",
            "said",
            "sagt",
            "meint",
            "de",
            "citation",
            "cita",
            "citazione",
            "das sagt",
            "so",
            "belongs to",
            "gehört",
        ] {
            if let Some(rest) = text::strip_start(words, lead) {
                words = rest.trim_start_matches([':', ',', ' ']);
            }
        }
        for end in
            [", who", " who", ", der", " says", " said", " sagt", " sagte", " writes", " schreibt", " dit", " dice"]
        {
            words = words.strip_suffix(end).unwrap_or(words);
        }
        if words == start {
            return words.trim().to_owned();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_who_said_what() {
        for (text, by) in [
            ("\"We saved two days a week.\" – Ana Ruiz, Head of Ops", "Ana Ruiz, Head of Ops"),
            ("Quote from Ana Ruiz: “We saved two days a week.”", "Ana Ruiz"),
            ("„Wir sparen zwei Tage pro Woche“, sagt Ana Ruiz", "Ana Ruiz"),
            ("Ana Ruiz says: \"We saved two days a week.\"", "Ana Ruiz"),
        ] {
            let (said, who) = quote_of(text).unwrap_or_else(|| panic!("{text}"));
            assert!(said.contains("Tage pro") || said.contains("two days"), "{said}");
            assert_eq!(who, by, "{text}");
        }
        assert_eq!(quote_of("called \"Open door\""), None);
        assert_eq!(quote_of("\"Stop watering your cactus\""), None);
    }
}
