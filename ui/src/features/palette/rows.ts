/** Converts sections to the rows of the palette: each section's heading, then its entries. */
import type { Entry, Section } from "./entry";

export const ROW_PX = 30;

export type Row = { kind: "head"; title: string } | { kind: "entry"; entry: Entry; position: number };

export function rowsOf(sections: readonly Section[]): Row[] {
  let position = 0;
  return sections
    .filter(({ entries }) => entries.length > 0)
    .flatMap(({ title, entries }): Row[] => [
      { kind: "head", title },
      ...entries.map((entry): Row => ({ kind: "entry", entry, position: (position += 1) })),
    ]);
}
