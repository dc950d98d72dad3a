/** Finds the elements of a form that the Tab key stops at. */

const CONTROLS = "button, input, select, textarea, a[href], summary, [tabindex]";

/** The descendants that Tab stops at, in document order. A group of radio buttons is one stop. */
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

/** The number of rows without nested rows. Each is one field that the user fills in. */
export function fieldsOf(around: HTMLElement): number {
  const rows = [...around.querySelectorAll<HTMLElement>("[data-place]")];
  return rows.filter((row) => row.querySelector("[data-place]") === null).length;
}
