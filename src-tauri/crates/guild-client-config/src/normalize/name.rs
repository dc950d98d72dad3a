//! Derives the name of a server whose text contains no name.

use super::has_word;
use super::runners::stem;

/// Options of package runners that are followed by a value.
const OF_RUNNERS: &str = "\
    -p --package --from --with --python --index-url --directory --project -c --call";
/// Options of container engines that are followed by a value.
const OF_CONTAINERS: &str = "\
    -e --env --env-file -v --volume --mount --name -p --publish --network --net -w --workdir \
    -u --user --platform --entrypoint -l --label --add-host -m --memory --cpus --pull \
    --restart";
const BEGINNINGS: &[&str] = &["mcp-server-", "mcp_server_", "server-", "mcp-", "mcp_"];
const ENDS: &[&str] = &[
    "-mcp-server",
    "_mcp_server",
    "-mcp",
    "_mcp",
    "-server",
    "_server",
];
/// Parts of host names that don't identify a server.
const OF_HOSTS: &[&str] = &["www", "mcp", "api", "app"];

/// Derives a one-word name for the server that a command starts.
pub(in super::super) fn of_command(program: &str, args: &[String]) -> String {
    let program = stem(program);
    if let ("cmd", [switch, inner, rest @ ..]) = (program, args)
        && switch.eq_ignore_ascii_case("/c")
    {
        return of_command(inner, rest);
    }
    let word = match program {
        "npx" | "bunx" | "uvx" | "pnpx" => after(args, OF_RUNNERS),
        "pnpm" | "yarn" | "bun" | "deno" | "pipx" | "uv" | "npm" | "dotnet" | "go" | "cargo" => {
            after(args.get(1..).unwrap_or_default(), OF_RUNNERS)
        }
        "docker" | "podman" => after(args.get(1..).unwrap_or_default(), OF_CONTAINERS),
        "python" | "python3" | "py" | "node" | "tsx" | "ruby" | "php" | "java" => {
            let script = after(args, "");
            script.map(|script| {
                let name = script.rsplit(['/', '\\']).next().unwrap_or(script);
                let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
                // Many projects have a script with this name, so the server is named after the
                // script's folder.
                let folder = script.rsplit(['/', '\\']).map(str::trim).skip(1);
                let mut folder =
                    folder.filter(|part| !matches!(*part, "dist" | "build" | "src" | "." | ""));
                match stem {
                    "index" | "main" | "server" => folder.next().unwrap_or(stem),
                    stem => stem,
                }
            })
        }
        _ => None,
    };
    let word = word.unwrap_or(program);
    let word = if word.contains("://") {
        return of_address(word);
    } else {
        word
    };
    plain(word)
}

/// Returns the first argument that is neither an option nor the value of an option in `valued`.
fn after<'a>(args: &'a [String], valued: &str) -> Option<&'a str> {
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if has_word(valued, arg) {
            args.next();
        } else if !arg.starts_with('-') {
            return Some(arg);
        }
    }
    None
}

/// Removes common prefixes and suffixes from the name of a package, an image or a program.
fn plain(package: &str) -> String {
    let (scope, name) = match package
        .strip_prefix('@')
        .and_then(|rest| rest.split_once('/'))
    {
        Some((scope, name)) => (Some(scope), name),
        None => (None, package),
    };
    let name = name.rsplit('/').next().unwrap_or(name);
    let name = name
        .split(['@', ':', '=', '[', '<', '>', '~'])
        .next()
        .unwrap_or(name);
    let begin = BEGINNINGS.iter().find_map(|begin| name.strip_prefix(begin));
    let short = begin.unwrap_or(name);
    let short = ENDS
        .iter()
        .find_map(|end| short.strip_suffix(end))
        .unwrap_or(short);
    match short {
        "" | "mcp" | "server" => scope.unwrap_or(name).to_owned(),
        short => short.to_owned(),
    }
}

/// Derives a one-word name for the server at an address.
pub(in super::super) fn of_address(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit('@').next().unwrap_or_default();
    let host = match host.strip_prefix('[') {
        Some(_) => "localhost",
        None => host.split(':').next().unwrap_or_default(),
    };
    let is_number = host.chars().all(|c| c.is_ascii_digit() || c == '.');
    if is_number || !host.contains('.') {
        return host.to_owned();
    }
    let parts: Vec<&str> = host.split('.').collect();
    let mut own = parts[..parts.len() - 1].iter();
    let named = own.rfind(|part| !OF_HOSTS.contains(part));
    named.map_or(host, |part| part).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_named_for_what_it_starts() {
        for (line, expect) in [
            (
                "npx -y @modelcontextprotocol/server-filesystem@1.0 /tmp",
                "filesystem",
            ),
            ("npx @playwright/mcp@latest", "playwright"),
            ("npx -y mcp-remote https://mcp.linear.app/sse", "remote"),
            ("uvx --from git+https://a.test/x mcp-server-fetch", "fetch"),
            ("uv run --directory /srv/x weather.py", "weather.py"),
            (
                "docker run -i --rm -e KEY -v /a:/b ghcr.io/github/github-mcp-server:1.2",
                "github",
            ),
            ("node /opt/weather/dist/index.js --stdio", "weather"),
            ("python -m my_server", "my"),
            ("/usr/bin/my-tool --stdio", "my-tool"),
            ("C:\\Tools\\x.exe", "x"),
            ("cmd /c npx -y @scope/thing-mcp", "thing"),
            ("bunx", "bunx"),
        ] {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(of_command(&words[0], &words[1..]), expect, "{line}");
        }
    }

    #[test]
    fn an_address_is_named_for_its_host() {
        for (url, expect) in [
            ("https://mcp.linear.app/mcp", "linear"),
            ("https://api.githubcopilot.com/mcp/", "githubcopilot"),
            ("http://localhost:3000/mcp", "localhost"),
            ("http://127.0.0.1:8080", "127.0.0.1"),
            ("https://u:p@docs.example.test?x", "example"),
            ("http://[::1]:80/", "localhost"),
            ("https://", ""),
        ] {
            assert_eq!(of_address(url), expect, "{url}");
        }
    }
}
