//! The names of courses, by which a menu is told and divided.
//!
//! Deliberately not here: dishes (`reader::menu_items`).

use super::text;

/// Names of courses and of what else a menu is divided into, in small letters.
#[rustfmt::skip]
const COURSES: &[&str] = &[
    "starter", "starters", "appetizer", "appetizers", "appetisers", "main", "mains", "course", "courses", "dish", "dishes", "dessert", "desserts",
    "pudding", "puddings", "sweets", "sides", "soups", "salads", "snacks", "drinks", "beverages", "wine", "wines", "beers", "cocktails", "coffee",
    "amuse-bouche", "aperitif", "apéritif", "digestif", "formaggi", "zuppe", "insalate", "ensaladas", "sopas", "carnes", "pescados", "breakfast", "lunch", "brunch", "dinner", "hot", "cold", "vorspeise", "vorspeisen", "hauptgericht", "hauptgerichte", "hauptspeisen", "hauptgang",
    "nachspeise", "nachspeisen", "nachtisch", "beilagen", "suppen", "salate", "getränke", "weine", "biere", "frühstück", "kuchen", "heißgetränke",
    "kaltgetränke", "entrée", "entrées", "entrees", "plat", "plats", "boissons", "vins", "entrantes", "principales", "segundos", "primeros", "postres",
    "entrante", "principal", "segundo", "primero", "postre", "antipasto", "primo", "secondo", "contorno", "dolce", "fromage", "fromages", "zwischengang",
    "bebidas", "vinos", "antipasti", "primi", "secondi", "contorni", "dolci", "bevande", "vini",
];

/// Words before a course that say as what something is had: “de segundo”, “als Hauptgang”, “for pudding”.
const AS_WHAT: &[&str] =
    &["de", "di", "como", "come", "en", "comme", "als", "zum", "zur", "for", "to", "as", "per", "voor"];

/// Whether words name a course and nothing else: “Starters”, “Hot drinks”, “Kaffee & Kuchen”, “de primero”.
pub fn is_course(words: &str) -> bool {
    let mut words = text::words(words);
    if words.len() > 1 && AS_WHAT.contains(&words[0].as_str()) {
        words.remove(0);
    }
    (1..=3).contains(&words.len())
        && words
            .iter()
            .all(|word| COURSES.contains(&word.as_str()) || matches!(word.as_str(), "and" | "und" | "et" | "y" | "e"))
}

/// The dishes of a course, one of which is chosen: “lentils, garden salad or fish soup”.
pub fn dishes_of(body: &str) -> Vec<String> {
    const OR: &[&str] = &[" or ", " oder ", " ou ", " o ", " u ", " of "];
    let mut dishes = text::clauses(body.trim_end_matches('.'));
    // Two dishes with an “or” between them may be one line of the card.
    if dishes.len() >= 2
        && let Some(last) = dishes.pop()
    {
        match OR.iter().find_map(|or| last.split_once(or)) {
            Some((one, other)) => dishes.extend([one.trim().to_owned(), other.trim().to_owned()]),
            None => dishes.push(last),
        }
    }
    dishes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_may_be_told_as_what_is_had() {
        for words in
            ["de segundo", "als Vorspeise", "zum Nachtisch", "for pudding", "en entrée", "di primo", "Desserts"]
        {
            assert!(is_course(words), "{words}");
        }
        for words in ["for children", "als Geschenk", "de", "to go", "en terraza"] {
            assert!(!is_course(words), "{words}");
        }
    }

    #[test]
    fn the_last_dishes_of_a_course_stand_around_an_or() {
        assert_eq!(dishes_of("sopa, gazpacho o ensalada."), ["sopa", "gazpacho", "ensalada"]);
        assert_eq!(dishes_of("Rösti, Spätzle oder Knödel (+1)"), ["Rösti", "Spätzle", "Knödel (+1)"]);
        assert_eq!(dishes_of("lamb or aubergine"), ["lamb or aubergine"]);
    }
}
