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

/// Whether words name a course and nothing else: “Starters”, “Hot drinks”, “Kaffee & Kuchen”.
pub fn is_course(words: &str) -> bool {
    let words = text::words(words);
    (1..=3).contains(&words.len())
        && words
            .iter()
            .all(|word| COURSES.contains(&word.as_str()) || matches!(word.as_str(), "and" | "und" | "et" | "y" | "e"))
}
