//! What each kind of pattern takes out, and which of several patterns decides.

use super::*;

#[test]
fn what_programs_leave_lying_about_is_left_alone() {
    let rules = Rules::new("");
    let check = |path: &str, expected: Inclusion| assert_eq!(rules.judge(path, false), expected, "{path}");
    for path in [
        ".DS_Store",
        "a/.DS_Store",
        "a/Thumbs.db",
        "thumbs.DB",
        "Desktop.ini",
        "a/.hidden",
        "film.mov.part",
        "x.crdownload",
        "~$Brief.docx",
        "a/.~lock.Brief.odt#",
        "lu123.TMP",
        ".Brief.txt.swp",
        "Brief.txt~",
        "#Brief.txt#",
        "4913",
        ".easelignore",
        "poster.idlk",
        "Brief.docx.sb-1a2b3c4d-Xy12Zz",
        "Icon\r",
    ] {
        check(path, Inclusion::ByDefault);
    }
    for path in [
        "Brief.docx",
        "a/part",
        "tmp/x.psd",
        "a~b.txt",
        "#1.png",
        "Icons",
        "Icon",
        "IconA",
        "4913.png",
        "Thumbs.db.png",
    ] {
        check(path, Inclusion::Taken);
    }
}

#[test]
fn the_last_word_holds() {
    let mut rules = Rules::new("*.psd\n!keep.psd\n/build/\n!.htaccess\n*.ai");
    rules.set_file("", Some("*.mov\nkeep.psd\n*.ai\n!top.ai"));
    rules.set_file("raw", Some("\u{feff}!*.psd\n/only-here.txt\ndeep/*.txt"));
    let own = |pattern: &str| Inclusion::ByPattern { pattern: pattern.into(), folder: None };
    let file =
        |pattern: &str, folder: &str| Inclusion::ByPattern { pattern: pattern.into(), folder: Some(folder.into()) };
    let check = |path: &str, is_folder: bool, expected: Inclusion| {
        assert_eq!(rules.judge(path, is_folder), expected, "{path}");
    };
    check("a.psd", false, own("*.psd"));
    check("keep.psd", false, Inclusion::Taken);
    check("top.ai", false, own("*.ai"));
    check("raw/a.psd", false, Inclusion::Taken);
    check("rawer/a.psd", false, own("*.psd"));
    check("a.mov", false, file("*.mov", ""));
    check("raw/a.mov", false, file("*.mov", ""));
    check("raw/only-here.txt", false, file("/only-here.txt", "raw"));
    check("raw/x/only-here.txt", false, Inclusion::Taken);
    check("raw/deep/a.txt", false, file("deep/*.txt", "raw"));
    check("build", true, own("/build/"));
    check("build", false, Inclusion::Taken);
    check(".htaccess", false, Inclusion::Taken);
    check("raw/.DS_Store", false, Inclusion::ByDefault);
}

#[test]
fn nothing_is_taken_back_in_below_a_folder_that_is_left_alone() {
    let rules = Rules::new("node_modules/\n!node_modules/keep.txt\n!.easel-incoming/\n!.*");
    let check = |path: &str, is_folder: bool, expected: bool| {
        assert_eq!(rules.is_ignored(path, is_folder), expected, "{path}");
    };
    check("node_modules", true, true);
    check("node_modules", false, false);
    check("node_modules/keep.txt", false, true);
    check("a/node_modules/b/c.txt", false, true);
    check("a/b/c.txt", false, false);
    check(".git/config", false, false);
    check(".Trash-1000", true, true);
    check(".Trash/1000/files/x", false, true);
    check(".Trash-x", true, false);
    check(".easel-incoming", true, true);
    check(".easel-incoming/x", false, true);
}

#[test]
fn a_line_that_is_no_pattern_is_named_and_the_others_hold() {
    let text = "*.psd\n[z-a]\n# fine\n";
    let bad = check(text);
    assert_eq!(bad.len(), 1, "{bad:?}");
    assert_eq!(bad[0].line, 2);
    assert!(bad[0].detail.contains("z-a"), "{bad:?}");
    assert!(Rules::new(text).is_ignored("a.psd", false));
    assert!(check(DEFAULTS).is_empty());
}

#[test]
fn a_file_that_goes_takes_its_patterns_along() {
    let mut rules = Rules::new("");
    rules.set_file("a/b", Some("*.mov"));
    rules.set_file("a", Some("*.avi"));
    let elsewhere = rules.clone();
    rules.forget_below("a/b");
    assert!(!rules.is_ignored("a/b/x.mov", false));
    assert!(rules.is_ignored("a/b/x.avi", false));
    rules.set_file("a", None);
    assert!(!rules.is_ignored("a/b/x.avi", false));
    assert!(elsewhere.is_ignored("a/b/x.mov", false), "a clone keeps what it was");
}
