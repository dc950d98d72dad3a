/** The index of the row to which a key moves the cursor of a list; `undefined` for keys that do not move it. */
export function rowForKey(key: string, active: number, count: number, rowsInView: number): number | undefined {
  const page = Math.max(1, rowsInView);
  const targets: Partial<Record<string, number>> = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page, Home: 0, End: count - 1 };
  const to = targets[key];
  return to === undefined ? undefined : Math.max(0, Math.min(count - 1, to));
}

/** The number of rows by which Page Up and Page Down scroll: the rows in view less one, which stays in view. */
export function rowsInView(scroller: HTMLElement | null, rowPx: number): number {
  return Math.floor((scroller?.clientHeight ?? 0) / rowPx) - 1;
}
