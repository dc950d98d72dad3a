//! Makes checks and mocks of recorded calls, and runs suites of checks.

mod mock;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use guild_api::wire::{
    CallEnd, ChecksTarget, CreateChecks, CreatedCheck, CreatedChecks, EntryId, ExampleEnd,
    HistoryEntryRef, MemberChecks, RECORDED_CALLS_MAX, RecordedCall, RunSuite, SuiteRun,
    UnusedCall,
};
use guild_catalog::claim::judged_hints;
use guild_files::blocking::blocking;
use guild_files::files::{read_bounded, save};
use guild_model::arguments::parse_exact;
use guild_model::manifest::{Expect, SaveExample};
use guild_model::messages::{CallError, SuiteError, io_message};
use guild_model::suite::{SUITE_BYTES_MAX, Suite, SuiteCheck};
use guild_model::{Code, MemberName, Report};
use guild_supervisor::expectations::expectation;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::GuildHall;
use super::dev::ended;
use crate::messages::{RecordingError, UnusedReason};

/// How often each call is repeated, to find the volatile parts of its result.
const REPEATS: usize = 2;
/// Minimum time between the beginnings of two repetitions. It makes times in whole seconds differ.
const REPEAT_PAUSE: Duration = Duration::from_millis(1_100);

/// Maximum size of the arguments and results of all recorded calls, in bytes.
const CALLS_BYTES_MAX: usize = 64 << 20;
/// Maximum size of the result of a repeated call, in bytes. The history keeps no larger results.
const RESULT_BYTES_MAX: usize = 1 << 20;

/// A recorded call that can become a check.
struct Candidate {
    entry: EntryId,
    check: SuiteCheck,
    /// The results: the recorded one, and those of the repeated calls.
    results: Vec<Value>,
    /// The parts of the result that are not expected.
    volatile: Vec<String>,
}

impl GuildHall {
    /// Makes checks of recorded calls. Repeats each call twice, unless an argument is masked.
    /// [`GuildHall::cancel_call`] cancels this. Nothing is saved then.
    ///
    /// # Errors
    /// `recording-unusable`, `history-entry-unknown` if the history has none of the calls,
    /// `call-cancelled`, `suite-refused` if the file can't be written, `too-many-calls`,
    /// `shutting-down`, and the errors of the history.
    pub async fn create_checks(&self, request: CreateChecks) -> Result<CreatedChecks, Report> {
        if let ChecksTarget::Suite { path } = &request.target {
            refuse_relative(Path::new(path))?;
        }
        let running = self.register(&request.call)?;
        let mut left_out = Vec::new();
        let mut candidates = Vec::new();
        let (calls, missing) = self.recorded_calls(request.calls).await?;
        for call in calls {
            match self.candidate(&call, request.changing, &request.target) {
                Ok(candidate) => candidates.push(candidate),
                Err(why) => left_out.push(unused(&call, &why)),
            }
        }
        let mut next = Instant::now();
        for _ in 0..REPEATS {
            let pause = tokio::time::sleep_until(next);
            running.token.run_until_cancelled(pause).await;
            next = Instant::now() + REPEAT_PAUSE;
            candidates = self
                .repeat(candidates, &mut left_out, &running.token)
                .await?;
        }
        if running.token.is_cancelled() {
            return Err(cancelled());
        }
        let expected = blocking(move || {
            let candidates = candidates.into_iter();
            candidates
                .map(Candidate::with_expectation)
                .collect::<Vec<_>>()
        });
        let mut candidates = Vec::new();
        for candidate in expected.await? {
            match candidate {
                Ok(candidate) => candidates.push(candidate),
                Err(unstable) => left_out.push(unstable),
            }
        }
        self.name_checks(&mut candidates, &request.target);
        let files = match request.target {
            ChecksTarget::Manifests => self.save_examples(&mut candidates, &mut left_out).await,
            ChecksTarget::Suite { .. } if candidates.is_empty() => vec![],
            ChecksTarget::Suite { path } => {
                let checks = candidates.iter().map(|candidate| candidate.check.clone());
                write_suite(PathBuf::from(path), Suite::new(checks.collect())).await?
            }
        };
        match (candidates.as_slice(), left_out.first()) {
            ([], Some(first)) => Err(refused(&RecordingError::NoneUsable(first.why.clone()))),
            _ => Ok(CreatedChecks {
                files,
                checks: candidates.into_iter().map(Candidate::created).collect(),
                left_out,
                missing,
            }),
        }
    }

    /// Runs the checks of a suite in their order. [`GuildHall::cancel_call`] cancels the run. The
    /// remaining checks are left out then.
    ///
    /// # Errors
    /// `suite-refused`, `too-many-calls`, `shutting-down`.
    pub async fn run_suite(&self, request: RunSuite) -> Result<SuiteRun, Report> {
        let path = PathBuf::from(request.path);
        refuse_relative(&path)?;
        let suite = blocking(move || read_suite(&path)).await.flatten()?;
        let values = serde_json::from_str(&request.values);
        let values = values.map_err(|_| suite_refused(&SuiteError::NoObject))?;
        let examples = suite.examples(&values)?;
        let running = self.register(&request.call)?;
        let mut members: BTreeMap<MemberName, MemberChecks> = BTreeMap::new();
        for (member, example) in examples {
            let run = match running.token.is_cancelled() {
                true => ended(&example, ExampleEnd::LeftOut, 0, vec![]),
                false => self.run_example(&member, &example, &running.token).await,
            };
            let checks = members.entry(member.clone()).or_insert(MemberChecks {
                member,
                took_ms: 0,
                checks: vec![],
            });
            checks.took_ms = checks.took_ms.saturating_add(run.took_ms);
            checks.checks.push(run);
        }
        Ok(SuiteRun {
            members: members.into_values().collect(),
        })
    }

    /// Reads recorded calls in the order in which they ended. Also returns the number of calls that
    /// the history no longer has, if it has others.
    async fn recorded_calls(
        &self,
        calls: Vec<EntryId>,
    ) -> Result<(Vec<RecordedCall>, usize), Report> {
        let ids: BTreeSet<EntryId> = calls.into_iter().collect();
        match ids.len() {
            0 => return Err(refused(&RecordingError::NoCalls)),
            count if count > RECORDED_CALLS_MAX => {
                return Err(refused(&RecordingError::TooMany(RECORDED_CALLS_MAX)));
            }
            _ => {}
        }
        let mut read = Vec::new();
        let mut missing = 0;
        let mut unknown = None;
        let mut bytes = 0;
        for id in ids {
            let call = match self.history().reusable(HistoryEntryRef { id }).await {
                Err(report) if report.code == Code::HistoryEntryUnknown => {
                    missing += 1;
                    unknown = Some(report);
                    continue;
                }
                call => call?,
            };
            bytes += call.arguments.len();
            if let CallEnd::Result { result, .. } = &call.end {
                bytes += result.len();
            }
            if bytes > CALLS_BYTES_MAX {
                return Err(refused(&RecordingError::TooLarge(CALLS_BYTES_MAX >> 20)));
            }
            read.push(call);
        }
        match unknown {
            Some(unknown) if read.is_empty() => Err(unknown),
            _ => Ok((read, missing)),
        }
    }

    /// Returns the check of a call, still without a name and an expectation.
    fn candidate(
        &self,
        call: &RecordedCall,
        changing: bool,
        target: &ChecksTarget,
    ) -> Result<Candidate, UnusedReason> {
        let (arguments, end) = contents(call)?;
        let CallEnd::Result { result, .. } = end else {
            return Err(UnusedReason::NoResult);
        };
        let result = Value::Object(read_result(result)?);
        let entry = &call.entry;
        let tools = self.tools_with(&entry.member, &entry.tool);
        let tool = tools.as_ref().and_then(|tools| tools.get(&entry.tool));
        let tool = tool.ok_or(UnusedReason::NotListed)?;
        if !changing && judged_hints(&tool.spec).read_only != Some(true) {
            return Err(UnusedReason::NotReadOnly);
        }
        if *target == ChecksTarget::Manifests && !call.masked.is_empty() {
            return Err(UnusedReason::Masked);
        }
        Ok(Candidate {
            entry: entry.id,
            check: SuiteCheck {
                member: entry.member.clone(),
                name: String::new(),
                tool: entry.tool.clone(),
                arguments,
                ask: call
                    .masked
                    .iter()
                    .map(|place| (place.clone(), value_name(call, place)))
                    .collect(),
                expect: Expect::default(),
                timeout_ms: None,
            },
            results: vec![result],
            volatile: vec![],
        })
    }

    /// Repeats the calls in their order. Leaves out calls that have no result this time.
    async fn repeat(
        &self,
        candidates: Vec<Candidate>,
        left_out: &mut Vec<UnusedCall>,
        cancel: &CancellationToken,
    ) -> Result<Vec<Candidate>, Report> {
        let mut repeated = Vec::new();
        for mut candidate in candidates {
            if cancel.is_cancelled() {
                return Err(cancelled());
            }
            // The value of a masked argument is unknown.
            if !candidate.check.ask.is_empty() {
                repeated.push(candidate);
                continue;
            }
            let example = candidate.check.example();
            let calling = self.call_example(&candidate.check.member, &example, cancel);
            let outcome = calling.await.map_err(|_| cancelled())?;
            let result = match &outcome.end {
                CallEnd::Result { result, .. } if result.len() > RESULT_BYTES_MAX => {
                    Err(UnusedReason::Truncated)
                }
                CallEnd::Result { result, .. } => read_result(result).map(Value::Object),
                CallEnd::Failed { report, .. } => {
                    let why = report.message.trim_end_matches('.');
                    Err(UnusedReason::NotRepeated(why.to_owned()))
                }
            };
            match result {
                Ok(result) => {
                    candidate.results.push(result);
                    repeated.push(candidate);
                }
                Err(why) => left_out.push(candidate.unused(&why)),
            }
        }
        Ok(repeated)
    }

    /// Names each check after its tool, with a number if another check of the member or an example
    /// in its manifest has that name.
    fn name_checks(&self, candidates: &mut [Candidate], target: &ChecksTarget) {
        let mut taken: HashSet<(MemberName, String)> = HashSet::new();
        if *target == ChecksTarget::Manifests {
            let members: BTreeSet<_> = candidates
                .iter()
                .map(|it| it.check.member.clone())
                .collect();
            for member in members {
                let manifest = self.manifest(&member);
                let examples = manifest.iter().flat_map(|manifest| &manifest.examples);
                taken.extend(examples.map(|example| (member.clone(), example.name.clone())));
            }
        }
        for SuiteCheck {
            member, name, tool, ..
        } in candidates.iter_mut().map(|it| &mut it.check)
        {
            // A tool's name can be longer than a check's.
            let base: String = tool.as_str().chars().take(100).collect();
            *name = base.clone();
            let mut number = 1;
            while !taken.insert((member.clone(), name.clone())) {
                number += 1;
                *name = format!("{base} {number}");
            }
        }
    }

    /// Saves the checks as examples in the members' manifests, and returns the changed files.
    async fn save_examples(
        &self,
        candidates: &mut Vec<Candidate>,
        left_out: &mut Vec<UnusedCall>,
    ) -> Vec<String> {
        let mut files = BTreeSet::new();
        let mut saved = Vec::new();
        for candidate in std::mem::take(candidates) {
            match self.save_check(&candidate.check).await {
                Ok(file) => {
                    files.insert(file);
                    saved.push(candidate);
                }
                Err(report) => {
                    let why = report.message.trim_end_matches('.').to_owned();
                    left_out.push(candidate.unused(&UnusedReason::NotSaved(why)));
                }
            }
        }
        *candidates = saved;
        files.into_iter().collect()
    }

    async fn save_check(&self, check: &SuiteCheck) -> Result<String, Report> {
        let expect = serde_json::to_string(&check.expect).map_err(|error| {
            let lost = CallError::Unwritable(error.to_string());
            Report::from_error(Code::ManifestField, &lost)
        })?;
        let request = SaveExample {
            member: check.member.clone(),
            name: check.name.clone(),
            tool: check.tool.clone(),
            arguments: check.arguments.get().to_owned(),
            expect,
        };
        self.save_example(request).await?;
        let folder = self.member_folder(&check.member).await?;
        Ok(folder
            .join(guild_files::members_folder::MANIFEST_FILE)
            .display()
            .to_string())
    }
}

impl Candidate {
    fn unused(&self, why: &UnusedReason) -> UnusedCall {
        UnusedCall {
            entry: self.entry,
            member: self.check.member.clone(),
            tool: self.check.tool.clone(),
            why: why.to_string(),
        }
    }

    /// Adds the expectation. Fails if the results have nothing in common.
    fn with_expectation(mut self) -> Result<Self, UnusedCall> {
        let Some(found) = expectation(&self.results) else {
            return Err(self.unused(&UnusedReason::Unstable));
        };
        self.check.expect = found.expect;
        self.volatile = found.volatile;
        Ok(self)
    }

    fn created(self) -> CreatedCheck {
        CreatedCheck {
            member: self.check.member,
            tool: self.check.tool,
            name: self.check.name,
            expects: self.check.expect.in_words(),
            volatile: self.volatile,
            asks: self.check.ask.into_keys().collect(),
        }
    }
}

fn unused(call: &RecordedCall, why: &UnusedReason) -> UnusedCall {
    UnusedCall {
        entry: call.entry.id,
        member: call.entry.member.clone(),
        tool: call.entry.tool.clone(),
        why: why.to_string(),
    }
}

/// Returns the arguments and the end of a recorded call, if both are complete.
fn contents(call: &RecordedCall) -> Result<(Box<RawValue>, &CallEnd), UnusedReason> {
    if call.truncated {
        return Err(UnusedReason::Truncated);
    }
    // Also rejects other arguments than objects, and arguments that are nested too deeply.
    parse_exact(&call.arguments).map_err(|_| UnusedReason::NoArguments)?;
    let arguments = RawValue::from_string(call.arguments.trim().to_owned());
    let arguments = arguments.map_err(|_| UnusedReason::NoArguments)?;
    Ok((arguments, &call.end))
}

/// Parses a result. [`serde_json`] reads at most 128 levels, and the file that is made of the result
/// has up to four levels around it, as the text has here.
fn read_result(result: &str) -> Result<Map<String, Value>, UnusedReason> {
    type TwoLevels<T> = [[T; 1]; 1];
    let read = serde_json::from_str(&format!("[[[[{result}]]]]"));
    let [[[[result]]]]: TwoLevels<TwoLevels<_>> = read.map_err(|_| UnusedReason::NoObject)?;
    Ok(result)
}

/// Returns the name of the value of a masked argument. Other calls of the tool have the same secret
/// in most cases, so they share the name.
fn value_name(call: &RecordedCall, place: &str) -> String {
    format!("{}/{} {place}", call.entry.member, call.entry.tool)
}

fn cancelled() -> Report {
    Report::from_error(Code::CallCancelled, &CallError::Cancelled)
}

fn refused(error: &RecordingError) -> Report {
    Report::from_error(Code::RecordingUnusable, error)
}

fn suite_refused(error: &SuiteError) -> Report {
    Report::from_error(Code::SuiteRefused, error)
}

/// A relative path would depend on the folder in which the program was started.
fn refuse_relative(path: &Path) -> Result<(), Report> {
    match path.is_absolute() {
        true => Ok(()),
        false => Err(suite_refused(&SuiteError::Relative(path.to_owned()))),
    }
}

/// Reads a suite. Blocking.
///
/// # Errors
/// `suite-refused`.
pub fn read_suite(path: &Path) -> Result<Suite, Report> {
    match read_bounded(path, SUITE_BYTES_MAX as u64) {
        Ok(bytes) => Suite::parse(&bytes),
        Err(error) => {
            let unreadable = SuiteError::Unreadable(path.to_owned(), io_message(&error));
            Err(suite_refused(&unreadable))
        }
    }
}

/// Writes a suite, and returns its path.
async fn write_suite(path: PathBuf, suite: Suite) -> Result<Vec<String>, Report> {
    let written = blocking(move || {
        let text = suite.text()?;
        // A file that can't be read again is not written.
        Suite::parse(text.as_bytes())?;
        match save(&path, text.as_bytes()) {
            Ok(()) => Ok(vec![path.display().to_string()]),
            Err(error) => {
                let unwritable = SuiteError::Unwritable(path, io_message(&error));
                Err(suite_refused(&unwritable))
            }
        }
    });
    written.await.flatten()
}
