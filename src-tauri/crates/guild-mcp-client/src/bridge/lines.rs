//! Writes messages to the program, one per line.

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;

/// Writes messages, one per line, until the queue is closed or the output is closed.
pub(super) async fn write_lines(
    mut output: impl AsyncWrite + Unpin,
    mut queue: mpsc::Receiver<String>,
) {
    while let Some(message) = queue.recv().await {
        let mut line = message.into_bytes();
        for byte in &mut line {
            // A line end between JSON tokens is white space. It can't occur inside a JSON string.
            if matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        line.push(b'\n');
        let written = async {
            output.write_all(&line).await?;
            output.flush().await
        };
        if written.await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_with_line_ends_is_one_line() {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime");
        guild_tests::mangled::each("stdio-lines", |bytes| {
            let message = String::from_utf8_lossy(bytes).into_owned();
            let mut written = Vec::new();
            runtime.block_on(async {
                let (sender, queue) = mpsc::channel(1);
                sender.send(message.clone()).await.expect("it is taken");
                drop(sender);
                write_lines(&mut written, queue).await;
            });
            assert_eq!(written.len(), message.len() + 1);
            let ends = |byte: &u8| matches!(byte, b'\n' | b'\r');
            assert_eq!(written.iter().position(ends), Some(message.len()));
        });
    }
}
