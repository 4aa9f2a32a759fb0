//! `POST /v1/drive/files/{file_id}/content`: gives an existing file the bytes of a PUT as its content; the old content
//! becomes a version. An addition to the specification's routes; a service without it answers 404 (contract, "Drive").
//!
//! Always true: as with register, the bytes are on the disk before the row says so, the request can be repeated for a
//! day with the same answer, and a blob that could not be used stays for another try. Not here: the versions
//! ([`crate::db::drive::versions`]).

use axum::Json as Answer;
use axum::extract::State;
use easel_wire::error::code;
use serde_json::json;

use super::commit::describe;
use super::commit::remembered;
use super::fields::read_mime_type;
use super::signed::find_own;
use crate::audit;
use crate::blobs::{ContentHash, Location, Offered};
use crate::core::caller::Caller;
use crate::core::detached::to_the_end;
use crate::core::error::Error;
use crate::db::drive::get_visible_file;
use crate::db::drive::versions::{self, Changed, NewContent};
use crate::db::{Viewer, uploads as rows};
use crate::drive::file_on_wire;
use crate::studio::keeping::keep;
use crate::studio::unused::remove_unused;
use crate::studio::{SharedStudio, Studio};
use crate::web::content::read_expected;
use crate::web::extract::{Json, PathId};
use crate::web::origin::Origin;
use crate::wire::drive::{FileAnswer, ReplaceContent};
use crate::wire::id::kind;
use crate::wire::{FileId, VersionId};

/// A content that was PUT and is to become a file's.
struct Staged {
    file: FileId,
    storage_key: String,
    hash: ContentHash,
    size_bytes: u64,
    mime_type: String,
    expected: Option<ContentHash>,
    /// Where that takes a while; else it is done under the write lock.
    offered: Option<Offered>,
}

/// Gives a file the content that was PUT under a storage key; again within a day, the file as it is then.
pub async fn replace_content(
    State(studio): State<SharedStudio>,
    caller: Caller,
    origin: Origin,
    PathId(file): PathId<kind::File>,
    Json(request): Json<ReplaceContent>,
) -> Result<Answer<FileAnswer>, Error> {
    let mime_type = request.mime_type.as_deref().map(|mime| read_mime_type("mime_type", mime)).transpose()?;
    let expected = request.expected_content_hash.as_deref().map(read_expected).transpose()?;
    // Before the bytes are looked at: what is not there for the caller is said at once.
    get_visible_file(&mut *studio.db.reader().await?, Viewer::from(&caller), file).await?;
    let upload = find_own(&studio, &caller, &request.storage_key).await?;
    if remembered(&studio, &upload)?.is_some_and(|result| result.file_id == file) {
        return answer(&studio, &caller, file).await;
    }
    let unknown = || Error::not_found(code::UPLOAD_NOT_FOUND);
    if upload.consumed.is_some() || !upload.written {
        return Err(unknown());
    }
    let (hash, size_bytes) = studio.blobs.hash_staged(&upload.storage_key).await?.ok_or_else(unknown)?;
    let (max_file_bytes, is_plan_limit) = studio.config.max_file_bytes(caller.plan);
    if size_bytes > max_file_bytes {
        return Err(Error::FileTooLarge { max_file_bytes, is_plan_limit });
    }
    let staged = Staged {
        file,
        storage_key: upload.storage_key,
        hash,
        size_bytes,
        mime_type: mime_type.unwrap_or(upload.mime_type),
        expected,
        offered: None,
    };
    to_the_end(async move {
        let early = studio.blobs.offer_early(Location::staged(&staged.storage_key), staged.hash).await;
        let staged = match early {
            Ok(offered) => Staged { offered, ..staged },
            Err(error) => {
                remove_unused(&studio.db, &studio.blobs, &[staged.hash]).await;
                return Err(error);
            }
        };
        replace(&studio, &caller, origin, staged).await?;
        answer(&studio, &caller, file).await
    })
    .await
}

async fn answer(studio: &Studio, caller: &Caller, file: FileId) -> Result<Answer<FileAnswer>, Error> {
    let mut conn = studio.db.reader().await?;
    let file = get_visible_file(&mut conn, Viewer::from(caller), file).await?;
    Ok(Answer(FileAnswer { file: file_on_wire(&studio.config, file) }))
}

async fn replace(studio: &Studio, caller: &Caller, origin: Origin, staged: Staged) -> Result<(), Error> {
    let place = Location::staged(&staged.storage_key);
    let (file, hash) = (staged.file, staged.hash);
    match write(studio, caller, origin, staged).await {
        Ok(dropped) => {
            remove_unused(&studio.db, &studio.blobs, &dropped).await;
            studio.blobs.discard_soon(place).await;
            tracing::info!(user = %caller.user_id, key = %caller.api_key_id, %file, "content replaced");
            Ok(())
        }
        Err(error) => {
            remove_unused(&studio.db, &studio.blobs, &[hash]).await;
            Err(error)
        }
    }
}

/// Writes all rows in one transaction; returns the contents that went with versions beyond the bound.
async fn write(studio: &Studio, caller: &Caller, origin: Origin, staged: Staged) -> Result<Vec<ContentHash>, Error> {
    let mut tx = studio.db.begin_for(caller.team_id).await?;
    let now = studio.clock.now();
    let upload = rows::find_signed_upload(&mut tx, &staged.storage_key, now).await?;
    // Another request may have used the upload while this one was looking.
    let unused = upload.filter(|upload| upload.consumed.is_none());
    unused.ok_or_else(|| Error::not_found(code::UPLOAD_NOT_FOUND))?;
    // The content has counted for the quota since its PUT.
    let offered = match staged.offered {
        Some(offered) => offered,
        None => studio.blobs.offer(Location::staged(&staged.storage_key), staged.hash).await?,
    };
    keep(&mut tx, &studio.blobs, &offered).await?;
    let content = NewContent {
        version: VersionId::from_uuid(studio.ids.next()),
        mime_type: staged.mime_type,
        size_bytes: staged.size_bytes,
        content_hash: staged.hash,
    };
    // Putting the content at its place may have taken a while, so the moment is taken now: clients ask for changes by
    // it.
    let now = studio.clock.now();
    let viewer = Viewer::from(caller);
    let Changed { file, dropped } =
        versions::replace_content(&mut tx, viewer, staged.file, content, staged.expected, now).await?;
    let details = json!({ "name": file.name, "size_bytes": file.size_bytes });
    audit::note(&mut tx, caller, origin, ("content_replaced", file.id.to_string(), details), now).await?;
    let result = describe(studio, file, false);
    let text = serde_json::to_string(&result).map_err(|_| Error::Corrupt("an upload result"))?;
    rows::mark_consumed(&mut tx, &[(&staged.storage_key, &text)], now).await?;
    tx.commit().await?;
    Ok(dropped)
}
