//! The `.rpm`: what it needs is found by rpm itself, by the names of libraries.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::facts::{self, Facts};
use crate::program::Program;

const PACK_LIMIT: Duration = Duration::from_secs(20 * 60);
/// Where the files of zsh go on systems with rpm.
const ZSH: (&str, &str) = (
    "usr/share/zsh/vendor-completions",
    "usr/share/zsh/site-functions",
);

/// Packs a tree, and says where.
pub(crate) fn build(tree: &Path, out: &Path, work: &Path, facts: &Facts) -> Result<PathBuf> {
    let files = facts::files_under(tree)?;
    let spec = work.join("guild-hall.spec");
    fs::write(&spec, recipe(facts, &files)).context("writing the spec")?;
    let mut rpmbuild = facts
        .date(Program::new("rpmbuild"))
        .args(["-bb", "--quiet"]);
    for (name, value) in [
        ("_topdir", work.join("rpm").as_path()),
        ("_rpmdir", out),
        ("tree", tree),
    ] {
        rpmbuild = rpmbuild.args(["--define".to_owned(), format!("{name} {}", value.display())]);
    }
    rpmbuild.args([&spec]).limit(PACK_LIMIT).text()?;
    let package = out.join(format!(
        "guild-hall-{}-1.{}.rpm",
        facts.version,
        std::env::consts::ARCH
    ));
    let listed = Program::new("rpm")
        .args(["--query", "--package", "--list"])
        .args([&package])
        .text()?;
    for file in &files {
        let place = format!("/{}", file.replace(ZSH.0, ZSH.1));
        ensure!(
            listed.lines().any(|line| line == place),
            "{place} is not in the .rpm"
        );
    }
    Ok(package)
}

/// The recipe: nothing is built, and nothing is done to the files.
fn recipe(facts: &Facts, files: &[String]) -> String {
    let (summary, description) = (facts::SUMMARY, facts::DESCRIPTION.join("\n"));
    let maintainer = facts::MAINTAINER;
    let version = &facts.version;
    let payload = match facts.small {
        true => "w6.xzdio",
        false => "w1.gzdio",
    };
    let (of_debian, here) = ZSH;
    let list: String = files
        .iter()
        .map(|file| format!("\"/{}\"\n", file.replace(of_debian, here)))
        .collect();
    format!(
        "%define _binary_payload {payload}\n\
         %define _build_id_links none\n\
         %define _build_name_fmt %{{NAME}}-%{{VERSION}}-%{{RELEASE}}.%{{ARCH}}.rpm\n\
         %define _buildhost localhost\n\
         %define __os_install_post %{{nil}}\n\
         %define debug_package %{{nil}}\n\
         %define use_source_date_epoch_as_buildtime 1\n\
         %define clamp_mtime_to_source_date_epoch 1\n\n\
         Name: guild-hall\n\
         Version: {version}\n\
         Release: 1\n\
         Summary: {summary}\n\
         License: MIT OR Apache-2.0\n\
         Packager: {maintainer}\n\n\
         %description\n{description}\n\n\
         %install\n\
         cp --archive %{{tree}}/. %{{buildroot}}\n\
         mv %{{buildroot}}/{of_debian} %{{buildroot}}/{here}\n\n\
         %files\n\
         %dir \"/usr/share/doc/guild-hall\"\n{list}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recipe_lists_each_file_where_rpm_systems_have_it() {
        let facts = Facts {
            version: "0.1.0".into(),
            sources: crate::root().to_owned(),
            epoch: 0,
            small: true,
        };
        let files = [
            "usr/bin/guildhall",
            "usr/share/zsh/vendor-completions/_guildhall",
        ];
        let recipe = recipe(&facts, &files.map(str::to_owned));
        assert!(recipe.contains("\n\"/usr/bin/guildhall\"\n"), "{recipe}");
        assert!(
            recipe.contains("\n\"/usr/share/zsh/site-functions/_guildhall\"\n"),
            "{recipe}"
        );
        assert!(
            recipe.contains("%define _binary_payload w6.xzdio\n"),
            "{recipe}"
        );
    }
}
