//! Configures TLS for `https` addresses.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::error::McpError;
use crate::text;

/// Returns the TLS configuration. Reads the root certificates of the operating system only if
/// `needed`.
pub(crate) async fn config(needed: bool) -> Result<ClientConfig, McpError> {
    let build = move || {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder =
            ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let builder = if needed {
            builder.with_platform_verifier()?
        } else {
            builder.with_root_certificates(RootCertStore::empty())
        };
        Ok::<_, rustls::Error>(builder.with_no_client_auth())
    };
    let built = match needed {
        // The root certificates are in files, or behind a slow interface of the operating system.
        true => tokio::task::spawn_blocking(build)
            .await
            .map_err(|error| McpError::Connect {
                reason: text::causes(&error),
            })?,
        false => build(),
    };
    built.map_err(|error| McpError::Connect {
        reason: format!("TLS can't be set up ({})", text::causes(&error)),
    })
}
