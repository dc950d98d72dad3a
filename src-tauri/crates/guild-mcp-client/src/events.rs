//! Parses event streams (`text/event-stream`): those of members, and those of the gateway, which
//! the stdio proxy forwards.

/// An event that has data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// The type. Empty if the event has none.
    pub name: Vec<u8>,
    pub data: Vec<u8>,
}

/// The error for an event that is larger than the limit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// Parses the bytes of a stream as they arrive. Comments are ignored.
#[derive(Debug)]
pub(crate) struct SseParser {
    /// Limit of an event, in bytes.
    max: usize,
    /// The received bytes. Those before `seen` are already parsed.
    bytes: Vec<u8>,
    seen: usize,
    /// The bytes from `seen` to this position contain no line end.
    searched: usize,
    name: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    /// Whether the last line ended with a carriage return. A line feed directly after it belongs to
    /// the same line end.
    after_return: bool,
    /// The id of the last event that had an id.
    pub(crate) last_id: Option<String>,
    id: Option<String>,
    /// The delay that the server requests before a broken stream is reopened, in milliseconds.
    pub(crate) retry_ms: Option<u64>,
}

impl SseParser {
    /// Returns a parser for events of at most `max` bytes.
    pub(crate) fn up_to(max: usize) -> Self {
        Self {
            max,
            bytes: Vec::new(),
            seen: 0,
            searched: 0,
            name: Vec::new(),
            data: Vec::new(),
            has_data: false,
            after_return: false,
            last_id: None,
            id: None,
            retry_ms: None,
        }
    }

    /// Sets the limit of the following events, in bytes.
    pub(crate) fn set_max(&mut self, max: usize) {
        self.max = max;
    }

    /// Prepares for a new stream after the previous one broke.
    pub(crate) fn begin_anew(&mut self) {
        *self = Self {
            last_id: self.last_id.take(),
            retry_ms: self.retry_ms,
            ..Self::up_to(self.max)
        };
    }

    pub(crate) fn push(&mut self, chunk: &[u8]) {
        self.bytes.drain(..self.seen);
        self.searched = self.searched.saturating_sub(self.seen);
        self.seen = 0;
        self.bytes.extend_from_slice(chunk);
    }

    /// Returns the next complete event. `None` if more bytes are needed.
    pub(crate) fn next(&mut self) -> Result<Option<Event>, TooLarge> {
        loop {
            if self.after_return && self.bytes.get(self.seen) == Some(&b'\n') {
                self.seen += 1;
            }
            let rest = &self.bytes[self.seen..];
            if !rest.is_empty() {
                self.after_return = false;
            }
            let known = self.searched.saturating_sub(self.seen).min(rest.len());
            let Some(end) = memchr::memchr2(b'\n', b'\r', &rest[known..]) else {
                self.searched = self.bytes.len();
                // Dropped at once, so that a long comment does not fill the memory.
                if self.bytes.get(self.seen) == Some(&b':') {
                    self.bytes.truncate(self.seen + 1);
                    self.searched = self.bytes.len();
                }
                let open = self.bytes.len() - self.seen;
                return match self.data.len() + open > self.max {
                    true => Err(TooLarge),
                    false => Ok(None),
                };
            };
            let end = known + end;
            let line = self.seen..self.seen + end;
            self.after_return = rest[end] == b'\r';
            self.seen += end + 1;
            if line.is_empty() {
                if let Some(event) = self.dispatch() {
                    return Ok(Some(event));
                }
            } else if self.data.len() + line.len() > self.max && self.bytes[line.start] != b':' {
                return Err(TooLarge);
            } else {
                self.line(line);
            }
        }
    }

    fn line(&mut self, line: std::ops::Range<usize>) {
        let line = &self.bytes[line];
        let colon = memchr::memchr(b':', line);
        let (field, value) = match colon {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &[][..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.has_data = true;
                self.data.extend_from_slice(value);
            }
            b"event" => self.name = value.to_vec(),
            b"id" if !value.contains(&0) => {
                self.id = std::str::from_utf8(value).ok().map(str::to_owned);
            }
            b"retry" => {
                let value = std::str::from_utf8(value).ok();
                self.retry_ms = value.and_then(|ms| ms.parse().ok()).or(self.retry_ms);
            }
            _ => {}
        }
    }

    /// Ends an event. Returns `None` for an event without data, of which only the id is used.
    fn dispatch(&mut self) -> Option<Event> {
        if let Some(id) = self.id.take() {
            self.last_id = Some(id).filter(|id| !id.is_empty());
        }
        let name = std::mem::take(&mut self.name);
        let data = std::mem::take(&mut self.data);
        let has_data = std::mem::take(&mut self.has_data);
        (has_data && !data.trim_ascii().is_empty()).then_some(Event { name, data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX: usize = 1 << 20;

    const STREAM: &str = ": hello\r\n\r\nid: 1\ndata:\n\nevent: message\r\ndata: {\"a\":\r\n\
                          data: 1}\r\n\r\nretry: 250\rdata:x\rid:2\r\rdata: unfinished";

    fn read(sizes: usize) -> (Vec<String>, SseParser) {
        let mut events = SseParser::up_to(MAX);
        let mut found = Vec::new();
        for chunk in STREAM.as_bytes().chunks(sizes) {
            events.push(chunk);
            while let Some(event) = events.next().expect("small events") {
                found.push(String::from_utf8(event.data).expect("text"));
            }
        }
        (found, events)
    }

    #[test]
    fn events_are_the_same_however_the_bytes_are_cut() {
        for size in 1..=STREAM.len() {
            let (found, events) = read(size);
            assert_eq!(found, ["{\"a\":\n1}", "x"], "in pieces of {size}");
            assert_eq!(events.last_id.as_deref(), Some("2"));
            assert_eq!(events.retry_ms, Some(250));
        }
    }

    #[test]
    fn an_event_that_never_ends_is_given_up_and_a_comment_is_not() {
        let mut events = SseParser::up_to(MAX);
        let half = vec![b'x'; MAX / 2 + 1];
        events.push(b":");
        for _ in 0..4 {
            events.push(&half);
            assert_eq!(events.next(), Ok(None), "a comment counts for nothing");
            assert!(events.bytes.len() < half.len());
        }
        events.push(b"\ndata: ");
        events.push(&half);
        assert_eq!(events.next(), Ok(None));
        events.push(b"\ndata: ");
        events.push(&half);
        assert_eq!(events.next(), Err(TooLarge));
    }

    #[test]
    fn a_stream_that_is_begun_anew_remembers_where_it_was() {
        let (_, mut events) = read(7);
        events.begin_anew();
        assert_eq!(events.last_id.as_deref(), Some("2"));
        events.push(b"data: y\n\n");
        assert_eq!(
            events.next().map(|event| event.map(|event| event.data)),
            Ok(Some(b"y".to_vec()))
        );
    }

    #[test]
    fn mangled_streams_have_the_same_events_however_they_are_cut() {
        guild_tests::mangled::each("events", |bytes| {
            let read = |size: usize| {
                let mut events = SseParser::up_to(MAX);
                let mut found = Vec::new();
                for chunk in bytes.chunks(size) {
                    events.push(chunk);
                    while let Some(event) = events.next().expect("small events") {
                        found.push(event.data);
                    }
                }
                assert!(found.iter().map(Vec::len).sum::<usize>() <= bytes.len());
                (found, events.last_id, events.retry_ms)
            };
            assert_eq!(read(bytes.len().max(1)), read(17));
        });
    }
}
