/** Counts the presses of Tab that it takes to pass through a tool's fields, for every fourth real tool. */

import { expect, it } from "vitest";

import { showForm } from "../testing/harness";
import { REAL_TOOLS } from "../testing/schemas";
import { fieldsOf, tabStops } from "../testing/tabStops";

/** Maximum presses of Tab per field, as the median over all tools. */
const MEDIAN_MAX = 1.5;

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

it("a field of a real tool takes few presses of Tab", () => {
  const perField: number[] = [];
  for (const { inputSchema } of REAL_TOOLS.filter((_, index) => index % 4 === 0)) {
    const { container, unmount } = showForm(inputSchema);
    const panel = container.querySelector<HTMLElement>("[role=tabpanel]");
    const fields = panel === null ? 0 : fieldsOf(panel);
    if (panel !== null && fields > 0) perField.push(tabStops(panel).length / fields);
    unmount();
  }
  const [median, most] = [quantile(perField, 0.5), quantile(perField, 0.95)];
  console.info(`Presses of Tab for each field, over ${perField.length} tools: median ${median.toFixed(2)}, 95 % at most ${most.toFixed(2)}`);
  expect(median).toBeLessThanOrEqual(MEDIAN_MAX);
}, 900_000);
