//! A certificate that is renewed is shown without a restart.

use std::time::Duration;

use easel_tests::http::Http;
use easel_tests::patience::wait_for;
use easel_tests::studio::{Options, Studio};

#[tokio::test]
async fn a_renewed_certificate_is_shown_to_new_connections() {
    let certificates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("certificate");
    let place = tempfile::tempdir().unwrap();
    let (chain, key) = (place.path().join("chain.pem"), place.path().join("key.pem"));
    let put = |name: &str, to: &std::path::Path| std::fs::copy(certificates.join(name), to).unwrap();
    put("certificate.pem", &chain);
    put("key.pem", &key);
    let options = Options::new().with("--tls-cert", chain.to_str().unwrap()).with("--tls-key", key.to_str().unwrap());
    let studio = Studio::start(options);
    let trusting = |name: &str| Http::trusting(&studio.base_url, &std::fs::read(certificates.join(name)).unwrap());
    let (before, renewed) = (trusting("certificate.pem"), trusting("renewed.pem"));
    before.get("/healthz").await.is(200);
    let refused = renewed.try_request(http::Method::GET, "/healthz", None, bytes::Bytes::new()).await;
    assert!(refused.is_err(), "it is another certificate");

    // A pair that does not fit is not used: whoever renews replaces one file after the other.
    put("renewed.pem", &chain);
    wait_for("the log", Duration::from_secs(30), async || {
        let log = studio.log();
        if log.contains("cannot be used") { Ok(()) } else { Err(log) }
    })
    .await;
    before.get("/healthz").await.is(200);
    put("renewed-key.pem", &key);
    wait_for("the renewed certificate", Duration::from_secs(30), async || {
        renewed
            .try_request(http::Method::GET, "/healthz", None, bytes::Bytes::new())
            .await
            .map_err(|error| error.to_string())
    })
    .await
    .is(200);
}
