//! `ui/src/words/XX/errors.ts`: what the codes mean, for the window, as the command line has it.

use std::fmt::Write as _;

use guild_core::Code;
use guild_core::language::Language;

use super::typescript::quoted;

/// The words of one language that is not the reports' own.
pub(crate) fn in_language(language: Language) -> String {
    let name = match language {
        Language::En => "en",
        Language::De => "de",
    };
    let mut out = format!(
        "// Written by `cargo xtask codegen` from `guild_core::error`; edit that and run it again.\n\
         import type {{ Code }} from \"../../bridge/bindings\";\n\
         import type {{ CodeWords }} from \"../report\";\n\n\
         /** What each code of the engine means. What happened exactly, the engine's own words say below. */\n\
         export const {name}: Record<Code, CodeWords> = {{\n"
    );
    for &code in Code::ALL {
        let Some(words) = code.words(language) else {
            continue;
        };
        // Writing to a text does not fail.
        let _ = write!(
            out,
            "  {}: {{\n    what: {},\n    hint: {},\n  }},\n",
            quoted(code.as_str()),
            quoted(words.what),
            quoted(words.hint)
        );
    }
    out.push_str("};\n");
    out
}
