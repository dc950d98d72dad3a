#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use guild_model::Code;
use tempfile::TempDir;

use super::*;

fn folder(files: &[(&str, u32)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, mode) in files {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().expect("in the folder")).expect("a folder");
        fs::write(&file, "#!/bin/sh\n").expect("written");
        fs::set_permissions(&file, Permissions::from_mode(*mode)).expect("set");
    }
    folder
}

fn path(folders: &[&Path]) -> OsString {
    std::env::join_paths(folders).expect("no colon in them")
}

#[test]
fn the_secrets_of_a_team_are_withheld_and_nothing_else() {
    assert!(is_withheld(OsStr::new("GUILD_SECRET_FORGE_TOKEN")));
    for name in [
        "GUILD_HALL_DATA",
        "MY_GUILD_SECRET_A",
        "GUILD_SECRET",
        "PATH",
    ] {
        assert!(!is_withheld(OsStr::new(name)), "{name}");
    }
}

#[test]
fn a_name_is_looked_up_on_the_path_in_its_order() {
    let (first, second) = (folder(&[]), folder(&[("tool", 0o755)]));
    let third = folder(&[("tool", 0o755)]);
    let path = path(&[first.path(), second.path(), third.path()]);
    let found = resolve("tool", first.path(), Some(&path)).expect("there");
    assert_eq!(found, second.path().join("tool"));
}

#[test]
fn req_mcp_http_11_a_path_counts_from_the_working_directory() {
    let cwd = folder(&[("bin/tool", 0o755)]);
    let expected = cwd.path().join("bin/tool");
    for program in ["bin/tool", "./bin/tool", expected.to_str().expect("text")] {
        let found = resolve(program, cwd.path(), None).expect("there");
        assert_eq!(found, expected, "{program}");
    }
}

#[test]
fn relative_path_folder_uses_working_directory() {
    let cwd = folder(&[("bin/tool", 0o755), ("here", 0o755)]);
    let found = resolve("tool", cwd.path(), Some(OsStr::new("bin"))).expect("there");
    assert_eq!(found, cwd.path().join("bin/tool"));
    let found = resolve("here", cwd.path(), Some(OsStr::new("/nowhere:"))).expect("there");
    assert_eq!(found, cwd.path().join("here"));
}

#[test]
fn a_command_that_is_not_found_says_where_it_was_looked_for() {
    let (cwd, other) = (folder(&[]), folder(&[]));
    let path = path(&[cwd.path(), other.path()]);
    let error = resolve("npx", cwd.path(), Some(&path)).expect_err("nowhere");
    let (a, b) = (cwd.path().display(), other.path().display());
    assert_eq!(
        error.to_string(),
        format!("The command `npx` was not found. Looked in: {a}, {b}.")
    );
    assert_eq!(error.code(), Code::CommandNotFound);
    assert!(
        error.report().hint.contains("Node.js"),
        "{}",
        error.report().hint
    );

    let error = resolve("./gone", cwd.path(), Some(&path)).expect_err("not there");
    assert_eq!(error.code(), Code::CommandNotFound);
    assert_eq!(
        error.to_string(),
        format!("The command `./gone` was not found. Looked in: {a}."),
        "the PATH is not asked for a path"
    );
}

#[test]
fn an_endless_path_makes_no_endless_error() {
    let cwd = folder(&[]);
    let folders: Vec<String> = (0..5_000).map(|n| format!("/nowhere/{n}")).collect();
    let path = OsString::from(folders.join(":"));
    let error = resolve(&"x".repeat(10_000), cwd.path(), Some(&path)).expect_err("nowhere");
    let text = error.to_string();
    assert!(text.len() < 5_000, "{} bytes", text.len());
    assert!(text.ends_with("more folders."), "{text}");
}

#[test]
fn without_a_path_there_is_nowhere_to_look() {
    let cwd = folder(&[("tool", 0o755)]);
    for path in [None, Some(OsStr::new(""))] {
        let error = resolve("tool", cwd.path(), path).expect_err("no path");
        assert_eq!(error.code(), Code::CommandNotFound);
        assert!(error.to_string().contains("PATH is empty"), "{error}");
    }
    let error = resolve("", cwd.path(), Some(cwd.path().as_os_str())).expect_err("no name");
    assert_eq!(error.code(), Code::CommandNotFound);
}

#[test]
fn a_file_that_is_not_executable_is_named() {
    let cwd = folder(&[("tool", 0o644)]);
    for program in ["./tool", "tool"] {
        let error = resolve(program, cwd.path(), Some(cwd.path().as_os_str()));
        let error = error.expect_err("not executable");
        assert_eq!(error.code(), Code::CommandNotExecutable);
        assert!(error.to_string().contains("is not executable"), "{error}");
        assert!(
            error.report().hint.contains("chmod +x"),
            "{}",
            error.report().hint
        );
    }
}

#[test]
fn a_file_that_can_not_be_run_does_not_hide_one_that_can() {
    let (bad, good) = (folder(&[("tool", 0o644)]), folder(&[("tool", 0o755)]));
    let path = path(&[bad.path(), good.path()]);
    let found = resolve("tool", bad.path(), Some(&path)).expect("the second");
    assert_eq!(found, good.path().join("tool"));
}

#[test]
fn a_folder_is_no_program() {
    let cwd = folder(&[("tool/inside", 0o755)]);
    for program in ["./tool", "tool"] {
        let error = resolve(program, cwd.path(), Some(cwd.path().as_os_str()));
        let error = error.expect_err("a folder");
        assert_eq!(error.code(), Code::CommandNotExecutable);
        assert!(error.to_string().contains("is a folder"), "{error}");
        assert!(
            !error.report().hint.contains("chmod"),
            "{}",
            error.report().hint
        );
    }
}

#[test]
fn possible_secrets_are_hidden() {
    let spec = ProcessSpec {
        program: "tool".into(),
        args: vec!["--token=hush".into()],
        env: vec![
            ("TOKEN".into(), "hush".into()),
            ("A=B".into(), "hush".into()),
        ],
        cwd: "/".into(),
    };
    assert!(!format!("{spec:?}").contains("hush"));
    let error = spec.check_env().expect_err("no such name");
    assert!(!error.to_string().contains("hush"), "{error}");
}
