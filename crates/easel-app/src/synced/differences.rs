//! Compares two texts by lines.
//!
//! Always true: both texts come bounded, and so does the result: unchanged lines only around the others; of long lines
//! the beginning; no more rows than a page can show at once. Letters that turn others round have a visible sign. Not
//! here: whether a file is a text, and reading it.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use similar::{DiffOp, TextDiff};

use crate::messages;
use crate::number::WholeNumber;

/// Unchanged lines that are shown before and after the others.
const AROUND: usize = 3;
/// The most rows of a result.
const MOST_ROWS: usize = 2_000;
/// The most characters of a line that are shown.
const MOST_LINE_CHARS: usize = 1_000;
/// Texts that have next to nothing in common are compared no longer than this; what is told then is true, but more than need be.
const PATIENCE: Duration = Duration::from_millis(500);

/// What two texts have in common, and what they do not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct TextDifferences {
    /// Line by line, what is far from any difference left out.
    pub rows: Vec<DifferenceRow>,
    /// Lines that only the file with the name has, or has otherwise.
    pub original_lines: WholeNumber,
    /// Lines that only the copy has, or has otherwise.
    pub copy_lines: WholeNumber,
    /// There is more of it that is not shown.
    pub is_cut: bool,
}

/// A row of two texts side by side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DifferenceRow {
    /// Both have the line. Where neither is told, lines that both have are left out here.
    pub is_same: bool,
    /// The line of the file with the name; `null` where it has none here.
    pub original: Option<DifferenceLine>,
    /// The line of the copy; `null` where it has none here.
    pub copy: Option<DifferenceLine>,
}

/// A line of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct DifferenceLine {
    /// From 1.
    pub number: WholeNumber,
    /// What it says, without its end; the beginning of a very long one.
    pub text: String,
}

/// Compares two texts, or the beginnings of two where `is_cut`.
pub(super) fn compare(original: &str, copy: &str, is_cut: bool) -> TextDifferences {
    let diff = TextDiff::configure().timeout(PATIENCE).diff_lines(original, copy);
    let (old, new) = (diff.old_slices(), diff.new_slices());
    let mut told = TextDifferences { rows: Vec::new(), original_lines: 0_u64.into(), copy_lines: 0_u64.into(), is_cut };
    let (mut original_lines, mut copy_lines) = (0_usize, 0_usize);
    let mut end = (0, 0);
    for group in diff.grouped_ops(AROUND) {
        let begin = group.first().map_or(end, |op| (op.old_range().start, op.new_range().start));
        if begin != end {
            told.rows.push(DifferenceRow { is_same: true, original: None, copy: None });
        }
        for op in &group {
            end = (op.old_range().end, op.new_range().end);
            let is_same = matches!(op, DiffOp::Equal { .. });
            if !is_same {
                original_lines += op.old_range().len();
                copy_lines += op.new_range().len();
            }
            for row in 0..op.old_range().len().max(op.new_range().len()) {
                if told.rows.len() >= MOST_ROWS {
                    told.is_cut = true;
                    break;
                }
                let mut line = |range: std::ops::Range<usize>, lines: &[&str]| {
                    let at = range.start + row;
                    (at < range.end).then(|| {
                        let (line, is_cut) = show(at, lines.get(at).copied().unwrap_or_default());
                        told.is_cut |= is_cut;
                        line
                    })
                };
                let (original, copy) = (line(op.old_range(), old), line(op.new_range(), new));
                told.rows.push(DifferenceRow { is_same, original, copy });
            }
        }
    }
    if !told.rows.is_empty() && end != (old.len(), new.len()) && told.rows.len() < MOST_ROWS {
        told.rows.push(DifferenceRow { is_same: true, original: None, copy: None });
    }
    (told.original_lines, told.copy_lines) = (original_lines.into(), copy_lines.into());
    told
}

/// A line as it is shown, and whether there is more of it. Letters that turn others round are replaced only here, after
/// the comparison, because they all get the same sign.
fn show(at: usize, text: &str) -> (DifferenceLine, bool) {
    let text = text.trim_end_matches(['\n', '\r']);
    let cut = text.char_indices().nth(MOST_LINE_CHARS).map(|(end, _)| format!("{}…", &text[..end]));
    let is_cut = cut.is_some();
    let shown = cut.unwrap_or_else(|| text.to_owned());
    (DifferenceLine { number: (at + 1).into(), text: messages::in_order(&shown).into_owned() }, is_cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `=`, `<` only in the original, `>` only in the copy, `|` other in each, `…` left out.
    fn told(original: &str, copy: &str) -> Vec<String> {
        let number = |line: &Option<DifferenceLine>| line.as_ref().map_or(0, |line| line.number.get());
        let rows = compare(original, copy, false).rows;
        rows.iter()
            .map(|row| {
                let sign = match (row.is_same, &row.original, &row.copy) {
                    (_, None, None) => return "…".to_owned(),
                    (true, ..) => "=",
                    (false, Some(_), Some(_)) => "|",
                    (false, Some(_), None) => "<",
                    (false, None, _) => ">",
                };
                format!("{}{sign}{}", number(&row.original), number(&row.copy))
            })
            .collect()
    }

    #[test]
    fn lines_that_differ_stand_beside_each_other_with_what_is_around_them() {
        assert_eq!(told("a\nb\nc\n", "a\nB\nc\n"), ["1=1", "2|2", "3=3"]);
        assert_eq!(told("a\nb\n", "a\nb\nc\nd\n"), ["1=1", "2=2", "0>3", "0>4"]);
        assert_eq!(told("a\nb\n", "b\n"), ["1<0", "2=1"]);
        assert_eq!(told("", "b\n"), ["0>1"]);
        assert_eq!(told("a\n", "a\n"), Vec::<String>::new());
        let long: String = (0..20).map(|line| format!("{line}\n")).collect();
        let edited = long.replace("9\n", "nine\n").replace("1nine", "19");
        assert_eq!(told(&long, &edited), ["…", "7=7", "8=8", "9=9", "10|10", "11=11", "12=12", "13=13", "…"]);
    }

    #[test]
    fn what_is_told_is_bounded_and_counts_all_of_it() {
        let many: String = (0..5_000).map(|line| format!("{line}\n")).collect();
        let found = compare(&many, "", false);
        assert_eq!((found.rows.len(), found.is_cut), (MOST_ROWS, true));
        assert_eq!((found.original_lines.get(), found.copy_lines.get()), (5_000, 0));
        let wide = "ü".repeat(3_000);
        let found = compare("", &wide, false);
        assert!(found.is_cut, "more of the line is not shown");
        let line = found.rows[0].copy.as_ref().unwrap();
        assert_eq!(line.text.chars().count(), MOST_LINE_CHARS + 1);
        let turned = compare("", "a\u{202E}b\r\n", false);
        assert_eq!(turned.rows[0].copy.as_ref().unwrap().text, "a\u{FFFD}b");
        assert!(!turned.is_cut);
        assert_eq!(told("a\u{202E}b\n", "a\u{202D}b\n"), ["1|1"], "they differ, though they are shown alike");
    }
}
