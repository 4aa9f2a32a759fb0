//! How many pages of what size a text asks for.

use crate::brief::contains_word;
use crate::read::kinds;
use crate::read::style::STYLE;
use crate::read::text::words;
use crate::read::vocabulary::{NUMBER_WORDS, PAGE_WORDS};

/// Every number of pages that a text names, each once.
pub(super) fn page_counts(lower: &str) -> Vec<u32> {
    let mut counts: Vec<u32> = Vec::new();
    for piece in lower.split([',', ';', '.', '!', '?', '(', ')', '\n']) {
        let words: Vec<String> = words(piece);
        let pairs = words.windows(2).filter_map(|pair| page_count(&pair.join(" ")));
        for count in pairs.chain(page_count(piece)) {
            if !counts.contains(&count) {
                counts.push(count);
            }
        }
    }
    counts
}

/// Of several numbers of pages the first is meant, unless words say that one thinks better of it.
pub(super) fn meant_count(lower: &str) -> Option<u32> {
    let corrects = [
        "no wait",
        "or rather",
        "actually",
        "better",
        "instead",
        "sorry,",
        "doch lieber",
        "besser",
        "lieber",
        "plutôt",
        "mejor",
        "meglio",
    ];
    let counts = page_counts(lower);
    if counts.len() > 1 && corrects.iter().any(|word| contains_word(lower, word)) {
        return counts.last().copied();
    }
    page_count(lower)
}

/// “on one slide”, “8 slides”, “a 5-page report”, “sechs Folien”.
pub fn page_count(lower: &str) -> Option<u32> {
    let words: Vec<String> = words(lower);
    let number = |word: &str| {
        word.parse::<u32>()
            .ok()
            .or_else(|| NUMBER_WORDS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number))
    };
    let counted = words.windows(2).enumerate().find_map(|(at, pair)| {
        PAGE_WORDS
            .contains(&pair[1].as_str())
            .then(|| number(&pair[0]))
            .flatten()
            .filter(|count| (1..=60).contains(count) && !(*count == 1 && is_for_each(&words, at)))
    });
    // “one single page”, “6 short slides”.
    let apart = || {
        words.windows(3).find_map(|three| {
            let is_between = STYLE.contains(&three[1].as_str())
                || matches!(three[1].as_str(), "single" | "einzige" | "einzigen" | "content");
            (is_between && PAGE_WORDS.contains(&three[2].as_str()))
                .then(|| number(&three[0]))
                .flatten()
                .filter(|count| (1..=60).contains(count))
        })
    };
    let single = || {
        words
            .windows(2)
            .any(|pair| {
                matches!(pair[0].as_str(), "single" | "einzige" | "einzigen") && PAGE_WORDS.contains(&pair[1].as_str())
            })
            .then_some(1)
    };
    // “4장”, “6页”: counters stand directly behind a number.
    let joined = || {
        words.iter().find_map(|word| {
            let counter = ["장으로", "장", "枚で", "枚", "页", "頁", "張", "张", "ページ", "페이지"]
                .iter()
                .find_map(|counter| word.strip_suffix(counter))?;
            // “スライド5枚”: the kind stands before its number without a blank.
            let digits = counter.trim_start_matches(|letter: char| !letter.is_ascii_digit());
            let is_named =
                digits.len() == counter.len() || kinds::find(&counter[..counter.len() - digits.len()]).is_some();
            digits.parse::<u32>().ok().filter(|count| is_named && (1..=60).contains(count))
        })
    };
    let counted = counted.or_else(joined);
    counted.or_else(apart).or_else(single)
}

/// “one slide each”, “one slide per topic”, “je eine Folie”: as many pages as there are things.
fn is_for_each(words: &[String], at: usize) -> bool {
    let is_each = |word: &String| {
        matches!(
            word.as_str(),
            "each"
                | "per"
                | "every"
                | "je"
                | "jeweils"
                | "pro"
                | "chacun"
                | "chaque"
                | "par"
                | "cada"
                | "ciascuno"
                | "ogni"
        )
    };
    words.get(at + 2).is_some_and(is_each) || at > 0 && is_each(&words[at - 1])
}

/// “1080x1350”, “1920 × 1080 px”.
pub(super) fn pixels(lower: &str) -> Option<(u32, u32)> {
    let marked = lower.replace('×', "x");
    marked.split(|letter: char| !letter.is_ascii_digit() && letter != 'x').find_map(|word| {
        let (width, height) = word.split_once('x')?;
        let (width, height): (u32, u32) = (width.parse().ok()?, height.parse().ok()?);
        ((200..=8192).contains(&width) && (200..=8192).contains(&height)).then_some((width, height))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_pages() {
        for (text, count) in [
            ("8 slides", Some(8)),
            ("on one slide", Some(1)),
            ("a 5-page report", Some(5)),
            ("sechs folien", Some(6)),
            ("a single page", Some(1)),
            ("2 weeks", None),
        ] {
            assert_eq!(page_count(text), count, "{text}");
        }
    }
}
