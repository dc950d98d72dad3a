//! Wraps rmcp's HTTP transport. A server's request counts as pending until the transport has posted
//! the answer.

use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;

use crate::decoder::MessageDecoder;

/// A transport that records which answers are being sent.
pub(crate) struct AnswerTracker<T> {
    transport: T,
    decoder: MessageDecoder,
}

impl<T> AnswerTracker<T> {
    pub(crate) fn new(transport: T, decoder: MessageDecoder) -> Self {
        Self { transport, decoder }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for AnswerTracker<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        let sending = self.decoder.note_answer(&message);
        let sent = self.transport.send(message);
        async move {
            let _sending = sending;
            sent.await
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        self.transport.receive().await
    }

    async fn close(&mut self) -> Result<(), T::Error> {
        self.transport.close().await
    }
}
