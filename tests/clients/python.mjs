/** The Python SDK, with the protocol versions of both eras. */

import assert from "node:assert/strict";
import path from "node:path";

import { check, isDescription, isList, MEMBERS, run } from "./checks.mjs";

const SCRIPT = path.join(import.meta.dirname, "python.py");

export async function python({ python, home, url }) {
  const held = [];
  for (const [mode, version] of [
    ["legacy", "2025-11-25"],
    ["2026-07-28", "2026-07-28"],
    ["auto", "2026-07-28"],
  ]) {
    const named = `Python SDK (${mode})`;
    const holds = async (what, work) => held.push(await check(named, what, work));
    let seen;
    await holds("runs to its end", async () => {
      const { code, stdout, stderr } = await run(python, [SCRIPT, url, mode], { env: { HOME: home }, cwd: home });
      assert.equal(code, 0, stderr);
      seen = JSON.parse(stdout);
      assert.equal(seen.version, version);
    });
    if (seen === undefined) continue;
    await holds("lists", () => isList(seen.tools));
    await holds("describes", () => isDescription(seen.described));
    for (const member of MEMBERS) {
      await holds(`calls ${member}, hears its progress, answers it`, () =>
        assert.deepEqual(seen.members[member], {
          sum: "5",
          steps: [1, 2, 3],
          answers: [{ action: "accept", content: { colour: "red" } }],
          failed: true,
        }),
      );
    }
  }
  return held;
}
