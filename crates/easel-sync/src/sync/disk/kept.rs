//! Easel's own trash, a hidden folder in the watched one, for files where the system's trash cannot be had.
//!
//! The trash has a folder for each day, named such as `2026-11-22`, and in it the files under their own names, with a
//! number where a name is taken. Always true: a file is moved and never copied; a file that arrives is looked at once
//! more, and put back where it is not the one that was meant; only folders that are named by a day are ever emptied,
//! and none before its thirty days are over. The trash is never synced (`ignored`). Not here: whether the system's
//! trash can be had (`trash`). Blocking.

use std::ffi::OsStr;
use std::io;

use jiff::civil::Date;
use jiff::{ToSpan as _, Zoned};

use super::failure::cause;
use super::folder::Folder;
use super::item::Kind;
use super::trash::Doomed;
use crate::sync::ignored::TRASH;
use crate::sync::ports::DiskError;

/// Files stay in the trash for so many days.
const KEPT_DAYS: i64 = 30;
/// Where a number is put after a name, so many bytes of the name are kept.
const NAME_MAX_BYTES: usize = 240;

/// Moves a file into the trash.
pub(super) fn keep(root: &Folder, doomed: &Doomed<'_>, elsewhere_us: Option<i64>) -> Result<(), DiskError> {
    doomed.check()?;
    let here = Zoned::now();
    // The later of two clocks decides: then the file stays for thirty days by either.
    let day = here.date().max(date_elsewhere(&here, elsewhere_us).unwrap_or(Date::MIN)).to_string();
    let kept = root.make_private_folder(OsStr::new(TRASH)).and_then(|trash| {
        let files = trash.make_private_folder(OsStr::new(&day))?;
        move_into(doomed, &files)
    });
    match kept {
        Ok(true) => Ok(()),
        Ok(false) => Err(DiskError::Changed),
        Err(error) => {
            tracing::warn!(%error, "a file cannot be kept in the folder's own trash either");
            Err(cause(&error))
        }
    }
}

/// Whether the file that was moved is the one that was meant; another one is put back.
fn move_into(doomed: &Doomed<'_>, files: &Folder) -> io::Result<bool> {
    let name = doomed.name.to_string_lossy();
    for count in 1_u32.. {
        let name = match count {
            1 => doomed.name.to_owned(),
            _ => {
                let end = (0..=name.len().min(NAME_MAX_BYTES)).rev().find(|end| name.is_char_boundary(*end));
                format!("{}.{count}", &name[..end.unwrap_or_default()]).into()
            }
        };
        match doomed.folder.rename(doomed.name, files, &name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            moved => moved?,
        }
        // Between the look and the move someone may have written to the file, or put another in its place.
        if files.look(&name)?.stamp != doomed.stamp && files.rename(&name, doomed.folder, doomed.name).is_ok() {
            return Ok(false);
        }
        files.sync()?;
        doomed.folder.sync()?;
        return Ok(true);
    }
    Ok(false)
}

/// Removes days that are over, and says whether anything is left in the trash. Both clocks have to say that a day is
/// over: this computer's alone may have been set ahead, and a removed file is gone for good.
pub(super) fn tidy(root: &Folder, elsewhere_us: Option<i64>) -> bool {
    let here = Zoned::now();
    tidy_at(root, date_elsewhere(&here, elsewhere_us).map(|elsewhere| elsewhere.min(here.date())))
}

/// The day by another clock, in the time zone of `here`.
fn date_elsewhere(here: &Zoned, elsewhere_us: Option<i64>) -> Option<Date> {
    let at = jiff::Timestamp::from_microsecond(elsewhere_us?).ok()?;
    Some(at.to_zoned(here.time_zone().clone()).date())
}

/// The same for a given day; where nobody knows the day, nothing is removed.
fn tidy_at(root: &Folder, today: Option<Date>) -> bool {
    let Ok(trash) = root.open_below(TRASH) else { return false };
    let is_over = |name: &OsStr| {
        let day: Option<Date> = name.to_str().and_then(|name| name.parse().ok());
        day.and_then(|day| day.checked_add(KEPT_DAYS.days()).ok())
            .is_some_and(|end| today.is_some_and(|today| end < today))
    };
    let mut is_empty = true;
    for name in names(&trash) {
        if !is_over(&name) || empty(&trash, &name).is_err() {
            is_empty = false;
        }
    }
    if is_empty {
        // A folder that got something meanwhile stays.
        let _ = root.remove_folder(OsStr::new(TRASH));
    }
    !is_empty
}

/// Removes a day and the files in it. Anything else that someone put there keeps it.
fn empty(trash: &Folder, day: &OsStr) -> io::Result<()> {
    let files = trash.open_below(&day.to_string_lossy())?;
    for name in names(&files) {
        if files.look(&name)?.kind == Kind::File {
            files.remove_file(&name)?;
        }
    }
    trash.remove_folder(day)
}

fn names(folder: &Folder) -> Vec<std::ffi::OsString> {
    let mut found = Vec::new();
    // A folder that cannot be listed is tried again the next time.
    let _ = folder.for_each_name(&mut Vec::with_capacity(16 * 1024), |name| found.push(name.to_owned()));
    found
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_day_is_emptied_when_its_thirty_days_are_over_and_nothing_else_ever_is() {
        let place = tempfile::tempdir().expect("a folder");
        let root = Folder::open(place.path()).expect("the folder");
        for path in ["2026-10-22/old.txt", "2026-10-23/young.txt", "2027-01-01/of a clock that was set.txt", "mine/x"] {
            let path = place.path().join(TRASH).join(path);
            fs::create_dir_all(path.parent().expect("a day")).expect("a day");
            fs::write(path, "x").expect("a file");
        }
        assert!(tidy_at(&root, None));
        assert_eq!(names(&root.open_below(TRASH).expect("the trash")).len(), 4, "no clock agreed");
        assert!(tidy_at(&root, Some(Date::constant(2026, 11, 22))));
        let mut left = names(&root.open_below(TRASH).expect("the trash"));
        left.sort();
        assert_eq!(left, ["2026-10-23", "2027-01-01", "mine"]);
        fs::remove_dir_all(place.path().join(TRASH).join("mine")).expect("removed");
        assert!(!tidy_at(&root, Some(Date::constant(2027, 3, 1))));
        assert!(!place.path().join(TRASH).exists(), "nothing is left behind");
    }

    #[test]
    fn one_clock_that_was_set_ahead_empties_nothing_and_names_no_day_that_has_passed() {
        let place = tempfile::tempdir().expect("a folder");
        let root = Folder::open(place.path()).expect("the folder");
        let today = Zoned::now().date();
        let day = |days: i64| today.checked_sub(days.days()).expect("a day");
        let us = |days: i64| Zoned::now().timestamp().as_microsecond() - days * 24 * 3_600 * 1_000_000;
        fs::create_dir_all(place.path().join(TRASH).join(day(40).to_string())).expect("a day");
        assert!(tidy(&root, None), "this computer alone says that it is over");
        assert!(tidy(&root, Some(us(20))), "another says that it is not");
        assert!(!tidy(&root, Some(us(0))));
        fs::write(place.path().join("a.txt"), "a").expect("a file");
        let stamp = root.look(OsStr::new("a.txt")).expect("the file").stamp;
        let doomed = Doomed { folder: &root, folder_path: place.path().to_owned(), name: OsStr::new("a.txt"), stamp };
        assert_eq!(keep(&root, &doomed, Some(us(-45))), Ok(()));
        assert!(place.path().join(TRASH).join(day(-45).to_string()).exists());
    }

    #[test]
    fn files_of_one_name_are_all_kept_and_one_that_changed_is_put_back() {
        let place = tempfile::tempdir().expect("a folder");
        let root = Folder::open(place.path()).expect("the folder");
        let long = "ü".repeat(127);
        for name in ["a.txt", &long] {
            for content in ["one", "two", "three"] {
                fs::write(place.path().join(name), content).expect("a file");
                let stamp = root.look(OsStr::new(name)).expect("the file").stamp;
                let doomed = |stamp| Doomed {
                    folder: &root,
                    folder_path: place.path().to_owned(),
                    name: OsStr::new(name),
                    stamp,
                };
                let other = crate::sync::tree::Stamp { size_bytes: 99, ..stamp };
                assert_eq!(keep(&root, &doomed(other), None), Err(DiskError::Changed));
                assert!(place.path().join(name).exists());
                assert_eq!(keep(&root, &doomed(stamp), None), Ok(()));
            }
        }
        let day = place.path().join(TRASH).join(Zoned::now().date().to_string());
        assert_eq!(fs::read_dir(day).expect("the day").count(), 6);
    }
}
