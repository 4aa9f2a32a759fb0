//! “&nbsp;”, “&euro;”, “&#8364;”: letters by their names in HTML.
//!
//! What holds: a name that is none stays as it is written.

/// Names and their letters.
#[rustfmt::skip]
const NAMES: &[(&str, &str)] = &[
    ("nbsp", " "), ("ensp", " "), ("emsp", " "), ("thinsp", " "), ("shy", ""), ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"), ("euro", "€"),
    ("pound", "£"), ("yen", "¥"), ("cent", "¢"), ("copy", "©"), ("reg", "®"), ("trade", "™"), ("deg", "°"), ("sect", "§"), ("para", "¶"), ("ndash", "–"),
    ("mdash", "—"), ("hellip", "…"), ("bull", "•"), ("middot", "·"), ("times", "×"), ("divide", "÷"), ("plusmn", "±"), ("frac12", "½"), ("frac14", "¼"),
    ("frac34", "¾"), ("ldquo", "“"), ("rdquo", "”"), ("bdquo", "„"), ("lsquo", "‘"), ("rsquo", "’"), ("sbquo", "‚"), ("laquo", "«"), ("raquo", "»"),
    ("lsaquo", "‹"), ("rsaquo", "›"), ("rarr", "→"), ("larr", "←"), ("harr", "↔"), ("check", "✓"), ("hearts", "♥"), ("auml", "ä"), ("ouml", "ö"), ("uuml", "ü"),
    ("Auml", "Ä"), ("Ouml", "Ö"), ("Uuml", "Ü"), ("szlig", "ß"), ("aacute", "á"), ("eacute", "é"), ("iacute", "í"), ("oacute", "ó"), ("uacute", "ú"),
    ("Eacute", "É"), ("agrave", "à"), ("egrave", "è"), ("igrave", "ì"), ("ograve", "ò"), ("ugrave", "ù"), ("Agrave", "À"), ("acirc", "â"), ("ecirc", "ê"),
    ("icirc", "î"), ("ocirc", "ô"), ("ucirc", "û"), ("atilde", "ã"), ("otilde", "õ"), ("ntilde", "ñ"), ("Ntilde", "Ñ"), ("ccedil", "ç"), ("Ccedil", "Ç"),
    ("euml", "ë"), ("iuml", "ï"), ("oelig", "œ"), ("aelig", "æ"), ("aring", "å"), ("oslash", "ø"), ("Aring", "Å"), ("Oslash", "Ø"), ("iexcl", "¡"),
    ("iquest", "¿"), ("ordm", "º"), ("ordf", "ª"),
];

/// The longest name.
const MOST_LETTERS: usize = 10;

/// A text with letters for their names.
pub fn decode(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        plain.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        let end = behind.char_indices().take(MOST_LETTERS).find(|(_, letter)| *letter == ';').map(|(end, _)| end);
        match end.and_then(|end| letter_of(&behind[..end]).map(|letter| (letter, end))) {
            Some((letter, end)) => {
                plain.push_str(&letter);
                rest = &behind[end + 1..];
            }
            None => {
                plain.push('&');
                rest = behind;
            }
        }
    }
    plain.push_str(rest);
    plain
}

fn letter_of(name: &str) -> Option<String> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16).ok(),
            None => number.parse().ok(),
        };
        let letter = code.and_then(char::from_u32).filter(|letter| !letter.is_control())?;
        return Some(if letter == '\u{a0}' { " ".to_owned() } else { letter.to_string() });
    }
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, letter)| (*letter).to_owned())
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn names_are_letters() {
        assert_eq!(decode("7&nbsp;&euro; &amp; &#252;ber&#x2013;all"), "7 € & über–all");
        assert_eq!(decode("salt & pepper; R&D; &unknown; &#0;"), "salt & pepper; R&D; &unknown; &#0;");
    }
}
