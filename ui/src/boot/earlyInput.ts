/**
 * The user's input before the app runs: scrolling, text in the search field, key presses. The first paint
 * records it, and the app replays it.
 */

export interface EarlyInput {
  /** The scroll position of the roster. */
  scrollTop: number;
  /** The `data-testid` of the focused element. */
  focus: string | null;
  /** The text of the search field. */
  text: string;
  presses: readonly KeyboardEventInit[];
}

export const NO_EARLY_INPUT: EarlyInput = { scrollTop: 0, focus: null, text: "", presses: [] };

/** The limit of remembered presses in the fraction of a second before the app starts. */
const PRESSES_MAX = 32;

export const byTestId = (root: ParentNode, id: string) => root.querySelector<HTMLElement>(`[data-testid="${id}"]`);
export const searchIn = (root: ParentNode) => root.querySelector<HTMLInputElement>('input[data-testid="search"]');

/** Records input until the returned function is called, which returns it. */
export function recordEarlyInput(root: HTMLElement): () => EarlyInput {
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
