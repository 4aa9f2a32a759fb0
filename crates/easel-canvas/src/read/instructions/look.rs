//! Whether words speak of how a thing shall look: its style, colours, size, number of pages, language.
//!
//! Deliberately not here: which words those are (`style`, `colors`, `vocabulary`), and what a whole clause is (`clause`).

use super::count::{page_count, pixels};
use crate::brief::size_of_label;
use crate::color::Rgb;
use crate::read::style::{self, DESIGN, GLUE, MEDIA, STYLE};
use crate::read::text::{self, words};
use crate::read::vocabulary::{NUMBER_WORDS, PAGE_WORDS};
use crate::read::{amounts, colors, kinds};

/// Whether every word speaks of look, size, pages or audience, and one at least does so by itself.
pub fn is_made_of_style(lower: &str) -> bool {
    // “traffic lights please”, “mit Ampelfarben”: the colours by which a state is shown.
    let told = lower.replace("traffic lights", "colours").replace("traffic light", "").replace("ampelfarben", "farben");
    let lower = told.as_str();
    // “Instagram 17%” is a number and its name.
    let has_number =
        amounts::next_amount(lower, 0).is_some_and(|amount| amount.suffix.starts_with('%') || amount.is_price(lower));
    if has_number || kinds::tells_of_itself(lower) {
        return false;
    }
    let words = words(lower);
    let is_counted = page_count(lower).is_some();
    let is_sized = size_of_label(lower).is_some() || pixels(lower).is_some();
    let named: Vec<String> =
        kinds::all(lower).iter().flat_map(|named| text::words(&lower[named.start..named.end])).collect();
    let is_color_led = colors::begins_as_colors(lower);
    let mut is_any = is_counted || is_sized;
    let fits = !words.is_empty()
        && words.iter().all(|word| {
            let word = word.as_str();
            if GLUE.contains(&word) || MEDIA.contains(&word) {
                return true;
            }
            // “mint” and “orange” are as often those of a drink.
            if colors::is_doubtful(word) || colors::is_tone(word) {
                is_any |= is_color_led || STYLE.contains(&word);
                return true;
            }
            let is_color =
                colors::is_color(word) || (Rgb::parse(word).is_some() && word.len() == 6 && lower.contains('#'));
            let is_style = style::is_of_style(word);
            let is_measure = matches!(
                word,
                "cm" | "mm" | "din" | "inch" | "inches" | "hoch" | "quer" | "hochkant" | "vertical" | "horizontal"
            );
            let speaks = is_sheet(word)
                || is_measure
                || is_style
                || is_color
                || DESIGN.contains(&word)
                || LANGUAGE_WORDS.contains(&word);
            is_any |= speaks;
            let is_page = PAGE_WORDS.contains(&word)
                || (is_counted && (word.parse::<u32>().is_ok() || NUMBER_WORDS.iter().any(|(name, _)| *name == word)));
            let is_size = is_sized
                && (word.chars().any(|letter| letter.is_ascii_digit())
                    || matches!(
                        word,
                        "instagram"
                            | "linkedin"
                            | "facebook"
                            | "pinterest"
                            | "letter"
                            | "square"
                            | "px"
                            | "pixels"
                            | "pixel"
                            | "hochformat"
                            | "querformat"
                            | "quer"
                            | "hoch"
                    ));
            let is_joined_page = is_counted
                && word.chars().next().is_some_and(|first| first.is_ascii_digit())
                && !word.is_ascii()
                && words.len() <= 2;
            speaks || is_page || is_joined_page || is_size || named.iter().any(|name| name == word)
        });
    fits && is_any
}

/// Whether a word is the size of a sheet: `A3`, `DL`, `10x21`.
pub fn is_sheet(word: &str) -> bool {
    let mut letters = word.chars();
    let is_series =
        matches!(letters.next(), Some('a')) && word.len() == 2 && letters.all(|letter| ('0'..='7').contains(&letter));
    let is_measured = word.split_once(['x', '×']).is_some_and(|(width, height)| {
        width.parse::<f32>().is_ok()
            && height.trim_end_matches(|letter: char| letter.is_alphabetic()).parse::<f32>().is_ok()
    });
    is_series || is_measured || word == "dl"
}

/// Whether a word speaks of how a thing shall look or sound.
pub fn is_style(word: &str) -> bool {
    STYLE.contains(&word) || colors::is_color(word)
}

/// Names of languages and of writing in them.
#[rustfmt::skip]
const LANGUAGE_WORDS: &[&str] = &[
    "english", "german", "french", "spanish", "italian", "deutsch", "englisch", "französisch", "spanisch", "italienisch", "deutsche", "englische",
    "bilingual", "zweisprachig", "bilingue", "auf", "français", "anglais", "allemand", "español", "inglés", "italiano", "inglese", "british", "american", "uk", "us",
];

/// Whether a clause in Japanese says how a thing shall look: “落ち着いた色で”, “やさしいピンク”, “かわいく”.
pub(super) fn is_japanese_manner(clause: &str) -> bool {
    #[rustfmt::skip]
    const ENDS: &[&str] = &[
        "色で", "色合いで", "カラーで", "カラー", "風に", "風で", "っぽく", "かわいく", "可愛く", "おしゃれに", "シンプルに", "上品に", "明るく", "楽しく", "にぎやかに",
        "感じで", "雰囲気で", "デザインで", "トーンで", "でお願いします", "にしてください", "で作ってください", "を作ってください", "サイズで", "見やすく", "読みやすく", "大きく",
    ];
    const TONES: &[&str] = &[
        "やさしい",
        "優しい",
        "淡い",
        "明るい",
        "鮮やかな",
        "濃い",
        "薄い",
        "落ち着いた",
        "暖かい",
        "温かい",
        "シックな",
        "ポップな",
    ];
    const COLORS: &[&str] = &[
        "ピンク",
        "ブルー",
        "グリーン",
        "レッド",
        "イエロー",
        "オレンジ",
        "ベージュ",
        "ブラウン",
        "グレー",
        "青",
        "赤",
        "緑",
        "黄色",
        "黒",
        "白",
        "紺",
        "紫",
        "茶色",
        "色",
    ];
    let bare = clause.trim().trim_end_matches(['。', '！', '、']);
    let has_number = bare.chars().any(|letter| letter.is_ascii_digit());
    let is_toned = || {
        TONES.iter().any(|tone| bare.starts_with(tone))
            && COLORS.iter().any(|color| bare.trim_end_matches('で').ends_with(color))
    };
    !has_number && bare.chars().count() <= 24 && (ENDS.iter().any(|end| bare.ends_with(end)) || is_toned())
}

/// Whether a clause in Chinese says how a thing shall look or be made: “风格喜庆”, “以红色和金色为主”, “不要放照片”.
pub(super) fn is_chinese_manner(clause: &str) -> bool {
    #[rustfmt::skip]
    const LEADS: &[&str] = &[
        "风格", "風格", "色调", "色調", "配色", "颜色", "顏色", "主色", "整体", "整體", "设计", "設計", "版面", "版式", "排版", "字体", "字體", "尺寸", "背景用", "背景要", "画面", "畫面", "语气", "語氣",
        "请用", "請用", "请使用", "請使用", "请不要", "請不要", "请做", "請做", "请帮", "請幫", "帮我做", "幫我做",
    ];
    #[rustfmt::skip]
    const ENDS: &[&str] = &[
        "为主", "為主", "风格", "風格", "色调", "色調", "色系", "大一点", "大一點", "大一些", "小一点", "醒目一点", "简洁一点", "就好", "就行", "即可", "简洁大方", "簡潔大方", "竖版", "豎版", "横版", "橫版",
    ];
    const REFUSED: &[&str] = &["图", "圖", "照片", "文字", "字", "颜色", "顏色", "花", "复杂", "複雜", "红色", "紅色"];
    let clauses: Vec<&str> =
        clause.split(['，', ',', '、', '；', '。', '！']).map(str::trim).filter(|part| !part.is_empty()).collect();
    let is_manner = |part: &&str| {
        let is_refused = ["不要", "别用", "別用", "不用"].iter().any(|lead| part.starts_with(lead))
            && REFUSED.iter().any(|thing| part.ends_with(thing));
        !part.contains([':', '：', '「', '“'])
            && part.chars().count() <= 16
            && (LEADS.iter().any(|lead| part.starts_with(lead))
                || ENDS.iter().any(|end| part.ends_with(end))
                || is_refused)
    };
    !clauses.is_empty() && clauses.iter().all(is_manner)
}
