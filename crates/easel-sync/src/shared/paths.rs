//! Paths below a folder: names joined by `/`, which never stands at either end; the folder itself is the empty path.
//!
//! Pure text. Not here: paths of the system.

/// The folders above a path, the nearest first, the root last.
pub fn above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors((!path.is_empty()).then(|| parent(path)), |folder| {
        (!folder.is_empty()).then(|| parent(folder))
    })
}

/// The folder of a path; the root's is empty.
#[must_use]
pub fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path.
#[must_use]
pub fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The path of a name in a folder.
#[must_use]
pub fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// The path that an item has once `from`, which is the item itself or a folder above it, is at `to`.
#[must_use]
pub fn rebased(path: &str, from: &str, to: &str) -> String {
    format!("{to}{}", &path[from.len()..])
}

/// Whether `path` lies in `folder`, at any depth.
#[must_use]
pub fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || (path.len() > folder.len() && path.starts_with(folder) && path.as_bytes()[folder.len()] == b'/')
}
