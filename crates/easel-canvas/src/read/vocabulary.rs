//! The words by which a brief is understood, in the languages that briefs come in.

use crate::color::Oklch;

/// Words for pages in the languages that prompts come in.
#[rustfmt::skip]
pub const PAGE_WORDS: &[&str] = &[
    "slides", "slide", "pages", "page", "panels", "folien", "folie", "seite", "slides'", "diapositive", "diapo", "diapos", "pagine", "pagina",
    "página", "cards", "seiten", "diapositives", "diapositivas", "páginas", "слайдов", "слайда", "страниц", "διαφάνειες", "σελίδες", "שקופיות",
    "עמודים", "شرائح", "صفحات",
];

/// Numbers as words.
pub const NUMBER_WORDS: &[(&str, u32)] = &[
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("eine", 1),
    ("einer", 1),
    ("ein", 1),
    ("zwei", 2),
    ("drei", 3),
    ("vier", 4),
    ("fünf", 5),
    ("sechs", 6),
    ("sieben", 7),
    ("acht", 8),
    ("neun", 9),
    ("zehn", 10),
    ("zwölf", 12),
    ("une", 1),
    ("deux", 2),
    ("trois", 3),
    ("quatre", 4),
    ("cinq", 5),
    ("sept", 7),
    ("huit", 8),
    ("neuf", 9),
    ("dix", 10),
    ("una", 1),
    ("dos", 2),
    ("tres", 3),
    ("cuatro", 4),
    ("cinco", 5),
    ("seis", 6),
    ("siete", 7),
    ("ocho", 8),
    ("nueve", 9),
    ("diez", 10),
    ("due", 2),
    ("tre", 3),
    ("quattro", 4),
    ("cinque", 5),
    ("sei", 6),
    ("sette", 7),
    ("otto", 8),
    ("nove", 9),
    ("dieci", 10),
];

/// How a language is asked for, and its two letters.
pub const LANGUAGES: &[(&str, &str)] = &[
    ("in english", "en"),
    ("auf englisch", "en"),
    ("en anglais", "en"),
    ("en inglés", "en"),
    ("in inglese", "en"),
    ("in german", "de"),
    ("auf deutsch", "de"),
    ("en allemand", "de"),
    ("en alemán", "de"),
    ("in tedesco", "de"),
    ("in french", "fr"),
    ("auf französisch", "fr"),
    ("en français", "fr"),
    ("in spanish", "es"),
    ("auf spanisch", "es"),
    ("en español", "es"),
    ("in italian", "it"),
    ("auf italienisch", "it"),
    ("in italiano", "it"),
    ("in japanese", "ja"),
    ("in chinese", "zh"),
    ("in korean", "ko"),
    ("in arabic", "ar"),
    ("in hebrew", "he"),
    ("in russian", "ru"),
    ("in greek", "el"),
];

/// Colours that people name, at the lightness and strength in which they mean them.
pub const NAMED_COLORS: &[(&str, Oklch)] = &[
    ("navy", Oklch::new(0.34, 0.11, 262.0)),
    ("blue", Oklch::new(0.53, 0.19, 258.0)),
    ("sky", Oklch::new(0.72, 0.12, 235.0)),
    ("teal", Oklch::new(0.55, 0.10, 195.0)),
    ("turquoise", Oklch::new(0.72, 0.12, 190.0)),
    ("green", Oklch::new(0.55, 0.15, 148.0)),
    ("olive", Oklch::new(0.52, 0.09, 115.0)),
    ("yellow", Oklch::new(0.86, 0.17, 95.0)),
    ("gold", Oklch::new(0.76, 0.13, 84.0)),
    ("orange", Oklch::new(0.70, 0.18, 52.0)),
    ("coral", Oklch::new(0.70, 0.16, 28.0)),
    ("terracotta", Oklch::new(0.58, 0.13, 42.0)),
    ("red", Oklch::new(0.57, 0.21, 27.0)),
    ("burgundy", Oklch::new(0.38, 0.13, 15.0)),
    ("pink", Oklch::new(0.72, 0.16, 355.0)),
    ("purple", Oklch::new(0.50, 0.20, 302.0)),
    ("violet", Oklch::new(0.53, 0.22, 295.0)),
    ("lavender", Oklch::new(0.72, 0.10, 300.0)),
    ("brown", Oklch::new(0.45, 0.08, 55.0)),
    ("blau", Oklch::new(0.53, 0.19, 258.0)),
    ("grün", Oklch::new(0.55, 0.15, 148.0)),
    ("rot", Oklch::new(0.57, 0.21, 27.0)),
    ("gelb", Oklch::new(0.86, 0.17, 95.0)),
    ("bleu", Oklch::new(0.53, 0.19, 258.0)),
    ("vert", Oklch::new(0.55, 0.15, 148.0)),
    ("rouge", Oklch::new(0.57, 0.21, 27.0)),
    ("hellblau", Oklch::new(0.72, 0.12, 235.0)),
    ("dunkelblau", Oklch::new(0.34, 0.11, 262.0)),
    ("dunkelgrün", Oklch::new(0.40, 0.10, 150.0)),
    ("blaugrün", Oklch::new(0.55, 0.10, 195.0)),
    ("türkis", Oklch::new(0.72, 0.12, 190.0)),
    ("bordeaux", Oklch::new(0.38, 0.13, 15.0)),
    ("rosa", Oklch::new(0.72, 0.16, 355.0)),
    ("lila", Oklch::new(0.50, 0.20, 302.0)),
    ("lilac", Oklch::new(0.72, 0.10, 300.0)),
    ("mustard", Oklch::new(0.74, 0.14, 85.0)),
    ("sage", Oklch::new(0.62, 0.06, 140.0)),
    ("salbei", Oklch::new(0.62, 0.06, 140.0)),
    ("mint", Oklch::new(0.78, 0.09, 165.0)),
    ("rust", Oklch::new(0.53, 0.14, 40.0)),
    ("ochre", Oklch::new(0.68, 0.12, 75.0)),
    ("ocker", Oklch::new(0.68, 0.12, 75.0)),
    ("azul", Oklch::new(0.53, 0.19, 258.0)),
    ("verde", Oklch::new(0.55, 0.15, 148.0)),
    ("rojo", Oklch::new(0.57, 0.21, 27.0)),
    ("rosso", Oklch::new(0.57, 0.21, 27.0)),
    ("amarillo", Oklch::new(0.86, 0.17, 95.0)),
    ("giallo", Oklch::new(0.86, 0.17, 95.0)),
];

/// How a wish begins that is not about the thing itself.
#[rustfmt::skip]
pub const ASKING: &[&str] = &[
    "so", "okay so", "ok so", "mi servono", "servono", "mi serve", "preciso de", "preciso da", "preciso do", "precisamos de", "proszę o", "potrzebuję", "ik wil", "maak", "necesitamos",
    "je voudrais", "j'aimerais", "we should like", "i should like", "would be grateful for", "ich bräuchte", "wir bräuchten", "ich brauch", "brauch",
    "please", "hi", "hello", "hey", "we'd like", "i'd like", "we want", "we would like", "i would like", "looking for", "help me make",
    "put together", "turn this into", "brauche", "ich brauche", "wir brauchen", "ich hätte gern", "ich möchte", "wir möchten", "machst du",
    "kannst du", "mir", "uns", "erstell", "gestalte", "fais", "faites", "fais-moi", "il me faut", "necesito", "quiero", "hazme", "crea", "fammi",
    "vorrei", "ho bisogno di", "mi serve", "need", "want", "new", "neue", "neues", "neuer", "can you", "could you", "i need", "i want", "we need",
    "explain", "erkläre", "erklär", "create", "make", "design", "draw", "build", "generate", "write", "prepare", "give me", "me", "us", "erstelle", "entwirf", "mach", "bitte",
    "crée", "créez", "dessine", "crea", "diseña", "haz", "создай", "сделай", "нарисуй", "δημιούργησε", "φτιάξε", "צור", "עצב", "הכן", "صمم", "أنشئ",
];

/// Words that say whose a thing is.
pub const OWNERS: &[&str] = &[
    "our", "my", "your", "their", "unser", "unsere", "unseren", "unseres", "unserem", "unserer", "mein", "meine",
    "meinen", "meinem", "notre", "mon", "ma", "mes", "nuestra", "nuestro", "nos", "mi", "nostro", "nostra",
];

/// What stands before a thing and says nothing about it, but for whose it is.
pub const ARTICLES: &[&str] = &[
    "a", "an", "the", "this", "ein", "eine", "einen", "einer", "eines", "einem", "die", "der", "das", "den", "dem",
    "des", "un", "une", "le", "la", "les", "una", "el", "los", "las", "il", "lo", "i", "gli", "uno", "ένα", "μια",
    "το", "τη", "την",
];

/// Whether a word in small letters stands before a thing: an article, or whose it is.
pub fn is_determiner(word: &str) -> bool {
    ARTICLES.contains(&word) || OWNERS.contains(&word)
}

/// Between what a thing is and what it is about.
#[rustfmt::skip]
pub const ABOUT: &[&str] = &[
    " for ", " about ", " on the topic of ", " announcing ", " introducing ", " showing ", " explaining ", " on ", " of ", " für ", " von ", " vom ",
    " der ", " des ", " per ", " su ", " di ", " de ", " del ", " du ", " zur ", " zum ", " regarding ", " inviting to ", " inviting people to ",
    " advertising ", " promoting ", " über ", " zu ", " pour ", " sur ", " para ", " sobre ", " для ", " о ", " об ", " για ", " σχετικά με ", " על ",
    " עבור ", " عن ", " لـ ",
];
