//! Skipped files: those that a person gave and that are not taken, and why.
//!
//! Always true: a file whose type the service has refused before is not sent again. Not here: taking the others
//! (`intake`).

use std::path::{Path, PathBuf};

use easel_client::{Client, Target};
use easel_sync::Skipped;

use super::views::SkippedFile;
use crate::causes::{self, About};
use crate::messages;

/// Leaves out the files whose type the service was seen not to take, each with its reason. What lies in folders is
/// judged when its turn comes, before it is sent.
pub(crate) async fn leave_out_refused(client: &Client, paths: Vec<PathBuf>) -> (Vec<PathBuf>, Vec<SkippedFile>) {
    let is_any_refused = !client.capabilities().refused_media_types.is_empty();
    let (mut left, mut skipped) = (Vec::with_capacity(paths.len()), Vec::new());
    for path in paths {
        let refused = match is_any_refused {
            true => refusal(client, &path).await,
            false => None,
        };
        match refused {
            Some(reason) => skipped.push(SkippedFile { name: shown_name(&path), reason }),
            None => left.push(path),
        }
    }
    (left, skipped)
}

async fn refusal(client: &Client, path: &Path) -> Option<String> {
    let name = name_of(path);
    let error = client.check_media_type(&Target::new(&name, None).mime_type).err()?;
    let is_file = tokio::fs::metadata(path).await.is_ok_and(|found| found.is_file());
    is_file.then(|| causes::of_client(&error, About { name: &name, ..About::default() }).detail)
}

/// The skipped items, for the page.
pub(crate) fn name_skipped(skipped: &[Skipped]) -> Vec<SkippedFile> {
    let view = |skipped: &Skipped| SkippedFile {
        name: shown_name(&skipped.path),
        reason: causes::of_skip(&skipped.reason).to_owned(),
    };
    skipped.iter().map(view).collect()
}

/// The last part of a path, for a person.
fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// The last part of a path as it can be shown.
fn shown_name(path: &Path) -> String {
    messages::in_order(&name_of(path)).into_owned()
}
