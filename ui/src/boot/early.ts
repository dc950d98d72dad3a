/**
 * What a person does before the app is there: scrolls, types into the search, presses keys. The
 * first paint takes it down, and the app that takes its place is given it.
 */

export interface Early {
  /** How far the roster was scrolled. */
  scrollTop: number;
  /** The `data-testid` of what had the focus. */
  focus: string | null;
  /** What was typed into the search. */
  text: string;
  presses: readonly KeyboardEventInit[];
}

export const NOTHING_EARLY: Early = { scrollTop: 0, focus: null, text: "", presses: [] };

/** The limit of remembered presses in the fraction of a second before the app starts. */
const PRESSES_MAX = 32;

export const byTestId = (root: ParentNode, id: string) => root.querySelector<HTMLElement>(`[data-testid="${id}"]`);
export const searchIn = (root: ParentNode) => root.querySelector<HTMLInputElement>('input[data-testid="search"]');

/** Begins to take down what is done; the answer ends that and says what it was. */
export function watchEarly(root: HTMLElement): () => Early {
  const presses: KeyboardEventInit[] = [];
  const onKey = (event: KeyboardEvent) => {
    const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (key === "F5" || ((ctrlKey || metaKey) && key.toLowerCase() === "r")) event.preventDefault();
    // The search field keeps the text typed into it.
    const typed = event.target === searchIn(root) && !ctrlKey && !metaKey && key !== "Enter" && !key.startsWith("Arrow");
    if (typed || key === "Tab" || presses.length === PRESSES_MAX) return;
    presses.push({ key, code, ctrlKey, metaKey, shiftKey, altKey });
  };
  window.addEventListener("keydown", onKey);
  return () => {
    window.removeEventListener("keydown", onKey);
    const focused = document.activeElement;
    return {
      scrollTop: byTestId(root, "roster")?.scrollTop ?? 0,
      focus: focused instanceof HTMLElement ? (focused.dataset["testid"] ?? null) : null,
      text: searchIn(root)?.value ?? "",
      presses,
    };
  };
}
