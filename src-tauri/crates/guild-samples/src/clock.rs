//! `clock`: the current time, conversion between time zones, and the difference of two times.

use jiff::civil::DateTime;
use jiff::{Timestamp, ZonedDateTime};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::schemars::JsonSchema;
use rmcp::{Json, ServerHandler, schemars, tool, tool_handler, tool_router};
use serde::{Deserialize, Serialize};

use super::as_text;

#[derive(Clone)]
pub(super) struct ClockServer;

#[derive(Deserialize, JsonSchema)]
#[schemars(extend("examples" = [{"time_zone": "Asia/Tokyo"}]))]
struct Now {
    /// Time zone, such as Europe/Berlin. By default, that of this computer.
    time_zone: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(extend("examples" = [
    {"time": "2026-07-01T09:30", "from": "Europe/Berlin", "to": "America/New_York"},
]))]
struct ConvertTime {
    /// Date and time in the first time zone, such as 2026-07-01T09:30
    time: String,
    /// The time zone of this time, such as Europe/Berlin
    from: String,
    /// The time zone to convert to, such as America/New_York
    to: String,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(extend("examples" = [
    {"start": "2026-01-01T00:00:00Z", "end": "2026-12-24T18:00:00+01:00"},
]))]
struct TimeDifference {
    /// Date and time with an offset, such as 2026-01-01T00:00:00Z
    #[schemars(extend("format" = "date-time"))]
    start: String,
    /// Date and time with an offset, such as 2026-12-24T18:00:00+01:00
    #[schemars(extend("format" = "date-time"))]
    end: String,
}

#[derive(Serialize, JsonSchema)]
struct LocalTime {
    time_zone: String,
    /// The time with its offset from UTC
    #[schemars(extend("format" = "date-time"))]
    time: String,
    weekday: String,
    daylight_saving: bool,
}

#[derive(Serialize, JsonSchema)]
struct Conversion {
    from: LocalTime,
    to: LocalTime,
}

#[derive(Serialize, JsonSchema)]
struct Difference {
    days: i64,
    hours: i64,
    minutes: i64,
    seconds: i64,
    /// The whole difference in seconds; negative if the end is before the start
    total_seconds: i64,
}

#[tool_router]
impl ClockServer {
    #[tool(
        title = "Current time",
        description = "Returns the current date and time in a time zone.",
        annotations(read_only_hint = true, open_world_hint = false)
    )]
    fn now(
        &self,
        Parameters(Now { time_zone }): Parameters<Now>,
    ) -> Result<Json<LocalTime>, String> {
        let now = ZonedDateTime::now();
        let now = match time_zone {
            Some(name) => now.in_tz(&name).map_err(as_text)?,
            None => now,
        };
        Ok(Json(local_time(&now)))
    }

    #[tool(
        title = "Convert a time",
        description = "Converts a date and time from one time zone to another.",
        annotations(read_only_hint = true, idempotent_hint = true, open_world_hint = false)
    )]
    fn convert_time(
        &self,
        Parameters(conversion): Parameters<ConvertTime>,
    ) -> Result<Json<Conversion>, String> {
        let time: DateTime = conversion.time.parse().map_err(as_text)?;
        let from = time.in_tz(&conversion.from).map_err(as_text)?;
        let to = from.in_tz(&conversion.to).map_err(as_text)?;
        Ok(Json(Conversion {
            from: local_time(&from),
            to: local_time(&to),
        }))
    }

    #[tool(
        title = "Time difference",
        description = "Returns the time from a start to an end.",
        annotations(read_only_hint = true, idempotent_hint = true, open_world_hint = false)
    )]
    fn time_difference(
        &self,
        Parameters(TimeDifference { start, end }): Parameters<TimeDifference>,
    ) -> Result<Json<Difference>, String> {
        let start: Timestamp = start.parse().map_err(as_text)?;
        let end: Timestamp = end.parse().map_err(as_text)?;
        let seconds = end.as_second() - start.as_second();
        Ok(Json(Difference {
            days: seconds / 86_400,
            hours: seconds / 3_600 % 24,
            minutes: seconds / 60 % 60,
            seconds: seconds % 60,
            total_seconds: seconds,
        }))
    }
}

fn local_time(time: &ZonedDateTime) -> LocalTime {
    let zone = time.time_zone();
    LocalTime {
        time_zone: zone
            .iana_name()
            .map_or_else(|| time.offset().to_string(), str::to_owned),
        time: time.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        weekday: time.strftime("%A").to_string(),
        daylight_saving: zone.to_offset_info(time.timestamp()).dst().is_dst(),
    }
}

#[tool_handler(
    name = "clock",
    instructions = "Times and time zones. Time zones have IANA names, such as Europe/Berlin."
)]
impl ServerHandler for ClockServer {}
