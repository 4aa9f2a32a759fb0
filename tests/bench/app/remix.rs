//! From the click on Remix to the placeholder on the screen.

use easel_tests::desktop::Keychain;
use easel_tests::figures::{self, Target};
use easel_tests::journey::Journey;
use easel_tests::patience::wait_for;
use easel_tests::window::PATIENCE;

const RUNS: usize = 9;
const LIMIT_MS: f64 = 100.0;

/// Prints it.
pub async fn measure() {
    let journey = Journey::begin(Keychain::Unlocked).await;
    let window = &journey.window;
    journey.start_on_this_computer().await;
    window.click("rail-designs").await;
    window.find("design-card").await;
    let mut times_ms = Vec::new();
    for run in 0..RUNS {
        // Another design each time: a second click on the same one so soon would be the same request.
        let script = format!(
            "const done = arguments[arguments.length - 1]; \
             const cards = document.querySelectorAll('[data-testid=design-card]'); \
             const button = cards[{run} % cards.length].querySelector('[data-testid=design-remix]'); \
             const count = () => document.querySelectorAll('[data-testid=design-coming], [data-testid=design-fresh]').length; \
             const before = count(); \
             const began = performance.now(); \
             const look = () => count() > before ? requestAnimationFrame(() => done(performance.now() - began)) \
                                                 : requestAnimationFrame(look); \
             button.click(); look()"
        );
        times_ms.push(window.ask(&script).await.as_f64().expect("a time"));
        wait_for(
            "the copy",
            PATIENCE,
            async || {
                if window.has("design-coming").await { Err("still coming") } else { Ok(()) }
            },
        )
        .await;
        wait_for("the copy's mark to go", PATIENCE, async || {
            if window.has("design-fresh").await { Err("still marked") } else { Ok(()) }
        })
        .await;
    }
    figures::write("click on Remix to its placeholder", figures::median(times_ms), "ms", Target::AtMost(LIMIT_MS));
}
