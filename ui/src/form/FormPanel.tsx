/** The fields of a form. Should they fail to be drawn, the arguments are still edited as JSON. */

import { type Dispatch, type ReactNode, type SetStateAction, useLayoutEffect, useRef, useState } from "react";

import { type Desk, DeskContext, idFrom, ROOT } from "./desk";
import { openGroups } from "./disclosure";
import { type Draft, updateAt } from "./model/draft";
import { drawable } from "./model/fit";
import type { FormNode, UnionNode } from "./model/node";
import { type Problem, useByPlace } from "./useCheck";
import { BUTTON } from "./view/controls";
import { EditorBoundary } from "./view/EditorBoundary";
import { NodeBody } from "./view/NodeBody";
import { NodeRow } from "./view/NodeRow";

interface Props {
  readonly node: FormNode;
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  /** What the ids of this form's controls begin with. */
  readonly prefix: string;
  readonly problems: readonly Problem[];
  /** The groups that a person opened or closed. */
  readonly chosen: ReadonlyMap<string, boolean>;
  readonly setChosen: Dispatch<SetStateAction<ReadonlyMap<string, boolean>>>;
  /** The places that a person edits as JSON. */
  readonly asJson: ReadonlySet<string>;
  readonly setAsJson: Dispatch<SetStateAction<ReadonlySet<string>>>;
  readonly revealed: string | null;
  /** The editor of the whole arguments. */
  readonly whole: ReactNode;
}

export function FormPanel(props: Props) {
  return (
    <EditorBoundary fallback={<Fallback>{props.whole}</Fallback>}>
      <Fields {...props} />
    </EditorBoundary>
  );
}

const NONE: ReadonlySet<string> = new Set();

/** The open groups, which depend on those that were open before. */
function useOpenGroups(node: FormNode, draft: Draft, chosen: ReadonlyMap<string, boolean>): ReadonlySet<string> {
  const [seen, setSeen] = useState(() => ({ draft, chosen, open: openGroups(node, draft, chosen, NONE) }));
  if (seen.draft === draft && seen.chosen === chosen) return seen.open;
  const open = openGroups(node, draft, chosen, seen.open);
  setSeen({ draft, chosen, open });
  return open;
}

function Fields({ node, draft, onDraft, prefix, problems, chosen, setChosen, asJson, setAsJson, revealed, whole }: Props) {
  // Two edits of one moment (a field left by a click) both count.
  const latest = useRef(draft);
  useLayoutEffect(() => {
    latest.current = draft;
  }, [draft]);
  const left = useRef(new Map<string, Map<UnionNode, Map<number, Draft>>>());
  const byPlace = useByPlace(problems);
  const open = useOpenGroups(node, draft, chosen);
  const desk: Desk = {
    edit: (place, change) => {
      latest.current = updateAt(latest.current, place.steps, change);
      onDraft(latest.current);
    },
    problems: byPlace,
    isOpen: (pointer) => open.has(pointer),
    setOpen: (pointer, wanted) => setChosen((held) => new Map(held).set(pointer, wanted)),
    isJson: (pointer) => asJson.has(pointer),
    setJson: (pointer, json) =>
      setAsJson((held) => new Set(json ? [...held, pointer] : [...held].filter((one) => one !== pointer))),
    forgetBelow: (pointer) => {
      const stays = (one: string) => !one.startsWith(`${pointer}/`);
      setChosen((held) => new Map([...held].filter(([one]) => stays(one))));
      setAsJson((held) => new Set([...held].filter(stays)));
      for (const one of left.current.keys()) if (!stays(one)) left.current.delete(one);
    },
    leftAt: (pointer, union) => {
      // One place can hold several unions: one inside another, or one in each variant around it.
      const here = left.current.get(pointer) ?? new Map<UnionNode, Map<number, Draft>>();
      const held = here.get(union) ?? new Map<number, Draft>();
      left.current.set(pointer, here.set(union, held));
      return held;
    },
    forgetLeft: (pointer) => {
      for (const one of left.current.keys()) {
        if (one === pointer || one.startsWith(`${pointer}/`)) left.current.delete(one);
      }
    },
    revealed,
    idOf: (pointer) => idFrom(prefix, pointer),
  };
  return (
    <DeskContext value={desk}>
      <RootRows node={node} draft={draft} whole={whole} wrong={byPlace.has("")} />
    </DeskContext>
  );
}

function Fallback({ children }: { children: ReactNode }) {
  return (
    <>
      <p role="status" className="py-2 text-warn">▲ This form could not be drawn. The arguments are edited as JSON.</p>
      {children}
    </>
  );
}

/** The arguments themselves: rows without a label of their own. */
function RootRows(props: { node: FormNode; draft: Draft; whole: ReactNode; wrong: boolean }) {
  const { node, draft } = props;
  const fits = draft.kind !== "raw" && draft.kind !== "null" && drawable(node, draft);
  // Stays JSON while somebody mends it, so that the editor is not taken away while typing.
  const [mending, setMending] = useState(!fits);
  if (!fits && !mending) setMending(true);
  if (!fits || mending) {
    return (
      <>
        <p className="flex items-center gap-2 py-2 text-sm text-warn">
          The arguments were no value that this form can show; edit them as JSON.
          <button type="button" className={BUTTON} disabled={!fits} onClick={() => setMending(false)}>
            Show the form
          </button>
        </p>
        {props.whole}
      </>
    );
  }
  const plain = node.kind === "object" || node.kind === "union";
  return (
    <>
      {node.warnings.length > 0 && <p className="py-1 text-sm text-warn">▲ {node.warnings.join(" ")}</p>}
      {node.constraints.length > 0 && <p className="py-1 text-sm text-faint">{node.constraints.join(" · ")}</p>}
      {plain ? (
        <NodeBody
          node={node}
          draft={draft}
          place={ROOT}
          label="arguments"
          required
          kept={false}
          describedBy={undefined}
          invalid={props.wrong}
        />
      ) : (
        <NodeRow node={node} draft={draft} place={ROOT} label="arguments" required />
      )}
    </>
  );
}

