//! What a notice offers as a number: a reward.
//!
//! What holds: the number stands large, and every word of the sentence stands beside it. Deliberately not here: prices of things
//! (`menu_items`), and so much off a price, which is a detail: as the only number of a story it leaves too few ways to arrange it.

use super::state::Reader;
use crate::content::{Figure, Matter};
use crate::read::kinds::Kind;
use crate::read::parts::Part;
use crate::read::{amounts, text};

/// Words for what is given to whoever finds something, in small letters.
#[rustfmt::skip]
const REWARDS: &[&str] = &[
    "reward", "finder's reward", "cash reward", "finderlohn", "belohnung", "récompense", "recompensa", "ricompensa", "beloning",
];

/// “Reward £100”, “Belohnung: 50 €”.
fn reward_of(words: &str) -> Option<Figure> {
    let found = amounts::amounts(words);
    let [amount] = found.as_slice() else { return None };
    let label = words[..amount.start].trim().trim_end_matches([':', '–', '-', ' ']);
    let is_alone = words[amount.end..].trim_matches(['.', '!', ' ']).is_empty();
    (is_alone && amount.is_price(words) && REWARDS.contains(&label.to_lowercase().as_str()))
        .then(|| Figure { value: amount.written(words).to_owned(), label: text::capitalize(label) })
}

impl Reader {
    /// A reward on a thing that is seen from afar; says whether it was taken.
    pub(super) fn take_offered(&mut self, words: &str) -> bool {
        let is_seen = matches!(self.kind, Kind::Poster | Kind::Flyer | Kind::Post | Kind::Story);
        let figure = reward_of(words).filter(|_| is_seen && !self.title.is_empty());
        let Some(figure) = figure else { return false };
        let matters = vec![Matter::Figures { lead: String::new(), figures: vec![figure] }];
        // Whoever reads a notice sees what is offered before the rest.
        self.parts.insert(0, Part { matters, ..Part::default() });
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
}
