//! The words by which facts are known again when they are written in another way: months, days, number words, units, currencies.
//!
//! English, German, French, Spanish and Italian. Everything is in small letters.

/// The month of a word, from 1.
pub fn month(word: &str) -> Option<u8> {
    let word = word.trim_end_matches('.');
    let at = MONTHS.iter().position(|names| names.split(' ').any(|name| name == word))?;
    u8::try_from(at % 12 + 1).ok()
}

/// The day of a week, from 1 for Monday, in full.
pub fn weekday(word: &str) -> Option<u8> {
    find(WEEKDAYS, word)
}

/// The same where a text may shorten it.
pub fn short_weekday(word: &str) -> Option<u8> {
    weekday(word).or_else(|| find(SHORT_WEEKDAYS, word.trim_end_matches('.')))
}

fn find(table: &[&str], word: &str) -> Option<u8> {
    let at = table.iter().position(|names| names.split(' ').any(|name| name == word))?;
    u8::try_from(at + 1).ok()
}

/// The number that a word means.
pub fn number_word(word: &str) -> Option<f64> {
    let at = NUMBER_WORDS.iter().position(|names| names.split(' ').any(|name| name == word))?;
    Some(f64::from(u8::try_from(at).ok()?))
}

/// What a word behind a number multiplies it by. A single letter counts only directly behind the number.
pub fn multiplier(word: &str, is_attached: bool) -> Option<f64> {
    let word = word.trim_end_matches('.');
    let is_one_of = |names: &str| names.split(' ').any(|name| name == word);
    if is_attached && is_one_of("k") || is_one_of("thousand tausend tsd mille mil mila") {
        Some(1e3)
    } else if is_attached && is_one_of("m")
        || is_one_of("million millions mio mn millionen millionén millón millones milione milioni mln")
    {
        Some(1e6)
    } else if is_attached && is_one_of("b")
        || is_one_of("bn billion billions milliarde milliarden mrd md milliard milliards miliardo miliardi mld")
    {
        Some(1e9)
    } else {
        None
    }
}

/// Whether a word means a hundredth part.
pub fn is_percent(word: &str) -> bool {
    ["%", "percent", "prozent", "pourcent", "percento"].contains(&word.trim_end_matches('.'))
}

/// Whether this word and the next mean a hundredth part.
pub fn is_percent_in_two(word: &str, next: &str) -> bool {
    matches!((word, next), ("per", "cent" | "cento") | ("pour", "cent") | ("por", "ciento"))
}

/// The currency of a sign or a word, as its code.
pub fn currency(word: &str) -> Option<&'static str> {
    let found = CURRENCIES.iter().find(|(_, names)| names.split(' ').any(|name| name == word))?;
    Some(found.0)
}

/// The currency of a sign that stands at a number.
pub fn currency_sign(sign: char) -> Option<&'static str> {
    let mut bytes = [0; 4];
    if sign.is_alphanumeric() { None } else { currency(sign.encode_utf8(&mut bytes)) }
}

const CURRENCIES: &[(&str, &str)] = &[
    ("EUR", "€ eur euro euros"),
    ("USD", "$ usd dollar dollars us$"),
    ("GBP", "£ gbp pound pounds pfund quid"),
    ("JPY", "¥ jpy yen 円"),
    ("CHF", "chf franken sfr francs"),
    ("INR", "₹ inr rupee rupees"),
    ("KRW", "₩ krw"),
    ("CNY", "cny rmb yuan 元"),
    ("PLN", "pln zł zloty"),
    ("SEK", "sek dkk nok kr kronor kroner"),
];

const MONTHS: &[&str] = &[
    "january jan januar jän jänner",
    "february feb februar",
    "march mar märz mär",
    "april apr",
    "may mai",
    "june jun juni",
    "july jul juli",
    "august aug",
    "september sep sept",
    "october oct oktober okt",
    "november nov",
    "december dec dezember dez",
    "janvier enero gennaio ene gen",
    "février fevrier febrero febbraio",
    "mars marzo",
    "avril abril aprile abr",
    "mayo maggio",
    "juin junio giugno",
    "juillet julio luglio",
    "août aout agosto ago",
    "septembre septiembre settembre",
    "octobre octubre ottobre",
    "novembre noviembre",
    "décembre decembre diciembre dicembre",
];

const WEEKDAYS: &[&str] = &[
    "monday montag lundi lunes lunedì mondays montags",
    "tuesday dienstag mardi martes martedì tuesdays dienstags",
    "wednesday mittwoch mercredi miércoles mercoledì wednesdays mittwochs",
    "thursday donnerstag jeudi jueves giovedì thursdays donnerstags",
    "friday freitag vendredi viernes venerdì fridays freitags",
    "saturday samstag sonnabend samedi sábado sabato saturdays samstags",
    "sunday sonntag dimanche domingo domenica sundays sonntags",
];

const SHORT_WEEKDAYS: &[&str] = &[
    "mo mon lun",
    "di tue tues mar",
    "mi wed mer mié",
    "do thu thur thurs jeu jue gio",
    "fr fri ven vie",
    "sa sat sam",
    "so sun dim dom",
];

const NUMBER_WORDS: &[&str] = &[
    "zero null zéro cero",
    "one ein eine einen einem einer eins un une uno una first erste erster erstes",
    "two zwei deux dos due second zweite zweiter zweites",
    "three drei trois tres tre third dritte dritter drittes",
    "four vier quatre cuatro quattro fourth",
    "five fünf cinq cinco cinque fifth",
    "six sechs seis sei sixth",
    "seven sieben sept siete sette",
    "eight acht huit ocho otto",
    "nine neun neuf nueve nove",
    "ten zehn dix diez dieci",
    "eleven elf onze once undici",
    "twelve zwölf douze doce dodici",
];
