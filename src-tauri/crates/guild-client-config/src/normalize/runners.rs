//! Recognizes commands in texts: those that start a server, and those that only install something.

use super::has_word;

/// Programs with which a command in a text may begin. Those before `pip` start a server, or add a
/// server to another program. Those from `pip` on start no server: they are in the list so that
/// their commands are recognized and reported.
const STARTERS: &str = "\
    npx bunx uvx uv pipx pnpm pnpx yarn npm bun deno node tsx python python3 py docker podman \
    go cargo java dotnet dnx ruby php nix claude code code-insiders codium cursor windsurf \
    codex gemini qwen amp droid env sh bash cmd powershell pwsh sudo pip pip3 brew git cd \
    export set curl wget mkdir cp source apt apt-get winget choco scoop echo";
/// The first words of commands that prepare something, but start no server.
const INSTALLS: &str = "\
    npm install, npm i, npm ci, npm run build, npm init, pnpm install, pnpm i, pnpm add, yarn \
    add, yarn install, bun install, bun add, pip install, pip3 install, python -m pip, python3 \
    -m pip, python -m venv, python3 -m venv, pipx install, uv tool install, uv pip, uv sync, \
    uv add, uv venv, uv init, cargo install, cargo build, go install, go build, docker pull, \
    docker build, podman pull, podman build, dotnet tool install, dotnet build, brew, git, cd, \
    export, set, curl, wget, mkdir, cp, source, apt, apt-get, winget, choco, scoop, echo";

/// Returns a program's name without its folder and extension.
pub(in super::super) fn stem(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let ends = [".exe", ".cmd", ".bat"];
    let end = ends.iter().find_map(|end| name.strip_suffix(end));
    end.unwrap_or(name)
}

/// Checks whether a line begins like a known command.
pub(in super::super) fn starts_like_a_command(line: &str) -> bool {
    let line = line.trim_start();
    let line = line
        .strip_prefix(['$', '%', '❯'])
        .map_or(line, str::trim_start);
    let mut words = line.split_whitespace();
    // Variables may precede the program.
    let is_variable = |word: &str| {
        let name = word.split_once('=').map_or("", |(name, _)| name);
        let of_a_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(of_a_name)
    };
    let Some(first) = words.find(|word| !is_variable(word)) else {
        return false;
    };
    let is_path = ["/", "./", "../", "~/", ".\\", "..\\"]
        .iter()
        .any(|begin| first.starts_with(begin) && first.len() > begin.len())
        || first.get(1..3) == Some(":\\");
    is_path || has_word(STARTERS, &stem(first).to_ascii_lowercase())
}

/// Returns the first words of a command that starts no server, as listed in [`INSTALLS`]. `None`
/// for other commands.
pub(in super::super) fn installs(words: &[String]) -> Option<String> {
    let matches = |install: &&str| {
        let count = install.split(' ').count();
        let mut pairs = install.split(' ').zip(words);
        count <= words.len() && pairs.all(|(install, word)| stem(word) == install)
    };
    INSTALLS.split(", ").find(matches).map(str::to_owned)
}
