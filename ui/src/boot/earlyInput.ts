/**
 * The user's input before the app has loaded: scrolling, text in the search field and key presses. The first
 * paint records the input, and the app replays it.
 */

export interface EarlyInput {
  /** The scroll position of the roster in pixels. */
  scrollTop: number;
  /** The `data-testid` of the focused element. */
  focus: string | null;
  /** The text of the search field. */
  text: string;
  presses: readonly KeyboardEventInit[];
}

export const NO_EARLY_INPUT: EarlyInput = { scrollTop: 0, focus: null, text: "", presses: [] };

/** The maximum number of recorded key presses. Later ones are dropped. */
const PRESSES_MAX = 32;

export const byTestId = (root: ParentNode, id: string) => root.querySelector<HTMLElement>(`[data-testid="${id}"]`);
export const searchIn = (root: ParentNode) => root.querySelector<HTMLInputElement>('input[data-testid="search"]');

/** Starts to record input. The returned function stops the recording and returns the recorded input. */
export function recordEarlyInput(root: HTMLElement): () => EarlyInput {
  const presses: KeyboardEventInit[] = [];
  const onKey = (event: KeyboardEvent) => {
    const { key, code, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (key === "F5" || ((ctrlKey || metaKey) && key.toLowerCase() === "r")) event.preventDefault();
    // Text typed into the search field is not recorded as key presses, because the field's value is recorded.
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
