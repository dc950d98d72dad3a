import { use, useEffect, useState } from "react";

import { Button } from "./Button";
import { copyText } from "../lib/copy";
import { SpokenContext } from "../lib/spoken";
import { Icon } from "./Icon";
import { SIGNS } from "./signs";

const copyWhat = (what: string) => `Copy ${what}`;

const STATUS_MS = 1_500;

interface Props {
  readonly text: () => string;
  /** The name of the copied text, for the accessible label "Copy …" and the announcement. */
  readonly what: string;
  /** The visible label; "Copy" by default. */
  readonly shown?: string;
  /** Whether to show an icon instead of the label. */
  readonly icon?: boolean;
}

/** Copies a text to the clipboard, and shows and announces whether that succeeded. */
export function CopyButton({ text, what, shown = "Copy", icon = false }: Props) {
  const spoken = use(SpokenContext);
  const [status, setStatus] = useState<string | null>(null);
  useEffect(() => {
    if (status === null) return;
    const timer = setTimeout(() => setStatus(null), STATUS_MS);
    return () => clearTimeout(timer);
  }, [status]);
  const copy = async () => {
    const word = (await copyText(text())) ? "Copied" : "Not copied";
    setStatus(word);
    // The accessible label does not change, so the result needs an announcement.
    spoken?.set(`${what}: ${word}`);
  };
  return (
    <Button
      look="quiet"
      aria-label={copyWhat(what)}
      title={icon ? (status ?? copyWhat(what)) : shown === "Copy" ? undefined : copyWhat(what)}
      className={icon ? "w-7 px-0!" : ""}
      onClick={() => void copy()}
    >
      {icon ? <Icon of={status === "Copied" ? SIGNS.check : SIGNS.copy} size={14} /> : status ?? shown}
    </Button>
  );
}
