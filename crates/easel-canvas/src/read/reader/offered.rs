//! What a notice or a post offers as a number: a reward, or so much off a price.
//!
//! What holds: the number stands large, and every word of the sentence stands beside it. Deliberately not here: prices of things
//! (`menu_items`).

use super::state::Reader;
use crate::content::{Figure, Matter};
use crate::read::kinds::Kind;
use crate::read::{amounts, text};

/// Words for what is given to whoever finds something, in small letters.
#[rustfmt::skip]
const REWARDS: &[&str] = &[
    "reward", "finder's reward", "cash reward", "finderlohn", "belohnung", "récompense", "recompensa", "ricompensa", "beloning",
];

/// Words before the things that cost less, and before how much.
#[rustfmt::skip]
const ON_WHAT: &[&str] = &["on", "off", "auf", "sur", "en", "su", "sul", "sulla", "sui", "sulle", "op", "em", "rabatt", "de"];

/// “Reward £100”, “Belohnung: 50 €”.
fn reward_of(words: &str) -> Option<Figure> {
    let found = amounts::amounts(words);
    let [amount] = found.as_slice() else { return None };
    let label = words[..amount.start].trim().trim_end_matches([':', '–', '-', ' ']);
    let is_alone = words[amount.end..].trim_matches(['.', '!', ' ']).is_empty();
    (is_alone && amount.is_price(words) && REWARDS.contains(&label.to_lowercase().as_str()))
        .then(|| Figure { value: amount.written(words).to_owned(), label: text::capitalize(label) })
}

/// “minus 20 % on all boots”, “15 % Rabatt auf Räder”: so much off, and of what.
fn discount_of(words: &str) -> Option<Figure> {
    let found = amounts::amounts(words);
    let [amount] = found.as_slice() else { return None };
    let before = text::words(&words[..amount.start]);
    let behind = text::words(&words[amount.end..]);
    let is_less =
        before.iter().all(|word| matches!(word.as_str(), "minus" | "moins" | "menos" | "meno" | "now" | "jetzt"));
    let is_on = behind.iter().take(2).any(|word| ON_WHAT.contains(&word.as_str())) && behind.len() >= 2;
    let is_share = amount.written(words).ends_with('%') && amount.value < 100.0;
    (is_share && is_less && is_on && words.split_whitespace().count() <= 9).then(|| Figure {
        value: amount.written(words).to_owned(),
        label: text::capitalize(words.trim().trim_end_matches(['.', '!'])),
    })
}

impl Reader {
    /// A reward or a discount on a thing that is seen from afar; says whether it was taken.
    pub(super) fn take_offered(&mut self, words: &str) -> bool {
        let is_seen = matches!(self.kind, Kind::Poster | Kind::Flyer | Kind::Post | Kind::Story);
        let figure = reward_of(words).or_else(|| discount_of(words)).filter(|_| is_seen && !self.title.is_empty());
        let Some(figure) = figure else { return false };
        self.is_within = false;
        self.part().matters.push(Matter::Figures { lead: String::new(), figures: vec![figure] });
        self.is_within = false;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(figure: Option<Figure>) -> Option<String> {
        figure.map(|figure| format!("{} | {}", figure.value, figure.label))
    }

    #[test]
    fn a_reward_is_a_number_with_its_word() {
        assert_eq!(plain(reward_of("Reward: £50")).as_deref(), Some("£50 | Reward"));
        assert_eq!(plain(reward_of("Finderlohn 80 €!")).as_deref(), Some("80 € | Finderlohn"));
        assert_eq!(plain(reward_of("récompense 30 €")).as_deref(), Some("30 € | Récompense"));
        assert_eq!(plain(reward_of("Entry £5")), None);
        assert_eq!(plain(reward_of("Reward for three winners £5")), None);
    }

    #[test]
    fn a_discount_says_on_what() {
        assert_eq!(plain(discount_of("minus 20% on all boots")).as_deref(), Some("20% | Minus 20% on all boots"));
        assert_eq!(plain(discount_of("15 % Rabatt auf Räder")).as_deref(), Some("15 % | 15 % Rabatt auf Räder"));
        assert_eq!(plain(discount_of("20% off")), None);
        assert_eq!(plain(discount_of("We grew by 20% on the year before")), None);
    }
}
