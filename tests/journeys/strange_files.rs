//! What is no ordinary file, in a process that may not read everything.

use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::path::Path;

use easel_tests::studio::{Options, Studio};
use nix::sys::stat::Mode;
use tempfile::TempDir;

use crate::probe::Probe;
use crate::sending::{Item, age, plain, read_drive};

/// Nobody, on every Linux.
const NOBODY: u32 = 65_534;

fn write(path: &Path, content: &[u8]) {
    std::fs::write(path, content).expect("a file");
    age(path);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_sent_is_named_with_its_reason_and_the_rest_goes_on() {
    let studio = Studio::start(Options::new());
    let key = studio.create_key("journey");
    let place = TempDir::with_prefix("easel-files-").expect("a folder");
    let top = place.path().join("drop");
    std::fs::create_dir_all(top.join("locked folder")).expect("folders");
    write(&top.join("good.txt"), b"good");
    write(&top.join("locked.txt"), b"secret");
    write(&top.join("line\nbreak.txt"), b"a name that no drive holds");
    nix::unistd::mkfifo(&top.join("pipe"), Mode::S_IRWXU).expect("a pipe");
    let _socket = UnixListener::bind(top.join("socket")).expect("a socket");
    symlink("good.txt", top.join("link")).expect("a link");
    symlink("..", top.join("loop")).expect("a link");
    for name in ["locked.txt", "locked folder"] {
        std::fs::set_permissions(top.join(name), PermissionsExt::from_mode(0o000)).expect("a locked item");
    }
    let journal = place.path().join("journal/journal.db");
    std::fs::create_dir(journal.parent().expect("a folder")).expect("a folder");
    let dropped = [top.clone(), place.path().join("gone.txt"), "/dev/null".into()];
    let mut command = Probe::command(&journal, &studio, &key, &dropped);
    if nix::unistd::geteuid().is_root() {
        // Root reads everything, so somebody else does the sending.
        std::fs::set_permissions(place.path(), PermissionsExt::from_mode(0o755)).expect("a folder");
        chown(journal.parent().expect("a folder"), Some(NOBODY), Some(NOBODY)).expect("a folder");
        command.uid(NOBODY).gid(NOBODY);
    }
    let mut probe = Probe::run(&mut command);
    let enqueued = probe.wait_for("enqueued");
    let skipped: BTreeMap<String, String> = enqueued["skipped"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|skipped| {
            let path = Path::new(skipped["path"].as_str().expect("a path"));
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, skipped["reason"]["code"].as_str().expect("a reason").to_owned())
        })
        .collect();
    let expected = [
        ("gone.txt", "vanished"),
        ("line\nbreak.txt", "name_not_possible"),
        ("link", "symbolic_link"),
        ("locked folder", "unreadable"),
        ("locked.txt", "unreadable"),
        ("loop", "symbolic_link"),
        ("null", "device"),
        ("pipe", "fifo"),
        ("socket", "socket"),
    ];
    assert_eq!(skipped, expected.into_iter().map(|(name, reason)| (name.to_owned(), reason.to_owned())).collect());
    let transfers = probe.finish();
    assert_eq!(transfers.len(), 1);
    std::fs::set_permissions(top.join("locked folder"), PermissionsExt::from_mode(0o755)).expect("an open folder");
    let drive = read_drive(&plain(&studio, &key)).await;
    assert_eq!(drive.keys().map(String::as_str).collect::<Vec<_>>(), ["drop", "drop/good.txt"]);
    assert!(matches!(&drive["drop/good.txt"], Item::File(_)));
}
