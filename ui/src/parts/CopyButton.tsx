import { useEffect, useState } from "react";

import { Button } from "./Button";
import { copyText } from "./copy";

const SAID_MS = 1_500;

/** Copies a text and says so. */
export function CopyButton({ text, what }: { text: () => string; what: string }) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <Button
      look="quiet"
      aria-label={`Copy ${what}`}
      onClick={() => void copyText(text()).then((done) => setSaid(done ? "Copied" : "Not copied"))}
    >
      {said ?? "Copy"}
    </Button>
  );
}
