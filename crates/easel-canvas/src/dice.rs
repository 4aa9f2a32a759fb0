//! Chance that can be repeated: everything that is not decided by content hangs on a seed.

/// A row of numbers that looks random and is the same for the same seed (SplitMix64).
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// The row of a seed; different `purpose`s give rows that have nothing to do with one another.
    pub fn new(seed: u64, purpose: &str) -> Self {
        let salt = purpose
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        Self(seed ^ salt)
    }

    /// The next number.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// A number from 0 to one less than `count`; 0 where there is nothing to choose from.
    pub fn below(&mut self, count: usize) -> usize {
        if count == 0 { 0 } else { (self.roll() % count as u64) as usize }
    }

    /// A number between the two.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        let part = (self.roll() >> 40) as f32 / (1_u64 << 24) as f32;
        low + (high - low) * part
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}
