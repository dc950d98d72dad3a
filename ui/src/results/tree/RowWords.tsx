/** What a row of a JSON tree says: its key, and its value or what is inside. */

import { Sign } from "../../parts/Icon";
import { number } from "../../words/format";
import { finish } from "../json/steps";
import { prettySteps } from "../json/pretty";
import { childrenOf, countOf, isContainer, type JsonKind, keyAt, kindOf, lengthOf, sourceOf, stringAt, type Tape } from "../json/tape";
import { Marked, hitsIn } from "../Marked";
import type { TreeRow } from "./rows";

/** A longer text is cut in its row until all of it is asked for. */
const CUT = 300;
/** And even then, no more than this stands in a row. */
const WHOLE = 100_000;

const COLOURS: Readonly<Record<JsonKind, string>> = {
  object: "",
  array: "",
  string: "text-ok",
  number: "text-warn",
  boolean: "text-warn",
  null: "text-faint",
};

interface Props {
  readonly tape: Tape;
  readonly item: TreeRow;
  readonly name: string;
  readonly inList: boolean;
  readonly whole: boolean;
  readonly pattern: RegExp | null;
  readonly words: string;
  readonly current: boolean;
  readonly onWhole: () => void;
}

/** A value as it is copied: a text without its quotes, anything else as JSON. */
export function copyOf(tape: Tape, node: number): string {
  return kindOf(tape, node) === "string" ? stringAt(tape, node) : finish(prettySteps(tape, node));
}

/** A glimpse of what is inside: the first few keys or values. */
function glimpse(tape: Tape, node: number): string {
  const list = kindOf(tape, node) === "array";
  const parts: string[] = [];
  for (const child of childrenOf(tape, node)) {
    if (parts.length === 4) break;
    if (!list) parts.push(String(keyAt(tape, child)).slice(0, 24));
    else if (isContainer(tape, child)) parts.push(kindOf(tape, child) === "array" ? "[…]" : "{…}");
    else parts.push(lengthOf(tape, child) > 24 ? `${tape.source.slice(tape.starts[child], (tape.starts[child] ?? 0) + 22)}…` : sourceOf(tape, child));
  }
  const more = countOf(tape, node) > parts.length ? ", …" : "";
  return parts.join(", ") + more;
}

export function RowWords({ tape, item, name, inList, whole, pattern, words, current, onWhole }: Props) {
  const { node, group } = item;
  if (group !== null) return <span className="text-dim">{group[0]} … {group[1] - 1}</span>;
  const keyHits = inList ? [] : hitsIn(name, pattern);
  const key = (
    <span className={inList ? "text-faint" : "text-accent"}>
      <Marked text={name} at={keyHits} length={words.length} current={current ? 0 : -1} />
    </span>
  );
  if (isContainer(tape, node)) {
    const list = kindOf(tape, node) === "array";
    const count = number(countOf(tape, node));
    return (
      <span className="block truncate">
        {key} <span className="text-dim">{list ? `[ ${count} ]` : `{ ${count} }`}</span>
        {!item.open && <span className="text-faint"> {glimpse(tape, node)}</span>}
      </span>
    );
  }
  const kind = kindOf(tape, node);
  const length = lengthOf(tape, node);
  const room = whole ? WHOLE : CUT;
  const long = length > CUT;
  // A text is shown as JSON writes it, so that its line ends and quotes can be told.
  const shown = length <= room ? sourceOf(tape, node) : tape.source.slice(tape.starts[node], (tape.starts[node] ?? 0) + room);
  const hits = keyHits.length > 0 ? [] : hitsIn(shown, pattern);
  return (
    <>
      {key}
      <span className="text-dim">: </span>
      <span className={`${COLOURS[kind]} whitespace-pre-wrap [overflow-wrap:anywhere]`}>
        <Marked text={shown} at={hits} length={words.length} current={current ? 0 : -1} />
        {length > room && "…"}
      </span>
      {long && (
        <button
          type="button"
          tabIndex={-1}
          className="ms-1 rounded-sm px-1 font-sans text-accent hover:underline"
          onClick={(event) => {
            event.stopPropagation();
            onWhole();
          }}
        >
          {whole ? "show less" : `show all (${number(length)} characters)`}
        </button>
      )}
      {whole && length > WHOLE && (
        <span className="font-sans text-warn"> <Sign of="warning" className="me-1" />{number(length - WHOLE)} more characters: copy the value</span>
      )}
    </>
  );
}
