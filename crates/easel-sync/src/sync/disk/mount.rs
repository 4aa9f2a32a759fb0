//! What kind of file system a folder lies on.

use std::path::Path;

/// Whether others change this file system without the system knowing.
#[cfg(target_os = "linux")]
pub(crate) fn is_shared(path: &Path) -> bool {
    // The magic numbers of statfs(2): NFS, SMB and CIFS in three versions, FUSE (sshfs, rclone and the like), 9P, AFS,
    // Ceph, and the folders that virtual machines share with their hosts.
    const SHARED: [u32; 9] =
        [0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x0102_1997, 0x5346_414F, 0x00C3_6400, 0x786F_4256];
    // The type's width and sign differ from machine to machine; the numbers have 32 bits.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the numbers have 32 bits")]
    rustix::fs::statfs(path).is_ok_and(|seen| SHARED.contains(&(seen.f_type as u32)))
}

/// Whether others change this file system without the system knowing.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_shared(_path: &Path) -> bool {
    false
}
