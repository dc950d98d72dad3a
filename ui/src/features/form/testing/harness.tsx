/** Renders a form in a test, and stores the form's draft in the same way as the window. */

import { act, cleanup, fireEvent, render } from "@testing-library/react";
import { useState } from "react";
import { afterEach, vi } from "vitest";

import type { ArgumentError, ToolDetail } from "../../../ipc/bindings";
import type { PickPath } from "../../../ipc/bridge";
import { type Draft } from "../model/draft";
import { draftFromJson, toJsonText } from "../model/json";
import { firstDraft, ToolForm } from "../ToolForm";

afterEach(cleanup);
// Large forms render slowly on a busy machine.
vi.setConfig({ testTimeout: 30_000 });

export function toolWith(schema: unknown, name = "tool"): ToolDetail {
  return {
    summary: {
      member: "forge",
      name,
      title: null,
      summary: "",
      mark: null,
      hints: { readOnly: null, destructive: null, idempotent: null, openWorld: null },
    },
    description: "Does a thing.",
    provenance: "live",
    found: null,
    freshness: "live",
    inputSchema: JSON.stringify(schema),
    outputSchema: null,
    schemaNotes: [],
    raw: "{}",
    callTimeoutMs: 30_000,
    suspicions: [],
  };
}

/** The number of elements inside a container. */
export function sizeOf(container: HTMLElement): number {
  return container.querySelectorAll("*").length;
}

interface Shown {
  readonly ran: string[];
  readonly sent: string[];
  readonly checked: string[];
  readonly container: HTMLElement;
  /** The current arguments as the JSON text that would be sent. */
  readonly text: () => string;
  readonly draft: () => Draft;
  readonly unmount: () => void;
  /** Presses Ctrl+Enter and waits for the validation. */
  readonly run: () => Promise<void>;
}

interface Options {
  /** The initial value of the form, as JSON text. */
  readonly json?: string;
  readonly errors?: (text: string) => ArgumentError[];
  readonly pickPath?: (wanted: PickPath) => Promise<string | null>;
}

export function showForm(schema: unknown, options: Options = {}): Shown {
  const tool = toolWith(schema);
  const ran: string[] = [];
  const sent: string[] = [];
  const checked: string[] = [];
  const answered = (text: string): ArgumentError[] => {
    checked.push(text);
    return options.errors?.(text) ?? [];
  };
  let latest: Draft = options.json === undefined ? firstDraft(tool) : draftFromJson(options.json);
  function Page() {
    const [draft, setDraft] = useState(latest);
    const [refused, setRefused] = useState<ArgumentError[]>([]);
    return (
      <ToolForm
        tool={tool}
        draft={draft}
        onDraft={(next) => {
          latest = next;
          setDraft(next);
          setRefused([]);
        }}
        onRun={(text) => {
          const errors = answered(text);
          if (errors.length === 0) ran.push(text);
          setRefused(errors);
        }}
        refused={refused}
        onSendAnyway={(text) => sent.push(text)}
        check={(text) => {
          return Promise.resolve({ errors: answered(text), notes: [] });
        }}
        pickPath={options.pickPath}
      />
    );
  }
  const { container, unmount } = render(<Page />);
  return {
    ran,
    sent,
    checked,
    container,
    unmount,
    run: async () => {
      const panel = container.querySelector("[role=tabpanel]");
      if (panel === null) throw new Error("There is no form.");
      await act(async () => {
        fireEvent.keyDown(panel, { key: "Enter", ctrlKey: true });
        await Promise.resolve();
      });
    },
    draft: () => latest,
    text: () => {
      const written = toJsonText(latest);
      return "ok" in written ? written.ok : `✕ ${written.errors.map((one) => `${one.pointer}: ${one.message}`).join("; ")}`;
    },
  };
}
