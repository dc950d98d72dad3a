//! Formats registries, servers and install options as lines.

use std::time::{Duration, SystemTime};

use guild_api::wire::{
    RegistryMember, RegistryRow, RegistryServer, RegistrySource, RegistryStanding, RegistryWay,
};

use crate::add::{container_lines, launch_lines};
use crate::answers::question_lines;
use crate::terminal::indented;

/// Formats a registry with the age of its data, and the error if a refresh failed.
pub(super) fn format_source(source: &RegistrySource) -> String {
    let at = SystemTime::UNIX_EPOCH + Duration::from_millis(source.as_of_ms);
    let age = at.elapsed().unwrap_or_default().as_secs();
    let age = humantime::format_duration(Duration::from_secs(age)).to_string();
    let age: Vec<&str> = age.split(' ').take(2).collect();
    let text = format!("{}, as of {} ago", source.source, age.join(" "));
    match &source.unread {
        Some(why) => format!("{text} (an earlier answer: {})", why.message),
        None => text,
    }
}

/// Formats a server of a list as two lines.
pub(super) fn row(row: &RegistryRow) -> String {
    let mut text = format!("{} {}", row.server, row.version);
    if row.standing != RegistryStanding::Active {
        text.push_str(&format!("  [{}]", RegistryStanding::as_str(row.standing)));
    }
    if !row.kinds.is_empty() {
        text.push_str(&format!("  {}", row.kinds.join(", ")));
    }
    for member in &row.members {
        text.push_str(&format!("  ({})", of_member(member)));
    }
    let words = [row.title.as_str(), row.description.as_str()];
    let words: Vec<&str> = words
        .into_iter()
        .filter(|words| !words.is_empty())
        .collect();
    if !words.is_empty() {
        let words = words.join(": ").replace(['\n', '\t'], " ");
        text.push_str(&format!("\n    {words}"));
    }
    text
}

fn of_member(member: &RegistryMember) -> String {
    let newer = match member.newer {
        true => ", a newer one is listed",
        false => "",
    };
    format!(
        "the member {} runs {}{newer}",
        member.member, member.version
    )
}

/// Formats everything about a server as several lines.
pub(super) fn format_server(server: &RegistryServer) -> String {
    let mut lines = vec![format!("{} {}", server.server, server.version)];
    let mut add = |text: String| lines.push(format!("    {}", indented(&text, 6)));
    for words in [&server.title, &server.description] {
        if !words.is_empty() {
            add(words.clone());
        }
    }
    if server.standing != RegistryStanding::Active {
        let message = match server.standing_message.as_str() {
            "" => String::new(),
            message => format!(": {message}"),
        };
        let entry = RegistryStanding::as_str(server.standing);
        add(format!("{entry}{message}"));
    }
    for page in server.website.iter().chain(&server.repository) {
        add(page.clone());
    }
    if server.versions.len() > 1 {
        add(format!("versions: {}", server.versions.join(", ")));
    }
    for member in &server.members {
        add(of_member(member));
    }
    for (at, way) in server.ways.iter().enumerate() {
        lines.push(format!("way {}: {}", at + 1, format_way(way)));
    }
    if server.ways.is_empty() {
        lines.push("It lists no way to run it.".to_owned());
    }
    lines.join("\n")
}

/// Formats one way to run a server as several lines.
pub(super) fn format_way(way: &RegistryWay) -> String {
    let version = way.version.as_deref().unwrap_or_default();
    let mut lines = vec![
        format!("{} {} {version}", way.kind, way.name)
            .trim_end()
            .to_owned(),
    ];
    let mut add = |text: String| lines.push(format!("    {}", indented(&text, 6)));
    if let Some(why) = &way.unusable {
        add(format!("can't be installed: {why}"));
    }
    if let Some(install) = &way.install {
        add(install.command_line.clone());
        let launch = launch_lines(&install.launch).into_iter();
        launch.for_each(&mut add);
        let container = install.container.iter().flat_map(container_lines);
        container.for_each(&mut add);
        for line in question_lines(&install.asks) {
            add(line);
        }
        for note in &install.notes {
            add(format!("note: {note}"));
        }
    }
    lines.join("\n")
}
