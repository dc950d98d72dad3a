//! The help text of the program: the commands in groups, and examples.

use std::fmt::Write as _;

use clap::CommandFactory as _;

/// The groups of the commands, in the order of the help.
const GROUPS: [(&str, &[&str]); 4] = [
    (
        "Members",
        &[
            "list", "add", "start", "stop", "restart", "member", "review", "auth", "secret", "logs",
        ],
    ),
    ("Tools", &["tools", "call", "history"]),
    (
        "Agents",
        &["serve", "connect", "clients", "approvals", "profile"],
    ),
    (
        "Development and maintenance",
        &["dev", "doctor", "settings", "completions"],
    ),
];

const EXAMPLES: &str = "\
Examples:
  guildhall add -- npx -y @modelcontextprotocol/server-everything
  guildhall list --wait
  guildhall call everything get-sum --args '{\"a\": 2, \"b\": 40}'
  guildhall clients connect claude-code --write

`guildhall COMMAND --help` explains a command and its options.";

pub(crate) const LIST: &str = "\
Examples:
  guildhall list
  guildhall list --wait --json

With --wait the exit code is 7 if a member failed to start.";
pub(crate) const ADD: &str = "\
Examples:
  guildhall add -- npx -y @modelcontextprotocol/server-everything
  guildhall add --name example -- https://mcp.example.com/mcp
  guildhall add ~/Downloads/notes.mcpb
  guildhall add .mcp.json --only github
  guildhall add discovered
  guildhall add registry search notes
  guildhall add new words --from python

To add a file whose name is one of the commands above, write ./NAME.";
pub(crate) const DISCOVERED: &str = "\
Examples:
  guildhall add discovered                 List the servers of other programs
  guildhall add discovered github
  guildhall add discovered --all --yes";
pub(crate) const REVIEW: &str = "\
Examples:
  guildhall review notes
  guildhall review notes --accept
  guildhall review notes --accept-tools search";
pub(crate) const MEMBER: &str = "\
Examples:
  guildhall member disable notes
  guildhall member rename notes work-notes
  guildhall member edit notes
  guildhall member remove notes
  guildhall member restore notes

The trash keeps the last 20 removed members for 30 days.";
pub(crate) const AUTH: &str = "\
Examples:
  guildhall auth sign-in linear --open
  guildhall auth sign-in linear --code
  guildhall auth sign-in linear --paste
  guildhall auth sign-out linear";
pub(crate) const SECRET: &str = "\
Examples:
  guildhall secret set github-token
  guildhall secret set github-token < token.txt
  guildhall secret list";
pub(crate) const LOGS: &str = "\
Examples:
  guildhall logs notes -n 50
  guildhall logs notes --follow --grep error";
pub(crate) const TOOLS: &str = "\
Examples:
  guildhall tools
  guildhall tools notes --wait
  guildhall tools --details --policy ask
  guildhall tools describe notes search
  guildhall tools policy set notes/delete deny

To list the tools of a member whose name is one of the commands above, write `guildhall tools -- NAME`.";
pub(crate) const POLICY: &str = "\
Examples:
  guildhall tools policy
  guildhall tools policy set notes/delete notes/move ask
  guildhall tools policy set --kind destructive ask --dry-run
  guildhall tools policy set notes/prompt:review deny
  guildhall tools policy clear notes/delete
  guildhall tools policy read-only notes/search

`guildhall tools --details` lists the policy of each tool, and the reason for it.";
pub(crate) const DISCOVER: &str = "\
Examples:
  guildhall tools discover notes
  guildhall tools discover notes --show-request
  guildhall tools discover notes --predict";
pub(crate) const EMBEDDINGS: &str = "\
Examples:
  guildhall tools embeddings set --url http://127.0.0.1:11434/v1 --model all-minilm
  guildhall tools embeddings test";
pub(crate) const CALL: &str = "\
Examples:
  guildhall call notes search --args '{\"query\": \"milk\"}'
  guildhall call notes search --args '{\"query\": \"milk\"}' --json

The exit code is 1 if the tool reports a failure.";
pub(crate) const HISTORY: &str = "\
Examples:
  guildhall history --member notes --outcome failed
  guildhall history --search milk --limit 10
  guildhall history --export calls.jsonl
  guildhall history sessions
  guildhall history checks --session 812 --suite notes.suite.json
  guildhall history mock notes-mock --of notes --session 812";
pub(crate) const CHECKS: &str = "\
Examples:
  guildhall history checks --session 812 --suite notes.suite.json
  guildhall history checks --call 812 --call 815 --examples

Repeats each call twice. Parts of its result that change, such as times, are not compared.";
pub(crate) const MOCK: &str = "\
Example:
  guildhall history mock notes-mock --of notes --session 812

A call with other arguments gets the closest recorded result, marked as such.";
pub(crate) const SERVE: &str = "\
Example:
  guildhall serve --gateway-port 0

Prints the address and the token of the gateway as one line of JSON, then each event as another line.";
pub(crate) const CONNECT: &str = "\
Examples:
  guildhall connect
  guildhall connect --endpoint member notes --mode full";
pub(crate) const CLIENTS: &str = "\
Examples:
  guildhall clients
  guildhall clients connect claude-code --write
  guildhall clients add \"My agent\" --endpoint profile writing
  guildhall clients bind Cursor --endpoint member notes --endpoint profile writing
  guildhall clients switch cursor
  guildhall clients undo cursor
  guildhall clients revoke Cursor";
pub(crate) const CLIENTS_CONNECT: &str = "\
Examples:
  guildhall clients connect claude-code                   Print the entry
  guildhall clients connect claude-code --write           Show the change to its file
  guildhall clients connect claude-code --write --yes     Write its file
  guildhall clients connect cursor --endpoint profile writing --mode full";
pub(crate) const CLIENTS_SWITCH: &str = "\
Examples:
  guildhall clients switch             List the files that can switch
  guildhall clients switch cursor";
pub(crate) const APPROVALS: &str = "\
Examples:
  guildhall approvals
  guildhall approvals approve ID --always
  guildhall approvals deny ID";
pub(crate) const PROFILE_RESULTS: &str = "\
Examples:
  guildhall profile results writing
  guildhall profile results writing 10000
  guildhall profile results writing off";
pub(crate) const PROFILE_EXPORT: &str = "\
Examples:
  guildhall profile export writing --format compose --image registry.example.com/guild-hall:1 \\
      --gateway-image nginx:1 --out team
  guildhall profile export writing --format agentgateway --out team";
pub(crate) const DEV: &str = "\
Examples:
  guildhall dev notes
  guildhall dev --once
  guildhall dev --once notes --example \"finds milk\" --junit report.xml
  guildhall dev --once --suite notes.suite.json

With --once the exit code is 1 if an example or a check fails.";
pub(crate) const DOCTOR: &str = "\
Examples:
  guildhall doctor
  guildhall doctor explain call-timeout
  guildhall doctor report --list

The exit code is 1 after a warning, and 6 after a problem.";
pub(crate) const SETTINGS: &str = "\
Examples:
  guildhall settings
  guildhall settings get window.onClose
  guildhall settings set limits.callMs 60000
  guildhall settings check";
pub(crate) const COMPLETIONS: &str = "\
Example:
  guildhall completions bash > ~/.local/share/bash-completion/completions/guildhall";

/// Returns the program's arguments. Their help lists the commands in groups, which clap does not
/// support.
pub(crate) fn command() -> clap::Command {
    let command = crate::Cli::command();
    let styles = command.get_styles().clone();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let width = command.get_subcommands().map(|one| one.get_name().len());
    let width = width.max().unwrap_or_default();
    let mut list = String::new();
    for (title, names) in GROUPS {
        // Writing to a string does not fail.
        let _ = writeln!(list, "\n{header}{title}:{header:#}");
        for one in names
            .iter()
            .filter_map(|name| command.find_subcommand(name))
        {
            let (name, about) = (one.get_name(), one.get_about().cloned().unwrap_or_default());
            let _ = writeln!(list, "  {literal}{name:<width$}{literal:#}  {about}");
        }
    }
    command.after_help(EXAMPLES).help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{list}\n{header}Options:{header:#}\n\
         {{options}}{{after-help}}"
    ))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_command_is_in_one_group() {
        let grouped = GROUPS.iter().flat_map(|(_, names)| names.iter().copied());
        let grouped: Vec<&str> = grouped.collect();
        let command = crate::Cli::command();
        let known: BTreeSet<&str> = command
            .get_subcommands()
            .map(|one| one.get_name())
            .collect();
        assert_eq!(grouped.len(), known.len());
        assert_eq!(grouped.into_iter().collect::<BTreeSet<_>>(), known);
    }

    #[test]
    fn arguments_are_consistent() {
        crate::Cli::command().debug_assert();
    }
}
