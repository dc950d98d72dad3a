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
        let given: Vec<&str> = match &self.endpoint {
            None => vec!["all"],
            Some(given) => given.iter().map(String::as_str).collect(),
        };
        match given[..] {
            ["all"] => Endpoint::All,
            ["member", name] => Endpoint::Member {
                member: MemberName::parse(name).unwrap_or_else(|error| wrong_name(&error)),
            },
            ["profile", name] => Endpoint::Profile {
                profile: profile_name(name),
            },
            _ => wrong_usage("--endpoint is all, member NAME or profile NAME"),
        }
    }
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
