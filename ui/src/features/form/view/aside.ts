/**
 * Keyboard navigation for buttons beside a field that are not in the Tab order. A shortcut moves the focus from
 * the field to its buttons, the arrow keys move between them, and Esc returns to the field.
 */

import type { KeyboardEvent } from "react";

import { PART_KEYS } from "../../../lib/keys/actionKeys";

/** The attributes of a button beside a field. `moveAside` finds the buttons of a row by `data-aside`. */
export const ASIDE = { "data-aside": "", tabIndex: -1 } as const;

const FIELDS = "input:not([type=search]), textarea, [role=combobox], [role=radiogroup]";
const OTHERS = "button, [tabindex]";

/** The element of a row that gets the focus first: a field in the Tab order, or else any other focusable element. */
export function firstStop(row: Element): HTMLElement | undefined {
  const isStop = (one: HTMLElement) => one.tabIndex >= 0 && !one.matches(":disabled");
  const first = (selector: string) => [...row.querySelectorAll<HTMLElement>(selector)].find(isStop);
  return first(FIELDS) ?? first(OTHERS);
}

/** The buttons beside a row's field, without the buttons of nested rows. */
function asidesOf(row: Element): HTMLElement[] {
  const all = [...row.querySelectorAll<HTMLElement>("[data-aside]:not(:disabled)")];
  return all.filter((one) => one.closest("[data-place]") === row);
}

/** The `keydown` handler of a row, which moves the focus between its field and the buttons beside the field. */
export function moveAside(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget: row } = event;
  // If a button's tooltip is open, the tooltip has already handled Escape by closing. The focus must still return to
  // the field.
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
