use proptest::prelude::*;

use super::*;

fn check(text: &str, enabled: bool, timeout_ms: Option<u64>, cache: bool) {
    let expected = DiscoverySettings {
        enabled,
        timeout_ms,
        cache,
        ..DiscoverySettings::default()
    };
    assert_eq!(
        DiscoverySettings::parse(text.as_bytes()),
        Ok(expected),
        "{text}"
    );
}

fn refused(text: &str, at: &str) {
    let report = DiscoverySettings::parse(text.as_bytes()).expect_err(text);
    assert_eq!(report.code, Code::DiscoverySettings);
    assert!(
        report.message.starts_with(at),
        "{text:?}: {}",
        report.message
    );
}

#[test]
fn the_file_of_the_seed_is_read() {
    let seed = "discovery:\n  # Enable or disable direct tool discovery\n  enabled: true\n  \
                # Timeout for server queries (milliseconds)\n  timeout: 10000\n  # Cache \
                discovery results to avoid repeated queries\n  cache: true\n";
    check(seed, true, Some(10_000), true);
    check("", true, None, true);
    check("\u{feff}---\r\n# nothing\r\n", true, None, true);
    check(
        "discovery:\r\n    cache: false # not kept\r\n",
        true,
        None,
        false,
    );
    check(
        "discovery: {enabled: false, timeout: 500}\n",
        false,
        Some(500),
        true,
    );
    check("discovery: {}", true, None, true);
}

#[test]
fn config_fault_has_its_line() {
    refused(
        "discovery:\n  enabled: yes\n",
        "config.yml:2: it must be true or false",
    );
    refused(
        "discovery:\n  timeout: 10s",
        "config.yml:2: it must be a whole number",
    );
    refused(
        "discovery:\n  timeout: 1",
        "config.yml:2: it must be a whole number",
    );
    refused(
        "discovery:\n\n  enable: true",
        "config.yml:3: `discovery` has",
    );
    refused(
        "discovery:\n  cache: true\n  cache: true",
        "config.yml:3: `cache` is defined twice",
    );
    refused(
        "discovery:\n  cache: true\n    enabled: true",
        "config.yml:3: ",
    );
    refused("discovery:\n\tcache: true", "config.yml:2: ");
    refused(
        "discovery:\n  cache:true",
        "config.yml:1: `discovery` has the fields `enabled`, `timeout` and `cache`, not \"cache:true\"",
    );
    refused(
        "logging:\n  level: info",
        "config.yml:1: \"logging\" is not a section",
    );
    refused("discovery: on", "config.yml:1: `discovery` has");
    refused("discovery: {cache: true", "config.yml:2: ");
    refused(
        "discovery",
        "config.yml:1: \"discovery\" is not a `name: value` pair",
    );
    refused(
        "discovery: {}\n---\nx: 1",
        "config.yml:2: a second document",
    );
    refused("discovery: {}\n  cache: true", "config.yml:2: ");
    refused("  cache: true", "config.yml:1: \"cache\" is not a section");
    refused("discovery: &anchor\n  cache: *anchor", "config.yml:2: ");
    let report = DiscoverySettings::parse(b"discovery:\n  \xff").expect_err("no UTF-8");
    assert!(
        report.message.starts_with("config.yml:2: not UTF-8"),
        "{report}"
    );
    let large = vec![b'#'; 64 * 1024 + 1];
    let report = DiscoverySettings::parse(&large).expect_err("too large");
    assert!(report.message.contains("the limit is 65,536"), "{report}");
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..512)) {
        if let Err(report) = DiscoverySettings::parse(&bytes) {
            prop_assert!(report.message.starts_with("config.yml:"));
            prop_assert!(report.message.len() < 400);
        }
    }

    #[test]
    fn any_text_of_yaml_s_letters_is_read_or_refused(text in "[discovery:{},#\\- \n\tutrefalsenb0-9]{0,80}") {
        let text = format!("discovery:{text}");
        if let Err(report) = DiscoverySettings::parse(text.as_bytes()) {
            prop_assert!(report.message.starts_with("config.yml:"));
        }
    }
}

const PREDICTION: &str = "prediction:\n  enabled: true\n  url: https://models.example.org/v1 # ours\n  \
                          model: \"small:7b\"\n  key: ${secret:prediction-key}\n  timeout: 20000\n";

#[test]
fn prediction_model_is_off_by_default() {
    let read = |text: &str| {
        DiscoverySettings::parse(text.as_bytes())
            .expect(text)
            .prediction
    };
    assert_eq!(
        read(PREDICTION),
        PredictionSettings {
            enabled: true,
            url: "https://models.example.org/v1".into(),
            model: "small:7b".into(),
            key: Some("${secret:prediction-key}".into()),
            timeout_ms: 20_000,
        }
    );
    assert!(!read("").enabled);
    assert!(!read("prediction:\n  url: http://127.0.0.1:11434/v1\n").enabled);
    for here in [
        "http://localhost:1/v1",
        "http://[::1]:8080",
        "http://127.8.0.1",
    ] {
        assert_eq!(read(&format!("prediction:\n  url: '{here}'\n")).url, here);
    }
    let both = format!("discovery: {{cache: false}}\n{PREDICTION}");
    let both = DiscoverySettings::parse(both.as_bytes()).expect("both");
    assert!(!both.cache && both.prediction.enabled);
}

#[test]
fn unsafe_model_is_refused_without_its_key() {
    for (field, wrong) in [
        ("url: http://models.example.org/v1", "is not encrypted"),
        ("url: http://127.0.0.1.example.org/v1", "is not encrypted"),
        ("url: http://127.0.0.1.1/v1", "is not encrypted"),
        ("url: http://127.0.0/v1", "is not encrypted"),
        ("url: http://127.0.0.256/v1", "is not encrypted"),
        ("url: ftp://127.0.0.1", "does not begin with https"),
        (
            "url: https://me:word@models.example.org",
            "must be only a host",
        ),
        (
            "url: https://models.example.org/v1?key=1",
            "must be only a host",
        ),
        ("url: https:///v1", "has no host"),
        ("model: \"a\\nb\"", "is not a model name"),
        ("model:", "is not a model name"),
        ("model: {}", "is not a model name"),
        ("key: sk-hunter2hunter2hunter2", "write the key as"),
        ("key: ${secret:}", "write the key as"),
        (
            "timeout: 10",
            "it must be a whole number of milliseconds from 1000",
        ),
        (
            "cache: true",
            "`prediction` has the fields `enabled`, `url`",
        ),
    ] {
        let text = format!("prediction:\n  {field}\n");
        let report = DiscoverySettings::parse(text.as_bytes()).expect_err(field);
        assert!(
            report.message.starts_with("config.yml:2: "),
            "{field}: {report}"
        );
        assert!(report.message.contains(wrong), "{field}: {report}");
        assert!(!report.to_string().contains("hunter2"), "{report}");
    }
    refused(
        "# on\nprediction:\n  enabled: true\n  model: small\n",
        "config.yml:2: `prediction` is enabled but has no `url`",
    );
    refused(
        "prediction: {enabled: true}",
        "config.yml:1: `prediction` is enabled but has no `url`",
    );
    refused("prediction:\n  url: \"https://a\n", "config.yml:");
    refused(
        "prediction:\nprediction:\n",
        "config.yml:2: `prediction` is defined twice",
    );
}

#[test]
fn other_settings_are_written_into_the_lines_that_are_there() {
    let before = "# ours\ndiscovery: {enabled: true, timeout: 500} # short\n\n# the model\nprediction:\n    \
                  # off on Fridays\n    enabled: false # for now\n    url: https://a.example.org\n\n# end";
    let old = DiscoverySettings::parse(before.as_bytes()).expect("read");
    let mut new = old.clone();
    assert_eq!(
        old.rewritten(before.as_bytes()).expect("the same"),
        format!("{before}\n")
    );
    new.timeout_ms = None;
    new.cache = false;
    new.prediction.enabled = true;
    new.prediction.model = "small".into();
    new.prediction.key = Some("${env:MODEL_KEY}".into());
    assert_eq!(
        new.rewritten(before.as_bytes()).expect("written"),
        "# ours\ndiscovery: # short\n  enabled: true\n  cache: false\n\n# the model\nprediction:\n    \
         # off on Fridays\n    enabled: true # for now\n    url: https://a.example.org\n    \
         model: \"small\"\n    key: ${env:MODEL_KEY}\n\n# end\n"
    );
    assert_eq!(
        new.rewritten(b"\r\n").expect("written"),
        "\r\ndiscovery:\r\n  cache: false\r\nprediction:\r\n  enabled: true\r\n  \
         url: https://a.example.org\r\n  model: \"small\"\r\n  key: ${env:MODEL_KEY}\r\n"
    );
    new.prediction.url.clear();
    let report = new.rewritten(b"").expect_err("no address");
    assert!(report.message.contains("has no `url`"), "{report}");
    let report = old.rewritten(b"discovery: on").expect_err("no such file");
    assert!(report.message.starts_with("config.yml:1: "), "{report}");
}

fn any_settings() -> impl Strategy<Value = DiscoverySettings> {
    let texts = (
        prop::sample::select(vec!["https://a.example.org/v1", "http://localhost:1"]),
        prop::sample::select(vec!["small", "a/b:7b", "gpt 5"]),
        prop::option::of(Just("${secret:member/key}".to_owned())),
    );
    let discovery = (
        any::<bool>(),
        prop::option::of(100..600_000_u64),
        any::<bool>(),
    );
    let prediction = (any::<bool>(), 1_000..300_000_u64);
    (discovery, prediction, texts).prop_map(
        |((enabled, timeout_ms, cache), (predicts, answer_ms), (url, model, key))| {
            DiscoverySettings {
                enabled,
                timeout_ms,
                cache,
                prediction: PredictionSettings {
                    enabled: predicts,
                    url: url.into(),
                    model: model.into(),
                    key,
                    timeout_ms: answer_ms,
                },
            }
        },
    )
}

proptest! {
    #[test]
    fn config_round_trips_with_comments(
        first in any_settings(),
        second in any_settings(),
        comment in "# [a-z{}: ]{0,20}",
    ) {
        let written = first.rewritten(b"").expect("into an empty file");
        let written = format!("{comment}\n{written}\n{comment}\n");
        let written = written.replacen(": true\n", &format!(": true {comment}\n"), 1);
        let again = second.rewritten(written.as_bytes()).expect("into another's");
        prop_assert_eq!(DiscoverySettings::parse(again.as_bytes()).expect("read"), second);
        prop_assert_eq!(again.matches(&comment).count(), written.matches(&comment).count());
        let back = first.rewritten(again.as_bytes()).expect("back");
        prop_assert_eq!(DiscoverySettings::parse(back.as_bytes()).expect("read"), first);
    }
}
