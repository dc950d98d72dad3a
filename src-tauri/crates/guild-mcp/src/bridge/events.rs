//! A stream of events (`text/event-stream`), read in bounded pieces.

use bytes::Bytes;

/// One event.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) id: Option<String>,
    pub(super) data: String,
}

/// Puts events together from the pieces of a stream.
#[derive(Debug)]
pub(super) struct EventReader {
    max: usize,
    line: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    id: Option<String>,
    after_return: bool,
    ready: std::collections::VecDeque<Event>,
}

/// An event is larger than may be.
#[derive(Debug)]
pub(super) struct TooLarge;

impl EventReader {
    /// Events of at most `max` bytes.
    pub(super) fn new(max: usize) -> Self {
        Self {
            max,
            line: Vec::new(),
            data: Vec::new(),
            has_data: false,
            id: None,
            after_return: false,
            ready: std::collections::VecDeque::new(),
        }
    }

    /// The next event that is complete and has data.
    pub(super) fn next(&mut self) -> Option<Event> {
        self.ready.pop_front()
    }

    /// Takes a piece of the stream.
    pub(super) fn add(&mut self, piece: &Bytes) -> Result<(), TooLarge> {
        let mut rest: &[u8] = piece;
        while !rest.is_empty() {
            let skipped = std::mem::take(&mut self.after_return) && rest[0] == b'\n';
            rest = &rest[usize::from(skipped)..];
            let Some(at) = memchr::memchr2(b'\n', b'\r', rest) else {
                self.line.extend_from_slice(rest);
                return self.within();
            };
            self.line.extend_from_slice(&rest[..at]);
            self.within()?;
            self.after_return = rest[at] == b'\r';
            rest = &rest[at + 1..];
            self.end_line();
        }
        Ok(())
    }

    fn within(&self) -> Result<(), TooLarge> {
        match self.line.len() + self.data.len() > self.max {
            true => Err(TooLarge),
            false => Ok(()),
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            let id = self.id.clone();
            if std::mem::take(&mut self.has_data) && !data.trim_ascii().is_empty() {
                let data = String::from_utf8_lossy(&data).into_owned();
                self.ready.push_back(Event { id, data });
            }
            return;
        }
        let (field, value) = match memchr::memchr(b':', &line) {
            Some(at) => {
                let value = &line[at + 1..];
                (&line[..at], value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (&line[..], &b""[..]),
        };
        match field {
            b"data" => {
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.has_data = true;
                self.data.extend_from_slice(value);
            }
            b"id" if !value.contains(&0) => {
                self.id = std::str::from_utf8(value).ok().map(str::to_owned);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: &[&str], max: usize) -> Result<Vec<(Option<String>, String)>, TooLarge> {
        let mut reader = EventReader::new(max);
        let mut events = Vec::new();
        for piece in pieces {
            reader.add(&Bytes::copy_from_slice(piece.as_bytes()))?;
            while let Some(event) = reader.next() {
                events.push((event.id, event.data));
            }
        }
        Ok(events)
    }

    #[test]
    fn events_come_together_wherever_the_stream_was_cut() {
        let stream = "\u{feff}: hi\r\n\r\nid: 7\r\nevent: message\r\ndata: {\"a\":\r\ndata:1}\r\n\r\ndata: é\n\nid:8\ndata:\n\n: x\r\r";
        let expect = vec![
            (Some("7".to_owned()), "{\"a\":\n1}".to_owned()),
            (Some("7".to_owned()), "é".to_owned()),
        ];
        assert_eq!(read(&[stream], 100).expect("events"), expect);
        let bytes: Vec<Bytes> = stream.bytes().map(|byte| Bytes::from(vec![byte])).collect();
        let mut reader = EventReader::new(100);
        let mut events = Vec::new();
        for byte in &bytes {
            reader.add(byte).expect("within the limit");
            while let Some(event) = reader.next() {
                events.push((event.id, event.data));
            }
        }
        assert_eq!(events, expect);
    }

    #[test]
    fn an_event_that_never_ends_is_given_up() {
        assert!(read(&["data: 1234\n"], 10).is_ok());
        assert!(read(&["data: 12345"], 10).is_err());
        assert!(
            read(&["data: 1\n", "data: 23\n", "data: 4"], 10).is_err(),
            "over many lines too"
        );
    }

    #[test]
    fn mangled_streams_have_the_same_events_however_they_are_cut() {
        crate::mangled::each("events-of-bridge", |bytes| {
            let read = |size: usize| {
                let mut reader = EventReader::new(1 << 20);
                let mut found = Vec::new();
                for chunk in bytes.chunks(size) {
                    reader
                        .add(&Bytes::copy_from_slice(chunk))
                        .expect("small events");
                    found.extend(std::iter::from_fn(|| reader.next()));
                }
                found
            };
            assert_eq!(read(bytes.len().max(1)), read(17));
        });
    }
}
