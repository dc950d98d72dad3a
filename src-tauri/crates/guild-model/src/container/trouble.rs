//! Interprets the error messages of engines.
//!
//! This module knows the messages of Docker 20 to 28 and of Podman 4 and 5. Unknown messages are
//! shown unchanged.

use super::Engine;
use crate::error::{Code, Report};
use crate::messages::{ContainerError, ImageAdvice, Quoted};

/// Maximum size of the inspected part of a message, in bytes.
const INSPECTED_MAX: usize = 16 * 1024;
/// Maximum length of the displayed part of a message, in characters.
const SHOWN_MAX: usize = 400;

/// Checks whether the engine reports that the container is missing or already being removed.
pub fn is_gone(output: &str) -> bool {
    let output = beginning(output).to_lowercase();
    output.contains("no such container")
        || output.contains("no container with")
        || output.contains("is already in progress")
}

/// Checks whether an engine reports that an image is not on this machine.
pub fn is_image_missing(output: &str) -> bool {
    let output = beginning(output).to_lowercase();
    [
        "no such image",
        "image not known",
        "unable to find a match",
        "failed to find image",
    ]
    .iter()
    .any(|words| output.contains(words))
}

/// Returns the report if a message shows that the engine itself does not work, and `None`
/// otherwise.
pub fn of_engine(engine: Engine, output: &str) -> Option<Report> {
    let low = beginning(output).to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| low.contains(word));
    let words = quoted(output);
    // The connection to a registry may also be refused although the engine works.
    let refused = says(&["connection refused"])
        && says(&["docker.sock", "podman.sock"])
        && !says(&["error response from daemon", "pinging container registry"]);
    let trouble = if says(&["permission denied"])
        && says(&["docker.sock", "daemon socket", "podman.sock", "docker api"])
    {
        ContainerError::Denied(words)
    } else if refused
        || says(&[
            "cannot connect to the docker daemon",
            "is the docker daemon running",
            "error during connect",
            "failed to connect to the docker api",
            "cannot connect to podman",
            "unable to connect to podman",
            "docker desktop is not running",
        ])
    {
        match engine {
            Engine::Docker => ContainerError::DockerDown(words),
            Engine::Podman => ContainerError::PodmanDown(words),
        }
    } else if says(&[
        "newuidmap",
        "subuid",
        "subgid",
        "insufficient uids or gids",
        "cannot set up namespace",
        "user namespaces are not enabled",
        "cannot clone: operation not permitted",
    ]) {
        ContainerError::NoIds(words)
    } else if says(&["catatonit", "docker-init"]) && says(&["not found", "no such file"]) {
        ContainerError::NoInit(engine.program(), words)
    } else {
        return None;
    };
    Some(Report::from_error(Code::EngineUnreachable, &trouble))
}

/// Returns the report for an image that could not be pulled.
pub fn of_pull(engine: Engine, image: &str, output: &str) -> Report {
    if let Some(report) = of_engine(engine, output) {
        return report;
    }
    let low = beginning(output).to_lowercase();
    let program = engine.program();
    let next = if low.contains("unauthorized")
        || low.contains("denied")
        || low.contains("authentication required")
    {
        ImageAdvice::Login(program)
    } else if low.contains("manifest unknown") || low.contains("not found") {
        ImageAdvice::CheckTag
    } else if low.contains("no space left") {
        ImageAdvice::MakeRoom(program)
    } else {
        ImageAdvice::ByHand(program, image.to_owned())
    };
    let trouble = ContainerError::NotFetched(image.to_owned(), quoted(output), next);
    Report::from_error(Code::ImageUnavailable, &trouble)
}

/// Returns the report for a missing image that may not be pulled.
pub fn not_there(engine: Engine, image: &str) -> Report {
    let trouble = ContainerError::NotHere(image.to_owned(), engine.program());
    Report::from_error(Code::ImageUnavailable, &trouble)
}

/// Returns the report for a container that did not start. `output` is the output of the engine,
/// which ended with exit code 125.
pub fn of_start(engine: Engine, image: &str, output: &str) -> Option<Report> {
    of_engine(engine, output).or_else(|| is_image_missing(output).then(|| not_there(engine, image)))
}

/// Returns the last line of a message, except references to help such as `See 'docker run --help'`.
fn quoted(output: &str) -> Quoted {
    let line = beginning(output)
        .lines()
        .map(str::trim)
        .rfind(|line| !line.is_empty() && !line.starts_with("See '"));
    let clean = |c: &char| !c.is_control();
    match line {
        Some(line) => {
            let line: String = line.chars().filter(clean).take(SHOWN_MAX).collect();
            Quoted::Says(line.trim_end().to_owned())
        }
        None => Quoted::Nothing,
    }
}

fn beginning(output: &str) -> &str {
    &output[..output.floor_char_boundary(INSPECTED_MAX)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_complaints_have_a_cause_and_a_next_step() {
        let down = "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker \
                    daemon running?";
        let denied = "permission denied while trying to connect to the Docker daemon socket at \
                      unix:///var/run/docker.sock: Get \"http://%2Fvar%2Frun%2Fdocker.sock/v1.50/version\": \
                      dial unix /var/run/docker.sock: connect: permission denied";
        let ids = "ERRO[0000] cannot find UID/GID for user ada: no subuid ranges found for user \"ada\" in \
                   /etc/subuid";
        for (engine, output, part) in [
            (Engine::Docker, down, "is not running"),
            (Engine::Docker, denied, "don't have permission"),
            (Engine::Podman, ids, "no subordinate ids"),
            (
                Engine::Podman,
                "Cannot connect to Podman. Please verify your connection to the Linux system",
                "is not running",
            ),
        ] {
            let report = of_engine(engine, output).expect(output);
            assert_eq!(report.code, Code::EngineUnreachable);
            assert!(report.message.contains(part), "{}", report.message);
            assert!(!report.hint.is_empty());
        }
        assert_eq!(of_engine(Engine::Docker, "Error: bad parameter"), None);
    }

    #[test]
    fn an_image_that_is_not_there_is_told_from_other_trouble() {
        assert!(is_image_missing(
            "Error response from daemon: No such image: a:1"
        ));
        assert!(is_image_missing("Error: a:1: image not known"));
        assert!(!is_image_missing("Cannot connect to the Docker daemon"));
        let report = of_pull(
            Engine::Docker,
            "a:1",
            "pull access denied for a, repository does not exist",
        );
        assert_eq!(report.code, Code::ImageUnavailable);
        assert!(report.hint.contains("docker login"), "{}", report.hint);
    }

    #[test]
    fn registry_refusal_differs_from_engine_refusal() {
        for (engine, output) in [
            (
                Engine::Docker,
                "Error response from daemon: Get \"https://localhost:5000/v2/\": dial tcp \
                 127.0.0.1:5000: connect: connection refused",
            ),
            (
                Engine::Podman,
                "Error: initializing source docker://localhost:5000/a:1: pinging container registry \
                 localhost:5000: Get \"http://localhost:5000/v2/\": dial tcp 127.0.0.1:5000: connect: \
                 connection refused",
            ),
        ] {
            assert_eq!(of_engine(engine, output), None, "{output}");
            let report = of_pull(engine, "localhost:5000/a:1", output);
            assert_eq!(report.code, Code::ImageUnavailable, "{output}");
        }
        for (engine, output) in [
            (
                Engine::Docker,
                "Get \"http://%2Fvar%2Frun%2Fdocker.sock/v1.50/version\": dial unix \
                 /var/run/docker.sock: connect: connection refused",
            ),
            (
                Engine::Podman,
                "Error: unable to connect to Podman socket: Get \"http://d/v5.0.0/libpod/_ping\": dial \
                 tcp 127.0.0.1:53685: connect: connection refused",
            ),
        ] {
            let report = of_pull(engine, "a:1", output);
            assert_eq!(report.code, Code::EngineUnreachable, "{output}");
        }
    }

    #[test]
    fn a_container_that_is_gone_already_was_put_away() {
        for output in [
            "Error response from daemon: No such container: x",
            "Error: no container with name or ID \"x\" found: no such container",
            "Error response from daemon: removal of container x is already in progress",
        ] {
            assert!(is_gone(output), "{output}");
        }
        assert!(!is_gone("Cannot connect to the Docker daemon"));
    }

    proptest! {
        #[test]
        fn any_engine_output_is_bounded(output in ".{0,40000}") {
            let pulled = of_pull(Engine::Podman, "image", &output);
            prop_assert!(pulled.message.chars().count() < SHOWN_MAX + 300);
            let _ = (is_gone(&output), is_image_missing(&output), of_start(Engine::Docker, "image", &output));
        }
    }
}
