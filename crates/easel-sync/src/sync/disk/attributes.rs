//! What a file has besides its bytes, carried over to the file that replaces it: rights, owner and group, extended
//! attributes and with them access control lists.
//!
//! Always true: attributes are carried over before the new file stands where anyone looks for it; nobody may do more
//! with the new file than with the old one; what the system does not let through is left out, and the file is replaced
//! all the same. Not here: labels and capabilities that the system itself gives (`security.*`), which belong to the old
//! bytes. Blocking.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::sync::OnceLock;

use super::folder::Folder;

/// Gives the file `to` in `into` the rights, owner and attributes of the file `from` in `folder`.
pub(super) fn carry_over(folder: &Folder, from: &OsStr, into: &Folder, to: &OsStr) {
    let carried = folder.open_file(from).and_then(|old| carry(&old, &into.open_file(to)?));
    if let Err(error) = carried {
        tracing::warn!(%error, "a file that is replaced has rights or attributes that the new one does not get");
    }
}

/// Gives a file that replaces none the rights of any new file: a slot's file is readable by its owner alone until it is
/// whole and at its place. The usual rights are found out for the first file and noted in `known`.
#[cfg(unix)]
pub(super) fn give_usual(folder: &Folder, name: &OsStr, known: &OnceLock<u32>) {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    let usual = known.get().copied().map_or_else(|| folder.rights_of_new_files(), Ok);
    let given = usual.and_then(|usual| {
        let usual = *known.get_or_init(|| usual);
        folder.open_file(name)?.set_permissions(Permissions::from_mode(usual))
    });
    if let Err(error) = given {
        tracing::warn!(%error, "a new file stays its owner's alone");
    }
}

#[cfg(not(unix))]
pub(super) const fn give_usual(_folder: &Folder, _name: &OsStr, _known: &OnceLock<u32>) {}

#[cfg(unix)]
fn carry(old: &File, new: &File) -> io::Result<()> {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};

    let (was, is) = (old.metadata()?, new.metadata()?);
    // The group first: after the owner is changed, this process may not change the group any more.
    let is_of_group = was.gid() == is.gid() || fchown(new, None, Some(was.gid())).is_ok();
    let is_of_owner = was.uid() == is.uid() || fchown(new, Some(was.uid()), None).is_ok();
    new.set_permissions(Permissions::from_mode(rights(was.mode(), is_of_owner, is_of_group)))?;
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    extended::carry(old, new, is_of_owner && is_of_group)?;
    new.sync_all()
}

#[cfg(not(unix))]
fn carry(old: &File, new: &File) -> io::Result<()> {
    new.set_permissions(old.metadata()?.permissions())
}

/// The rights of a new file whose owner or group could not be carried over: its other group may do no more than anyone
/// could with the old file.
#[cfg(unix)]
const fn rights(mode: u32, is_of_owner: bool, is_of_group: bool) -> u32 {
    let mut rights = mode & 0o7777;
    if !is_of_owner {
        rights &= !0o4000;
    }
    if !is_of_group {
        let of_others = (rights & 0o007) << 3;
        rights &= !0o2070 | of_others;
    }
    rights
}

/// Extended attributes.
#[cfg(any(target_os = "linux", target_os = "macos"))]
mod extended {
    use std::ffi::CString;
    use std::fs::File;
    use std::io;

    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
    use rustix::io::Errno;

    /// More than any system takes for one attribute.
    const MOST_BYTES: usize = 1 << 24;
    /// Where file systems keep access control lists.
    const ACCESS_LIST: &[u8] = b"system.posix_acl_access";

    /// An access control list names owner and group, so it is carried only where both are the same.
    pub fn carry(old: &File, new: &File, has_same_owners: bool) -> io::Result<()> {
        let names = match read(|buffer| flistxattr(old, buffer)) {
            Ok(names) => names,
            // This file system has no attributes.
            Err(Errno::NOTSUP) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        let mut failed = None;
        for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
            if !(is_a_persons(name) || (has_same_owners && name == ACCESS_LIST)) {
                continue;
            }
            let name = CString::new(name)?;
            let carried = read(|buffer| fgetxattr(old, &name, buffer))
                .and_then(|value| fsetxattr(new, &name, &value, XattrFlags::empty()));
            if let Err(error) = carried {
                failed = Some(error);
            }
        }
        failed.map_or(Ok(()), |error| Err(error.into()))
    }

    /// Linux keeps the attributes of people and their programs in a namespace of its own; macOS has no other.
    fn is_a_persons(name: &[u8]) -> bool {
        cfg!(target_os = "macos") || name.starts_with(b"user.")
    }

    /// Repeats the call with a larger and larger buffer until the answer fits.
    fn read(ask: impl Fn(&mut [u8]) -> rustix::io::Result<usize>) -> rustix::io::Result<Vec<u8>> {
        let mut buffer = vec![0; 1_024];
        loop {
            match ask(&mut buffer) {
                Ok(length) => {
                    buffer.truncate(length);
                    return Ok(buffer);
                }
                Err(Errno::RANGE) if buffer.len() < MOST_BYTES => buffer = vec![0; buffer.len() * 2],
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn another_group_may_do_no_more_than_anyone_could() {
        for (mode, is_of_owner, is_of_group, expected) in [
            (0o100_755, true, true, 0o755),
            (0o100_600, true, true, 0o600),
            (0o104_755, true, true, 0o4755),
            (0o106_755, false, false, 0o755),
            (0o100_660, true, false, 0o600),
            (0o100_664, true, false, 0o644),
            (0o100_640, false, true, 0o640),
        ] {
            assert_eq!(rights(mode, is_of_owner, is_of_group), expected, "{mode:o}");
        }
    }
}
