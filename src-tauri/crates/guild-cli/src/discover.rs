//! `guildhall discover`: asks one member for its tools in every way there is, at last a model.

use std::io::{IsTerminal, Write as _};
use std::process::ExitCode;

use clap::Args;
use guild_core::note::{CliTrouble, Told};
use guild_core::wire::{MemberTools, PredictTools, PredictionRequest};
use guild_core::{CallId, Code, MemberName, Report};
use serde_json::json;

use crate::call::member_name;
use crate::interrupts::{Interrupts, interrupted};
use crate::reach::{Reach, of};
use crate::words;
use crate::{harmless, list, print_line, tell};

/// Which member is asked, and how far.
#[derive(Debug, Args)]
pub(crate) struct DiscoverArgs {
    /// The member.
    member: String,
    /// Print what a model would be sent, whole. Nothing is started and nothing is sent.
    #[arg(long, conflicts_with_all = ["predict", "forget"])]
    show_request: bool,
    /// Where nothing else brings tools, show what a model would be sent, ask, and send it.
    #[arg(long)]
    predict: bool,
    /// With --predict: send this very request for the member from now on without a question.
    #[arg(long, requires = "predict")]
    remember: bool,
    /// With --predict: don't ask. What is sent is shown all the same.
    #[arg(long, requires = "predict")]
    yes: bool,
    /// Take a remembered yes back.
    #[arg(long, conflicts_with = "predict")]
    forget: bool,
}

impl DiscoverArgs {
    /// Whether the member is started.
    pub(crate) fn starts(&self) -> bool {
        !self.show_request && !self.forget
    }
}

/// Discovers a member's tools and lists them.
pub(crate) async fn discover(
    reach: &Reach,
    args: DiscoverArgs,
    as_json: bool,
    interrupts: &mut Interrupts,
) -> Result<ExitCode, Report> {
    let discovering = async {
        let member = member_name(reach, &args.member).await?;
        if args.show_request || args.forget {
            let request = match args.forget {
                true => reach.forget_prediction(of(&member)).await?,
                false => reach.prediction_request(of(&member)).await?,
            };
            match as_json {
                true => print_line(&json!(request).to_string()),
                false => print_line(&harmless(&told(&request))),
            };
            return Ok(None);
        }
        discovered(reach, &member, &args).await.map(Some)
    };
    let member = tokio::select! {
        done = discovering => done?,
        () = interrupts.next() => return Err(interrupted()),
    };
    match member {
        Some(member) => list::tools(reach, Some(member.as_str()), false, as_json, interrupts).await,
        None => Ok(ExitCode::SUCCESS),
    }
}

/// Asks in every way, and says on stderr how the tools were found.
async fn discovered(
    reach: &Reach,
    member: &MemberName,
    args: &DiscoverArgs,
) -> Result<MemberName, Report> {
    let asked = reach.discovered(member).await;
    let tools = reach.member_tools(of(member)).await?;
    match (asked, &tools.found) {
        (Ok(()), _) => return Ok(member.clone()),
        // Its server did not come up, and said in another way what it has.
        (Err(report), Some(found)) if !tools.tools.is_empty() => {
            tell(harmless(&report.to_string()));
            if !args.predict || tools_are_known(&tools) {
                tell(words::members::tools_found(
                    tools.tools.len(),
                    &found.told(),
                ));
                return Ok(member.clone());
            }
        }
        (Err(report), _) if !args.predict => return Err(report),
        (Err(report), _) => tell(harmless(&report.to_string())),
    }
    let request = reach.prediction_request(of(member)).await?;
    if let Some(report) = request.why_not {
        return Err(report);
    }
    tell(harmless(&told(&request)));
    if !args.yes && !request.remembered && !agreed(member).await? {
        let trouble = CliTrouble::NothingSent;
        return Err(Report::told(Code::PredictionRefused, &trouble).of(member));
    }
    let predicted = reach
        .predict_tools(PredictTools {
            call: CallId::parse(&format!("discover-{}", std::process::id()))
                .map_err(|error| Report::told(Code::TooManyCalls, &CliTrouble::Name(error.0)))?,
            member: member.clone(),
            hash: request.hash,
            remember: args.remember || request.remembered,
        })
        .await?;
    let count = predicted.tools.len();
    tell(words::members::tools_predicted(count));
    Ok(member.clone())
}

/// Whether something better than a prediction brought them.
fn tools_are_known(tools: &MemberTools) -> bool {
    let rung = tools.found.map(|found| found.rung);
    rung != Some(guild_core::ladder::Rung::Prediction)
}

/// The request as text, as it is sent.
fn told(request: &PredictionRequest) -> String {
    let mut text = format!("POST {}\n{}", request.url, request.headers.join("\n"));
    text = format!("{text}\n\n{}\n", request.body);
    if request.remembered {
        text += "\nThis request may be sent without a question.";
    }
    if let Some(report) = &request.why_not {
        text += &format!("\nIt would not be sent now: {report}");
    }
    text.trim_end().to_owned()
}

/// Whether the person at the terminal says yes.
async fn agreed(member: &MemberName) -> Result<bool, Report> {
    if !std::io::stdin().is_terminal() {
        let trouble = CliTrouble::NobodyToSend;
        return Err(Report::told(Code::PredictionRefused, &trouble).of(member));
    }
    let asking = tokio::task::spawn_blocking(|| {
        let mut err = std::io::stderr().lock();
        write!(err, "Send this? [y/N] ").and_then(|()| err.flush())?;
        drop(err);
        let mut answer = String::new();
        std::io::stdin().read_line(&mut answer)?;
        Ok::<_, std::io::Error>(answer)
    });
    let answer = asking
        .await
        .unwrap_or_else(|error| Err(std::io::Error::other(error)));
    let answer = answer.unwrap_or_default();
    Ok(["y", "Y", "yes", "Yes"].contains(&answer.trim()))
}
