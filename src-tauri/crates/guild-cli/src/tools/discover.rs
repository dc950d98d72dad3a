//! `guildhall tools discover`: tries all ways to find a member's tools. The last way is a request
//! to a model.

use std::process::ExitCode;

use clap::Args;
use guild_api::wire::{MemberTools, PredictTools, PredictionRequest};
use guild_engine::messages::CliError;
use guild_model::{CallId, Code, MemberName, Report};

use crate::call::member_name;
use crate::engine_client::{EngineClient, of};
use crate::terminal::{confirm, counted, print};
use crate::{eprint_line, list};

#[derive(Debug, Args)]
pub(super) struct DiscoverArgs {
    /// The member
    member: String,
    /// Print the whole request to the model. No member is started, and nothing is sent
    #[arg(long, conflicts_with_all = ["predict", "forget"])]
    show_request: bool,
    /// Ask a model if nothing else finds tools. Shows the request, and asks you first
    #[arg(long)]
    predict: bool,
    /// With --predict: send this request for the member from now on without asking
    #[arg(long, requires = "predict")]
    remember: bool,
    /// With --predict: send the request without asking. The request is still shown
    #[arg(long, requires = "predict")]
    yes: bool,
    /// Forget the permission that --remember saved
    #[arg(long, conflicts_with = "predict")]
    forget: bool,
}

impl DiscoverArgs {
    pub(super) fn starts(&self) -> bool {
        !self.show_request && !self.forget
    }
}

/// Discovers a member's tools and lists them.
pub(super) async fn discover(
    engine: &EngineClient,
    args: DiscoverArgs,
) -> Result<ExitCode, Report> {
    let member = member_name(engine, &args.member).await?;
    if args.starts() {
        discovered(engine, &member, &args).await?;
        return list::tools(engine, Some(member.as_str()), false).await;
    }
    let request = match args.forget {
        true => engine.forget_prediction(of(&member)).await?,
        false => engine.prediction_request(of(&member)).await?,
    };
    print(&request, || as_text(&request));
    Ok(ExitCode::SUCCESS)
}

/// Tries all ways to find the tools, and prints on stderr which way succeeded.
async fn discovered(
    engine: &EngineClient,
    member: &MemberName,
    args: &DiscoverArgs,
) -> Result<(), Report> {
    let discovered_tools = engine.discovered(member).await;
    let tools = engine.member_tools(of(member)).await?;
    match (discovered_tools, &tools.found) {
        (Ok(()), _) => return Ok(()),
        // The server did not start, and its output lists tools.
        (Err(report), Some(found)) if !tools.tools.is_empty() => {
            eprint_line(report.to_string());
            if !args.predict || tools_are_known(&tools) {
                let count = counted(tools.tools.len(), "tool was", "tools were");
                eprint_line(format_args!("{count} found in {}.", found));
                return Ok(());
            }
        }
        (Err(report), _) if !args.predict => return Err(report),
        (Err(report), _) => eprint_line(report.to_string()),
    }
    let request = engine.prediction_request(of(member)).await?;
    if let Some(report) = request.why_not {
        return Err(report);
    }
    eprint_line(as_text(&request));
    if !args.yes && !request.remembered && !confirm("Send this?", Code::PredictionRefused).await? {
        let trouble = CliError::NothingSent;
        return Err(Report::from_error(Code::PredictionRefused, &trouble).of(member));
    }
    let predicted = engine
        .predict_tools(PredictTools {
            call: CallId::numbered("discover", std::process::id().into()),
            member: member.clone(),
            hash: request.hash,
            remember: args.remember || request.remembered,
        })
        .await?;
    let count = counted(predicted.tools.len(), "tool", "tools");
    eprint_line(format_args!(
        "Predicted {count}. They can be called after the server confirms them."
    ));
    Ok(())
}

/// Whether the tools come from a better source than a prediction.
fn tools_are_known(tools: &MemberTools) -> bool {
    let rung = tools.found.map(|found| found.rung);
    rung != Some(guild_model::discovery::Rung::Prediction)
}

/// Formats a request as it would be sent.
fn as_text(request: &PredictionRequest) -> String {
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
