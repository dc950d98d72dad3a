/**
 * Decides which groups of a form are expanded. The number of rows that expand automatically is limited for
 * every schema: required and filled groups expand first, outer groups before inner ones.
 */

import { evaluated, fieldStateOf } from "./model/conditions";
import { childOf, type Draft } from "./model/draft";
import { extraNode } from "./model/fit";
import type { Field, FormNode } from "./model/node";
import { drawnNode } from "./model/places";
import { childPointer } from "./model/pointer";

/** Maximum rows in groups that expand automatically. */
const ROWS_MAX = 110;
/** Additional rows for groups that were already open, so that they do not collapse while the user fills others. */
const ROWS_KEPT = 60;
/** Groups nested deeper than this stay collapsed until the user expands them. */
const DEPTH_MAX = 12;
/** Fields, items or keys that the root shows at first. */
const PAGE = 40;
/**
 * Fields, items or keys that a nested group shows at first. Fewer than in the root, because several groups may be
 * open at once.
 */
const PAGE_INSIDE = 20;

/** The number of fields, items or keys that a group shows at first, and that each click on "more" adds. */
export function pageOf(pointer: string): number {
  return pointer === "" ? PAGE : PAGE_INSIDE;
}

/** Maximum fields with a value that a group shows in addition to its current page. */
const SET_SHOWN_MAX = 100;

/**
 * The fields of a group that get rows. Required fields come first; then optional ones in schema order, up to
 * `room` fields in total. Further optional fields get a row if they have a value or if `isAsked` returns true.
 * Setting or clearing a field never removes the row of another field within `room`.
 */
export function shownFields(
  fields: readonly Field[],
  room: number,
  isSet: (field: Field) => boolean,
  isAsked: (field: Field) => boolean,
): { readonly required: readonly Field[]; readonly optional: readonly Field[] } {
  const [required, optional] = [true, false].map((wanted) => fields.filter((field) => field.required === wanted)) as [Field[], Field[]];
  const left = Math.max(0, room - required.length);
  const setFurther = new Set(optional.slice(left).filter(isSet).slice(0, SET_SHOWN_MAX));
  return {
    required: required.filter((field, index) => index < room || isAsked(field)),
    optional: optional.filter((field, index) => index < left || setFurther.has(field) || isAsked(field)),
  };
}

interface Waiting {
  readonly node: FormNode;
  readonly draft: Draft;
  readonly pointer: string;
  readonly required: boolean;
  readonly depth: number;
  readonly above: Waiting | null;
}

/** The children that have rows: the first page, and children on later pages that the user opened. */
function childrenOf(waiting: Waiting, chosen: ReadonlyMap<string, boolean>): Waiting[] {
  const { node, draft, pointer, depth } = waiting;
  const page = pageOf(pointer);
  const isShown = (child: { pointer: string }, index: number) => index < page || chosen.get(child.pointer) === true;
  const below = { depth: depth + 1, above: waiting };
  if (node.kind === "object") {
    const rules = evaluated(node.rules, draft);
    const { required, optional } = shownFields(
      node.fields,
      page,
      (field) => childOf(draft, field.key).kind !== "absent" || fieldStateOf(field, rules).required,
      ({ key }) => chosen.get(childPointer(pointer, key)) === true,
    );
    const fields = [...required, ...optional].map((field) => ({
      ...below,
      node: field.node(),
      draft: childOf(draft, field.key),
      pointer: childPointer(pointer, field.key),
      required: field.required,
    }));
    fields.sort((a, b) => rank(a) - rank(b));
    const declared = new Set(node.order);
    const others = draft.kind !== "object" ? [] : [...draft.entries].filter(([key]) => !declared.has(key));
    const extra = others.flatMap(([key, held], index): Waiting[] => {
      const place = childPointer(pointer, key);
      const inner = isShown({ pointer: place }, index) ? extraNode(node.extra, key, held) : null;
      return inner === null ? [] : [{ ...below, node: inner, draft: held, pointer: place, required: true }];
    });
    return [...fields, ...extra];
  }
  if (node.kind === "array" && draft.kind === "array") {
    return draft.items.flatMap((held, index): Waiting[] => {
      const place = childPointer(pointer, index);
      if (!isShown({ pointer: place }, index)) return [];
      const inner = (node.slots[index] ?? node.item)?.();
      return inner === undefined ? [] : [{ ...below, node: inner, draft: held, pointer: place, required: true }];
    });
  }
  return [];
}

/** Whether an unset group is nested in a group of the same node. Expanding such groups would never end. */
function repeats(waiting: Waiting, node: FormNode): boolean {
  if (waiting.draft.kind !== "absent") return false;
  for (let above = waiting.above; above !== null; above = above.above) if (above.node === node) return true;
  return false;
}

/** Whether a list is small while it is unset: it shows only a button, or at most 12 checkboxes. */
function isShortList(node: FormNode): boolean {
  if (node.kind !== "array") return false;
  const item = node.slots.length === 0 ? node.item?.() : undefined;
  return item?.kind !== "choice" || item.options.length <= 12;
}

function rank(child: { required: boolean; draft: Draft }): number {
  return child.required ? 0 : child.draft.kind !== "absent" ? 1 : 2;
}

/**
 * The pointers of all expanded groups. `chosen` has the groups that the user expanded or collapsed; they keep
 * that state. Groups in `before` were already open and get more room than others.
 */
export function openGroups(
  root: FormNode,
  draft: Draft,
  chosen: ReadonlyMap<string, boolean>,
  before: ReadonlySet<string>,
): ReadonlySet<string> {
  const open = new Set<string>();
  const queue: Waiting[] = [{ node: root, draft, pointer: "", required: true, depth: 0, above: null }];
  let rows = ROWS_MAX;
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const node = drawnNode(next.node, next.draft);
    if (node.kind !== "object" && node.kind !== "array") continue;
    const choice = chosen.get(next.pointer);
    const wanted = next.required || next.draft.kind !== "absent" || isShortList(node);
    if (choice === false || (choice === undefined && (!wanted || next.depth >= DEPTH_MAX || repeats(next, node)))) continue;
    const children = childrenOf({ ...next, node }, chosen);
    const room = before.has(next.pointer) ? rows + ROWS_KEPT : rows;
    if (choice === undefined && next.pointer !== "" && children.length > room) continue;
    rows -= children.length;
    open.add(next.pointer);
    queue.push(...children);
  }
  return open;
}
