//! `guildhall tools policy`: the tools that agents may call, and the rules for kinds of tools.

use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use guild_api::wire::{
    Catalog, CatalogRequest, ConfirmReadOnly, PolicyPreview, PolicyRulesOf, SetToolPolicies,
    ToolPolicy,
};
use guild_engine::messages::CliError;
use guild_model::manifest::Policy;
use guild_model::policy::{PolicyRules, ToolClass};
use guild_model::profile::ProfileName;
use guild_model::{Code, MemberName, Report, ToolName};
use guild_review::trust::is_offer;
use serde_json::json;

use super::details::{self, in_words};
use crate::endpoint::{profile_name, wrong_usage};
use crate::engine_client::EngineClient;
use crate::terminal::{counted, is_json, print, print_hint, word};
use crate::{eprint_line, print_line};

pub(super) fn policy_of(text: &str) -> Option<Policy> {
    let all = [Policy::Allow, Policy::Ask, Policy::Deny];
    all.into_iter().find(|policy| word(policy) == text)
}

/// Returns the names of the kinds of tools.
pub(super) fn classes() -> PossibleValuesParser {
    PossibleValuesParser::new(ToolClass::ALL.map(ToolClass::as_str))
}

#[derive(Debug, Args)]
pub(super) struct PolicyArgs {
    #[command(subcommand)]
    action: Option<PolicyAction>,
    /// Use the policies of this profile
    #[arg(long, global = true, value_name = "NAME")]
    profile: Option<String>,
}

#[derive(Debug, Subcommand)]
enum PolicyAction {
    /// List the rules for kinds of tools [default]
    Rules,
    /// Set the policy of tools, or of a kind of tools
    Set {
        /// The tools as member/tool, prompts and resources as member/prompt:NAME,
        /// member/resource:URI or member/template:URI, then allow, ask or deny
        #[arg(required = true, value_name = "TOOL… POLICY")]
        words: Vec<String>,
        /// Set the rule for all tools of this kind. The kind comes from the server's
        /// hints. A read-only hint that the tool's name or description contradicts does not count
        #[arg(long, value_parser = classes())]
        kind: Option<String>,
        /// List the changes, and save nothing
        #[arg(long, requires = "kind")]
        dry_run: bool,
    },
    /// Clear the policies that were set on tools, or the rule for a kind of tools
    Clear {
        /// The tools as member/tool
        #[arg(
            required_unless_present = "kind",
            conflicts_with = "kind",
            value_name = "TOOL"
        )]
        tools: Vec<String>,
        /// Clear the rule for this kind of tools
        #[arg(long, value_parser = classes())]
        kind: Option<String>,
        /// List the changes, and save nothing
        #[arg(long, requires = "kind")]
        dry_run: bool,
    },
    /// Confirm the read-only hint of a tool. Otherwise, Guild Hall doubts the hint if the tool's
    /// name or description has a word such as send, create or delete
    ReadOnly {
        /// The tools as member/tool
        #[arg(required = true, value_name = "TOOL")]
        tools: Vec<String>,
        /// Withdraw the confirmation
        #[arg(long)]
        clear: bool,
    },
}

impl PolicyArgs {
    pub(super) fn changes(&self) -> bool {
        !matches!(self.action, None | Some(PolicyAction::Rules))
    }
}

/// Lists the rules, or changes the policies.
pub(super) async fn policy(engine: &EngineClient, args: PolicyArgs) -> Result<ExitCode, Report> {
    let profile = args.profile.as_deref().map(profile_name);
    let policies = PolicyCommand { engine, profile };
    let class = |kind: Option<String>| kind.and_then(|kind| ToolClass::parse(&kind));
    match args.action {
        None | Some(PolicyAction::Rules) => policies.list_rules().await?,
        Some(PolicyAction::Set {
            mut words,
            kind,
            dry_run,
        }) => {
            let policy = words.pop().unwrap_or_default();
            let Some(policy) = policy_of(&policy) else {
                wrong_usage(&format!("{policy:?} must be allow, ask or deny"));
            };
            match class(kind) {
                Some(_) if !words.is_empty() => {
                    wrong_usage("name either tools or a kind of tools");
                }
                Some(class) => policies.rule(class, Some(policy), dry_run).await?,
                None if words.is_empty() => wrong_usage("name the tools as member/tool, or --kind"),
                None => policies.set(&words, Some(policy)).await?,
            }
        }
        Some(PolicyAction::Clear {
            tools,
            kind,
            dry_run,
        }) => match class(kind) {
            Some(class) => policies.rule(class, None, dry_run).await?,
            None => policies.set(&tools, None).await?,
        },
        Some(PolicyAction::ReadOnly { tools, clear }) => policies.confirm(&tools, !clear).await?,
    }
    Ok(ExitCode::SUCCESS)
}

/// A command on the global policies, or on the policies of a profile.
struct PolicyCommand<'a> {
    engine: &'a EngineClient,
    profile: Option<ProfileName>,
}

impl PolicyCommand<'_> {
    async fn list_rules(&self) -> Result<(), Report> {
        let rules = self.rules().await?;
        let line = |class: ToolClass| {
            let policy = rules.get(class)?;
            Some(format!("{}: {}", class.words(), word(policy)))
        };
        let lines: Vec<String> = ToolClass::ALL.into_iter().filter_map(line).collect();
        print(&json!({ "rules": rules }), || lines.join("\n"));
        if lines.is_empty() {
            print_hint(
                "No kind of tools has a rule. `guildhall tools --details` lists each tool's policy.",
            );
        }
        Ok(())
    }

    async fn confirm(&self, names: &[String], confirmed: bool) -> Result<(), Report> {
        // The confirmation of a removed tool can still be withdrawn.
        for (member, tool) in self.resolve(names, confirmed, |_| false).await? {
            let request = ConfirmReadOnly {
                member,
                tool,
                confirmed,
            };
            self.engine.confirm_read_only(request).await?;
        }
        details::show(&self.listed(names).await?, false);
        Ok(())
    }

    async fn set(&self, names: &[String], policy: Option<Policy>) -> Result<(), Report> {
        // When a policy is cleared, the tool may no longer exist. Prompts and resources need not
        // exist either, since only a running server lists them.
        let tools = self.resolve(names, policy.is_some(), is_offer).await?;
        let tools = tools.into_iter().map(|(member, tool)| ToolPolicy {
            member,
            tool,
            policy,
        });
        let request = SetToolPolicies {
            profile: self.profile.clone(),
            tools: tools.collect(),
        };
        let set = self.engine.set_tool_policies(request).await?;
        if is_json() {
            print(&json!({ "before": set.before }), String::new);
            return Ok(());
        }
        details::show(&self.listed(names).await?, false);
        Ok(())
    }

    /// Splits names into members and tools. If `must_exist`, rejects unknown tools, except those
    /// for which `exception` returns true.
    async fn resolve(
        &self,
        names: &[String],
        must_exist: bool,
        exception: impl Fn(&ToolName) -> bool,
    ) -> Result<Vec<(MemberName, ToolName)>, Report> {
        let known = self.listed(names).await?;
        let resolved = names.iter().map(|name| {
            let unknown = || {
                let trouble = CliError::NoTool(format!("{name:?}"));
                Report::from_error(Code::ToolUnknown, &trouble)
            };
            let (member, tool) = name.split_once('/').ok_or_else(unknown)?;
            let tool = ToolName::parse(tool).map_err(|_| unknown())?;
            let mut listed = known.tools.iter().chain(&known.offers);
            if must_exist && !exception(&tool) && !listed.any(|tool| *tool.name == **name) {
                return Err(unknown());
            }
            let member = MemberName::parse(member).map_err(|_| unknown())?;
            Ok((member, tool))
        });
        resolved.collect()
    }

    async fn rule(
        &self,
        class: ToolClass,
        policy: Option<Policy>,
        dry_run: bool,
    ) -> Result<(), Report> {
        let mut rules = self.rules().await?;
        rules.set(class, policy);
        let request = PolicyRulesOf {
            profile: self.profile.clone(),
            rules,
        };
        let preview = self.engine.preview_policy_rules(request.clone()).await?;
        if !dry_run {
            self.engine.save_policy_rules(request).await?;
        }
        self.show(&preview, rules, dry_run);
        Ok(())
    }

    fn show(&self, preview: &PolicyPreview, rules: PolicyRules, dry_run: bool) {
        if is_json() {
            let shown = json!({ "saved": !dry_run, "rules": rules, "preview": preview });
            print(&shown, String::new);
            return;
        }
        for change in &preview.changes {
            print_line(&format!(
                "{}/{}  {} -> {}",
                change.member,
                change.tool,
                in_words(&change.before),
                in_words(&change.after)
            ));
        }
        let more = preview.total - preview.changes.len();
        if more > 0 {
            print_line(&format!("and {}", counted(more, "more tool", "more tools")));
        }
        let changed = if dry_run { "would change" } else { "changed" };
        eprint_line(format_args!(
            "{} {changed}.",
            counted(preview.total, "tool", "tools")
        ));
        if !preview.unheld.is_empty() {
            let members: Vec<&str> = preview.unheld.iter().map(MemberName::as_str).collect();
            eprint_line(format_args!(
                "The servers of these members declare the kinds of their tools, and can change \
                 them: {}. `guildhall review MEMBER --hold on` holds changes back until you accept them.",
                members.join(", ")
            ));
        }
    }

    /// Returns the global rules, or those of the profile.
    async fn rules(&self) -> Result<PolicyRules, Report> {
        let gateway = self.engine.read_gateway().await?;
        let Some(name) = &self.profile else {
            return Ok(gateway.rules);
        };
        let profile = gateway.profiles.iter().find(|one| one.name == *name);
        profile.map(|profile| profile.rules).ok_or_else(|| {
            let trouble = CliError::NoProfile(format!("{:?}", name.as_str()));
            Report::from_error(Code::ProfileUnknown, &trouble)
        })
    }

    /// Returns the tools, prompts and resources with these names.
    async fn listed(&self, names: &[String]) -> Result<Catalog, Report> {
        let profile = self.profile.clone();
        let mut catalog = self.engine.catalog(CatalogRequest { profile }).await?;
        let is_named = |name: &str| names.iter().any(|one| one == name);
        catalog.tools.retain(|tool| is_named(&tool.name));
        catalog.offers.retain(|offer| is_named(&offer.name));
        Ok(catalog)
    }
}
