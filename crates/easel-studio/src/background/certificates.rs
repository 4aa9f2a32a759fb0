//! The certificate of the API and of storage: read at the start, and again when its files change.
//!
//! A renewal replaces two files, one after the other. So a pair that does not fit is not used: the certificate of
//! before stays until the next look. Open connections keep the one that they began with. Not here: where certificates
//! come from.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum_server::tls_rustls::RustlsConfig;

use crate::core::error::Error;
use crate::studio::SharedStudio;

/// How often the files are looked at.
const EVERY: Duration = Duration::from_secs(5);

/// TLS for HTTP/1.1, the only version that is served: the ceiling for a body is one of HTTP/1 (specification,
/// "Errors").
///
/// # Errors
/// [`Error::Io`] where the files cannot be read, or are no certificate with its key.
pub async fn read(chain: &Path, key: &Path) -> Result<RustlsConfig, Error> {
    let read = RustlsConfig::from_pem_file(chain, key).await.map_err(|error| {
        let what = format!("{} and {} are no certificate with its key: {error}", chain.display(), key.display());
        Error::Io(std::io::Error::new(error.kind(), what))
    })?;
    let mut config = read.get_inner().as_ref().clone();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(RustlsConfig::from_config(Arc::new(config)))
}

/// Reads the certificate again whenever one of its files changes, until the studio stops.
pub async fn keep_fresh(studio: SharedStudio, shown: RustlsConfig, chain: PathBuf, key: PathBuf) {
    let mut seen = look(&chain, &key);
    loop {
        tokio::select! {
            () = tokio::time::sleep(EVERY) => {}
            () = studio.active_tasks.stopping.cancelled() => return,
        }
        let now = look(&chain, &key);
        if now == seen {
            continue;
        }
        match read(&chain, &key).await {
            Ok(fresh) => {
                shown.reload_from_config(fresh.get_inner());
                seen = now;
                tracing::info!(chain = %chain.display(), "the certificate was read again");
            }
            Err(error) => tracing::warn!(%error, "a changed certificate cannot be used; the one before stays"),
        }
    }
}

/// Tells whether a file has changed: its modification time, and its length.
fn look(chain: &Path, key: &Path) -> [Option<(SystemTime, u64)>; 2] {
    [chain, key].map(|path| {
        let found = std::fs::metadata(path).ok()?;
        Some((found.modified().ok()?, found.len()))
    })
}
