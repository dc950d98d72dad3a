import { createContext, use, useState } from "react";

import type { SaveFile } from "../bridge/bridge";
import { asRefusal } from "../bridge/bridge";
import { Button } from "../parts/Button";

/** How a file is saved: answers its path, or nothing when the person thought better of it. */
export type Save = (file: SaveFile) => Promise<string | null>;

/** Absent where the window can't save: there is then no button for it. */
export const SaveContext = createContext<Save | null>(null);

interface Props {
  readonly what: string;
  readonly name: string;
  readonly text?: () => string;
  readonly base64?: () => string;
}

/** Letters that every system takes in a file's name. */
function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._ -]+/gu, "-").slice(-120);
}

/** Saves a text or bytes as a file and says where. */
export function SaveButton({ what, name, text, base64 }: Props) {
  const save = use(SaveContext);
  const [said, setSaid] = useState("");
  if (save === null) return null;
  const press = () => {
    const content = base64 ? { base64: base64() } : { text: text?.() ?? "" };
    save({ suggestedName: fileName(name), content }).then(
      (path) => setSaid(path === null ? "" : `Saved as ${path}`),
      (reason: unknown) => setSaid(`Not saved: ${asRefusal(reason).report.message}`),
    );
  };
  return (
    <>
      <Button look="quiet" aria-label={`Save ${what}`} onClick={press}>Save</Button>
      <span role="status" className="min-w-0 truncate text-sm text-dim empty:hidden" title={said}>{said}</span>
    </>
  );
}
