import { useState } from "react";

import { asRefusal } from "../ipc/bridge";
import { useDesktop } from "../lib/desktop";
import { Button } from "./Button";
import { Icon, Sign } from "./Icon";
import { Reported } from "./Reported";
import { SIGNS, type SignName } from "./signs";
import { useOperation } from "../lib/useOperation";

interface Props {
  /** The label of the button, and its label while the file is being written. */
  label: string;
  busyLabel: string;
  /** An icon to show instead of the label. */
  icon?: SignName;
  title: string;
  /** Whether the file would be empty. The button is then disabled. */
  empty: boolean;
  suggestedName: () => string;
  /** Writes the file. Returns the confirmation to show to the user. */
  write: (path: string) => Promise<string>;
}

/** A button that writes a file to a path that the user selects. Renders nothing if no file dialog is available. */
export function WriteFileButton({ label, busyLabel, icon, title, empty, suggestedName, write }: Props) {
  const { pickPath } = useDesktop();
  const [written, setWritten] = useState("");
  const { go, busy, problem } = useOperation();
  if (!pickPath) return null;
  const choose = () =>
    go(async () => {
      setWritten("");
      try {
        const path = await pickPath({ kind: "new-file", suggestedName: suggestedName() });
        if (path !== null) setWritten(await write(path));
        return null;
      } catch (reason) {
        return asRefusal(reason).report;
      }
    });
  return (
    <>
      <Button
        look="quiet"
        aria-label={icon && label}
        title={title}
        unavailable={busy ? "It is being written" : empty ? "There is nothing to write" : undefined}
        onClick={() => void choose()}
      >
        {icon ? <Icon of={SIGNS[icon]} /> : busy ? busyLabel : label}
      </Button>
      <span data-testid="file-written" role="status" className="max-w-full min-w-0 text-sm break-words text-dim empty:hidden">{written}</span>
      {problem && (
        <span role="alert" className="max-w-full min-w-0 text-sm break-words">
          <span className="text-bad"><Sign of="cross" className="me-1" />Not written:</span> <Reported report={problem} />
        </span>
      )}
    </>
  );
}
