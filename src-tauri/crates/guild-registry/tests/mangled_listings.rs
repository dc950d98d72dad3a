//! Tests the parser of registry data with valid and with randomly damaged files.

use guild_client_config::{NewMember, PlaceholderResolver};
use guild_import::install::{InputKind, InstallInputs};
use guild_model::MemberName;
use guild_model::manifest::{self, Origin};
use guild_registry::listing::{
    ENTRY_BYTES_MAX, Installable, LISTED_MAX, RegistryIndex, install_options, parse,
};
use serde_json::{Map, Value, json};

#[test]
fn mangled_listing_is_refused_or_usable() {
    let name = MemberName::parse("made").expect("a name");
    guild_tests::mangled::each("registry-listing", |bytes| {
        let Ok(listing) = parse(bytes) else {
            return;
        };
        assert!(listing.servers.len() <= LISTED_MAX);
        assert!(listing.left_out.len() <= listing.left_out_count);
        for server in &listing.servers {
            assert!(server.name.len() <= 200 && server.name.contains('/'));
            assert!(server.text.get().len() <= ENTRY_BYTES_MAX);
            for way in install_options(server) {
                let Ok(installable) = way.installable else {
                    continue;
                };
                let unknown = installable.plan.unknown_keys(&installable.inputs);
                assert!(unknown.is_empty(), "{unknown:?}");
                made(&name, &installable);
            }
        }
        let names = listing.servers.len();
        let index = RegistryIndex::of(listing);
        assert!(index.search(&[]).len() <= names);
    });
}

/// A secret's value, which no manifest may contain.
const SECRET: &str = "hunter2-and-more";

/// Returns an answer to each input.
fn answers(inputs: &InstallInputs) -> Map<String, Value> {
    let answer = |input: &guild_import::install::InstallInput| {
        let one = match (&input.kind, input.choices.first()) {
            _ if input.secret => json!(SECRET),
            (_, Some(choice)) => json!(choice),
            (InputKind::Number { .. }, _) => json!(7),
            (InputKind::Flag, _) => json!(true),
            (InputKind::Text | InputKind::Folder | InputKind::File, _) => json!("given"),
        };
        let value = if input.several { json!([one]) } else { one };
        (input.key.clone(), value)
    };
    inputs.iter().map(answer).collect()
}

/// Checks that answers to all inputs result in a manifest without the secrets, or in an error.
fn made(name: &MemberName, installable: &Installable) {
    struct Kept;
    impl PlaceholderResolver for Kept {
        fn input(&mut self, _: &str) -> String {
            unreachable!("all are answered")
        }
        fn env(&mut self, name: &str) -> String {
            unreachable!("no listing has a reference to {name}")
        }
        fn secret(&mut self, _: &str, value: &str) -> String {
            assert_eq!(value, SECRET);
            "${secret:kept}".to_owned()
        }
    }
    let answers = json!(answers(&installable.inputs)).to_string();
    let given = installable.inputs.read(&answers);
    let given = given.unwrap_or_else(|errors| panic!("{answers}: {errors:?}"));
    // An option that no manifest can express returns an error.
    let Ok(run) = installable.plan.filled(&given) else {
        return;
    };
    let origin = Origin {
        from: "registry".into(),
        ..Origin::default()
    };
    let text = NewMember::new(name, &run, origin).manifest(&mut Kept);
    assert!(!text.contains(SECRET), "{text}");
    let parsed = manifest::parse(text.as_bytes(), "plugin.json");
    if let Ok(manifest) = parsed.manifest {
        assert_eq!(manifest.transport, installable.transport, "{text}");
    }
}
