//! Synonyms: the words that tools use for words and phrases of people.
//!
//! The mapping has one direction, from people's words to tools' words. `nuke` finds tools that
//! delete, but `delete` does not find a tool about nukes. The mapping contains general words only,
//! and no product names.

use std::collections::HashMap;

use super::words;

/// Words of people, and the words that tools use instead.
const WORDS: &[(&str, &str)] = &[
    ("delete", "remove erase drop destroy purge clear"),
    ("remove", "delete detach clear"),
    (
        "erase wipe nuke trash scrap purge destroy discard ditch",
        "delete remove purge clear",
    ),
    ("kick evict oust fire", "remove member"),
    ("uninstall", "delete remove"),
    (
        "kill stop halt abort end terminate",
        "stop cancel delete terminate",
    ),
    ("cancel", "stop delete"),
    ("pause suspend freeze shut", "stop disable"),
    ("create", "add new insert make"),
    ("make build", "create generate"),
    ("generate new setup provision open raise file", "create"),
    ("add", "create insert append attach"),
    ("book schedule", "create event schedule"),
    ("log", "logs add entry"),
    ("sketch draw paint", "create generate image diagram"),
    ("plot graph visualize piechart", "chart graph"),
    ("show", "get list read"),
    ("see view look peek display", "get list read view"),
    ("show tell give fetch grab pull retrieve", "get read"),
    ("read", "get content"),
    ("check", "get status validate"),
    ("find", "search list query"),
    ("search hunt locate lookup", "search find query"),
    ("where", "search find list"),
    ("which what who", "list get"),
    ("list", "get"),
    ("browse explore", "list search"),
    ("count", "get number"),
    ("update", "change edit modify set"),
    (
        "change edit modify alter tweak adjust fix",
        "update edit set",
    ),
    ("set", "update put"),
    ("rename", "move update rename"),
    ("swap replace", "update edit replace override"),
    ("switch", "checkout select set"),
    (
        "bump increase raise enlarge grow shrink lower reduce",
        "update modify scale",
    ),
    ("scale", "update"),
    ("correct typo", "edit update"),
    ("move shift", "move update"),
    ("push", "publish push update"),
    ("send", "post publish"),
    ("text sms", "sms message"),
    ("ping notify tell alert inform", "send notify message"),
    ("mail email email", "email mail message send"),
    ("remember", "memory note write add"),
    ("write jot", "write create add note"),
    ("forget", "delete memory"),
    ("dm chat", "message chat"),
    ("answer respond reply", "reply answer"),
    ("post publish announce share", "post send publish share"),
    ("hand pass forward", "forward assign"),
    ("give assign", "assign grant add"),
    ("run execute launch start", "run start execute trigger"),
    ("rerun", "retry run"),
    ("retry again", "retry"),
    ("restart reboot bounce", "restart"),
    ("deploy ship release", "deploy publish release"),
    (
        "rollback revert undo",
        "rollback revert restore reset version",
    ),
    ("restore recover", "restore version"),
    ("copy clone duplicate", "copy clone fork"),
    ("fork", "clone copy"),
    ("backup snapshot", "snapshot backup export"),
    ("save store keep", "write put save store create upload"),
    ("upload attach put drop stick", "upload put add attach"),
    ("download export", "download get export"),
    ("import load ingest", "import add"),
    ("convert turn transform", "convert"),
    ("compare difference differ", "diff compare"),
    ("merge combine join", "merge"),
    ("approve accept", "approve accept"),
    ("reject decline refuse", "decline reject"),
    ("allow grant permit let", "allow add permission policy role"),
    (
        "forbid block deny ban lock protect",
        "deny protect restrict block",
    ),
    ("hide", "visibility"),
    ("share invite", "share invite add member"),
    ("summarize summary overview", "summary"),
    (
        "analyze investigate examine debug troubleshoot diagnose why",
        "diagnose analyze troubleshoot logs",
    ),
    (
        "wrong broken broke fails failing failed error errors crash crashing dying dies exploded",
        "diagnose error failed logs troubleshoot",
    ),
    ("outage incident down broken", "incident health outage"),
    (
        "outages problem problems issue issues trouble",
        "health issue incident",
    ),
    ("alive up healthy okay", "health status"),
    ("status state", "status get"),
    ("watch monitor", "monitor subscribe"),
    ("follow", "subscribe watch"),
    ("slow performance speed fast", "performance metrics"),
    (
        "metrics stats statistics numbers figures",
        "metrics statistics report",
    ),
    ("cpu ram memory load usage", "usage metrics cpu memory top"),
    ("ram", "memory"),
    ("hog hogs eating", "usage top"),
    (
        "cost price pricing expensive cheap bill spend spending spent money",
        "cost pricing usage",
    ),
    ("quota limit limits capacity", "quota usage limits"),
    (
        "traffic visitors visits visit clicks hits",
        "analytics report traffic",
    ),
    (
        "visitor user people folks person somebody colleague",
        "user member",
    ),
    ("boss supervisor superior", "manager"),
    ("reports", "direct reports"),
    ("team crew group", "team group"),
    ("employee hire colleague coworker user", "user"),
    ("account login", "user account"),
    (
        "password credential credentials token",
        "secret key password",
    ),
    ("secret env", "secret"),
    ("key", "key secret"),
    ("allowed", "permission list"),
    (
        "access rights permission permissions",
        "permission policy role",
    ),
    ("firewall", "firewall rule"),
    ("ip", "ip address firewall"),
    (
        "server machine box vm instance host ec2",
        "vm instance server compute ec2",
    ),
    ("container docker image", "container image"),
    ("k8s kubernetes cluster", "kubectl kubernetes cluster"),
    ("pod", "pod kubectl"),
    ("shell terminal command", "exec command execute"),
    ("tunnel", "port forward tunnel"),
    ("site website page homepage webpage", "web page url site"),
    ("link links url", "url link"),
    ("web internet online google", "web search"),
    ("news latest", "search web news"),
    ("scrape crawl", "scrape crawl extract"),
    ("click button browser", "browser interact click"),
    (
        "paper papers arxiv study studies research",
        "paper research arxiv",
    ),
    ("research", "search report"),
    (
        "doc docs documentation manual",
        "documentation document docs",
    ),
    ("document", "file document"),
    (
        "word docx pdf pptx powerpoint",
        "document file convert markdown",
    ),
    (
        "spreadsheet sheet excel xlsx csv table",
        "excel worksheet table range",
    ),
    ("cell column row columns rows", "range column row table"),
    ("slide slides presentation", "presentation file"),
    (
        "picture photo image pic png jpg jpeg svg selfie logo",
        "image photo media",
    ),
    ("font letters bold typeface", "font format"),
    ("colour color", "color fill format"),
    (
        "sound audio voice aloud loud mp3 wav speech",
        "speech audio",
    ),
    ("transcribe", "transcript speech recognize"),
    ("subtitle", "transcript"),
    ("video", "video media"),
    ("folder directory directories dir", "directory folder"),
    ("folders", "directory"),
    ("disk drive storage", "disk storage drive"),
    ("size huge big large", "size"),
    ("zip compress", "compress gzip archive"),
    ("archive", "move archive"),
    ("meeting call appointment", "event meeting calendar"),
    ("calendar", "event calendar"),
    (
        "free busy available availability",
        "availability schedule free busy presence",
    ),
    ("remind reminder", "reminder"),
    (
        "vacation holiday ooo away sick",
        "automatic reply mailbox settings presence status",
    ),
    ("inbox mailbox", "mail messages"),
    ("newsletter spam junk", "mail rule message"),
    ("rule filter", "rule"),
    ("contact phone number", "contact phone"),
    ("todo todo chore task plate errand shopping", "todo task"),
    ("reaction emoji thumbs like", "reaction emoji"),
    ("conversation", "thread messages chat"),
    (
        "history past earlier previous before",
        "history past version",
    ),
    ("ticket bug story issue", "issue"),
    ("backlog sprint", "sprint board"),
    ("mr", "merge request"),
    ("pr prs", "pull request"),
    ("repo repos repository", "repository"),
    ("stage unstage", "staged reset add"),
    ("ci build pipeline job checks", "pipeline job build"),
    ("cron nightly daily weekly hourly", "schedule cron"),
    ("env environment variable debug", "environment variable env"),
    (
        "config configuration settings setting option options",
        "settings configuration config",
    ),
    ("deploys deployment", "deployment"),
    ("wiki", "page wiki"),
    ("oncall pager", "oncall schedule escalation"),
    ("shift", "schedule override"),
    ("escalate", "escalation"),
    ("responder responders help helper", "responders"),
    ("acknowledge ack", "acknowledge manage incident"),
    ("queue", "queue message"),
    ("bucket s3 blob r2", "bucket object blob storage"),
    ("redis cache memcached", "cache redis"),
    ("database db", "database"),
    ("sql", "query sql database"),
    ("query", "query search"),
    (
        "schema structure fields field",
        "schema mappings describe columns",
    ),
    ("mysql postgres postgresql sqlite", "database query"),
    ("similar alike related same", "similar related query"),
    ("embedding embeddings vector", "embeddings collection"),
    ("knowledge", "memory graph note"),
    ("relation relationship", "relations"),
    ("function lambda", "function"),
    ("dns domain domains", "domain zone"),
    ("worker edge", "worker"),
    ("certificate cert ssl tls", "certificate"),
    ("template boilerplate", "template"),
    ("workflow automation automate flow zapier", "workflow"),
    ("form survey", "form"),
    ("clock time timezone", "time timezone"),
    ("3d model mesh lowpoly", "3d model generate"),
    ("texture material", "texture asset"),
    ("design mockup figma", "figma design"),
    ("think reason", "thinking"),
    ("test tests testing", "test"),
    ("stress hammer", "load test"),
    ("upgrade", "upgrade update"),
    ("chart helm", "helm chart"),
    ("label tag tags", "label tag"),
    ("comment remark", "comment note"),
    ("funnel bail dropoff", "funnel"),
    ("country countries germany", "country dimension"),
    ("realtime", "realtime current"),
    ("recent lately", "recent history"),
    ("now today tonight currently", "current"),
    ("order arrange rank", "sort"),
    ("hop jump", "checkout switch"),
    ("attend attended absent attendees", "attendance"),
    ("duplicate duplicates dedupe twice", "duplicate unique"),
    ("leak leaks heap", "memory"),
    ("leaked compromised stolen", "revoke delete key"),
    ("mute silence snooze", "snooze mute"),
    ("expire expires expiry", "expiration ttl"),
    ("nickname alias", "alias"),
    ("undelete recover", "restore"),
    ("currency dollars euros", "currency exchange convert"),
    ("flight flights hotel trip", "travel search"),
    ("stock shares ticker", "stock price quote"),
    ("directions route", "directions route"),
    ("coordinates", "geocode location"),
    ("nearby nearest", "nearby places search"),
    ("song music playlist", "track playlist"),
    ("subtitles captions youtube", "transcript video"),
    ("screenshot screengrab", "screenshot image"),
    ("invoice refund charge", "invoice payment refund"),
    ("customer client", "customer"),
    ("lead prospect deal", "lead deal contact"),
    ("lint linting", "lint validate"),
    ("grep regex", "search pattern"),
    (
        "library package module dependency",
        "package library dependency",
    ),
    ("vulnerability cve hacked", "security vulnerability audit"),
    ("alarm alarms", "alert"),
    ("unique distinct", "unique"),
    ("average median sum total", "aggregate statistics"),
    ("filter", "filter query"),
    ("join", "join merge"),
    ("blank empty missing", "null empty"),
    ("formula calculate compute", "formula calculate"),
    ("bold italic", "format font"),
    ("header headings heading", "header"),
    ("print output printed", "output log"),
];

/// Phrases of two words, and the words that tools use instead.
const PHRASES: &[(&str, &str)] = &[
    ("get rid", "delete remove"),
    ("throw away", "delete remove"),
    ("throw out", "delete remove"),
    ("clean up", "delete remove"),
    ("chuck out", "delete remove"),
    ("take out", "delete remove"),
    ("take down", "delete remove"),
    ("clear out", "delete remove"),
    ("switch off", "stop disable"),
    ("turn off", "stop disable"),
    ("shut down", "stop disable"),
    ("turn on", "start enable"),
    ("switch on", "start enable"),
    ("spin up", "create start"),
    ("set up", "create start"),
    ("stand up", "create start"),
    ("call it", "move update rename"),
    ("note down", "write create add note"),
    ("note that", "memory note write add"),
    ("kick off", "run start execute trigger"),
    ("fire off", "run start execute trigger"),
    ("run again", "retry run"),
    ("try again", "retry run"),
    ("roll out", "deploy publish release"),
    ("go back", "rollback revert restore reset version"),
    ("roll back", "rollback revert restore reset version"),
    ("put back", "rollback revert restore reset version"),
    ("sign off", "approve accept"),
    ("looks good", "approve accept"),
    ("port forward", "port forward tunnel"),
    ("thumbs up", "reaction emoji"),
    ("on call", "oncall schedule escalation"),
    // `paged` alone has the stem of `page`.
    ("got paged", "oncall schedule escalation"),
    ("get paged", "oncall schedule escalation"),
    ("was paged", "oncall schedule escalation"),
    ("being paged", "oncall schedule escalation"),
    ("paged me", "oncall schedule escalation"),
    ("wake up", "oncall schedule escalation"),
    ("right now", "realtime current"),
    ("this second", "realtime current"),
    ("last week", "recent history"),
    ("this week", "recent history"),
    ("showed up", "attendance"),
    ("show up", "attendance"),
    ("running out", "quota usage limit"),
    ("used up", "quota usage limit"),
    ("who can", "permission list"),
    ("how many", "count list"),
    ("memory leak", "memory usage metrics diagnose"),
    ("scientific article", "paper research"),
    ("merge request", "merge request"),
    ("status page", "status page post"),
    ("merge cells", "merge"),
];

/// The synonyms by stem.
#[derive(Debug)]
pub(super) struct Subjects {
    words: HashMap<String, Vec<&'static str>>,
    phrases: HashMap<(String, String), &'static str>,
}

impl Subjects {
    pub(super) fn new() -> Self {
        let mut words: HashMap<String, Vec<&'static str>> = HashMap::new();
        for (said, meant) in WORDS {
            for word in said.split(' ') {
                let known = words.entry(words::stem(word).into_owned()).or_default();
                for other in meant.split(' ').filter(|other| *other != word) {
                    if !known.contains(&other) {
                        known.push(other);
                    }
                }
            }
        }
        let stem = |word: &str| words::stem(word).into_owned();
        let phrases = PHRASES.iter().filter_map(|(said, meant)| {
            let (first, second) = said.split_once(' ')?;
            Some(((stem(first), stem(second)), *meant))
        });
        Self {
            words,
            phrases: phrases.collect(),
        }
    }

    /// Returns the words that tools use for a person's word.
    pub(super) fn of(&self, word: &str) -> &[&'static str] {
        self.words
            .get(words::stem(word).as_ref())
            .map_or(&[], Vec::as_slice)
    }

    /// Returns the words that tools use for two adjacent words of a person.
    pub(super) fn of_phrase(&self, first: &str, second: &str) -> Option<&'static str> {
        let stem = |word: &str| words::stem(word).into_owned();
        self.phrases.get(&(stem(first), stem(second))).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn word_leads_to_words_of_tools_only() {
        let subjects = Subjects::new();
        assert!(subjects.of("nuking").contains(&"delete"));
        assert!(!subjects.of("delete").contains(&"nuke"));
        assert!(subjects.of("xylophone").is_empty());
        assert_eq!(subjects.of_phrase("get", "rid"), Some("delete remove"));
    }

    #[test]
    fn synonym_is_a_word_and_phrase_is_none() {
        let subjects = Subjects::new();
        for (word, meant) in [
            ("jot", "note"),
            ("start", "trigger"),
            ("ship", "deploy"),
            ("undo", "revert"),
            ("revert", "restore"),
            ("approve", "accept"),
            ("accept", "approve"),
            ("sick", "presence"),
            ("away", "mailbox"),
            ("lately", "history"),
            ("allowed", "permission"),
        ] {
            assert!(subjects.of(word).contains(&meant), "{word}");
        }
        for (first, second, meant) in [
            ("memory", "leaks", "memory usage metrics diagnose"),
            ("status", "page", "status page post"),
            ("got", "paged", "oncall schedule escalation"),
            ("merge", "request", "merge request"),
            ("how", "many", "count list"),
            ("scientific", "articles", "paper research"),
            ("merge", "cells", "merge"),
        ] {
            assert_eq!(subjects.of_phrase(first, second), Some(meant));
        }
        assert!(subjects.of("scientific").is_empty());
        assert!(!subjects.of("page").contains(&"oncall"));
        assert!(!subjects.of("request").contains(&"merge"));
    }
}
