//! Whole numbers that a page can hold exactly.
//!
//! A page's numbers are doubles, exact up to 2^53 - 1; sizes and counts are `u64` here. Always true: a [`WholeNumber`]
//! never exceeds that bound (9 PB as a size), so nothing is rounded on its way to the screen.

use serde::{Deserialize, Serialize};

/// The largest whole number that a double holds exactly together with all smaller ones.
pub const LARGEST: u64 = (1 << 53) - 1;

/// A size in bytes, a count or a span in milliseconds, as the page gets it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[specta(inline)]
pub struct WholeNumber(#[specta(type = u32)] u64);

impl WholeNumber {
    /// The number itself.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl From<u64> for WholeNumber {
    /// Numbers above [`LARGEST`] become it.
    fn from(number: u64) -> Self {
        Self(number.min(LARGEST))
    }
}

impl From<usize> for WholeNumber {
    fn from(number: usize) -> Self {
        Self::from(u64::try_from(number).unwrap_or(LARGEST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_too_large_for_the_page_becomes_the_largest() {
        for (given, kept) in [(0, 0), (LARGEST, LARGEST), (LARGEST + 1, LARGEST), (u64::MAX, LARGEST)] {
            assert_eq!(WholeNumber::from(given).get(), kept);
        }
        assert_eq!(serde_json::to_string(&WholeNumber::from(7_u64)).unwrap(), "7");
    }
}
