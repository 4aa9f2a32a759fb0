//! The words that stand in where a brief gives none: a first draft that a person makes their own.
//!
//! No figure, name or promise is made up here: what stands in speaks of what such a thing always is about.

mod fields;

use fields::FIELDS;

/// A name and a sentence.
pub type Pair = (&'static str, &'static str);

/// What the drafts of a language are made of.
pub struct Phrases {
    /// Two letters.
    pub language: &'static str,
    /// Titles: the idea, whom it is for, what there is, how it goes, what is next, thanks, what is to come.
    pub idea: &'static str,
    pub audience: &'static str,
    pub offer: &'static str,
    pub plan: &'static str,
    pub next: &'static str,
    pub thanks: &'static str,
    pub agenda: &'static str,
    /// Titles of pages of numbers: what stands out, all numbers.
    pub highlights: &'static str,
    pub all_numbers: &'static str,
    pub total: &'static str,
    pub highest: &'static str,
    pub lowest: &'static str,
    pub average: &'static str,
    /// What an empty brief is called.
    pub untitled: &'static str,
}

/// What the drafts about a field are made of.
pub struct Field {
    pub language: &'static str,
    /// Beginnings of words that tell the field.
    pub signs: &'static [&'static str],
    pub tagline: &'static str,
    pub promise: &'static str,
    pub audience: [Pair; 3],
    pub offers: [Pair; 4],
    pub steps: [Pair; 4],
    pub next: [Pair; 3],
}

/// The phrases of a language; English where it is not among them.
pub fn phrases(language: &str) -> &'static Phrases {
    PHRASES.iter().find(|phrases| phrases.language == language).unwrap_or(&PHRASES[0])
}

/// The field that a text is about; the language's general one where none is told.
pub fn field(language: &str, text: &str) -> &'static Field {
    let text = text.to_lowercase();
    let told = |field: &&Field| {
        field
            .signs
            .iter()
            .any(|sign| text.split(|letter: char| !letter.is_alphanumeric()).any(|word| word.starts_with(sign)))
    };
    let general = || FIELDS.iter().find(|field| field.language == language && field.signs.is_empty());
    FIELDS.iter().filter(|field| field.language == language).find(told).or_else(general).unwrap_or(&FIELDS[0])
}

const PHRASES: &[Phrases] = &[
    Phrases {
        language: "en",
        idea: "The idea",
        audience: "Who it is for",
        offer: "What we offer",
        plan: "How we get there",
        next: "What happens next",
        thanks: "Thank you",
        agenda: "What to expect",
        highlights: "At a glance",
        all_numbers: "All figures",
        total: "Total",
        highest: "Highest",
        lowest: "Lowest",
        average: "Average",
        untitled: "Untitled",
    },
    Phrases {
        language: "de",
        idea: "Die Idee",
        audience: "Für wen es ist",
        offer: "Was wir bieten",
        plan: "Wie wir vorgehen",
        next: "Wie es weitergeht",
        thanks: "Vielen Dank",
        agenda: "Was Sie erwartet",
        highlights: "Auf einen Blick",
        all_numbers: "Alle Zahlen",
        total: "Summe",
        highest: "Höchster Wert",
        lowest: "Niedrigster Wert",
        average: "Durchschnitt",
        untitled: "Ohne Titel",
    },
    Phrases {
        language: "fr",
        idea: "L’idée",
        audience: "Pour qui",
        offer: "Ce que nous proposons",
        plan: "Comment nous procédons",
        next: "Et maintenant",
        thanks: "Merci",
        agenda: "Au programme",
        highlights: "En un coup d’œil",
        all_numbers: "Tous les chiffres",
        total: "Total",
        highest: "Maximum",
        lowest: "Minimum",
        average: "Moyenne",
        untitled: "Sans titre",
    },
    Phrases {
        language: "es",
        idea: "La idea",
        audience: "Para quién es",
        offer: "Qué ofrecemos",
        plan: "Cómo lo hacemos",
        next: "Próximos pasos",
        thanks: "Gracias",
        agenda: "Contenido",
        highlights: "De un vistazo",
        all_numbers: "Todas las cifras",
        total: "Total",
        highest: "Máximo",
        lowest: "Mínimo",
        average: "Promedio",
        untitled: "Sin título",
    },
    Phrases {
        language: "ru",
        idea: "Идея",
        audience: "Для кого это",
        offer: "Что мы предлагаем",
        plan: "Как мы работаем",
        next: "Следующие шаги",
        thanks: "Спасибо",
        agenda: "О чём речь",
        highlights: "Главное",
        all_numbers: "Все показатели",
        total: "Всего",
        highest: "Максимум",
        lowest: "Минимум",
        average: "В среднем",
        untitled: "Без названия",
    },
    Phrases {
        language: "el",
        idea: "Η ιδέα",
        audience: "Για ποιους",
        offer: "Τι προσφέρουμε",
        plan: "Πώς προχωράμε",
        next: "Τα επόμενα βήματα",
        thanks: "Ευχαριστούμε",
        agenda: "Περιεχόμενα",
        highlights: "Με μια ματιά",
        all_numbers: "Όλα τα στοιχεία",
        total: "Σύνολο",
        highest: "Μέγιστο",
        lowest: "Ελάχιστο",
        average: "Μέσος όρος",
        untitled: "Χωρίς τίτλο",
    },
    Phrases {
        language: "he",
        idea: "הרעיון",
        audience: "למי זה מיועד",
        offer: "מה אנחנו מציעים",
        plan: "איך מתקדמים",
        next: "הצעדים הבאים",
        thanks: "תודה רבה",
        agenda: "על מה נדבר",
        highlights: "במבט אחד",
        all_numbers: "כל הנתונים",
        total: "סך הכול",
        highest: "הגבוה ביותר",
        lowest: "הנמוך ביותר",
        average: "ממוצע",
        untitled: "ללא שם",
    },
    Phrases {
        language: "ar",
        idea: "الفكرة",
        audience: "لمن هذا",
        offer: "ماذا نقدم",
        plan: "كيف نعمل",
        next: "الخطوات التالية",
        thanks: "شكراً لكم",
        agenda: "المحتويات",
        highlights: "نظرة سريعة",
        all_numbers: "كل الأرقام",
        total: "المجموع",
        highest: "الأعلى",
        lowest: "الأدنى",
        average: "المتوسط",
        untitled: "بلا عنوان",
    },
];
