//! Searches the servers in MCP registries, and installs them.

use std::time::SystemTime;

use guild_api::wire::{
    InstallRegistryServer, InstalledRegistryServer, RegistryInstall, RegistryLeftOut,
    RegistryMember, RegistryPage, RegistryRow, RegistryServer, RegistryServerRef, RegistrySource,
    RegistryWay, SearchRegistry,
};
use guild_client_config::NewMember;
use guild_files::messages::InstallError;
use guild_import::install::ContainerCandidate;
use guild_model::manifest::Origin;
use guild_model::messages::Beyond;
use guild_model::{Code, MemberName, Report};
use guild_registry::listing::{
    InstallOption, Installable, RegistryInvalidEntry, RegistryServerSummary, install_options,
    is_newer,
};
use guild_registry::messages::RegistryError;
use guild_schema::validate::ArgumentError;
use guild_text::messages::to_strings;

use super::GuildHall;
use super::create::LaunchConsent;
use guild_import::newcomer::{NewSecrets, Newcomer, Packed, refused};
use guild_import::scan::UsedMemberNames;
use guild_registry::listings::{OFFICIAL, RegistryLocation};
use guild_roster::Snapshot;

/// The value of `origin.from` for members from a registry.
const FROM: &str = "registry";

impl GuildHall {
    /// Returns the servers of a registry that match all words. [`GuildHall::cancel_call`] ends the
    /// search.
    ///
    /// # Errors
    /// `registry-source-refused`, `registry-unread`, `registry-unknown`, `call-cancelled`.
    pub async fn search_registry(&self, request: SearchRegistry) -> Result<RegistryPage, Report> {
        let running = self.register(&request.call)?;
        let place = self.registry(request.source.as_deref())?;
        let cursor = request.cursor.as_deref();
        let found = tokio::select! {
            found = self.inner.listings.search(&place, &request.query, cursor) => found?,
            () = running.token.cancelled() => {
                return Err(Report::from_error(Code::CallCancelled, &RegistryError::Cancelled));
            }
        };
        let snapshot = self.snapshot();
        let installed = InstalledMembers(&snapshot);
        let rows = found.servers.iter();
        Ok(RegistryPage {
            rows: rows.map(|server| row(server, &installed)).collect(),
            source: found.source,
            next: found.next,
            left_out: found.left_out.into_iter().map(left_out).collect(),
            left_out_count: found.left_out_count,
        })
    }

    /// Returns all details of a server in a registry.
    ///
    /// # Errors
    /// `registry-source-refused`, `registry-unread`, `registry-unknown`.
    pub async fn registry_server(
        &self,
        request: RegistryServerRef,
    ) -> Result<RegistryServer, Report> {
        let place = self.registry(request.source.as_deref())?;
        let listings = &self.inner.listings;
        let (source, versions) = listings.versions(&place, &request.server).await?;
        let server = listed(&place, &versions, request.version.as_deref())?;
        let home = self.finds().home();
        Ok(detail(source, server, &versions, &self.snapshot(), &home))
    }

    /// Returns the location of a registry: `named`, or else the registry in the settings, or else
    /// the official registry.
    fn registry(&self, named: Option<&str>) -> Result<RegistryLocation, Report> {
        let set = self.settings().borrow().registry.clone();
        RegistryLocation::parse(named.or(set.as_deref()).unwrap_or(OFFICIAL))
    }

    /// Creates a member that runs a server by one of the install options in the registry. The
    /// member's launch command is not accepted yet, so the member waits for a review.
    ///
    /// # Errors
    /// `registry-source-refused`, `registry-unread`. `registry-unknown` if the registry no longer
    /// has this install option. `adoption-refused` if the name is taken or an answer is invalid.
    /// `file-unwritable`, and the errors of [`GuildHall::set_secret`].
    pub async fn install_registry_server(
        &self,
        request: InstallRegistryServer,
    ) -> Result<InstalledRegistryServer, Report> {
        let name = request.member.clone();
        self.check_new_name(&name, &[])?;
        let place = self.registry(request.source.as_deref())?;
        let listings = &self.inner.listings;
        let (source, versions) = listings.versions(&place, &request.server).await?;
        let server = listed(&place, &versions, Some(&request.version))?;
        // The lock is taken after the registry has answered, so that other imports don't wait for
        // the registry.
        let _importing = self.inner.finds.lock_imports().await;
        self.check_new_name(&name, &[])?;
        let secrets = NewSecrets::of(&name, self.secret_names().await);
        let home = self.finds().home();
        let (newcomer, stays) = newcomer(&place, server, &request, secrets, &home)?;
        let made = self
            .make_member(newcomer, LaunchConsent::Awaited, Newcomer::write)
            .await?;
        self.until_shown(std::slice::from_ref(&name)).await;
        Ok(InstalledRegistryServer {
            member: name,
            folder: made.folder.display().to_string(),
            secrets: made.secrets,
            warning: made.warning.or(source.unread),
            stays_command: to_strings(&stays),
        })
    }
}

fn left_out(entry: RegistryInvalidEntry) -> RegistryLeftOut {
    RegistryLeftOut {
        at: entry.at,
        name: entry.name,
        why: entry.why.to_string(),
    }
}

fn row(server: &RegistryServerSummary, installed: &InstalledMembers<'_>) -> RegistryRow {
    RegistryRow {
        server: server.name.clone(),
        title: server.title.clone(),
        description: server.description.clone(),
        version: server.version.clone(),
        standing: server.standing,
        kinds: server.kinds.clone(),
        members: installed.of(&server.name, &server.version),
    }
}

/// The members that were installed from registries.
struct InstalledMembers<'s>(&'s Snapshot);

impl InstalledMembers<'_> {
    /// Returns the members that run a server. `newest` is the server's latest version.
    fn of(&self, server: &str, newest: &str) -> Vec<RegistryMember> {
        let members = self.0.members.iter().filter_map(|(member, entry)| {
            let origin = entry.view.trust.origin.as_ref()?;
            let is_this = origin.from == FROM && origin.server.as_deref() == Some(server);
            is_this.then(|| RegistryMember {
                member: member.clone(),
                version: entry.view.version.clone(),
                newer: is_newer(newest, &entry.view.version),
            })
        });
        members.collect()
    }
}

/// Returns the given version of a server, or the latest one if `version` is `None`.
fn listed<'v>(
    place: &RegistryLocation,
    versions: &'v [RegistryServerSummary],
    version: Option<&str>,
) -> Result<&'v RegistryServerSummary, Report> {
    let wanted =
        |listed: &&RegistryServerSummary| version.is_none_or(|version| listed.version == version);
    versions.iter().find(wanted).ok_or_else(|| {
        let quoted = |text: &str| format!("{:?}", text.chars().take(200).collect::<String>());
        let name = versions.first().map_or("", |one| one.name.as_str());
        let version = version.unwrap_or_default();
        let trouble = RegistryError::NoVersion {
            registry: place.text(),
            server: quoted(name),
            version: quoted(version),
        };
        Report::from_error(Code::RegistryUnknown, &trouble)
    })
}

fn detail(
    source: RegistrySource,
    server: &RegistryServerSummary,
    versions: &[RegistryServerSummary],
    snapshot: &Snapshot,
    home: &str,
) -> RegistryServer {
    let newest = versions
        .first()
        .map_or("", |newest| newest.version.as_str());
    let own = server.name.rsplit('/').next().unwrap_or_default();
    let members = snapshot.members.keys().map(MemberName::as_str);
    RegistryServer {
        source,
        server: server.name.clone(),
        title: server.title.clone(),
        description: server.description.clone(),
        version: server.version.clone(),
        versions: versions.iter().map(|one| one.version.clone()).collect(),
        standing: server.standing,
        standing_message: server.standing_message.clone(),
        published_at: server.published_at.clone(),
        repository: server.repository.clone(),
        website: server.website.clone(),
        suggested: UsedMemberNames::taken(members).free(own),
        ways: install_options(server)
            .into_iter()
            .map(|one| way(one, home))
            .collect(),
        members: InstalledMembers(snapshot).of(&server.name, newest),
    }
}

fn way(way: InstallOption, home: &str) -> RegistryWay {
    let (install, unusable) = match way.installable {
        Ok(installable) => (Some(install(installable, home)), None),
        Err(why) => (None, Some(why.to_string())),
    };
    RegistryWay {
        kind: way.kind,
        name: way.name,
        version: way.version,
        package_registry: way.base_url,
        install,
        unusable,
    }
}

fn install(installable: Installable, home: &str) -> RegistryInstall {
    let open = installable.plan.open();
    let prospect = ContainerCandidate::of(
        &installable.plan,
        &installable.inputs,
        installable.transport,
        home,
    );
    RegistryInstall {
        id: open.id(),
        launch: open.shown(),
        command_line: open.command_line(),
        container: prospect.map(|prospect| prospect.shown()),
        asks: installable.inputs.asks(),
        notes: to_strings(&installable.notes),
    }
}

/// Returns the new member, and the reasons why it runs a command instead of a container. Writes
/// nothing.
fn newcomer(
    place: &RegistryLocation,
    server: &RegistryServerSummary,
    request: &InstallRegistryServer,
    secrets: NewSecrets,
    home: &str,
) -> Result<(Newcomer, Vec<Beyond>), Report> {
    let name = &request.member;
    let installables = install_options(server)
        .into_iter()
        .filter_map(|way| way.installable.ok());
    let mut as_shown = installables.filter(|one| one.plan.open().id() == request.way);
    let installable = as_shown.next().ok_or_else(|| {
        Report::from_error(Code::RegistryUnknown, &RegistryError::NotAsShown).of(name)
    })?;
    let given = installable.inputs.read(&request.answers);
    let given = given.map_err(|errors| unanswered(name, &errors))?;
    let run = installable.plan.filled(&given);
    let run = run.map_err(|wrong| refused(name, &InstallError::CannotRun(wrong)))?;
    let Installable {
        plan,
        inputs,
        transport,
        ..
    } = &installable;
    let packed = Packed::of(plan, inputs, &run, *transport, home);
    let (path, url) = match place {
        RegistryLocation::File(_) => (Some(place.text()), None),
        RegistryLocation::Url(url) => (None, Some(url.clone())),
    };
    let origin = Origin {
        from: FROM.to_owned(),
        path,
        url,
        at: Some(humantime::format_rfc3339_seconds(SystemTime::now()).to_string()),
        server: Some(server.name.clone()),
    };
    let member = NewMember {
        version: &server.version,
        description: &server.description,
        contained: packed.contained.as_ref(),
        ..NewMember::new(name, &run, origin)
    };
    Ok((Newcomer::of(&member, secrets)?, packed.stays))
}

/// Reports invalid answers without their values, which may be secret.
fn unanswered(name: &MemberName, errors: &[ArgumentError]) -> Report {
    let places = errors
        .iter()
        .map(|error| match error.pointer.trim_start_matches('/') {
            "" => "all of them".to_owned(),
            place => place.replace("~1", "/").replace("~0", "~"),
        });
    let mut places: Vec<String> = places.take(20).collect();
    places.dedup();
    refused(name, &InstallError::Unanswered(places.join(", ")))
}
