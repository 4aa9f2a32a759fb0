//! Whether a rate falls as more gets done: each file costs a little more where the trees of the databases grow. An
//! estimate from the present rate alone would be too short until the end.
//!
//! Pure: times and counts are handed in. A straight line is drawn through what each piece cost (least squares, where what
//! is long ago counts less), and believed as far as it is more than chance. Always true: a prediction differs from the
//! present rate by a bounded factor. Not here: the present rate, and what the time is shown for (`estimate`).

/// The memory, in milliseconds: long enough to tell a slope from chance, short enough to notice that it has changed.
const MEMORY_MS: f64 = 20_000.0;
/// Samples are taken over at least this time, in milliseconds: within it, files end in bursts.
const SAMPLE_MS: f64 = 500.0;
/// Fewer samples tell nothing of a slope.
const FEWEST_SAMPLES: f64 = 8.0;
/// By no more than this factor does a prediction slow the present rate down.
const MOST_SLOWER: f64 = 1.5;
/// A slope counts as far as it exceeds so many times its own error.
const ERRORS: f64 = 1.0;

/// See the module.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Trend {
    /// Where the next sample begins: when, and at what count.
    began: Option<(f64, f64)>,
    /// How many samples there are, those long ago counting less.
    samples: f64,
    /// The weighted means of the count and of the cost, and the products of their deviations.
    count: f64,
    cost: f64,
    count_count: f64,
    count_cost: f64,
    cost_cost: f64,
}

impl Trend {
    /// Takes in a count at a time in milliseconds. A count that fell begins anew.
    pub(crate) fn observe(&mut self, now_ms: f64, count: f64) {
        let Some((began_ms, before)) = self.began else {
            self.began = Some((now_ms, count));
            return;
        };
        if count < before {
            *self = Self { began: Some((now_ms, count)), ..Self::default() };
            return;
        }
        let elapsed_ms = now_ms - began_ms;
        if elapsed_ms < SAMPLE_MS || count <= before {
            return;
        }
        self.began = Some((now_ms, count));
        let kept = (-elapsed_ms / MEMORY_MS).exp();
        self.add(kept, before.midpoint(count), elapsed_ms / (count - before));
    }

    /// Moves the point of comparison without counting the time in between.
    pub(crate) fn skip(&mut self, now_ms: f64, count: f64) {
        self.began = Some((now_ms, count));
    }

    /// Adds a sample to the sums, after what they hold was weighed down.
    fn add(&mut self, kept: f64, count: f64, cost: f64) {
        let before = self.samples * kept;
        self.samples = before + 1.0;
        let (by_count, by_cost) = (count - self.count, cost - self.cost);
        let share = before / self.samples;
        self.count += by_count / self.samples;
        self.cost += by_cost / self.samples;
        self.count_count = self.count_count * kept + by_count * by_count * share;
        self.count_cost = self.count_cost * kept + by_count * by_cost * share;
        self.cost_cost = self.cost_cost * kept + by_cost * by_cost * share;
    }

    /// By what factor the next `left` pieces after `count` cost more each than those lately, whose rate has a memory of
    /// `memory_ms`; 1 where nothing tells so.
    pub(crate) fn slowdown(&self, count: f64, left: f64, memory_ms: f64) -> f64 {
        if self.samples < FEWEST_SAMPLES || self.count_count <= 0.0 || self.cost <= 0.0 {
            return 1.0;
        }
        let slope = self.count_cost / self.count_count;
        let rest = (self.cost_cost - slope * self.count_cost).max(0.0) / (self.samples - 2.0);
        let error = (rest / self.count_count).sqrt();
        let believed = slope - ERRORS * error;
        if believed <= 0.0 {
            return 1.0;
        }
        let now = self.cost + believed * (count - self.count);
        // The rate is that of a while ago, by its memory.
        let lately =
            self.cost + believed * (count - memory_ms / now.max(f64::MIN_POSITIVE) - self.count).max(-self.count);
        let later = now + believed * left / 2.0;
        if lately <= 0.0 { 1.0 } else { (later / lately).clamp(1.0, MOST_SLOWER) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of `files` files whose cost grows from `first` to `last` milliseconds, with noise of this share: the trend
    /// once `seen` of them are done.
    fn after(seen: u32, files: u32, (first, last): (f64, f64), noise: f64) -> Trend {
        let mut trend = Trend::default();
        let mut now_ms = 0.0;
        let mut dice = 7_u32;
        for done in 0..seen {
            dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let chance = f64::from(dice >> 16) / 32_768.0 - 1.0;
            let cost = first + (last - first) * f64::from(done) / f64::from(files);
            now_ms += cost * (1.0 + noise * chance);
            if done % 100 == 0 {
                trend.observe(now_ms, f64::from(done));
            }
        }
        trend
    }

    #[test]
    fn a_cost_that_grows_is_told_for_what_is_left() {
        let trend = after(24_000, 60_000, (0.42, 0.53), 0.3);
        let slowdown = trend.slowdown(24_000.0, 36_000.0, 8_000.0);
        // Lately 0.447 each, and 0.497 for the rest.
        assert!((1.07..1.15).contains(&slowdown), "{slowdown}");
    }

    #[test]
    fn what_stays_as_it_is_or_gets_faster_is_left_alone() {
        for costs in [(0.5, 0.5), (0.6, 0.4)] {
            let slowdown = after(24_000, 60_000, costs, 0.5).slowdown(24_000.0, 36_000.0, 8_000.0);
            assert!((1.0..1.03).contains(&slowdown), "{costs:?}: {slowdown}");
        }
    }

    #[test]
    fn a_beginning_tells_nothing_and_no_more_is_believed_than_a_bound() {
        assert!((after(2_000, 60_000, (0.4, 4.0), 0.0).slowdown(2_000.0, 58_000.0, 8_000.0) - 1.0).abs() < 1e-9);
        let slowdown = after(30_000, 60_000, (0.4, 40.0), 0.0).slowdown(30_000.0, 30_000.0, 8_000.0);
        assert!((slowdown - MOST_SLOWER).abs() < 1e-9, "{slowdown}");
    }

    #[test]
    fn a_count_that_begins_anew_forgets() {
        let mut trend = after(24_000, 60_000, (0.42, 0.53), 0.0);
        trend.observe(1e9, 1.0);
        assert!((trend.slowdown(1.0, 36_000.0, 8_000.0) - 1.0).abs() < 1e-9);
    }
}
