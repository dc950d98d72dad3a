//! The sentences of the doctor's findings.

use super::{Advice, Detail, Ended, Fact, Product, Subject, Unasked};

/// The thing that was examined.
pub(super) fn subject(subject: &Subject) -> String {
    match subject {
        Subject::Named(name) => name.as_str(),
        Subject::LoginShell => "login shell",
        Subject::Commands => "commands",
        Subject::SignIns => "sign-ins",
        Subject::Keychain => "keychain",
        Subject::MembersPorts => "members",
        Subject::Gateway => "gateway",
        Subject::Folders => "folders",
        Subject::MembersFolder => "members' folder",
        Subject::DataFolder => "data folder",
        Subject::Room => "room",
        Subject::EarlierRuns => "earlier runs",
    }
    .to_owned()
}

/// A finding, as a sentence.
pub(super) fn fact(fact: &Fact) -> String {
    match fact {
        Fact::GivenUp { seconds } => {
            format!("The check took longer than {seconds} s and was stopped.")
        }
        Fact::BrokenOff { error } => format!("The check failed: {error}."),
        Fact::ShellNotAsked { why } => format!("The check was skipped: {}.", unasked(*why)),
        Fact::ShellFailed { problem, ms } => {
            format!("{problem} It took {ms} ms. Members get Guild Hall's own variables.")
        }
        Fact::ShellAnswered {
            ms,
            differing,
            unused,
        } => {
            let differ = match differing {
                0 => "no variable differs".to_owned(),
                1 => "one variable differs".to_owned(),
                many => format!("{many} variables differ"),
            };
            let used = match (unused, differing) {
                (Some(why), _) => format!(" Members do not get them, because {}.", unasked(*why)),
                (None, 0) => String::new(),
                (None, _) => " Members get them.".to_owned(),
            };
            format!("It answered in {ms} ms; {differ}.{used}")
        }
        Fact::ProgramMissing => "It was not found on the PATH.".to_owned(),
        Fact::ProgramAnswered { version, place } => format!("{version} at {place}"),
        Fact::ProgramFailed {
            place,
            status,
            said,
        } => {
            let ended = match status {
                Some(Ended::Code(code)) => format!("ended with code {code}"),
                Some(Ended::Signal(signal)) => format!("ended by signal {signal}"),
                None => "was ended".to_owned(),
            };
            let failed = format!("{place} did not return its version: it {ended}.");
            with_words(failed, said)
        }
        Fact::ProgramSilent { place, seconds } => {
            format!("{place} did not return its version within {seconds} s and was stopped.")
        }
        Fact::ProgramUnusable { place, error } => format!("{place} exists, but: {error}"),
        Fact::ManifestUnusable => "Its plugin.json can't be used.".to_owned(),
        Fact::Reported { message } => message.to_string(),
        Fact::CommandSecret => "Its command contains a secret, so it isn't checked.".to_owned(),
        Fact::SecretsInArguments { references } => format!(
            "Its arguments have {}, whose values every user of this machine can see while it runs \
             (`ps`).",
            references.join(" and ")
        ),
        Fact::SecretsReadable { file } => {
            format!("{file} contains a secret, and other users can read it.")
        }
        Fact::CommandFound { places } => {
            let places = places
                .iter()
                .map(|(command, place)| format!("{command} is {place}"));
            places.collect::<Vec<_>>().join(", ")
        }
        Fact::CommandMissing { command } => format!("The command `{command}` was not found."),
        Fact::EngineMissing { engines } => format!(
            "It runs in a container, and there is no {}.",
            engines.join(" and no ")
        ),
        Fact::ContainerEscapes => "Its command runs a container, which the engine goes on running \
                                   should its client be killed."
            .to_owned(),
        Fact::SignInWanted => "Its server requires you to sign in.".to_owned(),
        Fact::NobodySignedIn => "You haven't signed in yet.".to_owned(),
        Fact::SignInEnded => {
            "The sign-in has expired and can't be renewed automatically.".to_owned()
        }
        Fact::SignInRefused => "Its server rejected the sign-in.".to_owned(),
        Fact::SignedIn { issuer } => {
            let by = issuer.as_deref().unwrap_or("its own server");
            format!("Signed in with {by}.")
        }
        Fact::KeychainReady => "It answers.".to_owned(),
        Fact::KeychainAbsent { used: true } => {
            "Not available: secrets are saved in secrets.json in the data folder.".to_owned()
        }
        Fact::KeychainAbsent { used: false } => {
            "Not available: secrets would be saved in secrets.json in the data folder.".to_owned()
        }
        Fact::KeychainUnanswered => "It does not answer.".to_owned(),
        Fact::SecretMissing => "It has no value.".to_owned(),
        Fact::Ports {
            range: (first, last),
            free,
            lent,
            foreign,
        } => format!(
            "Of the ports {first} to {last}, {free} are free, {lent} are members', {foreign} are \
             held by other programs."
        ),
        Fact::GatewayReached { address } => format!("Agents reach it at {address}."),
        Fact::GatewayOff => "It is switched off.".to_owned(),
        Fact::GatewayPortFree { port } => {
            format!("Port {port} is free; the gateway opens with the app or `guildhall serve`.")
        }
        Fact::GatewayPortOwn { port, holder } => {
            format!("Port {port} is held by Guild Hall itself: {holder}.")
        }
        Fact::GatewayPortTaken {
            port,
            holder: Some(holder),
        } => format!("Port {port} is held by {holder}."),
        Fact::GatewayPortTaken { port, holder: None } => {
            format!("Port {port} is in use by a process that Guild Hall can't see.")
        }
        Fact::FolderMissing { folder } => format!("{folder} does not exist."),
        Fact::FolderUnreadable { folder, error } => format!("{folder} can't be read: {error}."),
        Fact::FolderUnwritable { folder, error } => format!("{folder} can't be written: {error}."),
        Fact::FolderOpen { folder } => {
            format!("{folder} may be changed by other users, and with it what is run.")
        }
        Fact::FolderFine { folder } => format!("{folder} can be read and written."),
        Fact::RoomUnknown => "The free disk space is unknown.".to_owned(),
        Fact::Room { bytes, folder } => format!("{} are free for {folder}.", size(*bytes)),
        Fact::NothingLeft => "No process of an earlier run is left.".to_owned(),
        Fact::ProcessesLeft { count } => {
            let plural = if *count == 1 { " is" } else { "es are" };
            format!("{count} process{plural} left from an earlier run.")
        }
    }
}

fn unasked(why: Unasked) -> &'static str {
    match why {
        Unasked::NotWanted => "this check starts nothing",
        Unasked::Windows => "Windows gives apps the user's variables",
        Unasked::Terminal => "Guild Hall was started from a terminal and has its variables",
        Unasked::SwitchedOff => "GUILD_HALL_LOGIN_SHELL is off",
        Unasked::InsideShell => "the login shell started Guild Hall",
        Unasked::NoShell => "the user has no login shell",
    }
}

/// A line of detail.
pub(super) fn detail(detail: &Detail) -> String {
    match detail {
        Detail::Plain(text) => text.clone(),
        Detail::Beyond(beyond) => beyond.to_string(),
        Detail::LookedIn(folder) => format!("looked in {folder}"),
        Detail::LookedFor(file) => format!("looked for {file}"),
        Detail::UsedBy(members) => format!("used by {members}"),
        Detail::PortHeld(port, Some(holder)) => format!("{port}: {holder}"),
        Detail::PortHeld(port, None) => format!("{port}: a process that Guild Hall can't see"),
        Detail::InEnv(names) => format!("and in \"env\": {names}"),
        Detail::ListsInDataFolder => "Tool lists are saved in the data folder instead.".to_owned(),
        Detail::More(count) => format!("and {count} more"),
    }
}

pub(super) fn advice(advice: &Advice) -> String {
    match advice {
        Advice::OfReport(hint) => hint.to_string(),
        Advice::LookAtDisks => "Check that your disks and network folders respond.".to_owned(),
        Advice::RunShell => "Run the shell by hand (`$SHELL -ilc true`) to see what it waits for \
                             or says; `GUILD_HALL_LOGIN_SHELL=off` has Guild Hall ask no shell."
            .to_owned(),
        Advice::Install(product) => match product.brings {
            Some([one, other]) => {
                format!(
                    "Install {}, which includes {one} and {other}.",
                    named(product)
                )
            }
            None => format!("Install {}.", named(product)),
        },
        Advice::InstallOneOf(one, other) => {
            format!("Install {} or {}.", named(one), named(other))
        }
        Advice::InstallCommand {
            command,
            product: Some(product),
        } => format!(
            "`{command}` comes with {product}: install that, or write the full path of \
             `{command}` as the manifest's `command`."
        ),
        Advice::InstallCommand { product: None, .. } => {
            "Install the program, or write its full path as the manifest's `command`.".to_owned()
        }
        Advice::SecretToEnv => {
            "Pass it in `env` if the server reads it from a variable.".to_owned()
        }
        Advice::CloseFile { file } => format!(
            "Run `chmod 600 '{file}'`, or keep the secret with `guildhall secret set NAME` and write \
             `${{secret:NAME}}`."
        ),
        Advice::Newer { oldest } => format!("Many servers need version {oldest} or newer."),
        Advice::StartDocker => {
            "Start Docker's engine, and see that you may use it: `docker version`.".to_owned()
        }
        Advice::SeeObjection { program } => {
            format!("Run `{program} --version` in a terminal to see the error.")
        }
        Advice::SeeWaiting { program } => {
            format!("Run `{program} --version` in a terminal to see what it waits for.")
        }
        Advice::WriteContainer => {
            "Write this into plugin.json instead of `command` and `args`.".to_owned()
        }
        Advice::WriteAsContainer => {
            "Use a `container` so that it always stops; unsupported options are listed.".to_owned()
        }
        Advice::SignIn { member } => {
            format!("Sign in on its page, or with `guildhall auth sign-in {member}`.")
        }
        Advice::StartKeychain => "Every program that you start can read that file. Start the \
                                  keychain of the system (GNOME Keyring, KWallet) to keep secrets \
                                  there."
            .to_owned(),
        Advice::AnswerKeychain => {
            "Look for a dialog that asks for its password, and answer it.".to_owned()
        }
        Advice::SetSecret { name } => format!("Set it: `guildhall secret set {name}`."),
        Advice::FreePorts => {
            "Stop members you don't need, or apps that use these ports.".to_owned()
        }
        Advice::FreeGatewayPort => {
            "Close that app, or choose another port for the gateway.".to_owned()
        }
        Advice::OtherGatewayPort => "Choose another port for the gateway.".to_owned(),
        Advice::MakeFolder => "Create it, or use another one.".to_owned(),
        Advice::MakeReadable => "Fix its permissions, or use another one.".to_owned(),
        Advice::MakeWritable => "Fix its permissions, or use another one with --data.".to_owned(),
        Advice::KeepOthersOut { folder } => format!("Run `chmod go-w '{folder}'`."),
        Advice::MakeRoom => {
            "Free disk space: history, logs and tool lists can't be saved without it.".to_owned()
        }
        Advice::EndLeft => "The next start tries again; or end them with `kill -9`.".to_owned(),
    }
}

fn named(product: &Product) -> String {
    format!("{} ({})", product.name, product.address)
}

/// A sentence, and what a program wrote, where it wrote something.
fn with_words(sentence: String, said: &str) -> String {
    match said {
        "" => sentence,
        said => format!("{sentence} {said}"),
    }
}

/// A number of bytes for people.
fn size(bytes: u64) -> String {
    let mib = bytes >> 20;
    if mib < 10 * 1024 {
        format!("{mib} MiB")
    } else {
        format!("{} GiB", mib >> 10)
    }
}
