//! The words by which a brief is understood, in the languages that briefs come in.

/// Words for pages in the languages that prompts come in.
#[rustfmt::skip]
pub const PAGE_WORDS: &[&str] = &[
    "slides", "slide", "pages", "page", "panels", "folien", "folie", "seite", "slides'", "diapositive", "diapo", "diapos", "pagine", "pagina",
    "página", "cards", "seiten", "diapositives", "diapositivas", "páginas", "слайдов", "слайда", "страниц", "διαφάνειες", "σελίδες", "שקופיות",
    "עמודים", "شرائح", "صفحات",
];

/// How people beg for a thing while they type.
pub const TYPED_PLEASE: &[&str] = &["pls", "plz", "plss", "svp", "stp"];

/// Whether a word in small letters is a number, in digits or spelled out.
pub fn is_number(word: &str) -> bool {
    word.parse::<u32>().is_ok() || is_number_word(word)
}

/// Whether a word in small letters is a number that is spelled out.
pub fn is_number_word(word: &str) -> bool {
    NUMBER_WORDS.iter().any(|(name, _)| *name == word)
}

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

/// How a wish begins that is not about the thing itself.
#[rustfmt::skip]
pub const ASKING: &[&str] = &[
    "so", "okay so", "ok so", "mi servono", "servono", "mi serve", "preciso de", "preciso da", "preciso do", "precisamos de", "proszę o", "potrzebuję", "ik wil", "maak", "necesitamos",
    "je voudrais", "j'aimerais", "we should like", "i should like", "would be grateful for", "ich bräuchte", "wir bräuchten", "ich brauch", "brauch",
    "please", "hi", "hello", "hey", "we'd like", "i'd like", "i'd love", "we'd love", "i would love", "we would love", "we want", "we would like", "i would like", "looking for", "help me make",
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

/// Modal verbs: what shall, must or may be, and what somebody would like.
#[rustfmt::skip]
pub const MODAL: &[&str] = &[
    "should", "shall", "must", "may", "might", "could", "would", "need", "needs", "want", "wants", "soll", "sollen", "sollte", "sollten", "muss", "müssen", "darf",
    "dürfen", "möchte", "möchten", "will",
];

/// German prepositions that have their article in them, before what a thing is about.
pub const CONTRACTED: &[&str] = &[" fürs ", " übers ", " ums "];

/// Words that refuse what follows them.
#[rustfmt::skip]
pub const REFUSING: &[&str] = &[
    "no", "not", "never", "nothing", "don't", "dont", "don’t", "doesn't", "doesn’t", "needn't", "without", "kein", "keine", "keinen", "keinerlei", "nicht", "nichts", "nix", "nie",
    "niemals", "ohne", "pas", "sans", "jamais", "sin", "ningún", "nunca", "nada", "senza", "niente", "non",
];

/// Verbs of what guests are asked to do.
#[rustfmt::skip]
pub const OF_GUESTS: &[&str] = &[
    "tell", "bring", "come", "rsvp", "reply", "ring", "call", "wear", "arrive", "register", "respond", "join", "park", "confirm", "book", "wash", "share",
    "mitbringen", "bringt", "bringen", "kommt", "meldet", "sagt", "erzählt", "venez", "apportez", "racontez", "traed", "venid", "contad", "portate", "venite",
    "raccontate",
];

/// Words with which a question begins that asks for more than yes or no.
#[rustfmt::skip]
pub const QUESTION_WORDS: &[&str] = &[
    "what", "what's", "why", "who", "who's", "when", "where", "where's", "how", "which", "was", "warum", "wieso", "weshalb", "wer", "wann", "wo", "wohin", "wie", "welche", "welcher",
    "welches", "wofür", "woher", "womit", "que", "quoi", "pourquoi", "qui", "quand", "où", "comment", "combien", "qu'est-ce", "qué", "cuándo", "dónde",
    "cómo", "quién", "cuánto", "cosa", "perché", "chi", "quando", "dove", "come", "quanto",
];

/// Between what a thing is and what it is about.
#[rustfmt::skip]
pub const ABOUT: &[&str] = &[
    " for ", " about ", " on the topic of ", " announcing ", " introducing ", " showing ", " explaining ", " on ", " of ", " für ", " von ", " vom ",
    " der ", " des ", " per ", " su ", " di ", " de ", " del ", " du ", " zur ", " zum ", " regarding ", " re ", " re: ", " wg ", " wg. ", " wegen ", " betr ", " betr. ", " betr.: ", " inviting to ", " inviting people to ",
    " advertising ", " promoting ", " über ", " zu ", " pour ", " sur ", " para ", " sobre ", " для ", " о ", " об ", " για ", " σχετικά με ", " על ",
    " עבור ", " عن ", " لـ ",
];

/// Words for what is presented, behind which its name stands: “Startup: Mossy”, “project Heron”.
#[rustfmt::skip]
pub const PITCHED: &[&str] = &[
    "pitch", "startup", "start-up", "company", "project", "product", "idea", "venture", "firma", "unternehmen", "projekt", "produkt", "idee", "gründung", "entreprise", "projet", "produit", "empresa", "proyecto", "producto", "azienda",
    "progetto", "prodotto",
];
