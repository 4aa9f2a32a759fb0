//! What is said to whoever makes a thing: wishes in a few words, greetings, for whom it is, until when it is needed.

use super::{Clause, judge, words};
use crate::read::page_talk::readers;
use crate::read::style::{AUDIENCES, REMARKS};
use crate::read::vocabulary::TYPED_PLEASE;
use crate::read::{amounts, dates, text};

/// Whether words say that what belongs there comes later: “liefere ich nach”, “names come on Monday”, “tbd”.
pub fn is_put_off(words: &str) -> bool {
    let lower = words.trim().trim_matches(['.', '!', '(', ')', ' ']).to_lowercase();
    let says = [
        "will follow",
        "to follow",
        "follows later",
        "comes later",
        "come later",
        "names come",
        "i'll send",
        "i will send",
        "i send",
        "liefere ich nach",
        "reiche ich nach",
        "kommt noch",
        "kommen noch",
        "folgt noch",
        "folgen noch",
        "wird nachgereicht",
        "to be added",
        "to be defined",
        "to be confirmed",
        "to be announced",
        "still missing",
        "à venir",
        "por definir",
        "da definire",
        "noch offen",
    ]
    .iter()
    .any(|sign| lower.contains(sign));
    lower.split_whitespace().count() <= 8 && says
        || matches!(lower.as_str(), "tbd" | "tbc" | "tba" | "folgt" | "xxx" | "???" | "...")
}

/// The same where it is spoken to whoever makes the thing: there a few words about a look, or words that beg, are wishes.
pub fn judge_spoken(clause: &str) -> Clause {
    if is_wish(&clause.to_lowercase()) { Clause::Instruction } else { judge(clause) }
}

/// “one wine per card”, “first card just the title”.
fn speaks_of_pages(words: &[String]) -> bool {
    words.len() <= 8
        && words.iter().any(|word| {
            matches!(
                word.as_str(),
                "card"
                    | "cards"
                    | "slide"
                    | "slides"
                    | "page"
                    | "pages"
                    | "panel"
                    | "folie"
                    | "folien"
                    | "seite"
                    | "seiten"
            )
        })
        && words.iter().any(|word| {
            matches!(
                word.as_str(),
                "per" | "each" | "first" | "last" | "every" | "pro" | "je" | "erste" | "letzte" | "one" | "jede"
            )
        })
}

/// “dino theme”, “funny pls”, “like old paper”: a few words that end with a thing of looks, or beg for something.
fn is_wish(lower: &str) -> bool {
    let words = words(lower);
    let has_fact = amounts::next_amount(lower, 0)
        .is_some_and(|amount| !amount.prefix.is_empty() || !amount.suffix.is_empty() || amount.value > 20.0)
        || dates::has_moment(lower)
        || lower.contains(['@', '"', '“', ':']);
    if has_fact || words.is_empty() {
        return false;
    }
    if speaks_of_pages(&words) {
        return true;
    }
    // “friendly but firm”: what is contrasted with a look is one.
    if let [one, but, two] = words.as_slice()
        && matches!(but.as_str(), "but" | "aber" | "yet" | "mais" | "pero" | "ma")
        && (super::is_style(one) || super::is_style(two))
    {
        return true;
    }
    let begs = words.iter().any(|word| is_of_chat(word));
    let ends_with_look = words.len() <= 4
        && words.last().is_some_and(|last| {
            matches!(
                last.as_str(),
                "theme"
                    | "look"
                    | "vibe"
                    | "vibes"
                    | "feel"
                    | "feeling"
                    | "style"
                    | "aesthetic"
                    | "colours"
                    | "colors"
                    | "palette"
                    | "typeface"
                    | "font"
                    | "fonts"
                    | "tones"
                    | "lettering"
                    | "stil"
                    | "farben"
                    | "optik"
                    | "schrift"
                    | "töne"
                    | "paper"
                    | "design"
                    | "layout"
                    | "format"
                    | "ink"
                    | "white"
                    | "black"
                    | "type"
            )
        });
    // “Come by bike” likens nothing; “come la carta vecchia” does.
    let is_italian =
        words.get(1).is_none_or(|next| matches!(next.as_str(), "la" | "il" | "lo" | "un" | "una" | "le" | "gli" | "i"));
    let likens = |word: &str| {
        matches!(word, "like" | "wie" | "comme" | "como") || word == "come" && (is_italian || words[0] != "come")
    };
    // “red like our oven door”.
    let is_toned = words.len() > 2 && likens(&words[1]) && super::is_made_of_style(&words[0]);
    let is_likened = words.len() <= 6 && (likens(&words[0]) || is_toned);
    (begs && words.len() <= 14) || ends_with_look || is_likened
}

/// Whether a word is one by which people beg and laugh while they type.
fn is_of_chat(word: &str) -> bool {
    TYPED_PLEASE.contains(&word) || matches!(word, "pleaseee" | "lol" | "haha")
}

/// The same for a clause of the paragraph that asks for the thing, where what it shall say stands in paragraphs of its own:
/// there only what is surely a fact is content.
pub fn judge_of_request(clause: &str) -> Clause {
    let bare = clause.trim();
    let has_fact = amounts::amounts(bare).iter().any(|amount| amount.is_price(bare) || amount.suffix.starts_with('%'))
        || bare.contains('@')
        || text::quoted(bare).is_some()
        || readers::speaks_to_readers(bare)
        || (dates::has_moment(bare) && !is_deadline(&bare.to_lowercase()))
        || bare.split_whitespace().any(|word| word.starts_with("www.") || word.starts_with("http"));
    if has_fact { judge(clause) } else { Clause::Instruction }
}

/// “by Thursday”, “bis Freitag”, “for Monday”: until when it is needed.
fn is_deadline(lower: &str) -> bool {
    [
        "by ",
        "until ",
        "bis ",
        "for ",
        "need",
        "brauch",
        "print",
        "have them",
        "heute",
        "today",
        "tomorrow",
        "morgen",
        "pour ",
        "para ",
    ]
    .iter()
    .any(|sign| lower.contains(sign))
        && amounts::next_amount(lower, 0).is_none()
}

/// “for investors”, “for our new hires”, “für die Geschäftsführung”.
pub fn is_audience(lower: &str) -> bool {
    let words = words(lower);
    let begins = ["for", "für", "pour", "para", "per", "to", "at"].contains(&words.first().map_or("", String::as_str));
    let is_aimed = ["aimed at", "audience", "intended for", "meant for", "targeted at", "zielgruppe"]
        .iter()
        .any(|lead| lower.starts_with(lead));
    let named = words.iter().any(|word| AUDIENCES.contains(&word.as_str()));
    // “for grade 3”, “for my year 5 class”, “für die 4. Klasse”, “for kids aged 10”, “for people over 50”.
    let is_of_age = words.len() <= 7
        && words.iter().any(|word| word.chars().any(|letter| letter.is_ascii_digit()))
        && words.iter().any(|word| {
            matches!(
                word.as_str(),
                "grade"
                    | "grades"
                    | "graders"
                    | "year"
                    | "class"
                    | "klasse"
                    | "aged"
                    | "age"
                    | "ages"
                    | "olds"
                    | "old"
                    | "over"
                    | "jährige"
                    | "classe"
                    | "clase"
                    | "ans"
                    | "años"
            )
        })
        && !dates::has_moment(lower);
    is_aimed || (begins && named && words.len() <= 5) || (begins && is_of_age)
}

/// Greetings, thanks, dates by which it is needed: what is said to a person and not on a page.
pub(super) fn is_talk(lower: &str) -> bool {
    #[rustfmt::skip]
    const WHOLE: &[&str] = &[
        "thanks", "thank you", "thx", "cheers", "many thanks", "thanks a lot", "thanks!", "ty", "best", "best regards", "kind regards", "regards",
        "hi", "hello", "hey", "hi there", "hi team", "hello team", "hey team", "hi all", "asap", "danke", "vielen dank", "lg", "vg", "mfg",
        "viele grüße", "liebe grüße", "beste grüße", "mit freundlichen grüßen", "hallo", "moin", "hallo zusammen", "hallo team", "merci", "bonjour",
        "that's the title", "that is the title", "das ist der titel", "that's it", "thats it", "that's all", "thats all", "ok so", "okay so", "okay", "so", "anyway", "ok bye", "okay bye", "bye", "cordialement", "gracias", "hola", "un saludo", "saludos", "grazie", "ciao", "saluti", "etc", "usw", "please", "bitte", "thanks in advance",
        "danke im voraus", "danke schon mal", "danke dir", "ok", "fwd", "fw", "re",
    ];
    #[rustfmt::skip]
    const PARTS: &[&str] = &[
        "need it by", "needed by", "need this by", "by tomorrow", "by end of day", "by eod", "as soon as possible", "so schnell wie möglich",
        "brauche ich bis", "brauchen wir bis", "bis morgen früh", "schon mal danke", "can you make", "could you make", "can you do", "could you do",
        "can you put together", "can you turn", "could you turn", "turn this into", "turn it into", "turn the", "make this into", "kannst du mir",
        "könntest du", "daraus bitte", "mach daraus", "let me know if", "sag bescheid", "sent from my iphone", "see below", "see attached",
        "siehe unten", "siehe anhang", "from the attached", "the attached file", "based on the attached", "use the attached", "aus der angehängten",
        "aus dem anhang", "at your disposal", "look forward to hearing", "hesitate to", "stehe ich gern", "stehen wir gern", "à votre disposition",
        "a su disposición", "a disposizione per",
    ];
    let bare = lower.trim_matches(|letter: char| !letter.is_alphanumeric());
    let is_remark = lower.split_whitespace().count() <= 14 && REMARKS.iter().any(|part| lower.contains(part));
    is_remark || WHOLE.contains(&bare) || (PARTS.iter().any(|part| lower.contains(part)) && !lower.contains('"'))
}

/// Whether a clause in Japanese says how a thing shall look: “落ち着いた色で”, “やさしいピンク”, “かわいく”.
pub fn is_japanese_manner(clause: &str) -> bool {
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
pub fn is_chinese_manner(clause: &str) -> bool {
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
