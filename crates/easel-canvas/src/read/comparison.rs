//! Things held beside each other: “Starter €9 with one project, Team €29 with ten projects and support”.

use super::amounts::amounts;
use super::text;
use crate::content::Column;

/// Words between a price and what is had for it.
const WITH: &[&str] = &[
    "with",
    "includes",
    "including",
    "incl.",
    "for",
    "mit",
    "inkl.",
    "inklusive",
    "avec",
    "con",
    "gets",
    "gives",
    "has",
    "offers",
    "bietet",
    "hat",
    "enthält",
];

/// The columns that a text is: at least two names, each with a price and what is had for it.
pub fn columns_of(text: &str) -> Option<Vec<Column>> {
    let text = text.trim().trim_end_matches('.');
    let prices: Vec<_> = amounts(text).into_iter().filter(|amount| amount.is_price(text)).collect();
    if !(2..=6).contains(&prices.len()) {
        return None;
    }
    // Where each begins: the words directly before its price, behind the mark or the “and” that ends what goes before.
    let mut starts = Vec::new();
    for price in &prices {
        let before = &text[..price.start];
        let mark = before.rfind([',', ';', '.', '\n', '/']).map_or(0, |at| at + 1);
        let and = [" and ", " und ", " et ", " y ", " e ", " vs ", " vs. "]
            .iter()
            .filter_map(|and| before.rfind(and).map(|at| at + and.len()))
            .max()
            .unwrap_or(0);
        let start = mark.max(and);
        let name = text[start..price.start].trim().trim_end_matches([':', '–', '-', '(', '=', ' ']);
        let words = name.split_whitespace().count();
        if !(1..=4).contains(&words) {
            return None;
        }
        starts.push((start, name.to_owned()));
    }
    let mut columns = Vec::new();
    for (at, ((_, name), price)) in starts.iter().zip(&prices).enumerate() {
        let end = starts.get(at + 1).map_or(text.len(), |(start, _)| *start);
        let rest = text.get(price.end..end)?;
        let (unit, rest) = split_unit(rest);
        let rest = strip_and(rest.trim().trim_matches([',', ';', ':', '.', '–', '-', '(', ')', ' ']));
        let points = features(rest);
        let figure = format!("{}{unit}", price.written(text));
        columns.push(Column { head: text::capitalize(name), figure, points, is_highlighted: false });
    }
    let told = columns.iter().filter(|column| !column.points.is_empty()).count();
    // Names with nothing but prices are a list of prices.
    (told * 2 > columns.len()).then_some(columns)
}

/// “per month”, “a seat” directly behind a price belongs to it.
fn split_unit(rest: &str) -> (String, &str) {
    let trimmed = rest.trim_start();
    for lead in ["per ", "a ", "an ", "each ", "pro ", "im ", "par ", "al "] {
        if let Some(more) = trimmed.strip_prefix(lead) {
            let word: String = more.chars().take_while(|letter| letter.is_alphanumeric()).collect();
            if !word.is_empty() {
                return (format!(" {lead}{word}"), &more[word.len()..]);
            }
        }
    }
    if let Some(more) = trimmed.strip_prefix('/').map(str::trim_start) {
        let word: String = more.chars().take_while(|letter| letter.is_alphanumeric()).collect();
        return (format!("/{word}"), &more[word.len()..]);
    }
    (String::new(), rest)
}

fn strip_and(rest: &str) -> &str {
    let mut rest = rest;
    for and in [" and", " und", " et", " y", " e", " vs", " vs."] {
        rest = rest.strip_suffix(and).unwrap_or(rest);
    }
    rest.trim_end_matches([',', ';', ' '])
}

fn features(rest: &str) -> Vec<String> {
    let mut rest = rest.trim().trim_start_matches(['(', ':', ' ']);
    for with in WITH {
        if let Some(more) = text::strip_start(rest, with) {
            rest = more.trim_start_matches([':', ' ']);
            break;
        }
    }
    text::items(rest.trim_matches(['(', ')', ' ']))
        .iter()
        .flat_map(|point| divide_pair(point))
        .collect::<Vec<_>>()
        .iter()
        .map(|point| text::capitalize(point))
        .collect()
}

/// Two short things with “and” between them are two points.
fn divide_pair(point: &str) -> Vec<String> {
    for and in [" and ", " und ", " et ", " y "] {
        if let Some((one, two)) = point.split_once(and)
            && one.split_whitespace().count() <= 3
            && two.split_whitespace().count() <= 3
        {
            return vec![one.trim().to_owned(), two.trim().to_owned()];
        }
    }
    vec![point.to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_plans_as_columns() {
        let columns = columns_of(
            "Starter €9 with 1 project and mail support, Team €29 with 10 projects, priority support and SSO",
        )
        .expect("columns");
        assert_eq!(columns.len(), 2);
        assert_eq!((columns[0].head.as_str(), columns[0].figure.as_str()), ("Starter", "€9"));
        assert_eq!(columns[0].points, ["1 project", "Mail support"]);
        assert_eq!(columns[1].points, ["10 projects", "Priority support", "SSO"]);
        let columns = columns_of("Basis 9 € pro Monat (1 Platz); Profi 19 € pro Monat (5 Plätze)").expect("columns");
        assert_eq!(columns[1].figure, "19 € pro Monat");
        assert_eq!(columns[1].points, ["5 Plätze"]);
    }

    #[test]
    fn leaves_lists_of_prices_alone() {
        assert_eq!(columns_of("Espresso €2, Tea €3, Cake €4"), None);
    }
}
