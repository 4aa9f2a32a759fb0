//! Work on many pages on as many threads as the machine has processors for.
//!
//! Results come in the order of the pages, whoever was done first. Threads live no longer than the call.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// No call starts more threads than this.
const MAX_THREADS: usize = 8;

/// What a thread may use of its stack: as much as a program's first one has.
const STACK_BYTES: usize = 8 << 20;

/// Pixels that may be drawn at the same time, so that large pages wait for one another.
const PIXELS_AT_ONCE: u64 = 128_000_000;

/// Works on every item; `largest_px` says how many pixels the largest of them takes. The first error in the order of the
/// items is the result, if there is one.
pub fn for_each<T: Sync, R: Send, E: Send>(
    items: &[T],
    largest_px: u64,
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let in_memory = usize::try_from(PIXELS_AT_ONCE / largest_px.max(1)).unwrap_or(MAX_THREADS).max(1);
    let count = cores.min(MAX_THREADS).min(in_memory).min(items.len());
    if count < 2 {
        return items.iter().map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<R, E>)>> = Mutex::new(Vec::with_capacity(items.len()));
    let run = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return };
            let result = work(item);
            done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..count {
            // Where no thread can be had, the others do its share.
            drop(thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run));
        }
        run();
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_order_and_gives_the_first_error() {
        let numbers: Vec<u32> = (0..100).collect();
        let doubled = for_each(&numbers, 1, |number| Ok::<_, u32>(number * 2));
        assert_eq!(doubled, Ok((0..100).map(|number| number * 2).collect()));
        let failed = for_each(&numbers, 1, |number| if number % 30 == 29 { Err(*number) } else { Ok(()) });
        assert_eq!(failed, Err(29));
        assert_eq!(for_each(&[0_u8; 0], 1, |_| Ok::<_, ()>(())), Ok(Vec::new()));
    }
}
