//! One finding, as values and as text.

use super::{Fact, words};
use crate::error::Report;
use crate::holder::Holder;
use crate::id::MemberName;
use crate::note::Beyond;
use crate::wire::{Check, Finding, Verdict};

/// The most lines of more that a finding has.
const DETAILS_MAX: usize = 40;

/// The subject of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A program, a member or a file, by its name.
    Named(String),
    /// The login shell.
    LoginShell,
    /// The members' commands.
    Commands,
    /// Sign-ins to members.
    SignIns,
    /// The keychain.
    Keychain,
    /// The members' ports.
    MembersPorts,
    /// The gateway.
    Gateway,
    /// All folders.
    Folders,
    /// The members' folder.
    MembersFolder,
    /// The data folder.
    DataFolder,
    /// The room on the disk.
    Room,
    /// Leftovers of earlier runs.
    EarlierRuns,
}

/// A line of more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Detail {
    /// A variable, a line of a file.
    Plain(String),
    /// A searched folder.
    LookedIn(String),
    /// The only searched location.
    LookedFor(String),
    /// Members that need it.
    UsedBy(String),
    /// The owner of a port, if visible.
    PortHeld(u16, Option<Holder>),
    /// Variables that belong into `env`.
    InEnv(String),
    /// Tool lists are kept elsewhere.
    ListsInDataFolder,
    /// An option of a command that a member's container lacks.
    Beyond(Beyond),
    /// So many lines more.
    More(usize),
}

/// How a program ended by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// With this code.
    Code(i32),
    /// By a signal of this number.
    Signal(i32),
}

/// A program that is installed as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Product {
    /// Its name.
    pub name: &'static str,
    /// Where it is found.
    pub address: &'static str,
    /// The two commands that it brings, where it brings more than itself.
    pub brings: Option<[&'static str; 2]>,
}

/// Advice for a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Advice {
    /// Advice of a report.
    OfReport(String),
    /// Look whether a disk or a network folder hangs.
    LookAtDisks,
    /// Run the login shell by hand.
    RunShell,
    /// Install this.
    Install(Product),
    /// Install one of these.
    InstallOneOf(Product, Product),
    /// Install the command, or say where it is.
    InstallCommand {
        /// The command.
        command: String,
        /// The product that brings it, where that is known.
        product: Option<&'static str>,
    },
    /// A secret in the arguments belongs into a variable.
    SecretToEnv,
    /// Others are to be kept from reading a file.
    CloseFile {
        /// The file.
        file: String,
    },
    /// Get a newer version.
    Newer {
        /// The oldest that will do.
        oldest: u32,
    },
    /// Start Docker's engine.
    StartDocker,
    /// See what a program objects to.
    SeeObjection {
        /// The program.
        program: &'static str,
    },
    /// See what a program waits for.
    SeeWaiting {
        /// The program.
        program: &'static str,
    },
    /// Write the member's container into its manifest.
    WriteContainer,
    /// Write what can be written into a container.
    WriteAsContainer,
    /// Sign in to a member.
    SignIn {
        /// The member.
        member: MemberName,
    },
    /// Start a keychain.
    StartKeychain,
    /// Answer the keychain.
    AnswerKeychain,
    /// Set a secret.
    SetSecret {
        /// Its name.
        name: String,
    },
    /// Free some ports.
    FreePorts,
    /// End what holds the gateway's port, or choose another one.
    FreeGatewayPort,
    /// Choose another port for the gateway.
    OtherGatewayPort,
    /// Make the folder.
    MakeFolder,
    /// Make the folder readable.
    MakeReadable,
    /// Make the folder writable.
    MakeWritable,
    /// Keep others from changing the folder.
    KeepOthersOut {
        /// The folder.
        folder: String,
    },
    /// Make room.
    MakeRoom,
    /// End what is left.
    EndLeft,
}

impl Advice {
    /// The advice as a sentence.
    pub fn told(&self) -> String {
        words::advice(self)
    }
}

/// One finding, before it is rendered as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// Kind of the check.
    pub check: Check,
    /// The thing.
    pub subject: Subject,
    /// How good or bad it is.
    pub verdict: Verdict,
    /// The fact.
    pub fact: Fact,
    /// More of it.
    pub details: Vec<Detail>,
    /// Advice for the user.
    pub advice: Option<Advice>,
    /// The member that it is about.
    pub member: Option<MemberName>,
}

impl Observation {
    /// One without more, without advice and about no member.
    pub fn new(check: Check, subject: Subject, verdict: Verdict, fact: Fact) -> Self {
        Self {
            check,
            subject,
            verdict,
            fact,
            details: vec![],
            advice: None,
            member: None,
        }
    }

    /// Creates a finding from a report and its advice.
    pub fn of_report(check: Check, subject: Subject, verdict: Verdict, report: &Report) -> Self {
        let fact = Fact::Reported {
            message: report.message.clone(),
        };
        let advice = Advice::OfReport(report.hint.clone());
        Self::new(check, subject, verdict, fact).advised(advice)
    }

    /// With what to do about it.
    #[must_use]
    pub fn advised(mut self, advice: impl Into<Option<Advice>>) -> Self {
        self.advice = advice.into();
        self
    }

    /// With more, of which the first are kept.
    #[must_use]
    pub fn with(mut self, details: impl IntoIterator<Item = Detail>) -> Self {
        let mut details = details.into_iter();
        self.details.extend(details.by_ref().take(DETAILS_MAX));
        let more = details.count();
        if more > 0 {
            self.details.push(Detail::More(more));
        }
        self
    }

    /// About a member.
    #[must_use]
    pub fn about(mut self, member: &MemberName) -> Self {
        self.member = Some(member.clone());
        self
    }

    /// Returns the finding for display.
    pub fn told(&self) -> Finding {
        Finding {
            check: self.check,
            kind: self.fact.kind(),
            subject: words::subject(&self.subject),
            verdict: self.verdict,
            found: words::fact(&self.fact),
            details: self.details.iter().map(words::detail).collect(),
            advice: self.advice.as_ref().map_or_else(String::new, words::advice),
            member: self.member.clone(),
        }
    }
}
