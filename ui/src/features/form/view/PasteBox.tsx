/** The box for pasting JSON arguments. It shows which keys would change before they are replaced or merged. */

import { useEffect, useRef, useState } from "react";

import { Sign } from "../../../components/Icon";
import { number } from "../../../lib/format";
import type { Draft } from "../model/draft";
import { mergedWith, type Pasted, readPaste } from "../model/paste";
import { BUTTON, INPUT } from "./controls";
import { Tooltip } from "../../../components/Tooltip";

interface Props {
  readonly id: string;
  readonly draft: Draft;
  /** The initial text: the pasted text if pasting into the form opened the box, otherwise empty. */
  readonly source: string;
  readonly onDraft: (draft: Draft) => void;
  readonly onClose: () => void;
}

const NAMES_MAX = 6;

function names(keys: readonly string[]): string {
  const shown = keys.slice(0, NAMES_MAX).map((key) => (key === "" ? "“”" : key)).join(", ");
  return keys.length > NAMES_MAX ? `${shown} and ${number(keys.length - NAMES_MAX)} more` : shown;
}

function summaryOf({ changed, added, kept }: Pasted): string {
  const parts = [["sets", added], ["changes", changed], ["does not contain", kept]] as const;
  const words = parts.flatMap(([verb, keys]) => (keys.length === 0 ? [] : [`${verb} ${names(keys)}`]));
  return words.length === 0 ? "It changes nothing." : `It ${words.join(", ")}.`;
}

export function PasteBox({ id, draft, source, onDraft, onClose }: Props) {
  const [text, setText] = useState(source);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const read = text.trim() === "" ? null : readPaste(text, draft);
  const pasted = read !== null && "draft" in read ? read : null;
  const take = (next: Draft) => {
    onDraft(next);
    onClose();
  };
  const taking = { type: "button", className: BUTTON, disabled: pasted === null } as const;
  return (
    // Escape closes the box from every control inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      aria-label="Paste JSON"
      className="my-2 rounded-sm border border-control p-2"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <label htmlFor={id} className="text-sm text-dim">
        Arguments as JSON, for this form
      </label>
      <textarea
        ref={field}
        id={id}
        className={`${INPUT} font-mono text-sm`}
        rows={Math.min(8, Math.max(3, text.split("\n").length))}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={read !== null && pasted === null}
        aria-describedby={`${id}-about`}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p id={`${id}-about`} role="status" className={`text-sm ${read !== null && pasted === null ? "text-bad" : "text-dim"}`}>
        {read === null ? "Paste or type an object." : pasted === null ? <><Sign of="cross" className="me-1" />{"problem" in read ? read.problem : ""}</> : summaryOf(pasted)}
      </p>
      <p className="flex gap-1 pt-1">
        <Tooltip text="Keeps fields that the JSON does not contain">
          <button {...taking} onClick={() => pasted && take(mergedWith(draft, pasted.draft))}>Merge into the form</button>
        </Tooltip>
        <Tooltip text="Clears fields that the JSON does not contain">
          <button {...taking} onClick={() => pasted && take(pasted.draft)}>Replace the form</button>
        </Tooltip>
        <button type="button" className={BUTTON} onClick={onClose}>
          Cancel
        </button>
      </p>
    </section>
  );
}
