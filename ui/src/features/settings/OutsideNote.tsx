/** The reason why the desktop does not support a setting, such as the tray icon. */
import { useEffect, useState } from "react";

import type { SettingsState } from "../../ipc/bindings";
import type { Presence } from "../../ipc/outside";
import { ErrorReport } from "../../components/ErrorReport";
import { useDesktop } from "../../lib/desktop";

/** The settings that depend on the desktop, with the field of `Presence` that reports whether each is supported. */
const FOLLOWED: Readonly<Record<string, keyof Presence>> = {
  "window.tray": "tray",
  "window.startAtLogin": "login",
  "notifications.crashLoop": "notifications",
  "shortcut.palette": "shortcut",
};

export function OutsideNote({ setting, known }: { readonly setting: string; readonly known: SettingsState }) {
  const part = FOLLOWED[setting];
  return part === undefined ? null : <Note part={part} known={known} />;
}

function Note({ part, known }: { readonly part: keyof Presence; readonly known: SettingsState }) {
  const { presence } = useDesktop();
  const [answer, setAnswer] = useState<Presence | null>(null);
  useEffect(() => {
    let wanted = true;
    // The state is requested again after each change of the settings. The shell responds after it has applied the
    // change.
    presence?.().then(
      (now) => {
        if (wanted) setAnswer(now);
      },
      () => undefined,
    );
    return () => {
      wanted = false;
    };
  }, [presence, known]);
  const state = answer?.[part];
  return state?.kind === "missing" ? <ErrorReport report={state.report} testid={`outside-${part}`} /> : null;
}
