use super::*;
use crate::Report;
use crate::error::Code;
use crate::holder::Origin;
use crate::wire::{Check, Verdict};

fn looked(fact: Fact) -> Observation {
    Observation::new(
        Check::Member,
        Subject::Named("forge".to_owned()),
        Verdict::Warning,
        fact,
    )
}

fn holder() -> Holder {
    Holder {
        pid: Some(4711),
        program: Some("nginx".to_owned()),
        user: "www".to_owned(),
        origin: Origin::EarlierRun,
    }
}

fn failed(status: Option<Ended>, said: &str) -> Fact {
    Fact::ProgramFailed {
        place: "/bin/docker".to_owned(),
        status,
        said: said.to_owned(),
    }
}

#[test]
fn fact_has_a_sentence_and_a_kind() {
    for (fact, kind, expected) in [
        (
            Fact::CommandMissing {
                command: "uvx".to_owned(),
            },
            "command-missing",
            "The command `uvx` was not found.",
        ),
        (
            Fact::ShellAnswered {
                ms: 212,
                differing: 1,
                unused: Some(Unasked::Terminal),
            },
            "shell-answered",
            "It answered in 212 ms; one variable differs. Members do not get them, because Guild \
             Hall was started from a terminal and has its variables.",
        ),
        (
            Fact::GatewayPortTaken {
                port: 19_999,
                holder: Some(holder()),
            },
            "gateway-port-taken",
            "Port 19999 is held by nginx (process 4711, user www), started by an earlier run of \
             Guild Hall or by another one that runs.",
        ),
        (
            Fact::EngineMissing {
                engines: vec!["docker", "podman"],
            },
            "engine-missing",
            "It runs in a container, and there is no docker and no podman.",
        ),
        (
            Fact::EngineMissing {
                engines: vec!["podman"],
            },
            "engine-missing",
            "It runs in a container, and there is no podman.",
        ),
        (
            failed(Some(Ended::Code(1)), "no daemon"),
            "program-failed",
            "/bin/docker did not return its version: it ended with code 1. no daemon",
        ),
        (
            failed(Some(Ended::Signal(11)), ""),
            "program-failed",
            "/bin/docker did not return its version: it ended by signal 11.",
        ),
        (
            failed(None, ""),
            "program-failed",
            "/bin/docker did not return its version: it was ended.",
        ),
        (
            Fact::ProcessesLeft { count: 1 },
            "processes-left",
            "1 process is left from an earlier run.",
        ),
    ] {
        let finding = looked(fact).told();
        assert_eq!(finding.found, expected);
        let written = serde_json::to_value(&finding).expect("JSON");
        assert_eq!(written["kind"], kind);
        assert_eq!(written["subject"], "forge");
    }
}

#[test]
fn report_keeps_its_message_and_hint() {
    let report = Report::new(Code::ManifestField, "`port` is no number.", "Mend it.");
    let subject = Subject::Named("forge".to_owned());
    let observed = Observation::of_report(Check::Member, subject, Verdict::Problem, &report);
    let finding = observed.told();
    assert_eq!(
        (&finding.found, &finding.advice),
        (&report.message, &report.hint)
    );
}

#[test]
fn of_very_many_details_the_first_are_told_and_how_many_more_there_are() {
    let details = (0..45).map(|number| Detail::LookedIn(format!("/{number}")));
    let observation = looked(Fact::ProgramMissing).with(details);
    let details = observation.told().details;
    assert_eq!(details.len(), 41);
    assert_eq!(details[40], "and 5 more");
}
