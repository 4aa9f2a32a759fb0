//! Pages in every order, by cursor and by offset, and the tree.

use easel_wire::Timestamp;
use sqlx::Row;

use super::*;
use crate::db::DbConnection;

#[tokio::test]
async fn every_order_is_walked_whole_by_cursor_and_by_offset() {
    let mut drive = Drive::new().await;
    let (ada, ben) = (drive.ada, drive.ben);
    let folder = drive.folder(ada, "in", None).await;
    for number in 0..25_u8 {
        let place = (number % 2 == 0).then_some(folder);
        drive.file(ada, &format!("{}-{number}", number % 3), place, number % 4).await;
        drive.folder(ada, &format!("{}-{number}", number % 3), place).await;
        let hidden = drive.file(ben, &format!("hidden {number}"), place, 1).await.id;
        drive.set_visibility(ben, ItemRef::File(hidden), Visibility::Private).await.unwrap();
    }
    for sort in ["-created_at", "name", "-name", "updated_at", "-updated_at", "size", "-size"] {
        for place in [Place::Everywhere, Place::Top, Place::In(folder)] {
            for since in [None, Some(Timestamp::from_micros(1_000_040))] {
                let mut whole = query(place, sort);
                whole.updated_since = since;
                let all = files::list_files(&mut drive.tx, ada, &whole).await.unwrap();
                assert_eq!((all.items.len() as u64, &all.next), (all.total, &None));
                let keys: Vec<_> = all
                    .items
                    .iter()
                    .map(|file| match sort.trim_start_matches('-') {
                        "name" => (file.name_key.clone(), 0, file.id),
                        "size" => (String::new(), file.size_bytes, file.id),
                        "updated_at" => (String::new(), file.updated_at.as_micros() as u64, file.id),
                        _ => (String::new(), file.created_at.as_micros() as u64, file.id),
                    })
                    .collect();
                let mut sorted = keys.clone();
                sorted.sort();
                if sort.starts_with('-') {
                    sorted.reverse();
                }
                assert_eq!(keys, sorted, "{sort} {place:?}");

                let (mut by_cursor, mut by_offset) = (Vec::new(), Vec::new());
                let mut page = ListQuery { limit: 3, ..whole.clone() };
                loop {
                    let listed = files::list_files(&mut drive.tx, ada, &page).await.unwrap();
                    by_cursor.extend(listed.items);
                    match listed.next {
                        Some(position) => page.start = Start::After(position),
                        None => break,
                    }
                }
                for offset in (0..all.total).step_by(3) {
                    page.start = Start::Offset(offset);
                    by_offset.extend(files::list_files(&mut drive.tx, ada, &page).await.unwrap().items);
                }
                assert_eq!(by_cursor, all.items, "{sort} {place:?}");
                assert_eq!(by_offset, all.items, "{sort} {place:?}");

                let (mut folders, mut page) = (Vec::new(), ListQuery { limit: 3, ..whole.clone() });
                let total = loop {
                    let listed = folders::list_folders(&mut drive.tx, ada, &page).await.unwrap();
                    folders.extend(listed.items);
                    match listed.next {
                        Some(position) => page.start = Start::After(position),
                        None => break listed.total,
                    }
                };
                assert_eq!(folders.len() as u64, total);
                assert_eq!(folders, folders::list_folders(&mut drive.tx, ada, &whole).await.unwrap().items);
            }
        }
    }
}

/// How SQLite would answer a page: its plan, one step a line.
async fn plan_of(conn: &mut DbConnection, viewer: Viewer, table: Table, query: &ListQuery) -> String {
    let mut sql = sqlx::QueryBuilder::new("EXPLAIN QUERY PLAN SELECT item.visibility FROM ");
    sql.push(table.name()).push(" AS item");
    listing::push_page(&mut sql, viewer, table, query, u64::MAX);
    let steps = sql.build().fetch_all(conn).await.unwrap();
    steps.iter().map(|step| step.get::<String, _>("detail")).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_page_is_found_through_an_index_that_has_its_order() {
    let mut drive = Drive::new().await;
    let (ada, folder) = (drive.ada, FolderId::from_uuid(Uuid::now_v7()));
    let number = Start::After((listing::SortValue::Number(5), Uuid::nil()));
    let text = Start::After((listing::SortValue::Text("x".to_owned()), Uuid::nil()));
    for table in [Table::Folders, Table::Files] {
        for place in [Place::Everywhere, Place::Top, Place::In(folder)] {
            for sort in ["-created_at", "updated_at", "-updated_at", "name", "-name", "size"] {
                let after = if sort.ends_with("name") { &text } else { &number };
                for start in [&Start::Offset(1000), after] {
                    let page = ListQuery { start: start.clone(), ..query(place, sort) };
                    let plan = plan_of(&mut drive.tx, ada, table, &page).await;
                    let sorts = plan.matches("USE TEMP B-TREE FOR ORDER BY").count();
                    let bound = matches!(start, Start::After(_));
                    // What is skipped is skipped on the index alone, and then the page itself is sorted; else nothing is.
                    let wanted = if bound { ("USING INDEX", 0) } else { ("COVERING INDEX", 1) };
                    let walked: Vec<_> = plan.lines().filter(|step| step.contains(wanted.0)).collect();
                    assert_eq!((walked.len(), sorts), (1, wanted.1), "{table:?} {place:?} {sort}: {plan}");
                    assert_eq!(walked[0].contains('<') || walked[0].contains('>'), bound, "{sort}: {plan}");
                }
            }
        }
    }
}

#[tokio::test]
async fn the_tree_is_filled_from_the_top_and_says_what_it_leaves_out() {
    let mut drive = Drive::new().await;
    let (ada, ben) = (drive.ada, drive.ben);
    let a = drive.folder(ada, "a", None).await;
    let b = drive.folder(ada, "b", Some(a)).await;
    drive.folder(ada, "c", Some(b)).await;
    drive.folder(ada, "z", None).await;
    let hidden = drive.folder(ben, "hidden", Some(a)).await;
    drive.set_visibility(ben, ItemRef::Folder(hidden), Visibility::Private).await.unwrap();

    fn outline(branches: &[tree::Branch]) -> String {
        let one = |branch: &tree::Branch| {
            let cut = if branch.children_truncated { "…" } else { "" };
            format!("{}({}{cut})", branch.folder.path, outline(&branch.children))
        };
        branches.iter().map(one).collect()
    }
    let mut check = async |viewer, depth, max, expected: &str, truncated| {
        let (tree, cut) = tree::get_tree(&mut drive.tx, viewer, depth, max).await.unwrap();
        assert_eq!((outline(&tree).as_str(), cut), (expected, truncated));
    };
    check(ada, 1, 100, "/a(…)/z()", true).await;
    check(ada, 2, 100, "/a(/a/b(…))/z()", true).await;
    check(ada, 3, 100, "/a(/a/b(/a/b/c()))/z()", false).await;
    check(ada, 10, 3, "/a(/a/b(…))/z()", true).await;
    check(ada, 10, 1, "/a(…)", true).await;
    check(ben, 3, 100, "/a(/a/b(/a/b/c())/a/hidden())/z()", false).await;
}
