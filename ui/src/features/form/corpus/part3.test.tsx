import { expect, it } from "vitest";

import { part, prove } from "../testing/corpus";

it("part 3 of all tools is drawn, filled by its widgets, and sent as it was meant", async () => {
  expect(await prove("part3", part(3, 4))).toEqual([]);
}, 900_000);
