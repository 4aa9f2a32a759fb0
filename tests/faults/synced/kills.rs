//! The engine, ended by SIGKILL at random moments, and started again.

use std::time::Duration;

use easel_tests::samples::{Noise, write_noise};
use easel_tests::soak;
use easel_tests::synced::Engine;

use super::rig::Watched;

/// Twenty here; more where `EASEL_SOAK_KILLS` says so.
const KILLS: u64 = 20;

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_is_killed_at_any_moment_loses_and_doubles_nothing() {
    let kills = soak::number("EASEL_SOAK_KILLS").unwrap_or(KILLS);
    let mut random = Noise::new(soak::seed());
    let watched = Watched::prepare().await;
    watched.write_files(120, 4_000);
    write_noise(&watched.root.join("large.bin"), 40_000_000, 1);
    for kill in 0..kills {
        // There is always something left to do: a file more, one edited, one moved.
        let path = watched.root.join(format!("one/late {kill}.bin"));
        std::fs::create_dir_all(watched.root.join("one")).unwrap();
        write_noise(&path, 3_000, 1_000 + kill);
        if kill % 3 == 1 {
            std::fs::write(watched.root.join(format!("file {:03}.bin", kill * 4 % 120)), format!("edit {kill}"))
                .unwrap();
        }
        if kill % 3 == 2 {
            let from = watched.root.join(format!("one/late {}.bin", kill - 1));
            std::fs::rename(from, watched.root.join(format!("moved {kill}.bin"))).unwrap();
        }
        let engine = Engine::start(&watched.home, &watched.both_ways());
        let moment = Duration::from_millis(random.draw() % 4_000);
        tokio::time::sleep(moment).await;
        engine.kill();
    }
    let engine = Engine::start(&watched.home, &watched.both_ways());
    watched.until_equal(&engine).await;
    let trash = watched.home.read_trash();
    assert!(trash.is_empty(), "nobody deleted anything in the drive: {trash:?}");
    println!("killed {kills} times; both sides are equal");
}
