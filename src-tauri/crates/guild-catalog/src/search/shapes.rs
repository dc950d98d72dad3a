//! Recognizes addresses, ids and file names in a task, and returns search terms for them.

/// File extensions and their search terms.
const FILE_TYPES: &[(&str, &str)] = &[
    ("xlsx xlsm xls ods", "excel worksheet"),
    ("csv tsv", "table rows"),
    ("parquet avro orc", "table data"),
    ("docx doc odt rtf", "word document convert markdown"),
    ("pptx ppt", "presentation document convert"),
    ("pdf epub", "pdf document convert"),
    ("png jpg jpeg gif webp svg", "image media"),
    ("wav mp3 m4a ogg flac", "audio speech"),
    ("mp4 mov mkv webm", "video media"),
    ("zip gz tar", "compress archive"),
    ("sql", "sql query"),
    ("db sqlite", "sqlite database"),
    ("yaml yml", "yaml manifest"),
    ("ini toml conf txt log", "text edit read"),
    ("json", "json"),
    ("md", "markdown"),
    ("ipynb", "notebook"),
    ("py rs go java ts js", "code"),
];

/// Search terms for library names such as `Next.js`.
const LIBRARY: &str = "library documentation code";
/// Top-level domains that are recognized without a scheme.
const DOMAINS: &[&str] = &["com", "org", "net", "io", "dev", "ai", "app", "gov", "edu"];

/// Returns the search terms for the addresses, ids and file names in a task.
pub(super) fn of_shapes(task: &str) -> Vec<&'static str> {
    let mut subjects = Vec::new();
    for text in task.split_whitespace() {
        if let Some(found) = of_shape(text) {
            subjects.extend(found.split(' '));
        }
    }
    subjects.sort_unstable();
    subjects.dedup();
    subjects
}

fn of_shape(text: &str) -> Option<&'static str> {
    let channel = text.strip_prefix('#').unwrap_or_default();
    let text = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '.');
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if text.contains("://") {
        return Some("url web page scrape");
    }
    if !channel.is_empty() {
        return Some(match digits(channel) {
            true => "issue pull request",
            false => "channel slack message",
        });
    }
    if let Some((_, host)) = text.split_once('@') {
        return host.contains('.').then_some("email user");
    }
    if let Some((key, number)) = text.split_once('-')
        && key.len() >= 2
        && key.starts_with(|c: char| c.is_ascii_uppercase())
        && key
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && digits(number)
    {
        return Some("issue jira");
    }
    if let Some((before, last)) = text.rsplit_once('.') {
        let paper = last.split('v').next().unwrap_or_default();
        if before.len() == 4 && digits(before) && matches!(paper.len(), 4 | 5) && digits(paper) {
            return Some("paper arxiv research");
        }
        if text.split('.').count() == 4 && text.split('.').all(digits) {
            return Some("ip address");
        }
        if last == "js" && before.starts_with(|c: char| c.is_ascii_uppercase()) {
            return Some(LIBRARY);
        }
        let ending = last.to_ascii_lowercase();
        let is_of = |(endings, _): &&(&str, &str)| endings.split(' ').any(|one| one == ending);
        let file_type = FILE_TYPES.iter().find(is_of).map(|(_, meant)| *meant);
        let host = text.split('/').next().unwrap_or_default();
        let label = host.rsplit('.').next().unwrap_or_default();
        let domain = host.contains('.') && DOMAINS.contains(&label);
        return file_type.or(domain.then_some("url web page scrape"));
    }
    if (7..=40).contains(&text.len())
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        && text.contains(|c: char| c.is_ascii_digit())
        && text.contains(|c: char| c.is_ascii_lowercase())
    {
        return Some("commit git");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_of_a_text_has_its_subject() {
        for (text, subject) in [
            ("the numbers in Q3.xlsx", "excel"),
            ("turn contract.docx, please", "document"),
            ("events.parquet", "table"),
            ("a file of .pdf", "pdf"),
            ("what does 2310.06825 say", "arxiv"),
            ("arXiv 2310.06825v2", "arxiv"),
            ("who broke PROJ-1423?", "issue"),
            ("see https://example.org/x", "url"),
            ("links of shop.example.com", "url"),
            ("how do I route in Next.js?", "documentation"),
            ("catch up on #general", "channel"),
            ("close #12", "issue"),
            ("what did a1b2c3d do", "commit"),
            ("allow 10.0.0.7", "ip"),
            ("mail ann@example.org", "email"),
        ] {
            assert!(of_shapes(text).contains(&subject), "{text}");
        }
        for plain in [
            "wait... what",
            "3.5 percent",
            "well-known",
            "deadbeef",
            "a@b",
            "v1.2",
        ] {
            assert!(of_shapes(plain).is_empty(), "{plain}");
        }
    }
}
