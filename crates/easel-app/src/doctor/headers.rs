//! Reads pasted headers: lines, JSON, the dump of a framework, or the whole command of a shell.
//!
//! Always true: a header is found by its name, however it is spelled (`X-Webhook-Timestamp`,
//! `HTTP_X_WEBHOOK_TIMESTAMP`), and its value is the text after the name, without the quotes and brackets around it.
//! That one rule reads every usual form, so none has to be recognised. Not here: the meaning of a value.

/// Headers under which other senders put a signature, each with its scheme of its own.
const FOREIGN: [&str; 9] = [
    "X-Hub-Signature-256",
    "X-Hub-Signature",
    "Stripe-Signature",
    "Webhook-Signature",
    "Svix-Signature",
    "X-Slack-Signature",
    "X-Shopify-Hmac-Sha256",
    "X-Signature",
    "Signature",
];

/// The value of a header; `None` where the header does not stand there.
pub(super) fn find(pasted: &str, name: &str) -> Option<String> {
    let (before, after) = find_name(pasted, name)?;
    Some(read_value(pasted[..before].chars().next_back(), &pasted[after..]))
}

/// The first header that has another sender's signature.
pub(super) fn find_foreign(pasted: &str) -> Option<&'static str> {
    FOREIGN.into_iter().find(|name| find_name(pasted, name).is_some())
}

/// The body that a curl command among the headers sends.
pub(super) fn body_of_command(pasted: &str) -> Option<String> {
    let words = split_words(pasted);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if matches!(word.as_str(), "-d" | "--data" | "--data-raw" | "--data-binary" | "--data-ascii") {
            return words.next().filter(|body| !body.starts_with('@')).cloned();
        }
    }
    None
}

/// Where a name begins and ends. A longer name that ends alike is another header, but for the prefix of gateways.
fn find_name(pasted: &str, name: &str) -> Option<(usize, usize)> {
    let spelled = |text: &str| text.to_ascii_lowercase().replace('_', "-");
    let (text, name) = (spelled(pasted), spelled(name));
    let is_part_of_name = |character: char| character.is_ascii_alphanumeric() || character == '-';
    text.match_indices(&name).find_map(|(at, _)| {
        let end = at + name.len();
        let before = text[..at].strip_suffix("http-").unwrap_or(&text[..at]);
        let ends = !text[end..].starts_with(is_part_of_name);
        let begins = !before.ends_with(is_part_of_name);
        (ends && begins).then_some((before.len(), end))
    })
}

/// The value after a name; `opened` is what stood before the name, a quote in a shell's argument.
fn read_value(opened: Option<char>, rest: &str) -> String {
    let is_quote = |character: char| matches!(character, '"' | '\'' | '`');
    let around = opened.filter(|character| is_quote(*character));
    // A quote that is closed right after the name held the name alone.
    let (around, rest) = match around.and_then(|quote| rest.strip_prefix(quote)) {
        Some(rest) => (None, rest),
        None => (around, rest),
    };
    let is_between = |character: char| {
        is_quote(character) && around != Some(character)
            || matches!(character, ' ' | '\t' | ':' | '=' | '>' | ',' | '[' | '(')
    };
    let mut value = rest.trim_start_matches(is_between);
    if let Some(after) = value.strip_prefix("value") {
        // {"name": "…", "value": "…"}
        value = after.trim_start_matches(is_between);
    }
    let opening = rest[..rest.len() - value.len()].chars().rev().find(|character| is_quote(*character));
    let end = match around.or(opening) {
        Some(quote) => value.find([quote, '\n', '\r']),
        None => value.find(['\n', '\r', '"', '\'', ']', '}']),
    };
    value[..end.unwrap_or(value.len())].trim().trim_end_matches([';', '\\', ',']).trim_end().to_owned()
}

/// The words of a shell's command: quotes are removed, a backslash outside of single quotes takes the next character as
/// it is, and a backslash at the end of a line joins it with the next.
fn split_words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => match characters.next() {
                Some('\n') | None => {}
                Some(next) if quote.is_some() && !matches!(next, '"' | '\\' | '$' | '`') => {
                    word.get_or_insert_default().extend(['\\', next]);
                }
                Some(next) => word.get_or_insert_default().push(next),
            },
            (None, space) if space.is_whitespace() => words.extend(word.take()),
            (_, other) => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: &str = "X-Webhook-Timestamp";
    const SIGNATURE: &str = "X-Webhook-Signature";

    #[test]
    fn headers_are_read_in_every_usual_form() {
        let check = |pasted: &str, expected: &str| {
            assert_eq!(find(pasted, TIME).as_deref(), Some("1777636800"), "{pasted}");
            assert_eq!(find(pasted, SIGNATURE).as_deref(), Some(expected), "{pasted}");
        };
        check("X-Webhook-Timestamp: 1777636800\r\nX-Webhook-Signature: v1=ab\r\n", "v1=ab");
        check("x-webhook-timestamp:1777636800\nX-WEBHOOK-SIGNATURE : v1=ab, v1=cd", "v1=ab, v1=cd");
        check(r#"{"X-Webhook-Timestamp":"1777636800","X-Webhook-Signature":"v1=ab"}"#, "v1=ab");
        check(r#"{"x-webhook-signature": ["v1=ab"], "x-webhook-timestamp": 1777636800}"#, "v1=ab");
        check(r#"[["X-Webhook-Timestamp", "1777636800"], ["X-Webhook-Signature", "v1=ab"]]"#, "v1=ab");
        check(
            r#"[{"name": "X-Webhook-Timestamp", "value": "1777636800"}, {"name":"X-Webhook-Signature","value":"v1=ab"}]"#,
            "v1=ab",
        );
        check(
            "curl -H 'X-Webhook-Timestamp: 1777636800' -H \"X-Webhook-Signature: v1=ab,v1=cd\" http://a",
            "v1=ab,v1=cd",
        );
        check(
            "curl \\\n --header 'X-Webhook-Timestamp: 1777636800' \\\n --header 'X-Webhook-Signature: v1=ab' \\\n",
            "v1=ab",
        );
        check("HTTP_X_WEBHOOK_TIMESTAMP=1777636800\nHTTP_X_WEBHOOK_SIGNATURE=v1=ab", "v1=ab");
        check("{'X-Webhook-Timestamp': '1777636800', 'X-Webhook-Signature': 'v1=ab'}", "v1=ab");
        check("map[X-Webhook-Timestamp:[1777636800] X-Webhook-Signature:[v1=ab]]", "v1=ab");
        check("\"HTTP_X_WEBHOOK_TIMESTAMP\" => \"1777636800\",\n\"HTTP_X_WEBHOOK_SIGNATURE\" => \"v1=ab\"", "v1=ab");
        check("> X-Webhook-Timestamp: 1777636800\n> X-Webhook-Signature: v1=ab", "v1=ab");
    }

    #[test]
    fn another_header_is_not_taken_for_it() {
        let check = |pasted: &str, expected: Option<&str>| {
            assert_eq!(find(pasted, SIGNATURE).as_deref(), expected, "{pasted}");
        };
        check("", None);
        check("X-Webhook-Signature-Old: v1=ab", None);
        check("My-X-Webhook-Signature: v1=ab", None);
        check("X-Webhook-Signature:", Some(""));
        check("X-Webhook-Signature", Some(""));
        assert_eq!(find_foreign("X-Hub-Signature-256: sha256=ab"), Some("X-Hub-Signature-256"));
        assert_eq!(find_foreign("X-Webhook-Signature: v1=ab"), None);
    }

    #[test]
    fn the_body_of_a_command_is_its_data() {
        let check = |pasted: &str, expected: Option<&str>| {
            assert_eq!(body_of_command(pasted).as_deref(), expected, "{pasted}");
        };
        check("curl -H 'A: b' --data-raw '{\"a\": \"b c\"}' http://x", Some("{\"a\": \"b c\"}"));
        check("curl -d \"{\\\"a\\\":\\\"\\n\\\"}\" x", Some("{\"a\":\"\\n\"}"));
        check("curl --data-binary @body.json x", None);
        check("A: b", None);
        check("-d", None);
    }
}
