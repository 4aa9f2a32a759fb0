//! Lines of a price list that a person broke or ran together: a thing over two lines, several things on one, a course before
//! its dishes.
//!
//! What holds: every word stays, in its order; only breaks, blanks, commas, dashes and colons between them are added or taken
//! away. Deliberately not here: what a price is (`prices`), and columns of prices (`columns`).

use crate::read::amounts::{self, Amount, MONEY};
use crate::read::text;

/// The most words of a thing's name on a line of its own, and of one among several on a line.
const NAME: usize = 6;

/// The text with each thing and its price on one line; things that only numbers part get commas.
pub fn as_lines(prompt: &str) -> String {
    let are_courses = prompt.lines().filter(|line| course_before(line).is_some()).count() >= 2;
    let told = |line: &str| match course_before(line).filter(|_| are_courses) {
        Some((course, dishes)) => format!("{course}: {dishes}"),
        None => set_apart(line),
    };
    let led = prompt.lines().map(told).collect::<Vec<_>>().join("\n");
    let prompt = led.as_str();
    let count = prompt.lines().filter(|line| price_at_end(line).is_some()).count();
    if count < 3 {
        return prompt.to_owned();
    }
    let mut lines: Vec<String> = Vec::new();
    for line in prompt.lines() {
        match lines.last_mut().filter(|last| is_name(last) && goes_on(line)) {
            Some(last) => *last = format!("{} – {}", last.trim_end(), line.trim_start()),
            None => lines.push(parted(line).unwrap_or_else(|| line.to_owned())),
        }
    }
    lines.join("\n")
}

/// “de primero lentejas, ensalada o sopa”: the course that a line begins with, and its dishes.
fn course_before(line: &str) -> Option<(&str, &str)> {
    #[rustfmt::skip]
    const COURSES: &[&str] = &[
        "de primero", "de segundo", "de postre", "de entrada", "de beber", "para beber", "de principal", "en entrée", "en plat", "en dessert",
        "als vorspeise", "als hauptgang", "als nachtisch", "zur vorspeise", "zum nachtisch", "per primo", "per secondo", "per dolce", "to start",
        "to follow", "for pudding", "for dessert", "para começar", "para sobremesa",
    ];
    let line = line.trim();
    let course =
        COURSES.iter().find(|course| line.get(..course.len()).is_some_and(|lead| lead.to_lowercase() == **course))?;
    let dishes = line[course.len()..].strip_prefix(' ')?.trim();
    (dishes.starts_with(char::is_alphabetic)).then_some((&line[..course.len()], dishes))
}

/// “toast...........£7.95”: the row of dots that leads to a price has blanks around it.
fn set_apart(line: &str) -> String {
    let Some(begin) = line.find("....").or_else(|| line.find("____")) else { return line.to_owned() };
    let dots = line[begin..].chars().take_while(|letter| matches!(letter, '.' | '_')).count();
    let (name, behind) = (line[..begin].trim_end(), line[begin + dots..].trim_start());
    let is_price = behind.starts_with(|letter: char| letter.is_ascii_digit() || MONEY.contains(&letter));
    match is_price && !name.trim().is_empty() {
        true => format!("{name} {} {behind}", &line[begin..begin + dots]),
        false => line.to_owned(),
    }
}

/// The amount that a line ends with, where it may be a price.
fn price_at_end(line: &str) -> Option<Amount> {
    let line = line.trim();
    let last = amounts::amounts(line).pop()?;
    (last.end == line.len()
        && last.start > 0
        && last.value < 1_000.0
        && matches!(last.prefix.as_str(), "" | "£" | "€" | "$"))
    .then_some(last)
}

/// “Steak & ale pie”: a name without a price, and no sentence, label or heading in capitals.
fn is_name(line: &str) -> bool {
    let line = line.trim();
    (2..=NAME).contains(&line.split_whitespace().count())
        && line.starts_with(char::is_uppercase)
        && line.chars().any(char::is_lowercase)
        && line.ends_with(char::is_alphabetic)
        && !line.contains(['.', ':', ',', '?', '!'])
        && amounts::next_amount(line, 0).is_none()
}

/// “with proper gravy and mash ........ £15.95”: words that go on with what stands above, up to a price with a currency or
/// behind a row of dots.
fn goes_on(line: &str) -> bool {
    let line = line.trim();
    let leads = ["with ", "in ", "on ", "mit ", "auf ", "an ", "avec ", "con ", "al ", "alla ", "à ", "au ", "aux "];
    leads.iter().any(|lead| line.starts_with(lead))
        && price_at_end(line).is_some_and(|price| !price.prefix.is_empty() || line.contains(" ...."))
}

/// “cans 1.5 tea 1.2 coffee from the machine 2”: things that nothing but their bare prices part.
fn parted(line: &str) -> Option<String> {
    let words = line.trim();
    if words.contains([',', ';', ':', '|', '/', '(', '–']) || words.ends_with(['.', '!', '?']) {
        return None;
    }
    let found = amounts::amounts(words);
    let are_bare = found.len() >= 3
        && found.iter().all(|amount| amount.prefix.is_empty() && amount.suffix.is_empty() && amount.value < 1_000.0)
        && found.last().is_some_and(|last| last.end == words.len())
        && found.iter().any(|amount| words[amount.start..amount.end].contains(['.', ',']));
    if !are_bare {
        return None;
    }
    let mut from = 0;
    let mut things = Vec::new();
    for amount in &found {
        let name = words[from..amount.start].trim();
        let words_of_it = text::words(name);
        // “9 to 5” are hours.
        let is_thing = words_of_it.iter().any(|word| word.chars().count() >= 3 && word != "and" && word != "und");
        if !is_thing
            || !(1..=NAME).contains(&words_of_it.len())
            || !name.chars().all(|letter| letter.is_alphabetic() || " '’&+-".contains(letter))
        {
            return None;
        }
        things.push(words[from..amount.end].trim());
        from = amount.end;
    }
    Some(things.join(", "))
}

#[cfg(test)]
mod tests {
    use super::as_lines;

    #[test]
    fn a_thing_over_two_lines_and_several_on_one_are_read() {
        let broken = "Chips 3\nPie 7\nSteak & ale pie\nwith proper gravy........£15.95\ncans 1.5 tea 1.2 coffee from the machine 2";
        assert_eq!(
            as_lines(broken),
            "Chips 3\nPie 7\nSteak & ale pie – with proper gravy ........ £15.95\ncans 1.5, tea 1.2, coffee from the machine 2"
        );
    }

    #[test]
    fn words_of_courses_head_their_dishes() {
        assert_eq!(
            as_lines("menú 13,50\nde primero lentejas, ensalada o sopa\nde postre flan, fruta"),
            "menú 13,50\nde primero: lentejas, ensalada o sopa\nde postre: flan, fruta"
        );
        assert_eq!(as_lines("de primero vamos a la plaza"), "de primero vamos a la plaza");
    }

    #[test]
    fn other_lines_stay_as_they_are() {
        for kept in [
            "Chips 3\nPie 7\nSoup 5\nMAINS\nwith salad 7",
            "Chips 3\nPie 7\nSoup 5\nopen 9 to 5 and 10 to 4.5 on 6",
            "We grew 3 times\nwith 40 people in 12.5 weeks and 3",
        ] {
            assert_eq!(as_lines(kept), kept);
        }
    }
}
