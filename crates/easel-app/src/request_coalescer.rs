//! Makes one request of clicks that come together: a double click, or a second click before the first was seen to work.
//!
//! Always true: the same request within [`SAME_REQUEST`] is made once and answered alike; if it failed, it may be made
//! again at once. Not here: what makes two requests the same (the caller names them).

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OnceCell;
use tokio::time::Instant;

use crate::problem::Problem;

/// Clicks within this time count as one request; a double click takes half of it.
const SAME_REQUEST: Duration = Duration::from_secs(1);

type Answer<T> = Arc<OnceCell<Result<T, Problem>>>;

/// The requests of the last moment and what came of them.
#[derive(Debug)]
pub(crate) struct RequestCoalescer<T> {
    recent: Mutex<HashMap<String, (Instant, Answer<T>)>>,
}

impl<T> Default for RequestCoalescer<T> {
    fn default() -> Self {
        Self { recent: Mutex::default() }
    }
}

impl<T: Clone> RequestCoalescer<T> {
    /// Carries out `act`, or answers with what the request of the same `key` of a moment ago came to.
    pub(crate) async fn once(&self, key: String, act: impl Future<Output = Result<T, Problem>>) -> Result<T, Problem> {
        let answer = self.answer_of(key);
        answer.get_or_init(|| act).await.clone()
    }

    fn answer_of(&self, key: String) -> Answer<T> {
        let now = Instant::now();
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        recent.retain(|_, (at, answer)| {
            let failed = answer.get().is_some_and(Result::is_err);
            !failed && now.duration_since(*at) < SAME_REQUEST
        });
        let (_, answer) = recent.entry(key).or_insert_with(|| (now, Answer::default()));
        Arc::clone(answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[tokio::test(start_paused = true)]
    async fn a_double_click_acts_once_and_a_later_click_again() {
        let clicks = RequestCoalescer::<u32>::default();
        let acts = AtomicU32::new(0);
        let act = || async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            Ok(acts.fetch_add(1, Ordering::Relaxed))
        };
        let both = tokio::join!(clicks.once("a".to_owned(), act()), clicks.once("a".to_owned(), act()));
        assert_eq!(both, (Ok(0), Ok(0)));
        assert_eq!(clicks.once("b".to_owned(), act()).await, Ok(1), "another request");
        assert_eq!(clicks.once("a".to_owned(), act()).await, Ok(0), "600 ms after the first");
        tokio::time::advance(SAME_REQUEST).await;
        assert_eq!(clicks.once("a".to_owned(), act()).await, Ok(2));
    }

    #[tokio::test(start_paused = true)]
    async fn what_failed_may_be_wished_for_again_at_once() {
        let clicks = RequestCoalescer::<u32>::default();
        let refused = messages::problem("not_found", &[]);
        let failed = clicks.once("a".to_owned(), async { Err(refused.clone()) }).await;
        assert_eq!(failed, Err(refused));
        assert_eq!(clicks.once("a".to_owned(), async { Ok(7) }).await, Ok(7));
    }
}
