//! The endpoint of the gateway in command-line arguments.

use clap::Args;
use clap::error::ErrorKind;
use guild_model::MemberName;
use guild_model::endpoint::Endpoint;
use guild_model::id::NameError;
use guild_model::profile::ProfileName;

/// The argument `--endpoint`.
#[derive(Debug, Args)]
pub(crate) struct EndpointArgs {
    /// Use the endpoint of all members, of one member or of a profile: all, member NAME or profile
    /// NAME [default: all]
    #[arg(long, num_args = 1..=2, value_names = ["KIND", "NAME"])]
    endpoint: Option<Vec<String>>,
}

impl EndpointArgs {
    /// Returns the endpoint. An invalid value ends the program with a usage error.
    pub(crate) fn get(&self) -> Endpoint {
        let given = self.endpoint.as_deref().map(endpoints);
        match given.as_deref() {
            None => Endpoint::All,
            Some([endpoint]) => endpoint.clone(),
            Some(_) => wrong_usage(FORM),
        }
    }
}

/// The argument `--endpoint` of a token, which can be repeated.
#[derive(Debug, Args)]
pub(crate) struct TokenEndpointArgs {
    /// Accept the token only at this endpoint: all (of all members), member NAME or profile NAME.
    /// Can be repeated
    #[arg(long, num_args = 1..=2, value_names = ["KIND", "NAME"])]
    endpoint: Vec<String>,
}

impl TokenEndpointArgs {
    /// Returns the endpoints, or `None` if the argument is missing. An invalid value ends the
    /// program with a usage error.
    pub(crate) fn get(&self) -> Option<Vec<Endpoint>> {
        (!self.endpoint.is_empty()).then(|| endpoints(&self.endpoint))
    }
}

const FORM: &str = "--endpoint is all, member NAME or profile NAME";

/// Reads the words of endpoints. An invalid value ends the program with a usage error.
fn endpoints(words: &[String]) -> Vec<Endpoint> {
    let mut words = words.iter().map(String::as_str);
    let mut read = Vec::new();
    while let Some(kind) = words.next() {
        let mut name = || words.next().unwrap_or_else(|| wrong_usage(FORM));
        read.push(match kind {
            "all" => Endpoint::All,
            "member" => Endpoint::Member {
                member: MemberName::parse(name()).unwrap_or_else(|error| wrong_name(&error)),
            },
            "profile" => Endpoint::Profile {
                profile: profile_name(name()),
            },
            _ => wrong_usage(FORM),
        });
    }
    read
}

/// Parses the name of a profile. An invalid name ends the program with a usage error.
pub(crate) fn profile_name(name: &str) -> ProfileName {
    ProfileName::parse(name).unwrap_or_else(|error| wrong_name(&error))
}

/// Ends the program after an invalid name.
pub(crate) fn wrong_name(error: &NameError) -> ! {
    wrong_usage(&error.0.to_string())
}

/// Ends the program with an error like those of clap.
pub(crate) fn wrong_usage(problem: &str) -> ! {
    clap::Error::raw(ErrorKind::InvalidValue, format!("{problem}\n")).exit()
}
