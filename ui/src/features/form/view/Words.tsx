/** A text from a server, rendered as plain text. Long texts are cut, with a button to show the rest. */

import { useState } from "react";

import { ASIDE } from "./aside";

const CLAMP = 180;

export function Words({ id, text, className = "" }: { id?: string; text: string; className?: string }) {
  const [whole, setWhole] = useState(false);
  const long = text.length > CLAMP || text.split("\n").length > 3;
  const cut = text.split("\n").slice(0, 3).join("\n").slice(0, CLAMP);
  return (
    <p id={id} className={`mt-1 text-sm whitespace-pre-wrap text-dim [overflow-wrap:anywhere] ${className}`}>
      {long && !whole ? `${cut}… ` : `${text} `}
      {long && (
        <button type="button" {...ASIDE} className="text-accent" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? "Less" : "More"}
        </button>
      )}
    </p>
  );
}
