import { use, useEffect, useState } from "react";

import { Button } from "./Button";
import { copyText } from "../lib/copy";
import { SpokenContext } from "../lib/spoken";
import { Icon } from "./Icon";
import { SIGNS } from "./signs";

const copyWhat = (what: string) => `Copy ${what}`;

const SAID_MS = 1_500;

interface Props {
  readonly text: () => string;
  /** What is copied, for a screen reader. */
  readonly what: string;
  /** The word on the button, where it says more than that it copies. */
  readonly shown?: string;
  /** Shows an icon alone. */
  readonly icon?: boolean;
}

/** Copies a text and says so. */
export function CopyButton({ text, what, shown = "Copy", icon = false }: Props) {
  const spoken = use(SpokenContext);
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    const word = (await copyText(text())) ? "Copied" : "Not copied";
    setSaid(word);
    // The button goes on being called what it does.
    spoken?.set(`${what}: ${word}`);
  };
  return (
    <Button
      look="quiet"
      aria-label={copyWhat(what)}
      title={icon ? (said ?? copyWhat(what)) : shown === "Copy" ? undefined : copyWhat(what)}
      className={icon ? "w-7 px-0!" : ""}
      onClick={() => void copy()}
    >
      {icon ? <Icon of={said === "Copied" ? SIGNS.check : SIGNS.copy} size={14} /> : said ?? shown}
    </Button>
  );
}
