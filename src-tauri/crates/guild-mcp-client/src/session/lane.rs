//! The path for raw requests of a connection, for both transports.

use rmcp::RoleClient;
use rmcp::service::Peer;

use crate::calls::InLane;
use crate::http::HttpLane;
use crate::lane::RawRequestResult;
use crate::lane::compose::Request;
use crate::lines::LineLane;

/// The raw request path of one connection.
#[derive(Debug, Clone)]
pub(crate) enum Lane {
    Lines(LineLane),
    Http(HttpLane),
}

impl Lane {
    /// Sends a request and waits for its answer. `None` when the connection ends first.
    pub(crate) async fn ask(
        &self,
        request: &Request<'_>,
        message: Vec<u8>,
        waits: &mut InLane,
        peer: &Peer<RoleClient>,
    ) -> Option<RawRequestResult> {
        match self {
            Self::Lines(lines) => lines.ask(message, waits).await,
            Self::Http(http) => http.ask(request, message, waits, peer).await,
        }
    }
}
