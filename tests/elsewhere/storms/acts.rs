//! What people do to a folder: with the file system's own calls here, and at once in the drive.
//!
//! Always true here: an act notes what it removes before it does, by what really lies there at that moment; every content
//! that is written is another one. Deliberately not here: when an act comes, and what must be so afterwards.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use easel_stranger::Stranger;
use easel_tests::samples::{Noise, hash_bytes, try_hash_file};
use easel_tests::trees::{Item, read_disk_below};
use tokio::time::sleep;

use super::weather::{KEPT, read_kept};
use crate::day;

/// What files are called. No two differ by case alone: one of those is left out, which is another test's.
const FILES: [&str; 8] =
    ["a.txt", "Budget 2026.xlsx", "übung.png", "📷 shoot.jpg", "notes", "x.tar.gz", "q1.pdf", "日程.md"];
/// Names that some system or service cannot hold, or writes otherwise: with letters in parts, at their ends dots or blanks,
/// those of devices, from right to left, of signs that are one to the eye, and as long as file systems take. Not here: a
/// backslash, which the drive does not hold.
const ODD_FILES: [&str; 9] = [
    "e\u{301}te\u{301}.txt",
    "Angebot.",
    "notes ",
    " first",
    "CON",
    "aux.txt",
    "\u{5ea}\u{5de}\u{5d5}\u{5e0}\u{5d4}.png",
    "\u{1f469}\u{200d}\u{1f467}.mov",
    "日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日",
];
const FOLDERS: [&str; 4] = ["Photos", "Client work", "été", "old"];

/// A person at work, here and, as everybody else, in the drive.
pub struct Person {
    pub root: PathBuf,
    dice: Noise,
    written: u64,
    /// By content, where it was written.
    wanted: BTreeMap<String, String>,
    told: Vec<String>,
    /// Whether names are of every kind, and rights and the folder's own place change.
    is_odd: bool,
    /// Whether the drive may look older than it was: its service was restored from a backup, or the service's clock was set back
    /// and on again.
    pub may_drive_look_older: bool,
    /// Whether they were asked about that, and had what is here kept and sent again.
    pub has_kept_own: bool,
}

impl Person {
    pub fn new(seed: u64, root: &Path, is_odd: bool) -> Self {
        let mut dice = Noise::new(seed.wrapping_add(1));
        for _ in 0..8 {
            dice.draw();
        }
        Self {
            root: root.to_owned(),
            dice,
            written: seed << 20,
            wanted: BTreeMap::new(),
            told: Vec::new(),
            is_odd,
            may_drive_look_older: false,
            has_kept_own: false,
        }
    }

    /// One of so many.
    pub fn pick(&mut self, count: usize) -> usize {
        let count = u64::try_from(count.max(1)).unwrap_or(1);
        usize::try_from((self.dice.draw() >> 16) % count).unwrap_or(0)
    }

    /// What was written and nobody removed: the content, and where.
    pub const fn wanted(&self) -> &BTreeMap<String, String> {
        &self.wanted
    }

    /// What was done, a line each.
    pub fn told(&self) -> String {
        self.told.join("\n")
    }

    /// A few files and folders to begin with, or a single file.
    pub fn furnish(&mut self, is_sparse: bool) {
        if is_sparse {
            return self.write("Budget 2026.xlsx");
        }
        for folder in ["Photos", "Client work", "Client work/old"] {
            fs::create_dir_all(self.root.join(folder)).expect("a folder");
        }
        for path in ["a.txt", "Photos/📷 shoot.jpg", "Photos/q1.pdf", "Client work/notes", "Client work/old/übung.png"]
        {
            self.write(path);
        }
    }

    pub async fn act_here_unless(&mut self, is_left: bool) {
        if !is_left {
            self.act_here().await;
        }
    }

    /// One thing that people do.
    pub async fn act_here(&mut self) {
        let (file, folder) = (self.a_file(), self.a_folder());
        match self.pick(if self.is_odd { 24 } else { 20 }) {
            0 | 1 => self.write_new(),
            2 => file.map_or((), |path| self.write(&path)),
            3 => file.map_or((), |path| self.save_as_editors_do(&path)),
            4 => {
                if let Some(path) = file {
                    self.remove(&path);
                    sleep(Duration::from_millis(1_500)).await;
                    self.write(&path);
                }
            }
            5 => folder.map_or((), |path| self.remove(&path)),
            6 => file.map_or((), |path| self.remove(&path)),
            7 => file.map_or((), |path| self.move_somewhere(&path)),
            8 => folder.map_or((), |path| self.move_somewhere(&path)),
            9 => folder.map_or((), |path| self.copy_folder(&path)),
            10 => file.map_or((), |path| self.copy_file(&path)),
            11 => self.swap(),
            12 => file.map_or((), |path| self.edit_with_the_old_time(&path)),
            13 => self.unpack(),
            14 => self.check_out(),
            15 => self.write_slowly().await,
            16 => self.take_away_and_bring_back().await,
            17 => file.map_or((), |path| self.link(&path)),
            18 => {
                if let Some(path) = file {
                    self.rename_by_a_hard_link(&path).await;
                }
            }
            20 | 21 => file.or(folder).map_or((), |path| self.change_rights(&path)),
            22 | 23 => self.put_another_in_its_place().await,
            _ => file.map_or((), |path| self.touch(&path)),
        }
    }

    /// Writes down what was done.
    pub fn tell(&mut self, what: String) {
        self.told.push(what);
    }

    fn files(&self) -> Vec<String> {
        let tree = read_disk_below(&self.root);
        tree.into_iter().filter(|(_, item)| *item != Item::Folder).map(|(path, _)| path).collect()
    }

    fn folders(&self) -> Vec<String> {
        let tree = read_disk_below(&self.root);
        tree.into_iter().filter(|(_, item)| *item == Item::Folder).map(|(path, _)| path).collect()
    }

    fn choose(&mut self, mut from: Vec<String>) -> Option<String> {
        let at = self.pick(from.len());
        (at < from.len()).then(|| from.swap_remove(at))
    }

    fn a_file(&mut self) -> Option<String> {
        let files = self.files();
        self.choose(files)
    }

    fn a_folder(&mut self) -> Option<String> {
        let folders = self.folders();
        self.choose(folders)
    }

    /// A path that may be taken or not, in a folder that is there.
    fn a_path(&mut self, names: &[&str]) -> String {
        let above = match self.pick(3) {
            0 => None,
            _ => self.a_folder(),
        };
        let name = names[self.pick(names.len())];
        above.map_or_else(|| name.to_owned(), |above| format!("{above}/{name}"))
    }

    fn a_name(&mut self) -> &'static str {
        match self.is_odd && self.pick(2) == 0 {
            true => ODD_FILES[self.pick(ODD_FILES.len())],
            false => FILES[self.pick(FILES.len())],
        }
    }

    /// A file's path that may be taken or not, in a folder that is there.
    fn a_place(&mut self) -> String {
        let names: Vec<&str> = if self.is_odd { FILES.into_iter().chain(ODD_FILES).collect() } else { FILES.to_vec() };
        self.a_path(&names)
    }

    fn new_content(&mut self) -> Vec<u8> {
        self.written += 1;
        let size = [0, 7, 700, 9_000][self.pick(4)] + 8;
        day::content(self.written, size)
    }

    /// Somebody wrote this, and nobody is to lose it.
    fn want(&mut self, content: &[u8], path: &str) {
        self.wanted.insert(hash_bytes(content), path.to_owned());
    }

    /// What lies at a path and below it is not wanted any more.
    fn let_go(&mut self, path: &str) {
        let at = self.root.join(path);
        if let Ok(content) = try_hash_file(&at) {
            self.wanted.remove(&content);
        }
        for item in read_disk_below(&at).into_values() {
            if let Some(content) = item.content() {
                self.wanted.remove(content);
            }
        }
    }

    /// Writes a file in place. Where its folder is gone by now, nothing happens.
    fn write(&mut self, path: &str) {
        let content = self.new_content();
        self.let_go(path);
        if fs::write(self.root.join(path), &content).is_ok() {
            self.want(&content, path);
            self.tell(format!("writes {path}"));
        }
    }

    fn write_new(&mut self) {
        let path = self.a_place();
        self.write(&path);
    }

    /// Into a file beside it, which then takes its name.
    fn save_as_editors_do(&mut self, path: &str) {
        let content = self.new_content();
        let beside = self.root.join(format!("{path}.tmp"));
        if fs::write(&beside, &content).is_ok() {
            self.let_go(path);
            if fs::rename(&beside, self.root.join(path)).is_ok() {
                self.want(&content, path);
                self.tell(format!("saves {path}"));
            }
        }
    }

    fn remove(&mut self, path: &str) {
        self.let_go(path);
        let at = self.root.join(path);
        let done = if at.is_dir() { fs::remove_dir_all(&at) } else { fs::remove_file(&at) };
        self.tell(format!("removes {path}: {done:?}"));
    }

    fn rename(&mut self, from: &str, to: &str) {
        let (source, target) = (self.root.join(from), self.root.join(to));
        let is_over_a_folder = target.is_dir() || (source.is_dir() && target.exists());
        if from == to || is_over_a_folder || to.starts_with(&format!("{from}/")) {
            return;
        }
        self.let_go(to);
        let done = fs::rename(source, target);
        self.tell(format!("moves {from} to {to}: {done:?}"));
    }

    fn move_somewhere(&mut self, path: &str) {
        let is_folder = self.root.join(path).is_dir();
        let to = if is_folder { self.a_path(&FOLDERS) } else { self.a_place() };
        self.rename(path, &to);
    }

    fn copy_file(&mut self, path: &str) {
        let to = self.a_place();
        if to != path && !self.root.join(&to).is_dir() {
            self.let_go(&to);
            let done = fs::copy(self.root.join(path), self.root.join(&to));
            self.tell(format!("copies {path} to {to}: {done:?}"));
        }
    }

    fn copy_folder(&mut self, path: &str) {
        let to = self.a_path(&FOLDERS);
        if self.root.join(&to).exists()
            || to.starts_with(&format!("{path}/"))
            || fs::create_dir(self.root.join(&to)).is_err()
        {
            return;
        }
        for (below, item) in read_disk_below(&self.root.join(path)) {
            let (from, to) = (self.root.join(path).join(&below), self.root.join(&to).join(&below));
            let _done = if item == Item::Folder { fs::create_dir(to) } else { fs::copy(from, to).map(drop) };
        }
        self.tell(format!("copies folder {path} to {to}"));
    }

    fn swap(&mut self) {
        let (Some(one), Some(other)) = (self.a_file(), self.a_file()) else { return };
        if one == other {
            return;
        }
        let aside = self.root.join(".aside");
        let [from, to] = [&one, &other].map(|path| self.root.join(path));
        let done =
            fs::rename(&from, &aside).and_then(|()| fs::rename(&to, &from)).and_then(|()| fs::rename(&aside, &to));
        self.tell(format!("swaps {one} and {other}: {done:?}"));
    }

    /// A link that leads to a file, which is never taken. At the top, so that it holds no folder back that others delete.
    fn link(&mut self, path: &str) {
        let done = std::os::unix::fs::symlink(self.root.join(path), self.root.join("to the latest"));
        self.tell(format!("links to {path}: {done:?}"));
    }

    /// As programs do that must not replace anything: for a while the file has two names.
    async fn rename_by_a_hard_link(&mut self, path: &str) {
        let to = self.a_place();
        let done = fs::hard_link(self.root.join(path), self.root.join(&to));
        self.tell(format!("links {path} hard to {to}: {done:?}"));
        if done.is_ok() {
            sleep(Duration::from_millis([0, 700, 30_000][self.pick(3)])).await;
            let inode = |path: &str| fs::metadata(self.root.join(path)).ok().map(|seen| seen.ino());
            // What came there from others meanwhile is another file.
            if inode(path).is_some_and(|file| Some(file) == inode(&to)) {
                let done = fs::remove_file(self.root.join(path));
                self.tell(format!("unlinks {path}: {done:?}"));
            }
        }
    }

    /// Other bytes of the same size, with the time that the file had.
    fn edit_with_the_old_time(&mut self, path: &str) {
        let at = self.root.join(path);
        let Ok(before) = fs::metadata(&at) else { return };
        self.written += 1;
        let size = usize::try_from(before.len()).unwrap_or(0);
        let content = day::content(self.written, size);
        let Ok(time) = before.modified() else { return };
        self.let_go(path);
        if size >= 8 && fs::write(&at, &content).is_ok() {
            self.want(&content, path);
            let _done = fs::File::options().write(true).open(&at).and_then(|file| file.set_modified(time));
            self.tell(format!("edits {path} and sets its time back"));
        }
    }

    fn touch(&mut self, path: &str) {
        let opened = fs::File::options().write(true).open(self.root.join(path));
        let _done = opened.and_then(|file| file.set_modified(SystemTime::now()));
        self.tell(format!("touches {path}"));
    }

    /// A tree comes at once.
    fn unpack(&mut self) {
        let top = self.a_path(&FOLDERS);
        let _made = fs::create_dir_all(self.root.join(&top).join("été"));
        self.tell(format!("unpacks {top}"));
        for name in ["a.txt", "notes", "été/q1.pdf", "été/x.tar.gz"] {
            self.write(&format!("{top}/{name}"));
        }
    }

    /// Many files change, come and go at once, as another branch is checked out.
    fn check_out(&mut self) {
        self.tell("checks out".to_owned());
        for path in self.files() {
            match self.pick(4) {
                0 => self.remove(&path),
                1 => {
                    self.remove(&path);
                    self.write(&path);
                }
                _ => {}
            }
        }
        self.write_new();
    }

    /// In parts, as a download or a recording grows.
    async fn write_slowly(&mut self) {
        let path = self.a_place();
        self.let_go(&path);
        self.tell(format!("writes {path} slowly"));
        let mut content = Vec::new();
        for _ in 0..3 {
            content.extend(self.new_content());
            if fs::write(self.root.join(&path), &content).is_err() {
                return;
            }
            sleep(Duration::from_millis(900)).await;
        }
        // Somebody may have taken it away meanwhile.
        if fs::read(self.root.join(&path)).is_ok_and(|now| now == content) {
            self.want(&content, &path);
        }
    }

    /// As a disk that is unplugged and comes back.
    async fn take_away_and_bring_back(&mut self) {
        let away = self.root.with_extension("away");
        let done = fs::rename(&self.root, &away);
        self.tell(format!("takes the folder away: {done:?}"));
        sleep(Duration::from_millis([3, 4_000, 90_000][self.pick(3)])).await;
        let done = fs::rename(&away, &self.root);
        self.tell(format!("brings it back: {done:?}"));
    }

    /// Others may read it, or write to it, or not any more.
    fn change_rights(&mut self, path: &str) {
        let mode = [0o600, 0o640, 0o700, 0o755, 0o555][self.pick(5)];
        let done = fs::set_permissions(self.root.join(path), fs::Permissions::from_mode(mode));
        self.tell(format!("gives {path} the rights {mode:o}: {done:?}"));
    }

    /// As what lies under a disk that is not mounted for a while: another folder, which is empty or not, stands in the place of
    /// the watched one.
    async fn put_another_in_its_place(&mut self) {
        let [away, other] = ["away", "other"].map(|word| self.root.with_extension(word));
        let done = fs::rename(&self.root, &away).and_then(|()| fs::create_dir(&self.root));
        let is_empty = self.pick(2) == 0;
        if !is_empty {
            let _done = fs::write(self.root.join("not mounted.txt"), "nothing is mounted here");
        }
        self.tell(format!(
            "puts another folder in its place, {}: {done:?}",
            if is_empty { "empty" } else { "with a file" }
        ));
        sleep(Duration::from_millis([3, 4_000, 90_000][self.pick(3)])).await;
        let done = fs::rename(&self.root, &other).and_then(|()| fs::rename(&away, &self.root));
        let _gone = fs::remove_dir_all(&other);
        self.tell(format!("puts the folder back: {done:?}"));
    }

    /// One thing that others do in the drive.
    pub fn act_in_drive(&mut self, stranger: &Stranger) {
        let drive = stranger.drive();
        let is_below = |path: &str| path.strip_prefix(KEPT).is_some_and(|rest| rest.starts_with('/'));
        let is_pointer = |path: &str| path.rsplit('/').next().is_some_and(|name| name.starts_with('.'));
        let mut files: Vec<_> =
            drive.files.iter().filter(|(_, file)| is_below(&file.path) && !is_pointer(&file.path)).collect();
        files.sort_by(|one, other| one.1.path.cmp(&other.1.path));
        let mut folders: Vec<_> = drive.folders.iter().filter(|(_, path)| is_below(path) || *path == KEPT).collect();
        folders.sort_by(|one, other| one.1.cmp(other.1));
        let Some((above, above_path)) = folders.get(self.pick(folders.len())).copied() else { return };
        let file = files.get(self.pick(files.len())).copied();
        // Of what pointers stand for as well: nobody makes a second file where people see one.
        let seen = read_kept(stranger);
        let is_free = |path: &str| !seen.contains_key(path.strip_prefix(&format!("{KEPT}/")).unwrap_or(path));
        match (self.pick(7), file) {
            (0 | 1, _) => {
                let (content, name) = (self.new_content(), self.a_name());
                let path = format!("{above_path}/{name}");
                if is_free(&path) {
                    self.want(&content, &path);
                    stranger.put_file(Some(above), name, content);
                    self.tell(format!("the drive gets {path}"));
                }
            }
            (2, Some((id, file))) => {
                let name = self.a_name();
                let (folder, _) = file.path.rsplit_once('/').unwrap_or_default();
                let done = is_free(&format!("{folder}/{name}")) && stranger.rename(id, name);
                self.tell(format!("the drive renames {} to {name}: {done}", file.path));
            }
            (3, Some((id, file))) => {
                let (_, name) = file.path.rsplit_once('/').unwrap_or_default();
                let done = is_free(&format!("{above_path}/{name}")) && stranger.move_to(id, Some(above));
                self.tell(format!("the drive moves {} to {above_path}: {done}", file.path));
            }
            (4, Some((id, file))) => {
                self.wanted.remove(&file.sha256);
                let done = stranger.delete(id);
                self.tell(format!("the drive deletes {}: {done}", file.path));
            }
            (5, Some((id, file))) => {
                // An edit elsewhere: the new one takes the place of the old.
                let (folder, name) = file.path.rsplit_once('/').unwrap_or_default();
                let content = self.new_content();
                let folder = drive.folder(folder).map(str::to_owned);
                self.wanted.remove(&file.sha256);
                stranger.delete(id);
                self.want(&content, &file.path);
                stranger.put_file(folder.as_deref(), name, content);
                self.tell(format!("the drive gets another {}", file.path));
            }
            _ => {
                let name = FOLDERS[self.pick(FOLDERS.len())];
                let path = format!("{above_path}/{name}");
                if drive.folder(&path).is_none() {
                    stranger.make_folder(Some(above), name);
                    self.tell(format!("the drive makes {path}"));
                }
            }
        }
    }
}
