//! Words that are struck out: “~~Saturday~~ Sunday”.
//!
//! What holds: what is struck out is not said; marks that are not closed within their line are left. Deliberately not here: words
//! that are taken back in a sentence (`maker::taken_back`).

/// The mark before and behind.
const MARK: &str = "~~";

/// The text without what is struck out in it; `None` where nothing is.
pub fn without(text: &str) -> Option<String> {
    if !text.contains(MARK) {
        return None;
    }
    let lines: Vec<String> = text.split('\n').map(strip).collect();
    let told = lines.join("\n");
    (told != text).then_some(told)
}

fn strip(line: &str) -> String {
    let mut told = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, _, behind)) = rest
        .split_once(MARK)
        .and_then(|(before, rest)| rest.split_once(MARK).map(|(struck, behind)| (before, struck, behind)))
        .filter(|(_, struck, _)| !struck.trim().is_empty())
    {
        told.push_str(before.trim_end());
        if !told.is_empty() {
            told.push(' ');
        }
        rest = behind.trim_start();
    }
    told.push_str(rest);
    told.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn what_is_struck_out_is_not_said() {
        assert_eq!(without("on ~~Saturday~~ Sunday at ten").as_deref(), Some("on Sunday at ten"));
        assert_eq!(without("~~old~~ new ~~and~~\nmore").as_deref(), Some("new\nmore"));
        assert_eq!(without("about ~~ five"), None);
        assert_eq!(without("~~~~"), None);
    }
}
