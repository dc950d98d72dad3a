/** What the Tab key stops at in a form. */

const CONTROLS = "button, input, select, textarea, a[href], summary, [tabindex]";

/** The elements that Tab stops at below an element, in order. A group of radio buttons is one stop. */
export function tabStops(around: HTMLElement): readonly HTMLElement[] {
  const groups = new Set<string>();
  return [...around.querySelectorAll<HTMLElement>(CONTROLS)].filter((one) => {
    if (one.tabIndex < 0 || one.matches(":disabled") || one.closest("[hidden]") !== null) return false;
    if (!(one instanceof HTMLInputElement) || one.type !== "radio") return true;
    if (groups.has(one.name)) return false;
    groups.add(one.name);
    return true;
  });
}

/** How many places a form shows that hold no other place: each is one thing to fill in. */
export function fieldsOf(around: HTMLElement): number {
  const rows = [...around.querySelectorAll<HTMLElement>("[data-place]")];
  return rows.filter((row) => row.querySelector("[data-place]") === null).length;
}
