//! Undoes what happens to bodies and secrets on their way into a program.
//!
//! Always true: each variant comes from a known habit (a framework that reads JSON and writes it again, an editor that
//! ends a file with a line, a shell, a settings file), and is named by its fault. JSON is changed as text: numbers and
//! the order of keys stay as they were sent. Not here: which variant matches.

use data_encoding::BASE64;
use easel_wire::webhooks::{Event, read_event};

use super::{SignatureFault as Fault, order};

/// How every signing secret begins.
const SECRET_PREFIX: &str = "whsec_";
/// The hex digits after that.
const SECRET_DIGITS: usize = 64;

/// A text, and the faults that were undone in it.
type Variant<T> = (Vec<Fault>, T);

/// Bodies that the sender may have signed, the pasted one first.
pub(super) fn bodies(body: &str) -> Vec<Variant<Vec<u8>>> {
    let mut found: Vec<Variant<Vec<u8>>> = vec![(Vec::new(), body.as_bytes().to_vec())];
    add_written_anew(&mut found, body, &[]);
    if let Some(marked) = body.strip_prefix('\u{feff}') {
        add_written_anew(&mut found, marked, &[Fault::BodyWithMark]);
    }
    let trimmed = body.trim();
    if let Ok(inner) = serde_json::from_str::<String>(trimmed) {
        add_written_anew(&mut found, &inner, &[Fault::BodyInQuotes]);
    } else if trimmed.len() > 1 && (trimmed.starts_with('\'') && trimmed.ends_with('\'')) {
        add_written_anew(&mut found, &trimmed[1..trimmed.len() - 1], &[Fault::BodyInQuotes]);
    }
    if let Some(inner) = BASE64.decode(trimmed.as_bytes()).ok().filter(|_| !trimmed.is_empty()) {
        found.push((vec![Fault::BodyInBase64], inner));
    }
    found
}

/// A body and what writing it down again may have changed.
fn add_written_anew(found: &mut Vec<Variant<Vec<u8>>>, body: &str, before: &[Fault]) {
    let mut add = |faults: &[Fault], body: &str| {
        let faults = [before, faults].concat();
        if !found.iter().any(|(_, other)| other == body.as_bytes()) {
            found.push((faults, body.as_bytes().to_vec()));
        }
    };
    let unix = body.replace("\r\n", "\n");
    let windows = unix.replace('\n', "\r\n");
    add(&[], body);
    add(&[Fault::BodyWithMoreLines], body.trim_end_matches(['\n', '\r']));
    add(&[Fault::BodyWithMoreLines], body.trim());
    add(&[Fault::BodyWithoutLastLine], &format!("{body}\n"));
    add(&[Fault::BodyWithoutLastLine], &format!("{body}\r\n"));
    add(&[Fault::BodyWithWindowsLines], &unix);
    add(&[Fault::BodyWithWindowsLines, Fault::BodyWithMoreLines], unix.trim_end());
    add(&[Fault::BodyWithUnixLines], &windows);
    add(&[Fault::BodyWithUnixLines, Fault::BodyWithMoreLines], windows.trim_end());
    if serde_json::from_str::<serde::de::IgnoredAny>(body).is_err() {
        return;
    }
    let compact = without_spaces(body);
    let plain = without_escapes(&compact);
    add(&[Fault::BodyLaidOut], &compact);
    add(&[Fault::BodyLaidOut, Fault::BodyWithoutLastLine], &format!("{compact}\n"));
    add(&[Fault::BodyEscaped], &without_escapes(body));
    add(&[Fault::BodyLaidOut, Fault::BodyEscaped], &plain);
    add(&[Fault::BodyLaidOut, Fault::BodyUnescaped], &with_escapes(&compact));
    if let Some(ordered) = in_order(body) {
        add(&[Fault::BodyReordered], &ordered);
        add(&[Fault::BodyReordered, Fault::BodyUnescaped], &with_escapes(&ordered));
    }
}

/// Secrets that the pasted one may be meant to be, itself first.
pub(super) fn secrets(secret: &str) -> Vec<Variant<String>> {
    let mut found: Vec<Variant<String>> = vec![(Vec::new(), secret.to_owned())];
    let mut add = |faults: &[Fault], secret: String| {
        if !secret.is_empty() && !found.iter().any(|(_, other)| *other == secret) {
            found.push((faults.to_vec(), secret));
        }
    };
    let dense: String = secret.chars().filter(|character| !character.is_whitespace()).collect();
    let spaced: &[Fault] = if dense == secret { &[] } else { &[Fault::SecretWithSpaces] };
    let bare = dense.trim_matches(['"', '\'', '`']);
    let quoted: &[Fault] = if bare == dense { &[] } else { &[Fault::SecretInQuotes] };
    let around = [spaced, quoted].concat();
    add(&around, bare.to_owned());
    add(&[&around[..], &[Fault::SecretWithoutPrefix]].concat(), format!("{SECRET_PREFIX}{bare}"));
    // From the last prefix on: `SECRET=whsec_…`, `Bearer whsec_…`, the prefix twice.
    if let Some((before, digits)) = bare.rsplit_once(SECRET_PREFIX) {
        if !before.is_empty() {
            add(&[&around[..], &[Fault::SecretWithForeignPrefix]].concat(), format!("{SECRET_PREFIX}{digits}"));
        }
        add(&[&around[..], &[Fault::SecretWithForeignPrefix]].concat(), digits.to_owned());
    }
    let lower = bare.to_ascii_lowercase();
    add(&[&around[..], &[Fault::SecretMisshapen]].concat(), lower);
    found
}

/// Whether this has the form of a signing secret (contract, "Keys").
pub(super) fn is_secret(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.strip_prefix(SECRET_PREFIX).is_some_and(|digits| digits.len() == SECRET_DIGITS && digits.bytes().all(is_digit))
}

/// Whether a body looks as a service sends it: an event, without blanks between its parts, its keys in order.
pub(super) fn is_as_sent(body: &str) -> bool {
    let keys = ["{\"id\":\"evt_", "\"type\":", "\"created\":", "\"api_version\":", "\"data\":"];
    let mut rest = body;
    let in_order = keys.iter().all(|key| match rest.split_once(key) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    });
    in_order && body.starts_with('{') && read(body).is_some() && without_spaces(body) == body
}

/// Whether this is the beginning of JSON that does not end.
pub(super) fn is_cut(body: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(body).is_err_and(|error| error.is_eof())
}

/// The id of the event that a body carries.
pub(super) fn event_id(body: &str) -> Option<String> {
    read(body.trim())?.id.map(|id| id.to_string())
}

fn read(body: &str) -> Option<Event> {
    serde_json::from_str(body).ok().and_then(|value| read_event(value).ok())
}

/// The event with its keys as a service orders them.
fn in_order(body: &str) -> Option<String> {
    read(body)?;
    serde_json::from_str(body).ok().map(|event| order::in_order(&event))
}

/// The JSON without blanks between its parts; quoted text stays.
fn without_spaces(json: &str) -> String {
    let mut dense = String::with_capacity(json.len());
    let (mut in_text, mut is_escaped) = (false, false);
    for character in json.chars() {
        if in_text || !matches!(character, ' ' | '\t' | '\n' | '\r') {
            dense.push(character);
        }
        if is_escaped {
            is_escaped = false;
        } else if in_text && character == '\\' {
            is_escaped = true;
        } else if character == '"' {
            in_text = !in_text;
        }
    }
    dense
}

/// JSON whose escapes that need not be are the characters themselves: `\/`, `\u00fc`, `\u003c`.
fn without_escapes(json: &str) -> String {
    let mut plain = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        let escape = &rest[at..];
        let (character, length) = read_escape(escape);
        match character {
            Some(character) => plain.push(character),
            None => plain.push_str(&escape[..length]),
        }
        rest = &escape[length..];
    }
    plain + rest
}

/// The character of an escape that is not necessary, and the escape's length in bytes.
fn read_escape(escape: &str) -> (Option<char>, usize) {
    let unit = |at: usize| escape.get(at..at + 4).and_then(|digits| u16::from_str_radix(digits, 16).ok());
    match escape.as_bytes().get(1) {
        Some(b'/') => (Some('/'), 2),
        Some(b'u') => {
            let Some(high) = unit(2) else { return (None, 2) };
            let low = (escape.get(6..8) == Some("\\u")).then(|| unit(8)).flatten();
            let units = [Some(high), low].into_iter().flatten();
            let read = char::decode_utf16(units).next().and_then(Result::ok);
            let needed = |character: char| character.is_control() || matches!(character, '"' | '\\');
            match read {
                Some(character) if needed(character) => (None, 6),
                Some(character) if character.len_utf16() == 2 => (Some(character), 12),
                Some(character) => (Some(character), 6),
                None => (None, 6),
            }
        }
        Some(_) => (None, 1 + escape[1..].chars().next().map_or(0, char::len_utf8)),
        None => (None, 1),
    }
}

/// The JSON with every character outside of ASCII escaped.
fn with_escapes(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if character.is_ascii() {
            escaped.push(character);
        } else {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_taken_back_where_they_need_not_be() {
        let check = |json: &str, expected: &str| assert_eq!(without_escapes(json), expected, "{json}");
        check(r#"{"a":"https:\/\/x"}"#, r#"{"a":"https://x"}"#);
        check(r#""\u00fc\u003c\ud83c\udf3b""#, "\"ü<🌻\"");
        check(r#""\u0022\u000a\n\"\\u00fc""#, r#""\u0022\u000a\n\"\\u00fc""#);
        check(r#""\ud83c""#, r#""\ud83c""#);
        check("\\", "\\");
        check("\\ü", "\\ü");
        check("\\u00", "\\u00");
        assert_eq!(with_escapes("\"ü🌻\""), r#""\u00fc\ud83c\udf3b""#);
    }

    #[test]
    fn blanks_within_a_text_stay() {
        assert_eq!(
            without_spaces("{ \"a b\" : \"c \\\" d\" ,\n \"e\\\\\" : 1.50 }"),
            "{\"a b\":\"c \\\" d\",\"e\\\\\":1.50}"
        );
    }

    #[test]
    fn the_form_of_a_secret_is_known() {
        let check = |text: &str, expected: bool| assert_eq!(is_secret(text), expected, "{text}");
        check(&format!("whsec_{}", "0a".repeat(32)), true);
        check(&format!("whsec_{}", "0A".repeat(32)), false);
        check(&format!("whsec_{}", "0a".repeat(31)), false);
        check(&"0a".repeat(32), false);
    }
}
