//! Servers that MCP registries list: looked for, and installed.

use std::sync::Arc;
use std::time::SystemTime;

use guild_core::client_config::NewMember;
use guild_core::event::{HallEvent, Progress};
use guild_core::install::Prospect;
use guild_core::listing::{Installable, Listed, Match, Standing, Way, is_newer, ways};
use guild_core::manifest::Origin;
use guild_core::note::{Beyond, InstallTrouble, RegistryTrouble, Told, told};
use guild_core::validate::Misfit;
use guild_core::wire::{
    InstallRegistryServer, InstalledRegistryServer, McpbAsks, OfRegistryServer, OfRegistrySource,
    REGISTRY_PAGE_MAX, ReadRegistry, RegistryInstall, RegistryLeftOut, RegistryMember,
    RegistryPage, RegistryRow, RegistryServer, RegistrySource, RegistrySources, RegistryStanding,
    RegistryWay, SearchRegistry,
};
use guild_core::{CallId, Code, MemberName, Report};

use super::Hall;
use super::newcomers::Consent;
use crate::found::Names;
use crate::index::Snapshot;
use crate::listings::{Kept, Listings, Outcome, Place, Reading, read};
use crate::newcomer::{NewSecrets, Newcomer, Packed, name_taken, refused};

/// What an origin says of a member that comes from a registry.
const FROM: &str = "registry";

impl Hall {
    /// The sources that a person named.
    ///
    /// # Errors
    /// None but the runtime's end.
    pub async fn registry_sources(&self) -> Result<RegistrySources, Report> {
        self.with_listings(|listings| Ok(all(listings))).await
    }

    /// Remembers a source. Nothing is fetched.
    ///
    /// # Errors
    /// `registry-source-refused`, `data-unwritable`.
    pub async fn add_registry_source(
        &self,
        request: OfRegistrySource,
    ) -> Result<RegistrySources, Report> {
        self.with_listings(move |listings| {
            listings.sources.add(&request.source)?;
            Ok(all(listings))
        })
        .await
    }

    /// Forgets a source, and what was read of it.
    ///
    /// # Errors
    /// `data-unwritable`.
    pub async fn remove_registry_source(
        &self,
        request: OfRegistrySource,
    ) -> Result<RegistrySources, Report> {
        self.with_listings(move |listings| {
            listings.shut(&request.source);
            listings.sources.remove(&request.source)?;
            Ok(all(listings))
        })
        .await
    }

    /// Reads a source from where it is, and keeps what it lists. [`Hall::cancel_call`] ends it;
    /// then, and where it fails, what was kept before stays.
    ///
    /// # Errors
    /// `registry-unread`, `registry-unknown`, `data-unwritable`, `call-cancelled`.
    pub async fn read_registry(&self, request: ReadRegistry) -> Result<RegistrySource, Report> {
        let running = self.register(&request.call)?;
        let token = running.token.clone();
        tokio::select! {
            read = self.read_source(request) => read,
            () = token.cancelled() => {
                Err(Report::told(Code::CallCancelled, &InstallTrouble::ReadingEnded))
            }
        }
    }

    async fn read_source(&self, request: ReadRegistry) -> Result<RegistrySource, Report> {
        let listings = Arc::clone(&self.inner.listings);
        let _one = listings.reading.lock().await;
        let source = request.source.clone();
        let place = self
            .with_listings(move |listings| listings.sources.place(&source))
            .await?;
        let Place::Url(url) = place else {
            // A file is read whenever it is looked at.
            let source = request.source;
            return self
                .with_listings(move |listings| {
                    listings.shut(&source);
                    let kept = listings.open(&source)?;
                    Ok(shown(listings, &kept))
                })
                .await;
        };
        let (source, anew) = (url.clone(), request.anew);
        let (known, before) = self
            .with_listings(move |listings| {
                let known = listings.sources.known(&source)?;
                let before = match anew {
                    true => None,
                    // What can't be read any more is read anew.
                    false => listings.taken(&source).ok().flatten(),
                };
                Ok((known, before))
            })
            .await?;
        let call = request.call;
        let outcome = read(&url, &known, before, |reading| self.tell(&call, reading)).await?;
        self.with_listings(move |listings| match outcome {
            Outcome::Same => listings.sources.keep(&url, None, &Default::default()),
            Outcome::Changed(text, news) => listings.sources.keep(&url, Some(&text), &news),
        })
        .await
    }

    fn tell(&self, call: &CallId, reading: Reading) {
        let servers = match reading.servers {
            1 => "1 server".to_owned(),
            servers => format!("{servers} servers"),
        };
        let progress = Progress {
            progress: reading.pages as f64,
            total: None,
            message: Some(format!("{servers} so far")),
        };
        self.inner.context.index.tell(HallEvent::CallProgress {
            call: call.clone(),
            progress,
        });
    }

    /// The servers of a source that have all of some words, as they were read last.
    ///
    /// # Errors
    /// `registry-unread`, `registry-unknown`.
    pub async fn search_registry(&self, request: SearchRegistry) -> Result<RegistryPage, Report> {
        let snapshot = self.snapshot();
        self.with_listings(move |listings| {
            let kept = listings.open(&request.source)?;
            let found = kept.shelf.search(&request.query);
            let installed = Installed(&snapshot);
            let rows = found
                .iter()
                .skip(request.offset)
                .take(request.limit.min(REGISTRY_PAGE_MAX));
            Ok(RegistryPage {
                source: shown(listings, &kept),
                total: found.len(),
                rows: rows.map(|found| row(found, &installed)).collect(),
                left_out: left_out(&kept),
                left_out_count: kept.shelf.left_out_count,
            })
        })
        .await
    }

    /// Everything about one server of a source.
    ///
    /// # Errors
    /// `registry-unread`, `registry-unknown`.
    pub async fn registry_server(
        &self,
        request: OfRegistryServer,
    ) -> Result<RegistryServer, Report> {
        let snapshot = self.snapshot();
        let home = self.finds().home();
        self.with_listings(move |listings| {
            let kept = listings.open(&request.source)?;
            let server = listed(&kept, &request.server, request.version.as_deref())?;
            let versions = kept.shelf.versions(&server.name);
            Ok(detail(server, versions, &snapshot, &home))
        })
        .await
    }

    /// Makes a member of a server, one way to run it. Nobody has accepted what it runs: it waits
    /// for its review.
    ///
    /// # Errors
    /// `registry-unknown` where the way is not listed any more as it was shown;
    /// `adoption-refused` where the name is taken or an answer does not fit; `file-unwritable`.
    pub async fn install_registry_server(
        &self,
        request: InstallRegistryServer,
    ) -> Result<InstalledRegistryServer, Report> {
        let _alone = self.inner.finds.alone().await;
        let name = request.member.clone();
        // A name that was made for a folder is none that a manifest can give.
        if let Err(error) = MemberName::parse(name.as_str()) {
            return Err(refused(&name, &InstallTrouble::BadName(error.0)));
        }
        let snapshot = self.snapshot();
        let members = snapshot.members.keys().map(MemberName::as_str);
        if !Names::taken(members).is_free(name.as_str()) {
            return Err(name_taken(&name));
        }
        let secrets = NewSecrets::of(&name, self.secret_names().await);
        let home = self.finds().home();
        let (newcomer, stays) = self
            .with_listings(move |listings| newcomer(listings, &request, secrets, &home))
            .await?;
        let made = self
            .make_member(newcomer, Consent::Awaited, Newcomer::write)
            .await?;
        self.until_shown(std::slice::from_ref(&name)).await;
        Ok(InstalledRegistryServer {
            member: name,
            folder: made.folder.display().to_string(),
            secrets: made.secrets,
            warning: made.warning,
            stays_command: told(&stays),
        })
    }

    /// Does something with the listings that reads or writes the disk.
    pub(super) async fn with_listings<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Listings) -> Result<T, Report> + Send + 'static,
    ) -> Result<T, Report> {
        let listings = Arc::clone(&self.inner.listings);
        let working = tokio::task::spawn_blocking(move || work(&listings));
        working.await.unwrap_or_else(|error| {
            let trouble = RegistryTrouble::ListingUnread(error.to_string());
            Err(Report::told(Code::RegistryUnread, &trouble))
        })
    }
}

fn all(listings: &Listings) -> RegistrySources {
    RegistrySources {
        sources: listings.sources.shown(),
    }
}

/// A source whose listing is open.
fn shown(listings: &Listings, kept: &Kept) -> RegistrySource {
    let source = kept.place.text();
    let as_of = kept.stamp.as_of;
    let known = listings.sources.shown();
    let known = known.into_iter().find(|known| known.source == source);
    let as_of_ms = known.and_then(|known| known.as_of_ms);
    RegistrySource {
        source: source.to_owned(),
        is_file: matches!(kept.place, Place::File(_)),
        as_of_ms,
        servers: as_of.map(|_| kept.shelf.len()),
    }
}

fn left_out(kept: &Kept) -> Vec<RegistryLeftOut> {
    let entries = kept.shelf.left_out.iter();
    entries
        .map(|entry| RegistryLeftOut {
            at: entry.at,
            name: entry.name.clone(),
            why: entry.why.told(),
        })
        .collect()
}

fn row(found: &Match<'_>, installed: &Installed<'_>) -> RegistryRow {
    let server = found.newest;
    RegistryRow {
        server: server.name.clone(),
        title: server.title.clone(),
        description: server.description.clone(),
        version: server.version.clone(),
        standing: standing(server.standing),
        kinds: server.kinds.clone(),
        members: installed.of(&server.name, &server.version),
    }
}

fn standing(standing: Standing) -> RegistryStanding {
    match standing {
        Standing::Active => RegistryStanding::Active,
        Standing::Deprecated => RegistryStanding::Deprecated,
        Standing::Deleted => RegistryStanding::Deleted,
    }
}

/// The members that were installed from registries.
struct Installed<'s>(&'s Snapshot);

impl Installed<'_> {
    /// Those of one entry, whose newest version is `newest`.
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

/// A server of a listing, in its newest version where none is named.
fn listed<'k>(kept: &'k Kept, server: &str, version: Option<&str>) -> Result<&'k Listed, Report> {
    let versions = kept.shelf.versions(server);
    let wanted = |listed: &&Listed| version.is_none_or(|version| listed.version == version);
    versions.iter().find(wanted).ok_or_else(|| {
        let server: String = server.chars().take(200).collect();
        let (source, server) = (kept.place.text().to_owned(), format!("{server:?}"));
        let trouble = match version {
            None => InstallTrouble::NotListed(source, server),
            Some(version) => InstallTrouble::NoVersion(source, server, format!("{version:?}")),
        };
        Report::told(Code::RegistryUnknown, &trouble)
    })
}

fn detail(server: &Listed, versions: &[Listed], snapshot: &Snapshot, home: &str) -> RegistryServer {
    let newest = versions
        .first()
        .map_or("", |newest| newest.version.as_str());
    let own = server.name.rsplit('/').next().unwrap_or_default();
    let members = snapshot.members.keys().map(MemberName::as_str);
    RegistryServer {
        server: server.name.clone(),
        title: server.title.clone(),
        description: server.description.clone(),
        version: server.version.clone(),
        versions: versions.iter().map(|one| one.version.clone()).collect(),
        standing: standing(server.standing),
        standing_message: server.standing_message.clone(),
        published_at: server.published_at.clone(),
        repository: server.repository.clone(),
        website: server.website.clone(),
        suggested: Names::taken(members).free(own),
        ways: ways(server).into_iter().map(|one| way(one, home)).collect(),
        members: Installed(snapshot).of(&server.name, newest),
    }
}

fn way(way: Way, home: &str) -> RegistryWay {
    let (install, unusable) = match way.installable {
        Ok(installable) => (Some(install(installable, home)), None),
        Err(why) => (None, Some(why.told())),
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
    let prospect = Prospect::of(
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
        asks: McpbAsks::of(&installable.inputs),
        notes: told(&installable.notes),
    }
}

/// The member that a server becomes, one way to run it, and why it stays a command where it might
/// have been a container. Nothing is done yet.
fn newcomer(
    listings: &Listings,
    request: &InstallRegistryServer,
    secrets: NewSecrets,
    home: &str,
) -> Result<(Newcomer, Vec<Beyond>), Report> {
    let name = &request.member;
    let kept = listings.open(&request.source)?;
    let server = listed(&kept, &request.server, Some(&request.version))?;
    let installables = ways(server)
        .into_iter()
        .filter_map(|way| way.installable.ok());
    let mut as_shown = installables.filter(|one| one.plan.open().id() == request.way);
    let installable = as_shown
        .next()
        .ok_or_else(|| Report::told(Code::RegistryUnknown, &InstallTrouble::NotAsShown).of(name))?;
    let given = installable.inputs.read(&request.answers);
    let given = given.map_err(|errors| unanswered(name, &errors))?;
    let run = installable.plan.filled(&given);
    let run = run.map_err(|wrong| refused(name, &InstallTrouble::CannotRun(wrong)))?;
    let Installable {
        plan,
        inputs,
        transport,
        ..
    } = &installable;
    let packed = Packed::of(plan, inputs, &run, *transport, home);
    let (path, url) = match &kept.place {
        Place::File(_) => (Some(kept.place.text().to_owned()), None),
        Place::Url(url) => (None, Some(url.clone())),
    };
    let member = NewMember {
        name,
        version: &server.version,
        description: &server.description,
        run: &run,
        contained: packed.contained.as_ref(),
        auto_approve: &[],
        denied: &[],
        start_ms: None,
        call_ms: None,
        origin: Origin {
            from: FROM.to_owned(),
            path,
            url,
            at: Some(humantime::format_rfc3339_seconds(SystemTime::now()).to_string()),
            server: Some(server.name.clone()),
        },
    };
    Ok((Newcomer::of(&member, secrets)?, packed.stays))
}

/// Answers that do not fit, told without a word of theirs: secrets are among them.
fn unanswered(name: &MemberName, errors: &[Misfit]) -> Report {
    let places = errors
        .iter()
        .map(|error| match error.pointer.trim_start_matches('/') {
            "" => "all of them".to_owned(),
            place => place.replace("~1", "/").replace("~0", "~"),
        });
    let mut places: Vec<String> = places.take(20).collect();
    places.dedup();
    refused(name, &InstallTrouble::Unanswered(places.join(", ")))
}
