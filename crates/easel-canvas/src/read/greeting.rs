//! The words that one person greets another with.

/// Words that begin a letter.
const GREETINGS: &[&str] = &[
    "hi",
    "hello",
    "hey",
    "heya",
    "hiya",
    "dear",
    "hallo",
    "moin",
    "servus",
    "liebe",
    "lieber",
    "liebes",
    "guten",
    "bonjour",
    "bonsoir",
    "salut",
    "hola",
    "buenas",
    "buenos",
    "ciao",
    "buongiorno",
    "sehr",
    "cher",
    "chère",
    "estimado",
    "estimada",
    "olá",
    "oi",
    "good",
    "oye",
    "dzień",
    "yo",
    "howdy",
    "hej",
    "hoi",
    "grüezi",
    "morning",
    "evening",
    "afternoon",
    "coucou",
];

/// Whether a word begins a letter.
pub fn is_greeting(word: &str) -> bool {
    GREETINGS.contains(&word)
}
