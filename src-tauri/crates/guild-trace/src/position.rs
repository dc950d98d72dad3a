//! Trace ids and span ids in the format of W3C Trace Context.

use opentelemetry::trace::{SpanContext, SpanId, TraceFlags, TraceId, TraceState};
use opentelemetry_sdk::trace::{IdGenerator as _, RandomIdGenerator};

/// Reads a `traceparent`. Returns `None` if it is not valid. The header `tracestate`, which has the
/// data of tracing systems, is not used.
pub(crate) fn parse(text: &str) -> Option<SpanContext> {
    let mut parts = text.split('-');
    let mut part = |digits: usize| {
        let is_hex = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let part = parts.next()?;
        (part.len() == digits && part.bytes().all(is_hex)).then_some(part)
    };
    let version = part(2).filter(|version| *version != "ff")?;
    let trace = TraceId::from_hex(part(32)?).ok()?;
    let span = SpanId::from_hex(part(16)?).ok()?;
    let flags = u8::from_str_radix(part(2)?, 16).ok()?;
    // Later versions of the format may append further parts.
    if version == "00" && parts.next().is_some() {
        return None;
    }
    let flags = TraceFlags::new(flags) & TraceFlags::SAMPLED;
    let position = SpanContext::new(trace, span, flags, true, TraceState::NONE);
    position.is_valid().then_some(position)
}

/// Writes a `traceparent`.
pub(crate) fn write(position: &SpanContext) -> String {
    let flags = position.trace_flags().to_u8();
    format!(
        "00-{}-{}-{flags:02x}",
        position.trace_id(),
        position.span_id()
    )
}

/// Returns the ids for a new trace. The trace is marked as sampled, because a member that exports
/// spans itself drops those of a trace that is not sampled.
pub(crate) fn first() -> SpanContext {
    let ids = RandomIdGenerator::default();
    let (trace, span) = (ids.new_trace_id(), ids.new_span_id());
    SpanContext::new(trace, span, TraceFlags::SAMPLED, false, TraceState::NONE)
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    const SPAN: &str = "00f067aa0ba902b7";

    #[test]
    fn valid_position_is_read_and_written() {
        for (text, written) in [
            (
                format!("00-{TRACE}-{SPAN}-01"),
                format!("00-{TRACE}-{SPAN}-01"),
            ),
            (
                format!("00-{TRACE}-{SPAN}-02"),
                format!("00-{TRACE}-{SPAN}-00"),
            ),
            (
                format!("01-{TRACE}-{SPAN}-03-more"),
                format!("00-{TRACE}-{SPAN}-01"),
            ),
        ] {
            let position = parse(&text).expect("valid");
            assert_eq!(write(&position), written);
        }
    }

    #[test]
    fn invalid_position_is_refused() {
        let zeros = "0".repeat(32);
        for text in [
            String::new(),
            format!("00-{TRACE}-{SPAN}"),
            format!("00-{TRACE}-{SPAN}-1"),
            format!("00-{TRACE}-{SPAN}-01-more"),
            format!("ff-{TRACE}-{SPAN}-01"),
            format!("00-{}-{SPAN}-01", TRACE.to_uppercase()),
            format!("00-{zeros}-{SPAN}-01"),
            format!("00-{TRACE}-{}-01", &zeros[..16]),
            format!("00-{}-{SPAN}-01", &TRACE[1..]),
            format!("00-+{}-{SPAN}-01", &TRACE[1..]),
        ] {
            assert!(parse(&text).is_none(), "{text}");
        }
    }

    #[test]
    fn new_traces_are_valid_and_different() {
        let (one, other) = (first(), first());
        assert_ne!(one.trace_id(), other.trace_id());
        assert_eq!(
            parse(&write(&one)).map(|read| read.trace_id()),
            Some(one.trace_id())
        );
    }
}
