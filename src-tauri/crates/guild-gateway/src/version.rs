//! The supported versions of the protocol.

/// A version with `initialize`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Legacy {
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
}

impl Legacy {
    /// The newest version with `initialize`.
    pub(super) const NEWEST: Self = Self::V2025_11_25;

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        [Self::V2025_11_25, Self::V2025_06_18, Self::V2025_03_26]
            .into_iter()
            .find(|version| version.as_str() == text)
    }
}

/// The version without `initialize`.
pub(super) const MODERN: &str = "2026-07-28";
/// All versions, the newest first, as JSON.
pub(super) const SUPPORTED: &str = r#"["2026-07-28","2025-11-25","2025-06-18","2025-03-26"]"#;

/// The protocol version of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RequestVersion {
    /// A version with `initialize`.
    Legacy(Legacy),
    /// The version 2026-07-28.
    Modern,
}

impl RequestVersion {
    /// Whether this is the version without `initialize`.
    pub(super) fn is_modern(self) -> bool {
        self == Self::Modern
    }
}
