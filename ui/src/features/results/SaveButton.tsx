import { createContext, use, useState } from "react";

import { asRefusal, type SaveFile } from "../../ipc/bridge";
import { IconButton } from "../../components/IconButton";

/** Saves a file. Resolves to its path, or to `null` if the user closed the file dialog. */
export type Save = (file: SaveFile) => Promise<string | null>;

/** The function that saves a file; `null` if the window can't save files. The Save button is then hidden. */
export const SaveContext = createContext<Save | null>(null);

interface Props {
  readonly what: string;
  readonly name: string;
  readonly text?: () => string;
  readonly base64?: () => string;
}

/**
 * Replaces characters that are not valid in file names on every operating system. Keeps at most the last 120
 * characters.
 */
function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._ -]+/gu, "-").slice(-120);
}

/** A button that saves text or base64 data as a file, and then shows the path of the file. */
export function SaveButton({ what, name, text, base64 }: Props) {
  const save = use(SaveContext);
  const [status, setStatus] = useState("");
  if (save === null) return null;
  const press = () => {
    const content = base64 ? { base64: base64() } : { text: text?.() ?? "" };
    save({ suggestedName: fileName(name), content }).then(
      (path) => setStatus(path === null ? "" : `Saved as ${path}`),
      (reason: unknown) => setStatus(`Couldn't save: ${asRefusal(reason).report.message}`),
    );
  };
  return (
    <>
      <IconButton icon="download" label={`Download ${what}`} onClick={press} />
      <span role="status" className="min-w-0 truncate text-sm text-dim empty:hidden">{status}</span>
    </>
  );
}
