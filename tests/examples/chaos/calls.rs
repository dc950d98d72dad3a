//! Callers during the run: agents, programs and commands. Each call has a unique text, which its
//! answer must contain.

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use guild_api::wire::{ArgumentCheck, CallEnd, InvokeTool, MemberRef, Nothing};
use guild_engine::{InstanceStatus, IpcClient};
use guild_model::{CallId, MemberName, ToolName};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::Outcome;
use crate::app::{self, Open};
use crate::cast::{CAST, Role};
use crate::gate::{Gate, Heard, PATIENCE, shortened};
use crate::plan::Dice;
use crate::world::{Call, End, Way, World};

/// The number of concurrent callers of each kind.
pub(crate) const AGENTS: u64 = 8;
pub(crate) const PROGRAMS: u64 = 6;
/// The pause between two calls of a caller. With it, all agents together make at most 50 calls per
/// second, the number that the history records individually.
const PAUSE_MS: (u64, u64) = (160, 60);
/// How long a command may take. It may have to start and stop a member.
const COMMAND: Duration = Duration::from_secs(90);
/// The pause between two requests for the list of members.
const LIST_EVERY: Duration = Duration::from_millis(400);
/// The numbers of characters that are added to a call's unique text.
const PADDING: [usize; 4] = [0, 10, 2_000, 60_000];

/// The request of one call.
struct Wish {
    member: &'static Role,
    tool: &'static str,
    nonce: String,
    arguments: Value,
}

fn wish(dice: &mut Dice, caller: &str, number: u64) -> Wish {
    // A third of the calls goes to quiet members, which must work although other members fail.
    let quiet = dice.below(3) == 0;
    let member = loop {
        let member = dice.pick(CAST);
        if member.quiet || !quiet {
            break member;
        }
    };
    let nonce = format!("{caller}-{number}-{:x}", dice.below(1 << 32));
    let (tool, arguments) = match dice.below(100) {
        0..4 if !member.quiet => ("crash", json!({"code": 70})),
        4..12 => ("slow", json!({"ms": 50 + dice.below(500)})),
        _ => {
            let padding = "x".repeat(*dice.pick(&PADDING));
            ("echo", json!({"text": nonce, "padding": padding}))
        }
    };
    Wish {
        member,
        tool,
        nonce,
        arguments,
    }
}

impl Wish {
    /// Returns the error in a result, if there is one.
    fn fault(&self, result: &Value) -> Option<String> {
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        let right = match self.tool {
            "echo" => serde_json::from_str::<Value>(text).is_ok_and(|echo| echo == self.arguments),
            "slow" => text == format!("slept {} ms", self.arguments["ms"]),
            _ => false,
        };
        (!right).then(|| {
            let Self { member, nonce, .. } = self;
            let said = shortened(&result.to_string());
            format!(
                "{} answered to {} {nonce} with {said}",
                member.name, self.tool
            )
        })
    }
}

/// The outcome of a call, with the reason if it is known.
enum Came {
    Result(Value),
    Refusal(String),
    Broken,
    Wrong(String),
}

/// Records the end of a call.
fn note(world: &World, wish: &Wish, way: Way, open: &Open, began: Instant, came: Came) {
    let ended = Instant::now();
    let stands = world.closing(open.generation).is_none() && world.now_open().is_some();
    let mut refused = None;
    let end = match came {
        Came::Result(result) => match wish.fault(&result) {
            None => End::Right,
            Some(fault) => {
                world.tell("wrong answers", fault);
                End::Wrong
            }
        },
        Came::Refusal(why) => {
            if wish.member.quiet && stands {
                world.count(|counts| counts.disturbed += 1);
                let after = began.elapsed().as_millis();
                world.tell(
                    "failed calls of quiet members",
                    format!(
                        "{} of run {} after {after} ms: {why}",
                        wish.member.name, open.generation
                    ),
                );
            }
            refused = Some(why);
            End::Refused
        }
        Came::Broken if stands => {
            let what = format!(
                "a call of {} was cut off, though nobody fell",
                wish.member.name
            );
            world.tell("wrong answers", what);
            End::Wrong
        }
        Came::Broken => End::Broken,
        // The program was killed, which may have truncated any answer.
        Came::Wrong(_) if !stands => End::Broken,
        Came::Wrong(what) => {
            world.tell("wrong answers", what);
            End::Wrong
        }
    };
    world.ended(Call {
        nonce: wish.nonce.clone(),
        way,
        generation: open.generation,
        is_echo: wish.tool == "echo",
        ended,
        end,
        why: refused,
    });
}

async fn pause(dice: &mut Dice) {
    sleep(Duration::from_millis(PAUSE_MS.0 + dice.below(PAUSE_MS.1))).await;
}

/// Calls tools through the gateway until the run ends.
pub(crate) async fn agent(world: Arc<World>, seed: u64, number: u64) {
    let mut dice = Dice::new(seed ^ (0xA6E7 + number));
    let mut control = world.control();
    for turn in 0.. {
        let Ok(open) = control
            .wait_for(Option::is_some)
            .await
            .map(|open| open.clone())
        else {
            return;
        };
        let Some(open) = open else { continue };
        let Some(mut gate) = Gate::open(&open).await else {
            sleep(Duration::from_millis(20)).await;
            continue;
        };
        for call in 0.. {
            let wish = wish(
                &mut dice,
                &format!("agent{number}"),
                turn * 1_000_000 + call,
            );
            let began = Instant::now();
            let heard = gate
                .call(&open, wish.member.name, wish.tool, &wish.arguments)
                .await;
            let over = matches!(heard, Heard::Broken | Heard::Wrong(_));
            let came = match heard {
                Heard::Result(result) => Came::Result(result),
                Heard::Refusal(why) => Came::Refusal(why),
                Heard::Broken => Came::Broken,
                Heard::Wrong(what) => Came::Wrong(what),
            };
            note(&world, &wish, Way::Gateway, &open, began, came);
            if over {
                break;
            }
            pause(&mut dice).await;
        }
    }
}

/// Calls tools through the socket of the data folder, like commands do, until the run ends.
pub(crate) async fn program(world: Arc<World>, seed: u64, number: u64) {
    let mut dice = Dice::new(seed ^ (0xD00E + number));
    let mut control = world.control();
    for turn in 0.. {
        let Ok(open) = control
            .wait_for(Option::is_some)
            .await
            .map(|open| open.clone())
        else {
            return;
        };
        let Some(open) = open else { continue };
        let InstanceStatus::Running(mut visit) = IpcClient::find(&world.stage.data).await else {
            sleep(Duration::from_millis(20)).await;
            continue;
        };
        for call in 0.. {
            let wish = wish(
                &mut dice,
                &format!("program{number}"),
                turn * 1_000_000 + call,
            );
            let began = Instant::now();
            let came = invoke(&mut visit, &wish).await;
            let over = !matches!(came, Came::Result(_) | Came::Refusal(_));
            note(&world, &wish, Way::Control, &open, began, came);
            if over {
                break;
            }
            pause(&mut dice).await;
        }
    }
}

async fn invoke(visit: &mut IpcClient, wish: &Wish) -> Came {
    let names = (
        CallId::parse(&wish.nonce),
        MemberName::parse(wish.member.name),
        ToolName::parse(wish.tool),
    );
    let (Ok(call), Ok(member), Ok(tool)) = names else {
        return Came::Wrong("a name that is none".to_owned());
    };
    let request = InvokeTool {
        call,
        member,
        tool,
        arguments: wish.arguments.to_string(),
        check: ArgumentCheck::Refuse,
        timeout_ms: None,
    };
    let outcome = match timeout(PATIENCE, visit.invoke(&request, |_| ())).await {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(_)) => return Came::Broken,
        Err(_) => return Came::Wrong(format!("no answer of {} in time", wish.member.name)),
    };
    if outcome.call != request.call {
        return Came::Wrong(format!(
            "an answer to {} in place of {}",
            outcome.call, request.call
        ));
    }
    match outcome.end {
        CallEnd::Result { is_error: true, .. } => Came::Refusal("the tool failed".to_owned()),
        CallEnd::Result { result, .. } => match serde_json::from_str(&result) {
            Ok(result) => Came::Result(result),
            Err(error) => Came::Wrong(format!("a result that is no JSON: {error}")),
        },
        CallEnd::Failed { report, .. } => Came::Refusal(format!("{}: {report}", report.code)),
    }
}

/// Requests the list repeatedly. The list does not depend on any member.
pub(crate) async fn reader(world: Arc<World>) {
    let mut control = world.control();
    while control.wait_for(Option::is_some).await.is_ok() {
        if let InstanceStatus::Running(mut visit) = IpcClient::find(&world.stage.data).await {
            loop {
                let asked = Instant::now();
                let answer = visit.ask::<_, Value>("roster", &Nothing {}).await;
                if answer.is_err() {
                    break;
                }
                let took = asked.elapsed();
                world.count(|counts| counts.longest_list = counts.longest_list.max(took));
                sleep(LIST_EVERY).await;
            }
        }
        sleep(Duration::from_millis(50)).await;
    }
}

/// Sends the program a command for a member, and ignores the result.
pub(crate) async fn tend(world: &World, command: &str, member: &str) {
    let Ok(member) = MemberName::parse(member) else {
        return;
    };
    if let InstanceStatus::Running(mut visit) = IpcClient::find(&world.stage.data).await {
        let of = MemberRef { member };
        // The program may refuse the command, or be killed before it answers.
        let _ = timeout(PATIENCE, visit.ask::<_, Value>(command, &of)).await;
    }
}

/// Makes a member announce that its tools have changed.
pub(crate) async fn announce(world: &World, member: &'static str) {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let Some(role) = CAST.iter().find(|role| role.name == member) else {
        return;
    };
    let wish = Wish {
        member: role,
        tool: "change_tools",
        nonce: format!("change-{}", NEXT.fetch_add(1, Ordering::Relaxed)),
        arguments: json!({}),
    };
    if let InstanceStatus::Running(mut visit) = IpcClient::find(&world.stage.data).await {
        let _ = invoke(&mut visit, &wish).await;
    }
}

/// Runs a command that calls a member.
pub(crate) async fn command(world: &World, member: &'static str, text: u64) -> Outcome<()> {
    let Some(role) = CAST.iter().find(|role| role.name == member) else {
        return Ok(());
    };
    let nonce = format!("command-{text:x}");
    let wish = Wish {
        member: role,
        tool: "echo",
        arguments: json!({"text": nonce}),
        nonce,
    };
    // If the program does not run, the command calls the member itself, and has written the history
    // when it ends.
    let open = world.now_open();
    let arguments = wish.arguments.to_string();
    let words = ["--json", "call", member, "echo", "--args", &arguments];
    let began = Instant::now();
    let running = app::command(world, &words).stderr(Stdio::null()).output();
    let ended = timeout(COMMAND, running).await;
    let Ok(ended) = ended else {
        world.tell(
            "wrong answers",
            format!("a command to {member} did not end"),
        );
        return Err("a command did not end".into());
    };
    let ended = ended?;
    let said = serde_json::from_slice::<Value>(&ended.stdout);
    let came = match (ended.status.code(), said) {
        (Some(0), Ok(result)) => Came::Result(result),
        (Some(1..=5), Ok(said)) => Came::Refusal(shortened(&said.to_string())),
        (code, said) => Came::Wrong(format!("a command ended with {code:?}, and said {said:?}")),
    };
    if let Some(open) = open {
        note(world, &wish, Way::Command, &open, began, came);
    } else if let Came::Wrong(what) = came {
        world.tell("wrong answers", what);
        return Err("a command that worked alone went wrong".into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_echo_of_the_very_words_is_right() {
        let mut dice = Dice::new(3);
        let wish = loop {
            let wish = wish(&mut dice, "agent0", 1);
            if wish.tool == "echo" {
                break wish;
            }
        };
        let said = |text: String| json!({"content": [{"type": "text", "text": text}]});
        assert_eq!(wish.fault(&said(wish.arguments.to_string())), None);
        let other = json!({"text": "agent0-2-0", "padding": ""});
        for wrong in [other.to_string(), String::new(), "an answer".to_owned()] {
            assert!(wish.fault(&said(wrong)).is_some());
        }
    }
}
