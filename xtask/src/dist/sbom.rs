//! The bill of materials of the programs, in CycloneDX 1.6.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::parts::SbomComponent;
use super::system::DebianPackage;

/// Returns the bill of all components and the system's packages, with the time of the source. The
/// same input gives the same text.
pub(crate) fn text(
    version: &str,
    parts: &[SbomComponent],
    packages: &[DebianPackage],
    time: &str,
) -> String {
    let own = format!("pkg:generic/guild-hall@{version}");
    let known: BTreeSet<String> = parts.iter().map(SbomComponent::address).collect();
    let mut components: Vec<Value> = parts.iter().map(component).collect();
    components.extend(packages.iter().map(component_of_system));
    let mut dependencies = vec![json!({
        "ref": own,
        // The lock file does not show which packages the page uses directly. Rust's standard
        // library is in each program.
        "dependsOn": parts
            .iter()
            .filter(|part| part.own || part.kind != "cargo")
            .map(SbomComponent::address)
            .chain(packages.iter().map(DebianPackage::address))
            .collect::<BTreeSet<_>>(),
    })];
    // The dependencies between the system's packages are unknown, so these packages have no entry.
    dependencies.extend(parts.iter().map(|part| {
        let uses: Vec<&String> = part.uses.intersection(&known).collect();
        json!({ "ref": part.address(), "dependsOn": uses })
    }));
    let mut bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": time,
            "lifecycles": [{ "phase": "build" }],
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "guild-hall",
                "version": version,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            },
        },
        "components": components,
        "dependencies": dependencies,
    });
    bill["serialNumber"] = serial(&bill.to_string()).into();
    format!("{bill:#}\n")
}

fn component(part: &SbomComponent) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": part.address(),
        "name": part.name,
        "version": part.version,
        "scope": "required",
        "licenses": [{ "expression": part.licence }],
        "purl": part.address(),
    });
    if let Some((algorithm, content)) = &part.digest {
        component["hashes"] = json!([{ "alg": algorithm, "content": content }]);
    }
    component
}

/// Returns the entry of a system package with its files. Debian has no SPDX expression of its
/// licences.
fn component_of_system(package: &DebianPackage) -> Value {
    let (source, version) = &package.source;
    let occurrences: Vec<Value> = package
        .places
        .iter()
        .map(|place| json!({ "location": place }))
        .collect();
    json!({
        "type": "library",
        "bom-ref": package.address(),
        "name": package.name,
        "version": package.version,
        "scope": "required",
        "purl": package.address(),
        "pedigree": { "ancestors": [{
            "type": "library",
            "name": source,
            "version": version,
            "purl": package.source_address(),
        }] },
        "evidence": { "occurrences": occurrences },
    })
}

/// Returns a UUID (version 8, custom) that is computed from the bill.
fn serial(bill: &str) -> String {
    let mut bytes = [0; 16];
    for (byte, of_digest) in bytes.iter_mut().zip(Sha256::digest(bill.as_bytes())) {
        *byte = of_digest;
    }
    bytes[6] = (bytes[6] & 0x0f) | 0x80;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex = super::hex(&bytes);
    format!(
        "urn:uuid:{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::parts;
    use super::*;

    const TIME: &str = "2026-01-02T03:04:05Z";

    /// Returns the errors that the schema of CycloneDX 1.6 finds.
    fn faults(bill: &Value) -> Vec<String> {
        let read = |name: &str| -> Value {
            let file = crate::root().join("tests/data/cyclonedx").join(name);
            let text = std::fs::read_to_string(file).expect("a schema");
            serde_json::from_str(&text).expect("JSON")
        };
        let mut registry = jsonschema::Registry::new();
        for (address, file) in [
            (
                "http://cyclonedx.org/schema/spdx.SNAPSHOT.schema.json",
                "spdx.schema.json",
            ),
            (
                "http://cyclonedx.org/schema/jsf-0.82.SNAPSHOT.schema.json",
                "jsf-0.82.schema.json",
            ),
        ] {
            registry = registry.add(address, read(file)).expect("a schema");
        }
        let registry = registry.prepare().expect("the schemas");
        let validator = jsonschema::options()
            .with_registry(&registry)
            .should_validate_formats(true)
            .build(&read("bom-1.6.schema.json"))
            .expect("the schema");
        validator
            .iter_errors(bill)
            .map(|error| error.to_string())
            .collect()
    }

    fn package() -> DebianPackage {
        DebianPackage {
            name: "libstdc++6".into(),
            version: "12.2.0-14+deb12u1".into(),
            architecture: "amd64".into(),
            source: ("gcc-12".into(), "12.2.0-14".into()),
            places: ["usr/lib/a.so", "usr/lib/b.so"].map(String::from).into(),
        }
    }

    fn part(name: &str, own: bool, uses: &[&str]) -> SbomComponent {
        SbomComponent {
            kind: "cargo",
            name: name.into(),
            version: "1.0.0".into(),
            licence: "MIT OR Apache-2.0".into(),
            digest: (!own).then(|| ("SHA-256", "ab".repeat(32))),
            folder: PathBuf::new(),
            own,
            uses: uses.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    #[test]
    fn programs_bill_fits_the_schema() {
        let parts = parts::all(crate::root()).expect("the parts");
        let text = text("0.1.0", &parts, &[], TIME);
        let bill: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(faults(&bill), Vec::<String>::new());
        let components = bill["components"].as_array().expect("components");
        let addresses: BTreeSet<&str> = components
            .iter()
            .filter_map(|one| one["purl"].as_str())
            .collect();
        assert_eq!(addresses.len(), components.len());
        for known in [
            "pkg:cargo/tauri@",
            "pkg:cargo/guild-engine@",
            "pkg:npm/react@",
            "pkg:generic/rust-std@",
        ] {
            let found = components.iter().any(|one| {
                one["purl"]
                    .as_str()
                    .is_some_and(|purl| purl.starts_with(known))
            });
            assert!(found, "{known} is a part");
        }
    }

    #[test]
    fn invalid_bill_of_materials_is_reported() {
        let bill: Value = serde_json::from_str(&text("0.1.0", &[part("a", false, &[])], &[], TIME))
            .expect("JSON");
        assert_eq!(faults(&bill), Vec::<String>::new());
        for (place, wrong) in [
            ("/components/0/type", json!("thing")),
            ("/serialNumber", json!("1")),
            ("/components/0/hashes/0/content", json!("short")),
        ] {
            let mut bill = bill.clone();
            *bill.pointer_mut(place).expect("a place") = wrong;
            assert!(!faults(&bill).is_empty(), "{place}");
        }
    }

    #[test]
    fn only_what_is_listed_is_named_as_used() {
        let parts = [
            part("a", true, &["pkg:cargo/b@1.0.0", "pkg:cargo/c@1.0.0"]),
            part("b", false, &[]),
        ];
        let bill: Value = serde_json::from_str(&text("0.1.0", &parts, &[], TIME)).expect("JSON");
        assert_eq!(
            bill["dependencies"][1]["dependsOn"],
            json!(["pkg:cargo/b@1.0.0"])
        );
        assert_eq!(
            bill["dependencies"][0]["dependsOn"],
            json!(["pkg:cargo/a@1.0.0"])
        );
    }

    #[test]
    fn system_package_lists_files_and_sources() {
        let parts = [part("a", true, &[])];
        let text = text("0.1.0", &parts, &[package()], TIME);
        let bill: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(faults(&bill), Vec::<String>::new());
        let address = "pkg:deb/debian/libstdc%2B%2B6@12.2.0-14%2Bdeb12u1?arch=amd64";
        let component = &bill["components"][1];
        assert_eq!(component["purl"], address);
        assert_eq!(
            component["evidence"]["occurrences"],
            json!([{ "location": "usr/lib/a.so" }, { "location": "usr/lib/b.so" }])
        );
        assert_eq!(
            component["pedigree"]["ancestors"][0]["purl"],
            "pkg:deb/debian/gcc-12@12.2.0-14?arch=source"
        );
        assert_eq!(
            bill["dependencies"][0]["dependsOn"],
            json!(["pkg:cargo/a@1.0.0", address])
        );
        let said = bill["dependencies"].as_array().expect("a list").len();
        assert_eq!(
            said, 2,
            "the bill names no dependencies of a bundled library"
        );
    }

    #[test]
    fn another_bill_has_another_serial_number() {
        assert_eq!(serial("a"), serial("a"));
        assert_ne!(serial("a"), serial("b"));
    }
}
