//! Parts of contents, each served once the whole content was read and found right.
//!
//! A part cannot be verified by itself, so the whole content is read beside the first one that is asked for, whose last
//! piece waits for that. Always true: at most two contents are read for it at the same time, also where those who asked
//! are gone. Not here: contents that are served whole ([`Blobs::read_verified`]), and the look at all of them.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use tokio_util::task::AbortOnDropHandle;

use super::checked::{Stamp, hash_file};
use super::place::{CONTENTS, ContentHash, blocking, check, path_of_content, place_of};
use super::store::Blobs;
use crate::core::error::Error;

impl Blobs {
    /// The bytes `range` of the content `hash` of `size_bytes` bytes, piece by piece; the last one only where the whole
    /// content is what it was when it came. Of a damaged content a part ends with an error, so that nobody takes it for
    /// what was asked for.
    pub fn read_part(
        &self,
        hash: &ContentHash,
        size_bytes: u64,
        range: Range<u64>,
    ) -> impl Stream<Item = Result<Bytes, object_store::Error>> + Send + 'static {
        if range == (0..size_bytes) {
            return self.read_verified(hash, size_bytes).boxed();
        }
        let (blobs, hash, left) = (self.clone(), *hash, range.end.saturating_sub(range.start));
        let pieces = Box::pin(self.read(&hash, range));
        let checking = async move { blobs.check_whole(&hash).await };
        // Nothing is read before the answer is.
        stream::once(async move { (pieces, AbortOnDropHandle::new(tokio::spawn(checking)), left) })
            .flat_map(|begun| {
                stream::try_unfold(begun, |(mut pieces, mut checking, left)| async move {
                    let Some(piece) = pieces.next().await.transpose()? else { return Ok(None) };
                    let left = left.saturating_sub(piece.len() as u64);
                    if left == 0 {
                        (&mut checking).await.map_err(|_| unreadable(Error::Panicked))??;
                    }
                    Ok(Some((piece, (pieces, checking, left))))
                })
            })
            .boxed()
    }

    /// What tells the content from the one that lies in its place later.
    async fn stamp_of(&self, hash: &ContentHash) -> Result<Stamp, object_store::Error> {
        if let Some(bucket) = &self.bucket {
            let found = bucket.look_up(&place_of(hash)).await.map_err(unreadable)?.ok_or_else(gone)?;
            return Ok(Stamp::of_object(&found));
        }
        let place = path_of_content(self.root(), hash);
        blocking(move || Stamp::of(&place)).await.map_err(unreadable)
    }

    /// Reads the whole content, unless that was done within the hour.
    async fn check_whole(&self, hash: &ContentHash) -> Result<(), object_store::Error> {
        if self.checked.knows(hash, &self.stamp_of(hash).await?) {
            return Ok(());
        }
        let turn = Arc::clone(&self.checked.turns).acquire_owned().await;
        // Another request may have read the content while this one waited.
        let stamp = self.stamp_of(hash).await?;
        if self.checked.knows(hash, &stamp) {
            return Ok(());
        }
        let found = match &self.bucket {
            // The client may go away; nothing is read then.
            Some(bucket) => bucket.hash(&place_of(hash)).await.map_err(unreadable)?.ok_or_else(gone)?.0,
            None => {
                let place = path_of_content(self.root(), hash);
                // The client may go away; the reading goes on then, and keeps its turn for as long.
                let reading = move || {
                    let found = hash_file(&place);
                    drop(turn);
                    found
                };
                blocking(reading).await.map_err(unreadable)?.0
            }
        };
        check(hash, found)?;
        self.checked.note(*hash, stamp);
        Ok(())
    }
}

fn gone() -> object_store::Error {
    unreadable(std::io::Error::from(std::io::ErrorKind::NotFound).into())
}

fn unreadable(error: Error) -> object_store::Error {
    object_store::Error::Generic { store: CONTENTS, source: error.into() }
}
