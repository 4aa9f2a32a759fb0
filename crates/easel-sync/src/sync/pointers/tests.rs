//! What pointers' names mean, and how pointers are seen as files.

use proptest::prelude::*;

use super::*;

const ROOT: u128 = 1;

fn folder() -> FolderId {
    FolderId::imagined(ROOT)
}

fn id(number: u128) -> FileId {
    FileId::imagined(number)
}

fn place(name: &str) -> Place {
    Place { folder: folder(), name: name.to_owned() }
}

fn file(name: &str, hash: ContentHash) -> RemoteFile {
    RemoteFile { folder: Some(folder()), name: name.to_owned(), size_bytes: 7, hash: Some(hash) }
}

/// A drive with these files, each given by name and content, and these pointers.
fn drive(files: &[(u128, &str, u8)], pointers: &[(u128, &str, u8, State)]) -> Remote {
    let mut remote = Remote::new(folder());
    remote.folders.insert(folder(), crate::sync::tree::RemoteFolder { parent: None, name: "synced".to_owned() });
    for (number, name, content) in files {
        remote.put_file(id(*number), file(name, [*content; 32]));
    }
    for (number, name, content, state) in pointers {
        let pointer = Pointer { name: (*name).to_owned(), hash: [*content; 32], state: state.clone() };
        remote.put_file(id(*number), file(&pointer.file_name(id(*number)), [0xee; 32]));
    }
    remote.expand_pointers();
    remote
}

fn names_of(remote: &Remote) -> Vec<String> {
    let mut names: Vec<String> = remote.files.values().map(|file| file.name.clone()).collect();
    names.sort();
    names
}

proptest! {
    #[test]
    fn what_a_name_says_is_read_back(name in "[^/\\\\\u{0}-\u{1f}\u{7f}-\u{9f}]{1,140}", content: [u8; 32], which in 0..4_u8) {
        let state = match which {
            0 => State::Live,
            1 => State::Replaced,
            2 => State::HandedOver,
            _ => State::Gone("2026-11-20".to_owned()),
        };
        let pointer = Pointer { name, hash: content, state };
        let written = pointer.file_name(id(9));
        prop_assert_eq!(Pointer::read(&written), Some(pointer.clone()));
        let numbered = names::numbered(&written, |name| name == written);
        prop_assert_eq!(Pointer::read(&numbered), Some(pointer));
    }

    #[test]
    fn no_other_name_is_a_pointers(name in "\\PC{0,80}") {
        prop_assert_eq!(Pointer::read(&name), None);
    }
}

fn any_state() -> impl Strategy<Value = State> {
    prop_oneof![
        Just(State::Live),
        Just(State::Replaced),
        Just(State::HandedOver),
        Just(State::Gone("2026-11-20".to_owned()))
    ]
}

proptest! {
    #[test]
    fn a_pointer_that_is_made_is_seen_as_all_anew_would_be(
        files in prop::collection::vec((0..4_usize, 0..3_u8), 0..5),
        pointers in prop::collection::vec((0..4_usize, 0..3_u8, any_state()), 0..5),
        made in (0..4_usize, 0..3_u8),
    ) {
        const NAMES: [&str; 4] = ["x.txt", "y.txt", "y (2).txt", "Y.txt"];
        let files: Vec<_> =
            files.iter().zip(10..).map(|((name, content), number)| (number, NAMES[*name], *content)).collect();
        let mut all: Vec<_> = pointers
            .iter()
            .zip(100..)
            .map(|((name, content, state), number)| (number, NAMES[*name], *content, state.clone()))
            .collect();
        let mut remote = drive(&files, &all);
        let pointer = Pointer { name: NAMES[made.0].to_owned(), hash: [made.1; 32], state: State::Live };
        remote.put_pointer(id(200), PlacedPointer { folder: folder(), pointer });
        all.push((200, NAMES[made.0], made.1, State::Live));
        prop_assert_eq!(remote, drive(&files, &all));
    }
}

#[test]
fn a_name_that_leaves_no_room_gets_no_pointer() {
    assert!(Pointer::new(&"a".repeat(152), [1; 32]).is_some());
    assert!(Pointer::new(&"a".repeat(153), [1; 32]).is_none());
    assert!(Pointer::new("", [1; 32]).is_none());
}

#[test]
fn a_pointer_is_seen_as_the_file_that_it_stands_for() {
    let remote = drive(&[(10, "x.txt", 1)], &[(11, "y.txt", 1, State::Live)]);
    assert_eq!(names_of(&remote), ["x.txt", "y.txt"]);
    assert_eq!(remote.files[&id(11)], file("y.txt", [1; 32]));
    assert_eq!(remote.pointers.target(id(11)), Some(id(10)));
}

#[test]
fn without_its_content_it_is_still_seen_and_dangles() {
    let remote = drive(&[], &[(11, "y.txt", 1, State::Live)]);
    assert!(remote.pointers.is_dangling(id(11)) && remote.files.contains_key(&id(11)));
}

#[test]
fn what_was_deleted_is_not_seen_and_says_so() {
    let gone = State::Gone("2026-11-20".to_owned());
    let remote = drive(&[(10, "x.txt", 1)], &[(11, "y.txt", 1, gone)]);
    assert_eq!(names_of(&remote), ["x.txt"]);
    assert!(remote.pointers.is_gone(id(11)) && remote.pointers.spent().count() == 0);
}

#[test]
fn another_content_at_its_place_pushes_it_aside_unless_that_was_announced() {
    let remote = drive(&[(10, "x.txt", 1), (12, "Y.txt", 2)], &[(11, "y.txt", 1, State::Live)]);
    assert_eq!(names_of(&remote), ["Y.txt", "x.txt", "y (2).txt"]);
    let remote = drive(&[(10, "x.txt", 1), (12, "y.txt", 2)], &[(11, "y.txt", 1, State::Replaced)]);
    assert_eq!(names_of(&remote), ["x.txt", "y.txt"]);
    assert!(remote.pointers.is_gone(id(11)));
}

#[test]
fn its_own_content_at_its_place_spends_it_and_only_a_handing_over_means_that_it_is_gone() {
    let moved = drive(&[(10, "y.txt", 1)], &[(11, "y.txt", 1, State::Live)]);
    assert_eq!((moved.pointers.spent().collect::<Vec<_>>(), moved.pointers.is_gone(id(11))), (vec![id(11)], false));
    let handed = drive(&[(10, "y.txt", 1)], &[(11, "y.txt", 1, State::HandedOver)]);
    assert!(handed.pointers.is_gone(id(11)));
    let on_its_way = drive(&[(10, "x.txt", 1)], &[(11, "y.txt", 1, State::HandedOver)]);
    assert_eq!(names_of(&on_its_way), ["x.txt", "y.txt"]);
}

#[test]
fn a_file_that_comes_back_counts_although_it_spends_a_pointer() {
    let earlier = drive(&[(1, "a.txt", 7)], &[]);
    let mut now = drive(&[(2, "b.txt", 7)], &[(3, "a.txt", 7, State::Live)]);
    assert!(now.add_missed(earlier), "the picture mixes two moments");
    assert_eq!(names_of(&now), ["a.txt", "b.txt"]);
    assert_eq!(now.pointers.spent().collect::<Vec<_>>(), [id(3)]);
    assert!(!now.clone().add_missed(now));
}

#[test]
fn of_two_for_one_place_the_older_stands() {
    let remote = drive(&[(10, "x.txt", 1)], &[(11, "y.txt", 1, State::Live), (12, "y.txt", 1, State::Live)]);
    assert_eq!(names_of(&remote), ["x.txt", "y.txt"]);
    assert_eq!(remote.pointers.spent().collect::<Vec<_>>(), [id(12)]);
    assert_eq!(remote.twins(id(11)).collect::<Vec<_>>(), [id(12)]);
}

#[test]
fn the_heir_of_a_file_is_a_copy_that_is_wanted() {
    let remote = drive(&[(10, "x.txt", 1)], &[(11, "y.txt", 1, State::Live), (12, "z.txt", 1, State::Live)]);
    let heir = |is_wanted: fn(FileId) -> bool| remote.pointers.heir(&remote, id(10), [1; 32], is_wanted);
    assert_eq!(heir(|_| true), Some(Heir { pointer: id(11), place: place("y.txt"), has_arrived: false }));
    assert_eq!(heir(|copy| copy == id(12)), Some(Heir { pointer: id(12), place: place("z.txt"), has_arrived: false }));
    assert_eq!(heir(|_| false), None);
    assert_eq!(remote.pointers.heir(&remote, id(11), [1; 32], |_| true), None, "a pointer has none");
}

#[test]
fn a_pointer_that_a_person_renames_is_a_file_like_any_other() {
    let mut remote = drive(&[(10, "x.txt", 1)], &[(11, "y.txt", 1, State::Live)]);
    remote.put_file(id(11), file("notes.txt", [9; 32]));
    remote.expand_pointers();
    assert_eq!(names_of(&remote), ["notes.txt", "x.txt"]);
    assert!(!remote.pointers.contains(id(11)));
}
