//! Work that is done whether or not anybody waits for it.
//!
//! Always true: a request whose client hangs up leaves nothing half-done of such work. Not here: what the work is.

use std::future::Future;

use super::error::Error;

/// Runs `work` to its end even where the client goes away meanwhile, so that no bytes are left without their row.
pub async fn to_the_end<T: Send + 'static>(
    work: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    tokio::spawn(work).await.unwrap_or(Err(Error::Panicked))
}
