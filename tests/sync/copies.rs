//! Equal files: the service stores one for one content, and still each path has its file on every computer.

use easel_sync::pointers::{Pointer, State};
use easel_tests::patience::wait_for;
use easel_tests::proxy::Fault;
use easel_tests::synced::Engine;
use serde_json::json;

use crate::computers::{Computer, LIMIT, Site, asked};

/// Two computers at work on one drive folder that hold the same files, the first of which wrote these.
async fn two_computers(files: &[(&str, &str)]) -> (Site, [Computer; 2], [Engine; 2]) {
    let site = Site::open().await;
    let (ada, ben) = (site.computer(), site.computer());
    for (path, content) in files {
        ada.write(path, content);
    }
    let one = ada.start(&ada.both_ways());
    let other = ben.start(&ben.both_ways());
    let (computers, engines) = ([ada, ben], [one, other]);
    until_both_hold(&computers, &engines, files).await;
    (site, computers, engines)
}

/// Waits until both folders hold these files and no others.
async fn until_both_hold(computers: &[Computer; 2], engines: &[Engine; 2], files: &[(&str, &str)]) {
    wait_for("both computers to hold the same", LIMIT, async || {
        for computer in computers {
            let mut expected: Vec<(String, String)> =
                files.iter().map(|(path, content)| ((*path).to_owned(), (*content).to_owned())).collect();
            expected.sort();
            let found = computer.files();
            if found != expected {
                let both: Vec<String> = engines.iter().map(Engine::describe).collect();
                return Err(format!("{found:?}\n{}", both.join("\n\n")));
            }
        }
        Ok(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_files_under_two_paths_arrive_on_both_computers() {
    let files =
        [("a/one.txt", "the same"), ("a/two.txt", "the same"), ("b/three.txt", "the same"), ("other.txt", "other")];
    let (site, computers, engines) = two_computers(&files).await;
    // A third one, that comes later.
    let late = site.computer();
    Engine::run_once(&late.home, &late.both_ways()).expect(0);
    assert_eq!(late.files().len(), files.len());
    assert_eq!(engines.iter().flat_map(asked).collect::<Vec<_>>(), Vec::<String>::new());
    drop(computers);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_over_a_synced_file_arrives_as_its_edit() {
    let files = [("x.txt", "what x holds"), ("y.txt", "what y held")];
    let (_site, computers, engines) = two_computers(&files).await;
    computers[0].write("y.txt", "what x holds");
    until_both_hold(&computers, &engines, &[("x.txt", "what x holds"), ("y.txt", "what x holds")]).await;
    // And back to something of its own, on the other computer.
    computers[1].write("y.txt", "written by ben");
    until_both_hold(&computers, &engines, &[("x.txt", "what x holds"), ("y.txt", "written by ben")]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_equal_files_one_is_edited_and_the_other_is_not() {
    for edited in ["one.txt", "two.txt"] {
        let (_site, computers, engines) = two_computers(&[("one.txt", "the same"), ("two.txt", "the same")]).await;
        computers[0].write(edited, "edited");
        let left = if edited == "one.txt" { "two.txt" } else { "one.txt" };
        until_both_hold(&computers, &engines, &[(edited, "edited"), (left, "the same")]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_equal_files_one_is_deleted_and_the_other_stays() {
    for deleted in ["one.txt", "two.txt"] {
        let (_site, computers, engines) = two_computers(&[("one.txt", "the same"), ("two.txt", "the same")]).await;
        std::fs::remove_file(computers[1].path(deleted)).unwrap();
        let left = if deleted == "one.txt" { "two.txt" } else { "one.txt" };
        until_both_hold(&computers, &engines, &[(left, "the same")]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_equal_files_one_is_renamed_and_the_other_stays() {
    for renamed in ["one.txt", "two.txt"] {
        let (_site, computers, engines) = two_computers(&[("one.txt", "the same"), ("two.txt", "the same")]).await;
        std::fs::rename(computers[0].path(renamed), computers[0].path("renamed.txt")).unwrap();
        let left = if renamed == "one.txt" { "two.txt" } else { "one.txt" };
        until_both_hold(&computers, &engines, &[("renamed.txt", "the same"), (left, "the same")]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_was_given_its_original_follows_it_although_the_engine_was_killed() {
    let site = Site::open().await;
    let ada = site.computer();
    ada.write("x/one.txt", "the same");
    ada.write("y/one.txt", "the same");
    let engine = ada.start(&ada.both_ways());
    site.until_equal(&ada, &engine).await;
    let service = site.service();
    let files = service.get("/v1/drive/files?limit=200").await.expect(200);
    let pointer_of = |file: &serde_json::Value| Pointer::read(file["name"].as_str().unwrap_or_default());
    let files = files["data"].as_array().unwrap();
    let original = files.iter().find(|file| pointer_of(file).is_none()).unwrap().clone();
    let pointer = files.iter().find(|file| pointer_of(file).is_some()).unwrap()["id"].as_str().unwrap().to_owned();

    // The pointer of the copy announces the file, and says at last that it stands for nothing: nobody hears that this is
    // done.
    let (mut renamings, its) = (0, pointer.clone());
    site.proxy.break_by(move |seen| {
        renamings += usize::from(seen.is("PATCH", &its));
        if renamings == 2 { Fault::HoldAnswer } else { Fault::Pass }
    });
    std::fs::remove_file(ada.path("x/one.txt")).unwrap();
    wait_for("the file to be handed over", LIMIT, async || {
        let seen = service.get(&format!("/v1/drive/files/{pointer}")).await.expect(200);
        let said = pointer_of(&seen["file"]).map(|pointer| pointer.state);
        if matches!(said, Some(State::Gone(_))) { Ok(()) } else { Err(format!("{seen}\n{}", engine.describe())) }
    })
    .await;
    engine.kill();
    site.proxy.pass_all();

    // Someone takes the file back to where it was.
    let back = json!({ "folder_id": original["folder_id"] });
    let original = original["id"].as_str().unwrap();
    service.post(&format!("/v1/drive/items/{original}/move"), &back).await.is(200);
    let engine = ada.start(&ada.both_ways());
    site.until_equal(&ada, &engine).await;
    assert_eq!(ada.files(), [("x/one.txt".to_owned(), "the same".to_owned())], "{}", engine.describe());
    assert_eq!(ada.home.read_trash().len(), 0, "{}", engine.describe());
}

#[tokio::test(flavor = "multi_thread")]
async fn both_computers_make_copies_at_once_and_neither_is_lost() {
    let (site, computers, engines) = two_computers(&[("one.txt", "first"), ("two.txt", "second")]).await;
    for number in 0..5 {
        computers[0].write(&format!("ada {number}.txt"), "first");
        computers[1].write(&format!("ben {number}.txt"), "second");
    }
    let names: Vec<(String, &str)> = (0..5)
        .flat_map(|number| [(format!("ada {number}.txt"), "first"), (format!("ben {number}.txt"), "second")])
        .collect();
    let mut all: Vec<(&str, &str)> = names.iter().map(|(name, content)| (name.as_str(), *content)).collect();
    all.extend([("one.txt", "first"), ("two.txt", "second")]);
    until_both_hold(&computers, &engines, &all).await;
    // A person throws the pointers away: no file goes by that, and they are made again.
    assert!(site.delete_pointers().await >= 10);
    computers[0].write("more.txt", "more");
    all.push(("more.txt", "more"));
    until_both_hold(&computers, &engines, &all).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_of_a_folder_arrives_and_goes_with_it() {
    let files = [("a/one.txt", "first"), ("a/two.txt", "second"), ("a/in/three.txt", "third")];
    // Beside others, so that nobody has to be asked about what is deleted.
    let others: Vec<(String, String)> =
        (0..12).map(|number| (format!("left {number}.txt"), number.to_string())).collect();
    let others: Vec<(&str, &str)> = others.iter().map(|(path, content)| (path.as_str(), content.as_str())).collect();
    let with_others = |some: &[(&'static str, &'static str)]| [some, &others].concat();
    let (_site, computers, engines) = two_computers(&with_others(&files)).await;
    for (path, content) in files {
        computers[0].write(&path.replacen('a', "copied", 1), content);
    }
    let copied = [("copied/one.txt", "first"), ("copied/two.txt", "second"), ("copied/in/three.txt", "third")];
    let all: Vec<(&str, &str)> = files.into_iter().chain(copied).collect();
    until_both_hold(&computers, &engines, &with_others(&all)).await;
    // What they are copies of goes, and they stay; then they go as well.
    std::fs::remove_dir_all(computers[1].path("a")).unwrap();
    until_both_hold(&computers, &engines, &with_others(&copied)).await;
    std::fs::remove_dir_all(computers[0].path("copied")).unwrap();
    until_both_hold(&computers, &engines, &with_others(&[])).await;
}

/// What an engine promised before it began.
fn preview(lines: &[serde_json::Value]) -> serde_json::Value {
    lines.iter().find(|line| line["event"] == "preview").cloned().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_counts_copies_as_the_files_that_they_are() {
    let site = Site::open().await;
    let [ada, ben, late] = [site.computer(), site.computer(), site.computer()];
    for name in ["a.txt", "b.txt", "c.txt", "d.txt"] {
        ada.write(name, "the same in four places");
    }
    ada.write("other.txt", "other");
    let finished = Engine::run_once(&ada.home, &ada.both_ways());
    assert_eq!(preview(&finished.expect(0).lines)["up_files"], 5);
    let bytes = 4 * "the same in four places".len() + "other".len();
    // A computer that has none of them, and one that has all.
    let finished = Engine::run_once(&ben.home, &ben.both_ways());
    let told = preview(&finished.expect(0).lines);
    assert_eq!((&told["down_files"], &told["down_bytes"]), (&5.into(), &bytes.into()), "{told}");
    assert_eq!((&told["up_files"], &told["skipped_count"]), (&0.into(), &0.into()), "{told}");
    for (path, content) in ben.files() {
        late.write(&path, content);
    }
    let finished = Engine::run_once(&late.home, &late.both_ways());
    let told = preview(&finished.expect(0).lines);
    assert_eq!((&told["up_files"], &told["down_files"]), (&0.into(), &0.into()), "{told}");
    assert_eq!(told["already_same"], 5, "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_promised_is_what_progress_counts_to_though_copies_take_a_plan_of_their_own() {
    let site = Site::open().await;
    let ada = site.computer();
    ada.write_files(&["one", "two"], 20);
    for number in 0..5 {
        ada.write(&format!("copies/{number}.txt"), "one holds 0");
    }
    let finished = Engine::run_once(&ada.home, &ada.both_ways());
    assert_eq!(preview(&finished.expect(0).lines)["up_files"], 45);
    let working = finished.lines.iter().filter(|line| line["state"]["stage"] == "transferring");
    let totals: std::collections::BTreeSet<u64> = working.filter_map(|line| line["state"]["total"].as_u64()).collect();
    assert_eq!(totals, std::collections::BTreeSet::from([45]), "{:#?}", finished.lines);
}
