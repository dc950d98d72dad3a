//! Errors of variables and examples in `plugin.json`.

use miette::Diagnostic;
use thiserror::Error;

/// An error of a variable or an example in a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Error, Diagnostic)]
pub enum ManifestError {
    #[error("${{PORT}} has no value: this member has no port.")]
    #[diagnostic(help("Only a member with a command and the transport `http` has a port."))]
    NoPort,
    #[error("${{env:{0}}} has no value: the environment has no {0}.")]
    #[diagnostic(help("Set {0} in your login shell, or write the value in plugin.json."))]
    NoVariable(String),
    #[error("${{secret:{0}}} has no value: this secret doesn't exist.")]
    #[diagnostic(help("Set it on the Secrets page, or with `guildhall secret set {0}`."))]
    NoSecret(String),
    #[error("plugin.json already has an example {0}.")]
    #[diagnostic(help("Give this one another name."))]
    ExampleTwice(String),
    #[error("{0} has no place for an example.")]
    #[diagnostic(help("Add it by hand."))]
    NoPlace(String),
    #[error("Adding the example would change other parts of {0}.")]
    #[diagnostic(help("Add it by hand."))]
    NotTheSame(String),
}
