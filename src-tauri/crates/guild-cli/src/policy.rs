//! `guildhall policy`: whether agents may call the tools, and why.

use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use guild_core::agents::ProfileName;
use guild_core::agents::policy::{PolicyRules, Ruling, ToolClass};
use guild_core::manifest::Policy;
use guild_core::note::{CliTrouble, Told};
use guild_core::trust::is_offer;
use guild_core::wire::{
    Catalog, CatalogTool, ConfirmReadOnly, OfCatalog, PolicyPreview, PolicyRulesOf, ReadOnlyClaim,
    SetToolPolicies, ToolKind, ToolPolicy,
};
use guild_core::{Code, MemberName, Report, ToolName};
use serde_json::json;

use crate::catalog::withheld_because;
use crate::endpoint::{wrong_name, wrong_usage};
use crate::reach::Reach;
use crate::terminal::one_line;
use crate::words;
use crate::{harmless, print_line, tell};

/// The words of the policies.
const POLICIES: [(&str, Policy); 3] = [
    ("allow", Policy::Allow),
    ("ask", Policy::Ask),
    ("deny", Policy::Deny),
];

/// What is done with the policies.
#[derive(Debug, Args)]
pub(crate) struct PolicyArgs {
    #[command(subcommand)]
    action: Option<Action>,
    /// As they are in this profile, or set there.
    #[arg(long, global = true, value_name = "NAME")]
    profile: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Lists every tool, prompt, resource and template with its policy and what decided it, and the
    /// rules.
    List {
        /// Only those of this policy.
        #[arg(long, value_parser = PossibleValuesParser::new(POLICIES.map(|(word, _)| word)))]
        policy: Option<String>,
        /// Only tools of this kind.
        #[arg(long, value_parser = kinds())]
        kind: Option<String>,
        /// Only this member's.
        #[arg(long)]
        member: Option<String>,
    },
    /// Sets a policy on tools by hand, or for a kind of tools: `set forge/melt forge/cast ask`,
    /// `set forge/prompt:review deny`, `set --kind destructive ask`.
    Set {
        /// The tools as `member/tool`, prompts and resources as `member/prompt:NAME`,
        /// `member/resource:URI` or `member/template:URI`, then `allow`, `ask` or `deny`.
        #[arg(required = true, value_name = "TOOL… POLICY")]
        words: Vec<String>,
        /// For all tools of this kind, by what their servers say of them.
        #[arg(long, value_parser = kinds())]
        kind: Option<String>,
        /// Only say what would change.
        #[arg(long, requires = "kind")]
        dry_run: bool,
    },
    /// Takes away what was set by hand on tools, or the rule for a kind of tools.
    Clear {
        /// The tools as `member/tool`.
        #[arg(
            required_unless_present = "kind",
            conflicts_with = "kind",
            value_name = "TOOL"
        )]
        tools: Vec<String>,
        /// The rule for this kind of tools.
        #[arg(long, value_parser = kinds())]
        kind: Option<String>,
        /// Only say what would change.
        #[arg(long, requires = "kind")]
        dry_run: bool,
    },
    /// Confirms that a tool only reads, as its server claims. Without that, a name or description
    /// that says send, create or delete outweighs the claim.
    ReadOnly {
        /// The tools as `member/tool`.
        #[arg(required = true, value_name = "TOOL")]
        tools: Vec<String>,
        /// Take the confirmation back.
        #[arg(long)]
        clear: bool,
    },
}

fn kinds() -> PossibleValuesParser {
    PossibleValuesParser::new(ToolClass::ALL.map(ToolClass::as_str))
}

impl PolicyArgs {
    /// Whether something is written down.
    pub(crate) fn changes(&self) -> bool {
        matches!(
            self.action,
            Some(Action::Set { .. } | Action::Clear { .. } | Action::ReadOnly { .. })
        )
    }
}

/// Lists or changes the policies.
pub(crate) async fn policy(
    reach: &Reach,
    args: PolicyArgs,
    as_json: bool,
) -> Result<ExitCode, Report> {
    let profile = args.profile.as_deref().map(ProfileName::parse);
    let profile = profile
        .transpose()
        .unwrap_or_else(|error| wrong_name(&error));
    let desk = Desk {
        reach,
        profile,
        as_json,
    };
    let class = |kind: Option<String>| kind.and_then(|kind| ToolClass::parse(&kind));
    match args.action {
        None => desk.list(|_| true).await?,
        Some(Action::List {
            policy,
            kind,
            member,
        }) => {
            let policy = policy.as_deref().and_then(policy_of);
            let prefix = member.map(|member| format!("{member}/"));
            let class = class(kind);
            desk.list(|tool| {
                policy.is_none_or(|policy| tool.policy == Some(policy))
                    && class.is_none_or(|class| is_of(tool, class))
                    && prefix.as_deref().is_none_or(|it| tool.name.starts_with(it))
            })
            .await?;
        }
        Some(Action::Set {
            mut words,
            kind,
            dry_run,
        }) => {
            let policy = words.pop().unwrap_or_default();
            let Some(policy) = policy_of(&policy) else {
                wrong_usage(&words::usage::no_policy(&policy));
            };
            match class(kind) {
                Some(_) if !words.is_empty() => {
                    wrong_usage("name either tools or a kind of tools");
                }
                Some(class) => desk.rule(class, Some(policy), dry_run).await?,
                None if words.is_empty() => wrong_usage("name the tools as member/tool, or --kind"),
                None => desk.set(&words, Some(policy)).await?,
            }
        }
        Some(Action::Clear {
            tools,
            kind,
            dry_run,
        }) => match class(kind) {
            Some(class) => desk.rule(class, None, dry_run).await?,
            None => desk.set(&tools, None).await?,
        },
        Some(Action::ReadOnly { tools, clear }) => desk.confirm(&tools, !clear).await?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Where it is done.
struct Desk<'a> {
    reach: &'a Reach,
    profile: Option<ProfileName>,
    as_json: bool,
}

impl Desk<'_> {
    async fn list(&self, wanted: impl Fn(&CatalogTool) -> bool) -> Result<(), Report> {
        let rules = self.rules().await?;
        let mut tools = self.tools().await?;
        tools.retain(wanted);
        if self.as_json {
            let tools: Vec<_> = tools
                .iter()
                .map(|tool| {
                    json!({
                        "name": tool.name, "kind": tool.kind, "policy": tool.policy, "reason": tool.policy_reason,
                        "class": tool.class, "hints": tool.hints, "mark": tool.mark,
                        "readOnlyClaim": tool.read_only_claim, "withheld": tool.withheld,
                    })
                })
                .collect();
            print_line(&json!({ "rules": rules, "tools": tools }).to_string());
            return Ok(());
        }
        for class in ToolClass::ALL {
            if let Some(policy) = rules.get(class) {
                print_line(&format!("{}: {}", class.told(), word_of(policy)));
            }
        }
        for tool in &tools {
            let ruling = tool.policy.zip(tool.policy_reason);
            let said = ruling.map(|(policy, reason)| Ruling { policy, reason });
            let class = match tool.kind {
                ToolKind::Prompt => "prompt",
                ToolKind::Resource => "resource",
                ToolKind::Template => "template",
                ToolKind::Native | ToolKind::Mcp => tool.class.map_or("", ToolClass::as_str),
            };
            let said = said.as_ref().map(in_words).unwrap_or_default();
            let held = tool.mark.map(words::members::held);
            let held = held.map(str::to_owned);
            let held = held.or_else(|| tool.withheld.as_ref().map(withheld_because));
            let held = held.map_or_else(String::new, |held| format!("  ({held})"));
            let claim = tool.read_only_claim.map(|claim| match claim {
                ReadOnlyClaim::Doubted => {
                    "its server says that it only reads, its name or description says otherwise"
                }
                ReadOnlyClaim::Confirmed => "confirmed to only read",
            });
            let claim = claim.map_or_else(String::new, |claim| format!("  ({claim})"));
            print_line(&one_line(&format!(
                "{}  {said}  [{class}]{claim}{held}",
                tool.name
            )));
        }
        Ok(())
    }

    async fn confirm(&self, names: &[String], confirmed: bool) -> Result<(), Report> {
        let known = self.tools().await?;
        let mut requests = Vec::with_capacity(names.len());
        for name in names {
            // A confirmation of a tool that is gone can still be taken back.
            let (member, tool) = name.split_once('/').ok_or_else(|| unknown(name))?;
            if confirmed && !known.iter().any(|tool| *tool.name == **name) {
                return Err(unknown(name));
            }
            requests.push(ConfirmReadOnly {
                member: MemberName::parse(member).map_err(|_| unknown(name))?,
                tool: ToolName::parse(tool).map_err(|_| unknown(name))?,
                confirmed,
            });
        }
        for request in requests {
            self.reach.confirm_read_only(request).await?;
        }
        self.list(|tool| names.iter().any(|name| **name == *tool.name))
            .await
    }

    async fn set(&self, names: &[String], policy: Option<Policy>) -> Result<(), Report> {
        let known = self.tools().await?;
        let mut tools = Vec::with_capacity(names.len());
        for name in names {
            // What was set on a tool that is gone can still be taken away.
            let (member, tool) = name.split_once('/').ok_or_else(|| unknown(name))?;
            let tool = ToolName::parse(tool).map_err(|_| unknown(name))?;
            // Prompts and resources are listed by their servers alone.
            let is_listed = || known.iter().any(|tool| *tool.name == **name);
            if policy.is_some() && !is_offer(&tool) && !is_listed() {
                return Err(unknown(name));
            }
            tools.push(ToolPolicy {
                member: MemberName::parse(member).map_err(|_| unknown(name))?,
                tool,
                policy,
            });
        }
        let request = SetToolPolicies {
            profile: self.profile.clone(),
            tools,
        };
        let set = self.reach.set_tool_policies(request).await?;
        if self.as_json {
            print_line(&json!({ "before": set.before }).to_string());
            return Ok(());
        }
        let now = self.tools().await?;
        for tool in now
            .iter()
            .filter(|tool| names.iter().any(|name| **name == *tool.name))
        {
            if let Some((policy, reason)) = tool.policy.zip(tool.policy_reason) {
                let said = in_words(&Ruling { policy, reason });
                print_line(&harmless(&format!("{}  {said}", tool.name)));
            }
        }
        Ok(())
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
        let preview = self.reach.preview_policy_rules(request.clone()).await?;
        if !dry_run {
            self.reach.save_policy_rules(request).await?;
        }
        self.show(&preview, rules, dry_run);
        Ok(())
    }

    fn show(&self, preview: &PolicyPreview, rules: PolicyRules, dry_run: bool) {
        if self.as_json {
            let shown = json!({ "saved": !dry_run, "rules": rules, "preview": preview });
            print_line(&shown.to_string());
            return;
        }
        for change in &preview.changes {
            print_line(&harmless(&format!(
                "{}/{}  {} -> {}",
                change.member,
                change.tool,
                in_words(&change.before),
                in_words(&change.after)
            )));
        }
        let more = preview.total - preview.changes.len();
        if more > 0 {
            print_line(&words::more(more));
        }
        tell(match dry_run {
            true => words::members::tools_would_change(preview.total),
            false => words::members::tools_changed(preview.total),
        });
        if !preview.unheld.is_empty() {
            let members: Vec<&str> = preview.unheld.iter().map(MemberName::as_str).collect();
            tell(words::members::by_their_word(&members.join(", ")));
        }
    }

    /// The rules, everywhere or of the profile.
    async fn rules(&self) -> Result<PolicyRules, Report> {
        let gateway = self.reach.read_gateway().await?;
        let Some(name) = &self.profile else {
            return Ok(gateway.rules);
        };
        let profile = gateway.profiles.iter().find(|one| one.name == *name);
        profile.map(|profile| profile.rules).ok_or_else(|| {
            let trouble = CliTrouble::NoProfile(format!("{:?}", name.as_str()));
            Report::told(Code::ProfileUnknown, &trouble)
        })
    }

    /// The members' tools, then their prompts, resources and templates.
    async fn tools(&self) -> Result<Vec<CatalogTool>, Report> {
        let of = OfCatalog {
            profile: self.profile.clone(),
        };
        let Catalog {
            mut tools, offers, ..
        } = self.reach.catalog(of).await?;
        tools.retain(|tool| tool.kind == ToolKind::Mcp);
        tools.extend(offers);
        Ok(tools)
    }
}

fn unknown(name: &str) -> Report {
    let trouble = CliTrouble::NoTool(format!("{name:?}"));
    Report::told(Code::ToolUnknown, &trouble)
}

fn is_of(tool: &CatalogTool, class: ToolClass) -> bool {
    match class {
        ToolClass::OpenWorld => tool.hints.open_world == Some(true),
        class => tool.class == Some(class),
    }
}

fn policy_of(word: &str) -> Option<Policy> {
    let known = POLICIES.iter().find(|(known, _)| *known == word);
    known.map(|(_, policy)| *policy)
}

fn word_of(policy: Policy) -> &'static str {
    let known = POLICIES.iter().find(|(_, known)| *known == policy);
    known.map_or("", |(word, _)| word)
}

fn in_words(ruling: &Ruling) -> String {
    let why = ruling.reason.told();
    format!("{} ({why})", word_of(ruling.policy))
}
