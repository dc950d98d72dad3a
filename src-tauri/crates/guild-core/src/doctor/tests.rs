use super::*;
use crate::Report;
use crate::error::Code;
use crate::holder::Origin;
use crate::language::Language;
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
fn a_fact_is_told_in_each_language_and_has_one_kind_in_all() {
    for (fact, kind, english, german) in [
        (
            Fact::CommandMissing {
                command: "uvx".to_owned(),
            },
            "command-missing",
            "The command `uvx` was not found.",
            "Der Befehl `uvx` wurde nicht gefunden.",
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
            "Sie antwortete in 212 ms; eine Variable ist anders. Mitglieder bekommen sie nicht: \
             Guild Hall wurde aus einem Terminal gestartet und hat dessen Variablen.",
        ),
        (
            Fact::GatewayPortTaken {
                port: 19_999,
                holder: Some(holder()),
            },
            "gateway-port-taken",
            "Port 19999 is held by nginx (process 4711, user www), started by an earlier run of \
             Guild Hall or by another one that runs.",
            "Port 19999 ist belegt: nginx (Prozess 4711, Benutzer www), gestartet von einem \
             früheren Lauf von Guild Hall oder von einer anderen, die läuft.",
        ),
        (
            Fact::EngineMissing {
                engines: vec!["docker", "podman"],
            },
            "engine-missing",
            "It runs in a container, and there is no docker and no podman.",
            "Es läuft in einem Container, und weder docker noch podman ist da.",
        ),
        (
            Fact::EngineMissing {
                engines: vec!["podman"],
            },
            "engine-missing",
            "It runs in a container, and there is no podman.",
            "Es läuft in einem Container, und podman ist nicht da.",
        ),
        (
            failed(Some(Ended::Code(1)), "no daemon"),
            "program-failed",
            "/bin/docker is there and did not say its version: it ended with code 1. no daemon",
            "/bin/docker ist da und nannte keine Version: Es endete mit Code 1. no daemon",
        ),
        (
            failed(Some(Ended::Signal(11)), ""),
            "program-failed",
            "/bin/docker is there and did not say its version: it ended by signal 11.",
            "/bin/docker ist da und nannte keine Version: Es endete durch Signal 11.",
        ),
        (
            failed(None, ""),
            "program-failed",
            "/bin/docker is there and did not say its version: it was ended.",
            "/bin/docker ist da und nannte keine Version: Es wurde beendet.",
        ),
        (
            Fact::ProcessesLeft { count: 1 },
            "processes-left",
            "1 process is left of a Guild Hall that is gone.",
            "1 Prozess ist von einer Guild Hall übrig, die es nicht mehr gibt.",
        ),
    ] {
        let observation = looked(fact);
        let (en, de) = (
            observation.told(Language::En),
            observation.told(Language::De),
        );
        assert_eq!(en.found, english);
        assert_eq!(de.found, german);
        for finding in [en, de] {
            let written = serde_json::to_value(&finding).expect("JSON");
            assert_eq!(written["kind"], kind);
            assert_eq!(written["subject"], "forge", "a name is nobody's language");
        }
    }
}

#[test]
fn a_report_is_told_as_its_code_is_and_keeps_what_it_says() {
    let report = Report::new(Code::ManifestField, "`port` is no number.", "Mend it.");
    let subject = Subject::Named("forge".to_owned());
    let observed = Observation::of_report(Check::Member, subject, Verdict::Problem, &report);
    let english = observed.told(Language::En);
    assert_eq!(
        (&english.found, &english.advice),
        (&report.message, &report.hint)
    );
    let german = observed.told(Language::De);
    let words = Code::ManifestField.words(Language::De).expect("words");
    assert_eq!(german.found, format!("{} ({})", words.what, report.message));
    assert_eq!(german.advice, format!("{} (Mend it.)", words.hint));
}

#[test]
fn of_very_many_details_the_first_are_told_and_how_many_more_there_are() {
    let details = (0..45).map(|number| Detail::LookedIn(format!("/{number}")));
    let observation = looked(Fact::ProgramMissing).with(details);
    let german = observation.told(Language::De).details;
    assert_eq!(german.len(), 41);
    assert_eq!(german[0], "gesucht in /0");
    assert_eq!(german[40], "und 5 weitere");
    assert_eq!(observation.told(Language::En).details[40], "and 5 more");
}
