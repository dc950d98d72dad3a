//! Prints a process's variables in a format that can be found in a shell's output.
//!
//! The format is `\n<guild-hall:MARK:BYTES:begin>` NAME=VALUE NUL … `<guild-hall:MARK:end>`. The
//! shell's command line contains only the mark, so a shell that echoes its command line does not
//! print a marker. The byte count shows whether other output is mixed in.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use memchr::memmem;

/// The hidden subcommand of this program's binaries.
pub(super) const SUBCOMMAND: &str = "print-environment";
/// Limit of the parsed variables.
const VARIABLES_MAX: usize = 4_096;

/// Returns an unpredictable mark.
pub(super) fn mark() -> Result<String, String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| format!("The system gave no random number: {error}."))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn begin_of(mark: &str) -> String {
    format!("\n<guild-hall:{mark}:")
}

pub(super) fn end_of(mark: &str) -> String {
    format!("<guild-hall:{mark}:end>")
}

/// Whether the last bytes of the output contain the end marker. More bytes are searched than one
/// read adds.
pub(super) fn ends_with_answer(output: &[u8], end: &str) -> bool {
    let tail = output.len().saturating_sub(32 * 1024 + end.len());
    memmem::find(&output[tail..], end.as_bytes()).is_some()
}

/// If the arguments are the hidden `print-environment MARK`, prints this process's variables and
/// returns the exit code. Otherwise returns `None`. Call this first in `main`.
pub fn print_from_args(args: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut args = args.into_iter().skip(1);
    if args.next()? != SUBCOMMAND {
        return None;
    }
    let mark = args.next()?.into_string().ok()?;
    let text = compose(std::env::vars_os(), &mark);
    let mut out = std::io::stdout().lock();
    let printed = out.write_all(&text).and_then(|()| out.flush());
    Some(match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    })
}

fn compose(variables: impl Iterator<Item = (OsString, OsString)>, mark: &str) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, value) in variables {
        body.extend_from_slice(name.as_encoded_bytes());
        body.push(b'=');
        body.extend_from_slice(value.as_encoded_bytes());
        body.push(0);
    }
    let mut text = format!("{}{}:begin>", begin_of(mark), body.len()).into_bytes();
    text.append(&mut body);
    text.extend_from_slice(end_of(mark).as_bytes());
    text
}

/// Parses the variables from a shell's output. Variables that are not UTF-8 are left out.
///
/// # Errors
/// When the output does not contain the variables. The error is the reason, as a sentence.
pub(super) fn read(output: &[u8], mark: &str) -> Result<BTreeMap<String, String>, String> {
    let begin = begin_of(mark);
    let missing = || "The shell ended without printing its variables.".to_owned();
    let at = memmem::find(output, begin.as_bytes()).ok_or_else(missing)? + begin.len();
    let rest = &output[at..];
    let head = memmem::find(rest, b":begin>").ok_or_else(missing)?;
    let length: Option<usize> = std::str::from_utf8(&rest[..head])
        .ok()
        .and_then(|digits| digits.parse().ok());
    let body = &rest[head + b":begin>".len()..];
    let mixed = || "Other output appeared between the variables.".to_owned();
    let length = length.ok_or_else(mixed)?;
    let end = end_of(mark);
    let found = memmem::find(body, end.as_bytes()).ok_or_else(missing)?;
    if found != length {
        return Err(mixed());
    }
    let variables = body[..length]
        .split(|byte| *byte == 0)
        .filter_map(|variable| std::str::from_utf8(variable).ok()?.split_once('='))
        .filter(|(name, _)| !name.is_empty())
        .take(VARIABLES_MAX)
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    Ok(variables)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MARK: &str = "0123456789abcdef";

    fn printed(variables: &[(&str, &str)]) -> Vec<u8> {
        let variables = variables
            .iter()
            .map(|(name, value)| (OsString::from(name), OsString::from(value)));
        compose(variables, MARK)
    }

    #[test]
    fn noise_around_the_answer_is_no_matter() {
        let mut output = b"\x1b]0;title\x07 \xff\xfe welcome\n".to_vec();
        output.extend_from_slice(b"+ exec guildhall print-environment 0123456789abcdef\n");
        output.extend(printed(&[
            ("PATH", "/a:/b"),
            ("LINES_OF_TEXT", "one\ntwo=2\n"),
            ("EMPTY", ""),
        ]));
        output.extend_from_slice(b"bye\x00<guild-hall:other:end>");
        let read = read(&output, MARK).expect("variables");
        let names: Vec<&str> = read.keys().map(String::as_str).collect();
        assert_eq!(names, ["EMPTY", "LINES_OF_TEXT", "PATH"]);
        assert_eq!(read["LINES_OF_TEXT"], "one\ntwo=2\n");
    }

    #[test]
    fn output_inside_the_answer_invalidates_it() {
        let mut output = printed(&[("PATH", "/a:/b"), ("HOME", "/home/me")]);
        let at = output.len() - 40;
        output.splice(at..at, b"[1]+ Done".iter().copied());
        assert!(read(&output, MARK).expect_err("mixed").contains("between"));
    }

    #[test]
    fn an_answer_without_its_end_or_with_another_mark_is_none() {
        let output = printed(&[("PATH", "/a")]);
        assert!(read(&output[..output.len() - 1], MARK).is_err());
        assert!(read(&output, "fedcba9876543210").is_err());
        assert!(read(b"", MARK).is_err());
    }

    #[test]
    fn the_end_of_the_answer_is_seen_also_where_noise_follows() {
        let mut output = vec![b'x'; 100_000];
        let end = end_of(MARK);
        assert!(!ends_with_answer(&output, &end));
        output.extend(printed(&[("PATH", "/a")]));
        output.extend(vec![b'y'; 10_000]);
        assert!(ends_with_answer(&output, &end));
    }

    #[test]
    fn two_marks_are_never_the_same() {
        assert_ne!(mark().expect("random"), mark().expect("random"));
    }

    proptest! {
        #[test]
        fn any_shell_output_is_parsed(
            before in proptest::collection::vec(any::<u8>(), 0..200),
            head in "[0-9:a-z>]{0,24}",
            after in proptest::collection::vec(any::<u8>(), 0..200),
        ) {
            let mut output = before;
            output.extend_from_slice(begin_of(MARK).as_bytes());
            output.extend_from_slice(head.as_bytes());
            output.extend(after);
            let _ = read(&output, MARK);
        }

        #[test]
        fn every_variable_comes_back(
            variables in proptest::collection::btree_map("[A-Za-z_][A-Za-z0-9_]{0,12}", "[^\0]{0,60}", 0..20),
        ) {
            let pairs: Vec<(&str, &str)> =
                variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            prop_assert_eq!(read(&printed(&pairs), MARK).expect("variables"), variables);
        }
    }
}
