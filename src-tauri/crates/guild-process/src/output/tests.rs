use proptest::prelude::*;

use super::*;

fn texts(lines: &[LogLine]) -> Vec<&str> {
    lines.iter().map(|line| line.text.as_str()).collect()
}

/// Returns the lines of `bytes`, which are read in pieces of `size` bytes.
async fn read(bytes: &[u8], size: usize) -> Vec<String> {
    let output = Output::new();
    let (mut writer, reader) = tokio::io::duplex(size);
    let written = async {
        tokio::io::AsyncWriteExt::write_all(&mut writer, bytes)
            .await
            .expect("it is read to its end");
        drop(writer);
    };
    tokio::join!(output.clone().follow(reader), written);
    output.lines().into_iter().map(|line| line.text).collect()
}

#[tokio::test]
async fn req_mcp_http_18_lines_are_kept_as_they_were_written() {
    let check = async |bytes: &[u8], expected: &[&str]| {
        for size in [1, 2, 3, 1_000] {
            assert_eq!(read(bytes, size).await, expected, "in pieces of {size}");
        }
    };
    check(b"", &[]).await;
    check(b"a\nb\n", &["a", "b"]).await;
    check(b"a\n\nb", &["a", "", "b"]).await;
    check(b"a\r\n\r\nb\r\n", &["a", "", "b"]).await;
    check(b"\r10%\r20%\r\n", &["10%", "20%"]).await;
    check(b"\x1b[31mred\x1b[0m\n", &["\u{1b}[31mred\u{1b}[0m"]).await;
    check(
        "g\u{e4}nsef\u{fc}\u{df}chen\n".as_bytes(),
        &["g\u{e4}nsef\u{fc}\u{df}chen"],
    )
    .await;
    check(b"\xff\xfe!\n", &["\u{fffd}\u{fffd}!"]).await;
}

#[tokio::test]
async fn req_mcp_http_18_a_long_line_is_cut_and_says_so() {
    let just_fits = "x".repeat(LINE_BYTES_MAX);
    let long = "\u{20ac}".repeat(LINE_BYTES_MAX);
    let text = format!("{just_fits}\n{just_fits}y\nnext\n{long}\nlast");
    let lines = read(text.as_bytes(), 1_000).await;
    assert_eq!(lines.len(), 5);
    assert_eq!(lines[0], just_fits);
    for cut in [&lines[1], &lines[3]] {
        assert!(cut.len() <= LINE_BYTES_MAX);
        assert!(cut.ends_with("(cut: longer than 8 KiB)"));
    }
    assert_eq!(lines[2], "next");
    assert_eq!(lines[4], "last");
}

#[tokio::test]
async fn bytes_that_are_no_text_do_not_outgrow_a_line() {
    let lines = read(&[0xff; LINE_BYTES_MAX], 1_000).await;
    assert_eq!(lines.len(), 1);
    assert!(lines[0].len() <= LINE_BYTES_MAX, "{}", lines[0].len());
}

#[test]
fn the_oldest_lines_go_first() {
    let output = Output::new();
    let mut written = (0..LINES_MAX + 5).map(|n| n.to_string()).collect();
    output.push(&mut written, &OutputSource::default());
    let lines = output.lines();
    assert_eq!(lines.len(), LINES_MAX);
    assert_eq!((lines[0].seq, lines[0].text.as_str()), (5, "5"));

    let large = "x".repeat(LINE_BYTES_MAX);
    output.push(&mut vec![large; 1_000], &OutputSource::default());
    let bytes: usize = output.lines().iter().map(|line| line.text.len()).sum();
    assert_eq!(bytes, BYTES_MAX);
}

#[test]
fn a_reader_that_fell_behind_is_told_how_much_it_missed() {
    let output = Output::new();
    let mut changed = output.changed();
    assert_eq!(*changed.borrow_and_update(), 0);
    output.push(
        &mut vec!["a".into(), "b".into(), "c".into()],
        &OutputSource::default(),
    );
    assert_eq!(*changed.borrow_and_update(), 3);
    let (lines, skipped) = output.since(1);
    assert_eq!((texts(&lines), skipped), (vec!["b", "c"], 0));
    assert_eq!(output.since(3), (vec![], 0));
    assert_eq!(output.since(u64::MAX), (vec![], 0));
    assert_eq!(texts(&output.last(2)), ["b", "c"]);
    assert_eq!(output.last(100).len(), 3);

    output.push(
        &mut vec![String::new(); LINES_MAX],
        &OutputSource::default(),
    );
    let (lines, skipped) = output.since(1);
    assert_eq!((lines.len(), skipped), (LINES_MAX, 2));
}

#[test]
fn nobody_is_woken_for_nothing() {
    let output = Output::new();
    let changed = output.changed();
    output.push(&mut Vec::new(), &OutputSource::default());
    assert!(!changed.has_changed().expect("it lives"));
}

#[derive(Debug)]
struct Word(&'static str);

impl Redact for Word {
    fn redact(&self, line: String) -> String {
        line.replace(self.0, "*")
    }
}

#[tokio::test]
async fn lines_belong_to_their_start_and_go_through_its_mask() {
    let output = Output::new();
    assert_eq!(output.begin_start(Past::default(), None), 1);
    let first = output.clone().follow(&b"plain\n"[..]);
    let mask: Arc<dyn Redact> = Arc::new(Word("planted"));
    assert_eq!(output.begin_start(Past::default(), Some(mask)), 2);
    assert_eq!(output.last_words(10), [], "nothing was written since");
    first.await;
    output.clone().follow(&b"a planted word\n"[..]).await;
    let kept: Vec<_> = output.lines();
    assert_eq!(texts(&kept), ["plain", "a * word"]);
    assert_eq!((kept[0].start, kept[1].start), (1, 2));
    assert_eq!(texts(&output.last_words(10)), ["a * word"]);
}

#[tokio::test]
async fn side_command_output_is_separate() {
    let output = Output::new();
    output.begin_start(Past::default(), None);
    let member = output.clone();
    let (mut writer, reader) = tokio::io::duplex(100);
    let following = member.follow(reader);
    assert_eq!(output.begin_aside(Past::default(), None), 2);
    output
        .clone()
        .follow(&b"compiling\nno such file\n"[..])
        .await;
    let written = async {
        tokio::io::AsyncWriteExt::write_all(&mut writer, b"bye\n")
            .await
            .expect("it is read");
        drop(writer);
    };
    tokio::join!(following, written);
    assert_eq!(texts(&output.last_words(10)), ["bye"]);
    assert_eq!(
        texts(&output.words_of(2, 10)),
        ["compiling", "no such file"]
    );
    assert_eq!(texts(&output.words_of(2, 1)), ["no such file"]);
}

#[test]
fn numbers_go_on_from_the_past() {
    let output = Output::new();
    let past = Past {
        starts: 7,
        lines: 100,
    };
    assert_eq!(output.begin_start(past, None), 8);
    output.push(&mut vec!["a".into()], &OutputSource::default());
    assert_eq!(output.lines()[0].seq, 100);
    assert_eq!(
        output.since(0).1,
        0,
        "what was before is elsewhere, not lost"
    );
    // If older numbers are read late, they don't decrease the current ones.
    assert_eq!(output.begin_start(past, None), 9);
    output.push(&mut vec!["b".into()], &OutputSource::default());
    assert_eq!(output.lines()[1].seq, 101);
}

proptest! {
    /// The lines don't depend on the pieces in which the bytes arrive, and memory stays bounded.
    #[test]
    fn pieces_make_no_difference(
        bytes in prop::collection::vec(
            prop_oneof![Just(b'\n'), Just(b'\r'), any::<u8>()], 0..400
        ),
        cuts in prop::collection::vec(0usize..400, 0..20),
    ) {
        let mut whole = Vec::new();
        let mut lines = LineSplitter::default();
        lines.feed(&bytes, &mut whole);
        lines.end(&mut whole);

        let mut pieced = Vec::new();
        let mut lines = LineSplitter::default();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
        cuts.sort_unstable();
        let mut from = 0;
        for cut in cuts.into_iter().chain([bytes.len()]) {
            lines.feed(&bytes[from..cut], &mut pieced);
            from = cut;
        }
        lines.end(&mut pieced);
        prop_assert_eq!(whole, pieced);
    }
}
