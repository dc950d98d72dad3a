//! Which endpoint of the gateway is meant, as it is typed.

use std::fmt::Display;

use clap::Args;
use clap::error::ErrorKind;
use guild_core::MemberName;
use guild_core::agents::{Endpoint, ProfileName};

/// Which endpoint is meant.
#[derive(Debug, Args)]
pub(crate) struct EndpointArgs {
    /// `all`, `member NAME` or `profile NAME` [default: all].
    #[arg(long, num_args = 1..=2, value_names = ["KIND", "NAME"])]
    endpoint: Option<Vec<String>>,
}

impl EndpointArgs {
    /// The endpoint. Words that name none end the program, as any other wrong usage does.
    pub(crate) fn get(&self) -> Endpoint {
        let words: Vec<&str> = match &self.endpoint {
            None => vec!["all"],
            Some(words) => words.iter().map(String::as_str).collect(),
        };
        match words[..] {
            ["all"] => Endpoint::All,
            ["member", name] => Endpoint::Member {
                member: MemberName::parse(name).unwrap_or_else(|error| wrong_usage(error)),
            },
            ["profile", name] => Endpoint::Profile {
                profile: ProfileName::parse(name).unwrap_or_else(|error| wrong_usage(error)),
            },
            _ => wrong_usage("--endpoint is all, member NAME or profile NAME"),
        }
    }
}

/// Ends the program as the reader of its words does.
pub(crate) fn wrong_usage(problem: impl Display) -> ! {
    clap::Error::raw(ErrorKind::InvalidValue, format!("{problem}\n")).exit()
}
