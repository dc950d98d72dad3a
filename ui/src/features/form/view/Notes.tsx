/** The texts below a control: description, limits, examples, default, warnings and problems. */

import { Sign } from "../../../components/Icon";
import { put, type Place, useFormCommands } from "../commands";
import type { Draft } from "../model/draft";
import { drawable } from "../model/fit";
import type { FormNode } from "../model/node";
import { fallbackOf } from "../model/start";
import { valueLabels } from "../model/labels";
import { ASIDE } from "./aside";
import { BUTTON } from "./controls";
import { Words } from "./Words";

/** The name of each kind of value, as used in a sentence. */
const VALUE_WORDS: Record<Draft["kind"], string> = {
  absent: "nothing",
  null: "null",
  boolean: "yes or no",
  number: "a number",
  string: "a text",
  array: "a list",
  object: "an object",
  raw: "unfinished JSON",
};

/**
 * The reason why a value is shown as JSON although the user did not choose JSON; `null` if the value is shown as
 * fields.
 */
function reasonForJson(node: FormNode, draft: Draft): string | null {
  if (draft.kind === "raw" || drawable(node, draft)) return null;
  if (node.kind === "never") return "The schema allows no value here.";
  if (draft.kind === "string" && node.kind === "string") return "Shown as JSON: a text field would change its line ends.";
  return `Shown as JSON: it holds ${VALUE_WORDS[draft.kind]} that its field can't show.`;
}

interface NotesOf {
  readonly description: string;
  readonly constraints: readonly string[];
  readonly warnings: readonly string[];
  readonly reason: string | null;
  readonly problems: readonly string[];
  /** The default as text; `null` if there is none, or if the control shows it. */
  readonly fallback: string | null;
  /** The id suffixes of the notes that `aria-describedby` of the control refers to. */
  readonly ids: readonly string[];
}

/**
 * Reduces a name to its letters and digits in lower case, to find titles that only repeat the name, such as `Max items`
 * for `max_items`.
 */
const plainly = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

export function notesOf(row: {
  node: FormNode;
  drawn: FormNode;
  draft: Draft;
  label: string;
  problems: readonly string[];
}): NotesOf {
  const { node, drawn, draft, label, problems } = row;
  const title = node.title !== undefined && plainly(node.title) !== plainly(label) ? `${node.title}.` : "";
  const description = [title, node.description ?? ""].filter((part) => part !== "").join(" ");
  const constraints = node === drawn ? node.constraints : [...new Set([...node.constraints, ...drawn.constraints])];
  const fallback = draft.kind === "absent" && GROUPS.has(node.kind) ? fallbackOf(node) : undefined;
  return {
    description,
    constraints,
    warnings: [...node.warnings, ...(drawn === node ? [] : drawn.warnings)],
    reason: reasonForJson(node, draft),
    problems,
    fallback: fallback === undefined || node.secret ? null : (valueLabels([fallback, ...node.examples], 80)[0] ?? null),
    ids: [
      ...(description === "" ? [] : ["-about"]),
      ...(constraints.length === 0 ? [] : ["-limits"]),
      ...(problems.length === 0 ? [] : ["-wrong"]),
    ],
  };
}

/** Kinds whose control can't show a default, so that the notes show it. */
const GROUPS = new Set<FormNode["kind"]>(["object", "array", "union", "any"]);

interface Props {
  readonly id: string;
  readonly notes: NotesOf;
  readonly node: FormNode;
  readonly draft: Draft;
  readonly place: Place;
  readonly label: string;
}

export function Notes({ id, notes, node, draft, place, label }: Props) {
  const { description, constraints, warnings, reason, problems, fallback } = notes;
  return (
    <>
      {description !== "" && <Words id={`${id}-about`} text={description} />}
      {constraints.length > 0 && (
        <p id={`${id}-limits`} className="mt-1 text-sm text-faint [overflow-wrap:anywhere]">
          {constraints.join(" · ")}
        </p>
      )}
      {fallback !== null && <p className="truncate text-sm text-faint">{fallback} (default)</p>}
      {draft.kind === "absent" && node.examples.length > 0 && !node.secret && (
        <Examples node={node} place={place} label={label} />
      )}
      {warnings.length > 0 && <p className="text-sm text-warn"><Sign of="warning" className="me-1" />{warnings.join(" ")}</p>}
      {reason !== null && <p data-testid="json-reason" className="text-sm text-warn">{reason}</p>}
      {problems.length > 0 && (
        <p id={`${id}-wrong`} className="text-sm text-bad"><Sign of="cross" className="me-1" />{problems.join(" ")}</p>
      )}
    </>
  );
}

/** The examples of the schema as buttons. A click sets the example as the value. */
function Examples({ node, place, label }: Pick<Props, "node" | "place" | "label">) {
  const form = useFormCommands();
  const fallback = fallbackOf(node);
  const labels = valueLabels([...node.examples, ...(fallback === undefined ? [] : [fallback])], 60);
  return (
    <p className="mt-1 flex flex-wrap items-baseline gap-1 text-sm text-faint">
      Example
      {node.examples.map((example, index) => {
        const shown = labels[index] ?? "";
        return (
          <button
            key={index}
            type="button"
            {...ASIDE}
            className={`${BUTTON} max-w-full truncate rounded-full font-mono`}
            aria-label={`Set ${label} to the example ${shown}`}
            onClick={() => {
              put(form, place, example);
              form.focus(place.pointer);
            }}
          >
            {shown}
          </button>
        );
      })}
    </p>
  );
}
