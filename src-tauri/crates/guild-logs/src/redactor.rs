//! Masks secrets in everything that this program logs, on all outputs and from the first line on.
//!
//! The `tracing` subscribers write through a [`Redacting`] writer. It masks each event after the
//! event is formatted, which includes names, values and messages of libraries. Known secrets come
//! from the redactors of the halls in this process. Tokens with a known shape are always masked.
//! For a terminal, invisible characters and characters that change the text direction are escaped.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::{Arc, OnceLock};

use guild_api::wire::MASK;
use guild_review::trust::visible;
use guild_text::secret_detection;
use parking_lot::RwLock;
use tracing_subscriber::fmt::MakeWriter;

use guild_secrets::{Redactor, WeakRedactor};

/// Maximum number of redactors that are followed. A process has one hall; tests have a few.
const REDACTORS_MAX: usize = 1_000;

/// Masks the secrets that are known at the time of the log line. Clones share the redactors.
#[derive(Debug, Clone, Default)]
pub struct LogRedactor {
    redactors: Arc<RwLock<Vec<WeakRedactor>>>,
}

impl LogRedactor {
    /// Returns the instance of this process. There is only one, since `tracing` subscribers are
    /// global.
    pub fn of_process() -> Self {
        static OF_PROCESS: OnceLock<LogRedactor> = OnceLock::new();
        OF_PROCESS.get_or_init(Self::default).clone()
    }

    /// Masks the secrets of a hall's redactor, until that redactor is dropped.
    pub fn follow(&self, redactor: &Redactor) {
        let mut redactors = self.redactors.write();
        redactors.retain(|known| known.upgrade().is_some());
        if redactors.len() < REDACTORS_MAX {
            redactors.push(redactor.downgrade());
        }
    }

    pub(crate) fn redact<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut hidden = text.to_owned();
        let redactors = {
            let redactors = self.redactors.read();
            redactors.clone()
        };
        for redactor in redactors.iter().filter_map(WeakRedactor::upgrade) {
            redactor.hide_in(&mut hidden);
        }
        if let Cow::Owned(less) = secret_detection::without_tokens(&hidden, MASK) {
            hidden = less;
        }
        match hidden == text {
            true => Cow::Borrowed(text),
            false => Cow::Owned(hidden),
        }
    }
}

/// Escapes each character that a terminal hides or interprets, except line ends.
pub fn harmless(text: &str) -> String {
    visible(text).replace('\r', "⟨U+000D⟩")
}

/// A writer that masks each event.
#[derive(Debug, Clone)]
pub(crate) struct Redacting<W> {
    writer: W,
    redactor: LogRedactor,
    is_terminal: bool,
}

impl<W> Redacting<W> {
    pub(crate) fn new(writer: W, redactor: LogRedactor) -> Self {
        Self {
            writer,
            redactor,
            is_terminal: false,
        }
    }

    /// Returns a writer for an output that may be a terminal. The writer also escapes terminal
    /// sequences, so the subscriber must not add colors.
    pub(crate) fn for_terminal(writer: W, redactor: LogRedactor) -> Self {
        Self {
            is_terminal: true,
            ..Self::new(writer, redactor)
        }
    }
}

impl<'a, W: MakeWriter<'a>> MakeWriter<'a> for Redacting<W> {
    type Writer = Redacting<W::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        Redacting {
            writer: self.writer.make_writer(),
            redactor: self.redactor.clone(),
            is_terminal: self.is_terminal,
        }
    }
}

impl<W: Write> Write for Redacting<W> {
    /// Masks and writes one event. `tracing-subscriber` writes each event with one call.
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        let redacted = self.redactor.redact(&text);
        match self.is_terminal {
            true => self.writer.write_all(harmless(&redacted).as_bytes())?,
            false => self.writer.write_all(redacted.as_bytes())?,
        }
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {

    use parking_lot::Mutex;
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    /// A buffer that can be read while it is written.
    #[derive(Debug, Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn logged(redactor: &LogRedactor, log: impl FnOnce()) -> String {
        logged_by(Redacting::new, redactor, log)
    }

    type MakeSink = Box<dyn Fn() -> Sink + Send + Sync>;

    fn logged_by(
        redacting: fn(MakeSink, LogRedactor) -> Redacting<MakeSink>,
        redactor: &LogRedactor,
        log: impl FnOnce(),
    ) -> String {
        let sink = Sink::default();
        let make: MakeSink = {
            let sink = sink.clone();
            Box::new(move || sink.clone())
        };
        let layer = tracing_subscriber::fmt::layer()
            .with_ansi(false)
            .with_writer(redacting(make, redactor.clone()));
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), log);
        let bytes = sink.0.lock().clone();
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn event_of_any_target_has_no_known_secret() {
        let redactor = LogRedactor::default();
        let of_hall = Redactor::with_secret("planted \"1\"");
        redactor.follow(&of_hall);
        let value = "planted \"1\"";
        let text = logged(&redactor, || {
            tracing::warn!(target: "rmcp::service", value, "message {value}");
            tracing::warn!(target: "rmcp::transport", "{:?}", Some(value));
            tracing::info!("{}", serde_json::json!({ "params": { "data": value } }));
        });
        assert!(!text.contains("planted"), "{text}");
        assert_eq!(text.matches(MASK).count(), 4, "{text}");
        drop(of_hall);
        assert!(logged(&redactor, || tracing::info!("planted \"1\"")).contains("planted"));
    }

    #[test]
    fn terminal_gets_hidden_characters_written_out() {
        let log = || tracing::info!(line = "a\u{202E}b\u{1B}[2J", "c\u{200B}\rd");
        let text = logged_by(Redacting::for_terminal, &LogRedactor::default(), log);
        assert!(text.ends_with('\n'), "{text:?}");
        let rest = text.trim_end();
        assert!(
            !rest.contains(|c: char| "\u{202E}\u{1B}\u{200B}\r\n".contains(c)),
            "{text:?}"
        );
        assert!(text.contains("⟨U+200B⟩"), "{text:?}");
    }

    /// Number of lines that are written per measurement, and number of known secrets.
    const LINES: usize = 20_000;
    const SECRETS: usize = 50;

    #[test]
    #[ignore = "a measurement: `cargo xtask bench redaction`"]
    fn redaction_of_lines_takes() {
        use std::time::Instant;

        let of_hall = Redactor::default();
        let secret = |number: usize| format!("planted-secret-{number:04}-0123456789abcdef");
        of_hall.set_secrets((0..SECRETS).map(secret));
        let redactor = LogRedactor::default();
        redactor.follow(&of_hall);
        let plain = "the member's tool list was read again, as its server said that it changed";
        let with_secret = format!("Authorization: Bearer {}", secret(7));
        let cost = |redactor: Option<&LogRedactor>, text: &str| {
            let nowhere = || io::sink();
            let registry = tracing_subscriber::registry();
            let began = Instant::now();
            let log = || {
                for number in 0..LINES {
                    tracing::info!(number, member = "forge", "{text}");
                }
            };
            let layer = tracing_subscriber::fmt::layer().with_ansi(false);
            match redactor {
                Some(redactor) => {
                    let writer = Redacting::new(nowhere, redactor.clone());
                    let layer = layer.with_writer(writer);
                    tracing::subscriber::with_default(registry.with(layer), log);
                }
                None => {
                    let layer = layer.with_writer(nowhere);
                    tracing::subscriber::with_default(registry.with(layer), log);
                }
            }
            began.elapsed().as_nanos() / LINES as u128
        };
        let figures = serde_json::json!({
            "secrets": SECRETS,
            "bytes": plain.len(),
            "written_ns": cost(None, plain),
            "redacted_ns": cost(Some(&redactor), plain),
            "hidden_ns": cost(Some(&redactor), &with_secret),
        });
        println!("{figures}");
    }

    #[test]
    fn token_is_hidden_before_any_hall_is_open() {
        let text = logged(&LogRedactor::default(), || {
            tracing::info!("Authorization: Bearer abcdef0123456789");
            tracing::info!("ghp_0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX is not valid");
        });
        assert!(!text.contains("abcdef") && !text.contains("ghp_"), "{text}");
    }
}
