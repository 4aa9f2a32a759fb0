//! Prices that are spelled out: “six pounds fifty”, “zwei achtzig”, “tres con cincuenta”, “sixty cents”.
//!
//! What holds: a price is read in one language at a time, so no word of one language is a number of another. It is kept in the
//! words that it was said in. Deliberately not here: what a price belongs to (`prices::told`), and prices in digits (`amounts`).

/// The numbers of a language.
pub struct Tongue {
    /// From one to nineteen, with all their forms.
    small: &'static [(&'static str, u32)],
    /// The tens, and what else is said in one word.
    tens: &'static [(&'static str, u32)],
    /// How tens begin that a unit is joined to: “trenta” and “cinque” are “trentacinque”.
    stems: &'static [(&'static str, u32)],
    /// What stands between a unit and its ten within one word: “fünfundzwanzig”.
    within: &'static str,
    /// Words between a ten and its unit, or between the whole of a price and its coins.
    joins: &'static [&'static str],
}

/// The languages whose numbers are known.
#[rustfmt::skip]
pub const TONGUES: &[Tongue] = &[
    Tongue {
        small: &[
            ("one", 1), ("two", 2), ("three", 3), ("four", 4), ("five", 5), ("six", 6), ("seven", 7), ("eight", 8), ("nine", 9), ("ten", 10), ("eleven", 11),
            ("twelve", 12), ("thirteen", 13), ("fourteen", 14), ("fifteen", 15), ("sixteen", 16), ("seventeen", 17), ("eighteen", 18), ("nineteen", 19),
        ],
        tens: &[
            ("twenty", 20), ("thirty", 30), ("forty", 40), ("fifty", 50), ("sixty", 60), ("seventy", 70), ("eighty", 80), ("ninety", 90),
        ],
        stems: &[],
        within: "",
        joins: &["and"],
    },
    Tongue {
        small: &[
            ("ein", 1), ("eins", 1), ("einen", 1), ("zwei", 2), ("zwo", 2), ("drei", 3), ("vier", 4), ("fünf", 5), ("sechs", 6), ("sieben", 7), ("acht", 8),
            ("neun", 9), ("zehn", 10), ("elf", 11), ("zwölf", 12), ("dreizehn", 13), ("vierzehn", 14), ("fünfzehn", 15), ("sechzehn", 16), ("siebzehn", 17),
            ("achtzehn", 18), ("neunzehn", 19),
        ],
        tens: &[
            ("zwanzig", 20), ("dreißig", 30), ("dreissig", 30), ("vierzig", 40), ("fünfzig", 50), ("sechzig", 60), ("siebzig", 70), ("achtzig", 80),
            ("neunzig", 90),
        ],
        stems: &[],
        within: "und",
        joins: &["und"],
    },
    Tongue {
        small: &[
            ("un", 1), ("une", 1), ("deux", 2), ("trois", 3), ("quatre", 4), ("cinq", 5), ("six", 6), ("sept", 7), ("huit", 8), ("neuf", 9), ("dix", 10),
            ("onze", 11), ("douze", 12), ("treize", 13), ("quatorze", 14), ("quinze", 15), ("seize", 16),
        ],
        tens: &[
            ("vingt", 20), ("trente", 30), ("quarante", 40), ("cinquante", 50), ("soixante", 60), ("septante", 70), ("quatre-vingts", 80),
            ("quatre-vingt", 80), ("octante", 80), ("nonante", 90),
        ],
        stems: &[],
        within: "",
        joins: &["et"],
    },
    Tongue {
        small: &[
            ("un", 1), ("uno", 1), ("una", 1), ("dos", 2), ("tres", 3), ("cuatro", 4), ("cinco", 5), ("seis", 6), ("siete", 7), ("ocho", 8), ("nueve", 9),
            ("diez", 10), ("once", 11), ("doce", 12), ("trece", 13), ("catorce", 14), ("quince", 15), ("dieciséis", 16), ("diecisiete", 17),
            ("dieciocho", 18), ("diecinueve", 19),
        ],
        tens: &[
            ("veinte", 20), ("veintidós", 22), ("treinta", 30), ("cuarenta", 40), ("cincuenta", 50), ("sesenta", 60), ("setenta", 70), ("ochenta", 80),
            ("noventa", 90),
        ],
        stems: &[("veinti", 20)],
        within: "",
        joins: &["y", "con"],
    },
    Tongue {
        small: &[
            ("un", 1), ("uno", 1), ("una", 1), ("due", 2), ("tre", 3), ("quattro", 4), ("cinque", 5), ("sei", 6), ("sette", 7), ("otto", 8), ("nove", 9),
            ("dieci", 10), ("undici", 11), ("dodici", 12), ("tredici", 13), ("quattordici", 14), ("quindici", 15), ("sedici", 16), ("diciassette", 17),
            ("diciotto", 18), ("diciannove", 19),
        ],
        tens: &[
            ("venti", 20), ("ventotto", 28), ("trenta", 30), ("quaranta", 40), ("cinquanta", 50), ("sessanta", 60), ("settanta", 70), ("ottanta", 80),
            ("novanta", 90),
        ],
        stems: &[
            ("venti", 20), ("trenta", 30), ("quaranta", 40), ("cinquanta", 50), ("sessanta", 60), ("settanta", 70), ("ottanta", 80), ("novanta", 90),
        ],
        within: "",
        joins: &["e"],
    },
    Tongue {
        small: &[
            ("um", 1), ("uma", 1), ("dois", 2), ("duas", 2), ("três", 3), ("quatro", 4), ("cinco", 5), ("seis", 6), ("sete", 7), ("oito", 8), ("nove", 9),
            ("dez", 10), ("onze", 11), ("doze", 12), ("treze", 13), ("catorze", 14), ("quinze", 15), ("dezasseis", 16), ("dezesseis", 16), ("dezoito", 18),
        ],
        tens: &[
            ("vinte", 20), ("trinta", 30), ("quarenta", 40), ("cinquenta", 50), ("sessenta", 60), ("setenta", 70), ("oitenta", 80), ("noventa", 90),
        ],
        stems: &[],
        within: "",
        joins: &["e"],
    },
    Tongue {
        small: &[
            ("een", 1), ("één", 1), ("twee", 2), ("drie", 3), ("vier", 4), ("vijf", 5), ("zes", 6), ("zeven", 7), ("acht", 8), ("negen", 9), ("tien", 10),
            ("elf", 11), ("twaalf", 12), ("dertien", 13), ("veertien", 14), ("vijftien", 15), ("zestien", 16), ("zeventien", 17), ("achttien", 18),
            ("negentien", 19),
        ],
        tens: &[
            ("twintig", 20), ("dertig", 30), ("veertig", 40), ("vijftig", 50), ("zestig", 60), ("zeventig", 70), ("tachtig", 80), ("negentig", 90),
        ],
        stems: &[],
        within: "en",
        joins: &["en"],
    },
];

/// Money by its name.
#[rustfmt::skip]
const MONEY: &[&str] = &[
    "pound", "pounds", "quid", "euro", "euros", "dollar", "dollars", "buck", "bucks", "franken", "franc", "francs", "franchi", "kronen", "kronor", "kroner", "krone",
    "krona", "pesos", "reais", "złoty", "złotych", "balles", "pavos",
];

/// Coins by their names.
#[rustfmt::skip]
const COINS: &[&str] = &[
    "pence", "penny", "cent", "cents", "centimes", "céntimos", "centesimi", "cêntimos", "centavos", "rappen", "øre", "groszy",
];

/// What is one piece of money in one word.
const NOTES: &[&str] = &["fiver", "tenner"];

/// How sure it is that a number is a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sureness {
    /// A number alone: “five”.
    Bare,
    /// Two numbers that may be an hour as well: “seven thirty”.
    Pair,
    /// Money has its name, or there are more coins than an hour has minutes.
    Sure,
}

/// The price that words begin with: how many of them it takes, and how sure it is.
pub fn price_at(words: &[&str], tongue: &Tongue) -> Option<(usize, Sureness)> {
    let is = |at: usize, of: &[&str]| words.get(at).is_some_and(|word| of.contains(word));
    // “A fiver”, “a pound”, “half a euro”.
    if is(0, &["a"]) && (is(1, NOTES) || is(1, MONEY)) {
        return Some((2, Sureness::Sure));
    }
    let (length, value) = tongue.number_at(words)?;
    if is(length, COINS) {
        return Some((length + 1, Sureness::Sure));
    }
    let named = is(length, MONEY);
    let from = length + usize::from(named);
    let joined = from + usize::from(words.get(from).is_some_and(|word| tongue.joins.contains(word)));
    let coins =
        words.get(joined..).and_then(|rest| tongue.number_at(rest)).filter(|(_, coins)| (10..100).contains(coins));
    match coins {
        Some((more, _)) if named => {
            let end = joined + more;
            Some((end + usize::from(is(end, COINS)), Sureness::Sure))
        }
        // “Four fifty”, “tres con cincuenta”; “sixteen and eighteen” are two numbers.
        Some((more, coins)) if joined == from || words[from] == "con" => {
            let is_hour = value <= 24 && coins < 60 && coins % 5 == 0;
            Some((joined + more, if is_hour { Sureness::Pair } else { Sureness::Sure }))
        }
        _ if named => Some((from, Sureness::Sure)),
        _ => Some((length, Sureness::Bare)),
    }
}

/// Whether a text surely names a price in words: “twenty-five pounds for members”.
pub fn names_price(text: &str) -> bool {
    let words = super::text::words(text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_price = |at: usize, tongue: &Tongue| {
        price_at(&words[at..], tongue).is_some_and(|(length, sureness)| {
            sureness == Sureness::Sure
                && words[at..at + length].iter().any(|word| MONEY.contains(word) || COINS.contains(word))
        })
    };
    words.iter().any(|word| MONEY.contains(word) || COINS.contains(word))
        && TONGUES.iter().any(|tongue| (0..words.len()).any(|at| is_price(at, tongue)))
}

impl Tongue {
    /// How many words in small letters are numbers or pieces of money.
    pub fn count(&self, words: &[String]) -> usize {
        words
            .iter()
            .filter(|word| {
                NOTES.contains(&word.as_str())
                    || MONEY.contains(&word.as_str())
                    || self.in_word(word).is_some()
                    || find(self.tens, word).is_some()
            })
            .count()
    }

    /// The number that words begin with, and how many of them it takes.
    fn number_at(&self, words: &[&str]) -> Option<(usize, u32)> {
        let first = words.first()?;
        if let Some(ten) = find(self.tens, first) {
            let unit = |at: usize| words.get(at).and_then(|word| find(self.small, word)).filter(|unit| *unit < 10);
            if ten % 10 == 0 {
                // “Forty five”, “treinta y cinco”.
                if let Some(unit) = unit(1).filter(|_| self.within.is_empty() && self.stems.is_empty()) {
                    return Some((2, ten + unit));
                }
                if let Some(unit) = unit(2).filter(|_| self.within.is_empty() && self.joins.first() == words.get(1)) {
                    return Some((3, ten + unit));
                }
            }
            return Some((1, ten));
        }
        self.in_word(first).map(|value| (1, value))
    }

    /// The number that a word is: “twelve”, “forty-five”, “fünfundzwanzig”, “ventidue”.
    fn in_word(&self, word: &str) -> Option<u32> {
        if let Some(value) = find(self.small, word) {
            return Some(value);
        }
        if let Some((tens, rest)) =
            self.tens.iter().find_map(|(name, ten)| Some((ten, word.strip_prefix(name)?.strip_prefix('-')?)))
        {
            return self.in_word(rest).filter(|rest| *rest < 20).map(|rest| tens + rest);
        }
        if !self.within.is_empty() {
            return word.match_indices(self.within).find_map(|(at, within)| {
                let unit = find(self.small, word[..at].trim_end_matches('ë'))?;
                let ten = find(self.tens, word[at + within.len()..].trim_start_matches('ë'))?;
                (unit < 10).then_some(unit + ten)
            });
        }
        self.stems.iter().find_map(|(stem, ten)| {
            let unit = find(self.small, word.strip_prefix(stem)?)?;
            (unit < 10).then_some(ten + unit)
        })
    }
}

fn find(numbers: &[(&str, u32)], word: &str) -> Option<u32> {
    numbers.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_prices_in_the_words_of_many_languages() {
        for (at, words, length, sureness) in [
            (0, "six pounds fifty", 3, Sureness::Sure),
            (0, "four fifty", 2, Sureness::Pair),
            (0, "two eighty", 2, Sureness::Sure),
            (0, "five seventy five a slice", 3, Sureness::Sure),
            (0, "forty five", 2, Sureness::Bare),
            (0, "fifty pence", 2, Sureness::Sure),
            (0, "a fiver", 2, Sureness::Sure),
            (0, "ten pounds each", 2, Sureness::Sure),
            (1, "drei euro fünfzig", 3, Sureness::Sure),
            (1, "fünfundzwanzig", 1, Sureness::Bare),
            (2, "neuf euros cinquante", 3, Sureness::Sure),
            (2, "quatre-vingt-dix centimes", 2, Sureness::Sure),
            (3, "tres con ochenta", 3, Sureness::Sure),
            (3, "treinta y cinco euros", 4, Sureness::Sure),
            (4, "due e cinquanta", 1, Sureness::Bare),
            (4, "due euro e cinquanta", 4, Sureness::Sure),
            (4, "ventidue euro", 2, Sureness::Sure),
            (6, "vijfentwintig euro", 2, Sureness::Sure),
        ] {
            let words: Vec<&str> = words.split(' ').collect();
            assert_eq!(price_at(&words, &TONGUES[at]), Some((length, sureness)), "{words:?}");
        }
        assert_eq!(price_at(&["soup"], &TONGUES[0]), None);
    }
}
