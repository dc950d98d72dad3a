/**
 * Buttons beside a field that the Tab key passes over: one key leads from the field to them, arrows lead
 * from one to the next, and Esc leads back.
 */

import type { KeyboardEvent } from "react";

import { PART_KEYS } from "../../../lib/keys/actionKeys";

/** The attributes of such a button; a row finds its buttons by them. */
export const ASIDE = { "data-aside": "", tabIndex: -1 } as const;

const FIELDS = "input:not([type=search]), textarea, [role=combobox], [role=radiogroup]";
const OTHERS = "button, [tabindex]";

/** The first element of a row that Tab stops at: a field, else anything else. */
export function firstStop(row: Element): HTMLElement | undefined {
  const isStop = (one: HTMLElement) => one.tabIndex >= 0 && !one.matches(":disabled");
  const first = (selector: string) => [...row.querySelectorAll<HTMLElement>(selector)].find(isStop);
  return first(FIELDS) ?? first(OTHERS);
}

/** The buttons beside a field, without those of rows inside of its row. */
function asidesOf(row: Element): HTMLElement[] {
  const all = [...row.querySelectorAll<HTMLElement>("[data-aside]:not(:disabled)")];
  return all.filter((one) => one.closest("[data-place]") === row);
}

/** Goes to the buttons beside a field, from one to another, or back. For the keys of a row. */
export function moveAside(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget: row } = event;
  // The Escape that closes the tooltip of such a button counts all the same.
  if ((event.defaultPrevented && key !== "Escape") || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (!(target instanceof HTMLElement)) return;
  const all = asidesOf(row);
  const at = all.indexOf(target);
  let next: HTMLElement | undefined;
  if (key === PART_KEYS.fieldActions) next = at < 0 ? all[0] : firstStop(row);
  else if (at < 0) return;
  else if (key === "Escape") next = firstStop(row);
  else if (key === "ArrowRight") next = all[(at + 1) % all.length];
  else if (key === "ArrowLeft") next = all.at(at - 1);
  else if (key === "Home") next = all[0];
  else if (key === "End") next = all.at(-1);
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}
