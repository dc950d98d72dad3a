//! Commands with arguments that have no meaning: each ends with 2 and names the problem.

use crate::guildhall::CliHarness;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_argument_is_named_and_ends_with_2() {
    let cli = CliHarness::new("wrong usage").await;
    for (words, expected) in [
        (
            &["connect", "--endpoint", "everything"][..],
            "--endpoint is all, member NAME or profile NAME",
        ),
        (
            &["connect", "--endpoint", "member", "a b"][..],
            "a name can only have letters, digits, '.', '_' and '-'; ' ' is not allowed",
        ),
        (
            &["connect", "--url", "http://example.org/mcp"][..],
            "The gateway runs on this machine. Use an address that begins with http://127.0.0.1: and a port.",
        ),
        (
            &["connect", "--url", ""][..],
            "The address is not valid: empty string.",
        ),
        (
            &[
                "connect",
                "--url",
                "http://127.0.0.1:1/mcp",
                "--token",
                "to\nken",
            ][..],
            "The token has invalid characters.",
        ),
        (
            &["connect", "--mode", "fast"][..],
            "invalid value 'fast' for '--mode <MODE>': use lazy, full or search",
        ),
        (
            &["add", "notes.mcpb", "--set", "key"][..],
            "invalid value 'key' for '--set <KEY=VALUE>': write it as KEY=VALUE",
        ),
        (
            &["history", "--limit", "0"][..],
            "invalid value '0' for '--limit <N>': 0 is not in 1..=500",
        ),
        (
            &["tools", "policy", "set", "forge/heat", "maybe"][..],
            "\"maybe\" must be allow, ask or deny",
        ),
        (
            &[
                "tools",
                "policy",
                "set",
                "--kind",
                "destructive",
                "forge/heat",
                "deny",
            ][..],
            "name either tools or a kind of tools",
        ),
        (
            &["tools", "policy", "set", "deny"][..],
            "name the tools as member/tool, or --kind",
        ),
    ] {
        let refused = cli.run(words).await;
        assert_eq!(refused.code, Some(2), "{words:?}: {refused:#?}");
        let begins = format!("error: {expected}\n");
        assert!(
            refused.stderr.starts_with(&begins),
            "{words:?}: {refused:#?}"
        );
    }
}
