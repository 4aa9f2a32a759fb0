//! “first: the problem second: the fix third: call us”: places in words before what stands there, as the items of a list.
//!
//! What holds: only the word of the place becomes its number. Deliberately not here: places with the name of a page
//! (“first slide: …”), which stay labels, and Spanish and Italian ones, which name the courses of a meal.

/// Places in their order, in one language each.
const PLACES: &[&[&str]] = &[
    &["first", "second", "third", "fourth", "fifth", "sixth"],
    &["erstens", "zweitens", "drittens", "viertens", "fünftens"],
    &["erstes", "zweites", "drittes", "viertes", "fünftes"],
    &["premier", "deuxième", "troisième", "quatrième"],
];

/// The brief with a numbered line for each place, where one of its lines has several.
pub fn as_items(prompt: &str) -> Option<String> {
    let lines: Vec<String> = prompt
        .split('\n')
        .map(|line| divided(line).or_else(|| bracketed(line)).unwrap_or_else(|| line.to_owned()))
        .collect();
    let told = lines.join("\n");
    (told != prompt).then_some(told)
}

fn divided(line: &str) -> Option<String> {
    let lower = line.to_lowercase();
    if lower.len() != line.len() {
        return None;
    }
    PLACES.iter().find_map(|places| {
        let mut cuts: Vec<(usize, usize)> = Vec::new();
        let mut from = 0;
        for place in *places {
            let mark = format!("{place}: ");
            let Some(at) = lower[from..].find(&mark).map(|at| from + at) else { break };
            // “A bike thief first: …” is no place: it stands at the beginning or behind a mark.
            if !(at == 0 || lower[..at].trim_end().ends_with([':', '.', '!', '?', ',', ';', '-', '–'])) {
                break;
            }
            cuts.push((at, at + mark.len()));
            from = at + mark.len();
        }
        if cuts.len() < 2 {
            return None;
        }
        let mut told = line[..cuts[0].0].trim_end().to_owned();
        let ends = cuts.iter().skip(1).map(|(at, _)| *at).chain([line.len()]);
        for (number, ((_, begin), end)) in cuts.iter().zip(ends).enumerate() {
            told.push_str(&format!("\n{}. {}", number + 1, line[*begin..end].trim().trim_end_matches([',', ';'])));
        }
        Some(told.trim_start().to_owned())
    })
}

/// “(1) leg day hurts? (2) three stretches (3) save this”: numbers in brackets from one on.
fn bracketed(line: &str) -> Option<String> {
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    loop {
        let mark = format!("({}) ", cuts.len() + 1);
        let Some(at) = line[from..].find(&mark).map(|at| from + at) else { break };
        cuts.push((at, at + mark.len()));
        from = at + mark.len();
    }
    if cuts.len() < 2 {
        return None;
    }
    let mut told = line[..cuts[0].0].trim_end().to_owned();
    let ends = cuts.iter().skip(1).map(|(at, _)| *at).chain([line.len()]);
    for (number, ((_, begin), end)) in cuts.iter().zip(ends).enumerate() {
        let piece = line[*begin..end].trim().trim_end_matches([',', ';']);
        // What follows the last of single sentences is none of it.
        let sentences = crate::read::text::sentences(piece);
        let is_last = number + 1 == cuts.len() && sentences.len() > 1;
        let own = if is_last { sentences[0].as_str() } else { piece };
        told.push_str(&format!("\n{}. {own}", number + 1));
        if is_last {
            told.push_str(&format!("\n{}", sentences[1..].join(" ")));
        }
    }
    Some(told.trim_start().to_owned())
}

#[cfg(test)]
mod tests {
    use super::as_items;

    #[test]
    fn places_in_words_are_numbers() {
        assert_eq!(
            as_items("Stories for the vets: first: thirsty cat? second: see us. third: call").as_deref(),
            Some("Stories for the vets:\n1. thirsty cat?\n2. see us.\n3. call")
        );
        assert_eq!(
            as_items("Story: (1) cat (2) dog. Black please").as_deref(),
            Some("Story:\n1. cat\n2. dog.\nBlack please")
        );
        assert_eq!(as_items("first: bread\nthe second: cake"), None);
        assert_eq!(as_items("Safety first: wear a helmet"), None);
    }
}
