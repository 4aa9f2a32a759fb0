//! The size at which words fit.
//!
//! Always true: sizes are tried from the largest down, each a little smaller than the one before, and as few of them as can be: words
//! that fit at one size fit at every smaller one. Finding the lines of a text is most of what a page costs, and a text that fits at no
//! size would pay it for each. Not here: what fits ([`crate::text`]).

/// A size, of the one before.
const STEP: f32 = 0.955;

/// The largest size from `size` down to `least` that fits, or the least where none does, and what setting the words at it came to.
/// `set` sets them at a size, and says whether they fit.
pub fn find_largest<T>(size: f32, least: f32, mut set: impl FnMut(f32) -> (T, bool)) -> (f32, T) {
    let smaller = |size: &f32| (*size > least).then(|| (size * STEP).max(least));
    let sizes: Vec<f32> = std::iter::successors(Some(size), smaller).collect();
    let last = sizes.len() - 1;
    // Nothing fits up to `low`; each look goes twice as far.
    let (mut low, mut ahead) = (None, 0);
    let (mut high, mut found) = loop {
        let (came, fits) = set(sizes[ahead]);
        if fits {
            break (ahead, came);
        }
        if ahead == last {
            return (sizes[last], came);
        }
        low = Some(ahead);
        ahead = (2 * ahead + 1).min(last);
    };
    while let Some(tried) = low.filter(|tried| high - tried > 1) {
        let middle = usize::midpoint(tried, high);
        let (came, fits) = set(sizes[middle]);
        if fits {
            (high, found) = (middle, came);
        } else {
            low = Some(middle);
        }
    }
    (sizes[high], found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_the_one_that_trying_all_of_them_finds_and_few_are_tried() {
        for limit in [200.0, 100.0, 99.0, 95.5, 95.4, 80.0, 51.0, 50.0, 20.0] {
            for least in [100.0, 99.0, 50.0] {
                let mut size = 100.0_f32;
                while size > limit && size > least {
                    size = (size * STEP).max(least);
                }
                let mut tried = 0;
                let found = find_largest(100.0, least, |size| {
                    tried += 1;
                    (size, size <= limit)
                });
                assert_eq!(found, (size, size), "{limit}, {least}");
                assert!(tried <= 8, "{limit}, {least}: {tried}");
            }
        }
    }
}
