/** The fields of a form. If rendering them throws, the arguments are shown in a JSON editor instead. */

import {
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";

import type { PickPath } from "../../ipc/bridge";
import { Sign } from "../../components/Icon";
import { drawNow } from "../../lib/drawNow";
import { type FormCommands, FormCommandsContext, idFrom, type Marks, type Place, useFormCommands } from "./commands";
import { openGroups } from "./disclosure";
import type { FieldContext } from "./model/aids";
import { at, type Draft, updateAt } from "./model/draft";
import { drawable } from "./model/fit";
import type { FormNode, UnionNode } from "./model/node";
import { shownPlace } from "./model/places";
import { messagesByPlace, type Problem } from "./useCheck";
import { firstStop } from "./view/aside";
import { BUTTON } from "./view/controls";
import { EditorBoundary } from "./view/EditorBoundary";
import { NodeBody } from "./view/NodeBody";
import { NodeRow } from "./view/NodeRow";
import { RowContext } from "./view/row";

interface Props {
  readonly node: FormNode;
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  /** The prefix of the DOM ids of this form's controls. */
  readonly prefix: string;
  readonly problems: readonly Problem[];
  /** The groups that the user expanded (true) or collapsed (false), by JSON Pointer. */
  readonly chosen: ReadonlyMap<string, boolean>;
  readonly setChosen: Dispatch<SetStateAction<ReadonlyMap<string, boolean>>>;
  /** The JSON Pointers of values that the user chose to edit as JSON. */
  readonly asJson: ReadonlySet<string>;
  readonly setAsJson: Dispatch<SetStateAction<ReadonlySet<string>>>;
  /** Whether the form shows the input for an undeclared argument. */
  readonly addsArgument?: boolean;
  readonly revealed: string | null;
  /** The tool's name on the first line, and its description on the following lines. */
  readonly about?: string;
  readonly pickPath: ((wanted: PickPath) => Promise<string | null>) | undefined;
  /** The JSON editor for all arguments, shown if they can't be shown as fields. */
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

/** The expanded groups. They depend on the previous result, and the same set is returned if nothing changed. */
function useOpenGroups(node: FormNode, draft: Draft, chosen: ReadonlyMap<string, boolean>): ReadonlySet<string> {
  const [seen, setSeen] = useState(() => ({ draft, chosen, open: openGroups(node, draft, chosen, NONE) }));
  if (seen.draft === draft && seen.chosen === chosen) return seen.open;
  const found = openGroups(node, draft, chosen, seen.open);
  const same = found.size === seen.open.size && [...found].every((one) => seen.open.has(one));
  const open = same ? seen.open : found;
  setSeen({ draft, chosen, open });
  return open;
}

function rowsId(prefix: string): string {
  return `${prefix}-rows`;
}

/** Creates the form's commands. The object stays the same but always uses the newest props. */
function useCommands(props: Props, setAdding: Dispatch<SetStateAction<ReadonlySet<string>>>): FormCommands {
  const { prefix, setChosen, setAsJson } = props;
  // One click can cause two edits: the click blurs a field, which then commits its text. The second edit must be based
  // on the result of the first.
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const left = useRef(new Map<string, Map<UnionNode, Map<number, Draft>>>());
  const canPick = props.pickPath !== undefined;
  const { node, about = "" } = props;
  const around = useMemo((): FieldContext => {
    const drawn = node.kind === "object" ? node.order : [];
    return { names: new Set(drawn.map((name) => name.toLowerCase())), about };
  }, [node, about]);
  return useMemo((): FormCommands => {
    const focus = (pointer: string, ending = "") => {
      drawNow();
      const id = idFrom(prefix, pointer);
      const target = document.getElementById(id + ending) ?? document.getElementById(`${id}-variant`);
      target?.scrollIntoView({ block: "nearest" });
      // If the control does not exist or is no longer shown, the container of the rows gets the focus instead.
      (target ?? document.getElementById(rowsId(prefix)))?.focus({ preventScroll: target === null });
    };
    return {
      edit: (place, change) => {
        const draft = updateAt(latest.current.draft, place.steps, change);
        latest.current = { ...latest.current, draft };
        latest.current.onDraft(draft);
      },
      now: (place) => at(latest.current.draft, place.steps),
      setOpen: (pointer, wanted) => setChosen((held) => new Map(held).set(pointer, wanted)),
      setJson: (pointer, json) =>
        setAsJson((held) => {
          if (held.has(pointer) === json) return held;
          return new Set(json ? [...held, pointer] : [...held].filter((one) => one !== pointer));
        }),
      forgetBelow: (pointer) => {
        const stays = (one: string) => !one.startsWith(`${pointer}/`);
        setChosen((held) => new Map([...held].filter(([one]) => stays(one))));
        setAsJson((held) => new Set([...held].filter(stays)));
        for (const one of left.current.keys()) if (!stays(one)) left.current.delete(one);
      },
      leftAt: (pointer, union) => {
        // Several unions can share one pointer: nested unions, or one in each variant of an outer union.
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
      addKey: (pointer) => {
        setChosen((held) => new Map(held).set(pointer, true));
        setAdding((held) => new Set(held).add(pointer));
        focus(pointer, "-add");
      },
      idOf: (pointer) => idFrom(prefix, pointer),
      around,
      focus,
      focusFirst: (pointer) => {
        drawNow();
        const rows = document.getElementById(rowsId(prefix))?.querySelectorAll<HTMLElement>("[data-place]") ?? [];
        const row = [...rows].find((one) => one.dataset["place"] === pointer);
        const target = row === undefined ? undefined : firstStop(row);
        if (target === undefined) focus(pointer);
        else {
          target.scrollIntoView({ block: "nearest" });
          target.focus();
        }
      },
      pickPath: canPick ? (wanted) => latest.current.pickPath?.(wanted) ?? Promise.resolve(null) : null,
    };
  }, [prefix, setChosen, setAsJson, setAdding, canPick, around]);
}

function Fields(props: Props) {
  const { node, draft, prefix, problems, chosen, asJson, addsArgument = false, revealed, whole } = props;
  /** The objects that show the input for a new key. */
  const [asked, setAsked] = useState(NONE);
  const adding = useMemo(() => (addsArgument ? new Set([...asked, ""]) : asked), [addsArgument, asked]);
  const form = useCommands(props, setAsked);
  const open = useOpenGroups(node, draft, chosen);
  // A problem inside a value without a row is shown at the closest ancestor with a row. The result is compared as
  // a string, so that `marks` changes only when a problem moves.
  const placed = JSON.stringify(problems.map((one) => ({ ...one, pointer: shownPlace(node, draft, one.pointer, asJson) })));
  const byPlace = useMemo(() => messagesByPlace(JSON.parse(placed) as Problem[]), [placed]);
  const marks = useMemo(
    (): Marks => ({ open, json: asJson, adding, problems: byPlace, revealed }),
    [open, asJson, adding, byPlace, revealed],
  );
  return (
    <FormCommandsContext value={form}>
      <RowContext value={NodeRow}>
        <div id={rowsId(prefix)} tabIndex={-1} className="max-w-[640px] outline-none">
          <RootRows node={node} draft={draft} marks={marks} whole={whole} />
        </div>
      </RowContext>
    </FormCommandsContext>
  );
}

function Fallback({ children }: { children: ReactNode }) {
  return (
    <>
      <p role="status" data-testid="form-failed" className="py-2 text-warn"><Sign of="warning" className="me-1" />This form could not be drawn. Edit the arguments as JSON.</p>
      {children}
    </>
  );
}

/** The rows of the top-level arguments, which have no label for the object as a whole. */
function RootRows(props: { node: FormNode; draft: Draft; marks: Marks; whole: ReactNode }) {
  const { node, draft, marks } = props;
  const form = useFormCommands();
  const [place] = useState<Place>({ pointer: "", steps: [] });
  const fits = draft.kind !== "raw" && draft.kind !== "null" && drawable(node, draft);
  // Once shown, the JSON editor stays until the user switches back, so that it does not disappear while typing.
  const [mending, setMending] = useState(!fits);
  if (!fits && !mending) setMending(true);
  if (!fits || mending) {
    return (
      <>
        <p data-testid="form-unfit" className="flex items-center gap-2 py-2 text-sm text-warn">
          This form can't show the arguments. Edit them as JSON.
          <button
            type="button"
            className={BUTTON}
            disabled={!fits}
            onClick={() => {
              setMending(false);
              form.focus("");
            }}
          >
            Show the form
          </button>
        </p>
        {props.whole}
      </>
    );
  }
  const plain = node.kind === "object" || node.kind === "union";
  const reported = marks.problems.get("") ?? [];
  return (
    <>
      {node.warnings.length > 0 && <p className="py-1 text-sm text-warn"><Sign of="warning" className="me-1" />{node.warnings.join(" ")}</p>}
      {node.constraints.length > 0 && <p className="py-1 text-sm text-faint">{node.constraints.join(" · ")}</p>}
      {plain ? (
        <NodeBody
          node={node}
          draft={draft}
          place={place}
          marks={marks}
          label="arguments"
          required
          kept={false}
          describedBy={undefined}
          invalid={reported.length > 0}
        />
      ) : (
        <NodeRow node={node} draft={draft} place={place} marks={marks} label="arguments" required />
      )}
    </>
  );
}
