//! Where a line may end.
//!
//! By the rules of Unicode (UAX #14), the strict ones: no line of Japanese begins with a small kana, a closing bracket or a full
//! stop. On top of them stands what each script is used to: Thai, Lao, Khmer and Burmese, which have no spaces, break between
//! words; Korean breaks at its spaces; a row of katakana, which is one word, stays whole while it is short. Deliberately not here:
//! which of these places is taken (`lines`), and hyphens.

use std::cell::RefCell;
use std::collections::HashMap;

use icu_segmenter::LineSegmenter;
use icu_segmenter::options::LineBreakOptions;
use unicode_linebreak::{BreakOpportunity, linebreaks};
use unicode_segmentation::UnicodeSegmentation as _;

/// Texts of which a thread remembers where they break.
const REMEMBERED: usize = 2_000;

/// Letters of the longest row of katakana that is kept whole.
const LONGEST_KATAKANA: usize = 9;

/// Letters of the longest word with a hyphen that is kept whole.
const LONGEST_WHOLE: usize = 9;

thread_local! {
    static BY_WORDS: RefCell<HashMap<String, Vec<usize>>> = RefCell::default();
}

/// The places after which a line may end, and whether it has to.
pub fn find(text: &str) -> Vec<(usize, bool)> {
    let plain = || linebreaks(text).map(|(at, kind)| (at, kind == BreakOpportunity::Mandatory));
    if text.is_ascii() {
        return plain().filter(|(at, is_mandatory)| *is_mandatory || !parts_short_piece(text, *at)).collect();
    }
    if text.chars().any(is_without_spaces) {
        let words = breaks_by_words(text);
        let mandatory: Vec<usize> = plain().filter(|(_, is_mandatory)| *is_mandatory).map(|(at, _)| at).collect();
        return words.into_iter().map(|at| (at, mandatory.contains(&at))).collect();
    }
    plain()
        .filter(|(at, is_mandatory)| *is_mandatory || !is_within_word(text, *at) && !parts_short_piece(text, *at))
        .collect()
}

/// “Co-op”, “(m/w/d)”: behind a hyphen or a stroke no line ends where that would leave two letters or fewer at a side, nor within
/// a word as short as “bug-free”.
fn parts_short_piece(text: &str, at: usize) -> bool {
    let Some(mark) = text[..at].chars().next_back().filter(|mark| matches!(mark, '-' | '/')) else { return false };
    let letters = |letter: &char| letter.is_alphanumeric();
    let before = text[..at - mark.len_utf8()].chars().rev().take_while(letters).count();
    let behind = text[at..].chars().take_while(letters).count();
    let is_short = mark == '-' && before > 0 && behind > 0 && before + behind <= LONGEST_WHOLE;
    (1..=2).contains(&before) || (1..=2).contains(&behind) || is_short
}

/// What a reader takes for one letter each.
pub fn clusters(text: &str) -> impl Iterator<Item = &str> {
    text.graphemes(true)
}

/// Scripts that set words apart by their meaning alone: Thai, Lao, Burmese, Khmer.
fn is_without_spaces(letter: char) -> bool {
    matches!(letter, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

fn breaks_by_words(text: &str) -> Vec<usize> {
    BY_WORDS.with_borrow_mut(|known| {
        if let Some(breaks) = known.get(text) {
            return breaks.clone();
        }
        let breaks: Vec<usize> =
            LineSegmenter::new_lstm(LineBreakOptions::default()).segment_str(text).filter(|at| *at > 0).collect();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(text.to_owned(), breaks.clone());
        breaks
    })
}

/// Whether a place that Unicode allows stands within what is read as one word.
fn is_within_word(text: &str, at: usize) -> bool {
    let (Some(before), Some(behind)) = (text[..at].chars().next_back(), text[at..].chars().next()) else {
        return false;
    };
    let is_hangul = |letter: char| matches!(letter, '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7af}');
    if is_hangul(before) && (is_hangul(behind) || behind.is_alphanumeric())
        || is_hangul(behind) && before.is_alphanumeric()
    {
        return true;
    }
    if is_katakana(before) && is_katakana(behind) {
        let front = text[..at].chars().rev().take_while(|letter| is_katakana(*letter)).count();
        let back = text[at..].chars().take_while(|letter| is_katakana(*letter)).count();
        return front + back <= LONGEST_KATAKANA;
    }
    // A number keeps what it counts: 19時, 500円.
    before.is_numeric()
        && matches!(
            behind,
            '年' | '月' | '日' | '時' | '分' | '円' | '人' | '元' | '点' | '號' | '号' | '歳' | '名' | '回' | '階'
        )
}

fn is_katakana(letter: char) -> bool {
    matches!(letter, '\u{30a0}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}') && letter != '・'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Vec<&str> {
        let mut begin = 0;
        find(text)
            .into_iter()
            .map(|(end, _)| {
                let piece = &text[begin..end];
                begin = end;
                piece
            })
            .collect()
    }

    #[test]
    fn breaks_each_script_where_its_readers_are_used_to_it() {
        for (text, expected) in [
            ("two words", &["two ", "words"][..]),
            ("Co-op shop-window", &["Co-op ", "shop-", "window"]),
            ("(m/w/d)", &["(m/w/d)"]),
            ("a bug-free night-time", &["a ", "bug-free ", "night-time"]),
            // Thai has no spaces: สวัสดี (hello), ชาว (people of), โลก (world).
            ("สวัสดีชาวโลก", &["สวัสดี", "ชาว", "โลก"]),
            ("한국어 포스터를 그립니다", &["한국어 ", "포스터를 ", "그립니다"]),
            ("夏のワークショップ", &["夏", "の", "ワークショップ"]),
            // No line begins with a full stop, a closing bracket or a small kana.
            ("祭り（夏）。", &["祭", "り", "（夏）。"]),
            ("行った", &["行っ", "た"]),
            ("19時に", &["19時", "に"]),
            ("茶館，今晚", &["茶", "館，", "今", "晚"]),
        ] {
            assert_eq!(pieces(text), expected, "{text}");
        }
    }

    #[test]
    fn ends_a_line_where_the_text_does() {
        assert_eq!(find("ก\nข"), [("ก\n".len(), true), ("ก\nข".len(), true)]);
    }

    #[test]
    fn never_parts_a_letter_from_its_marks() {
        assert_eq!(clusters("ที่नि").collect::<Vec<_>>(), ["ที่", "नि"]);
    }
}
