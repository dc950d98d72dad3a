/** What is tried with each schema in each program, and what came of it. */

import { readExact, same, writeExact, leavesOf, isObject } from "./exact.mjs";
import { NoControl, resolved } from "./form.mjs";

/** How long a call may take to arrive before it counts as refused. */
const ARRIVAL_MS = 1_500;
/** How long one case may take before the page counts as hanging. */
const CASE_MS = 45_000;
/** How long a page that is well needs at most to answer. */
const ALIVE_MS = 5_000;

const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class Hang extends Error {}

/** Ends a case that takes too long; a page that does not even answer hangs. */
async function within(program, work) {
  const late = Symbol("late");
  let timer;
  const limit = new Promise((resolve) => {
    timer = setTimeout(() => resolve(late), CASE_MS);
  });
  const running = work();
  running.catch(() => undefined);
  const done = await Promise.race([running, limit]);
  clearTimeout(timer);
  if (done !== late) return done;
  const answered = await Promise.race([program.page.evaluate(() => true), after(ALIVE_MS)]);
  if (answered === true) throw new Error("the case took too long");
  throw new Hang("the page does not answer");
}

/** Runs a tool as it is filled now. Answers with the arguments that arrived, or `null`. */
async function sent(program, arrivals) {
  const before = arrivals.count();
  if (!(await program.run())) return null;
  const began = Date.now();
  while (Date.now() - began < ARRIVAL_MS) {
    const arrived = arrivals.from(before);
    if (arrived !== undefined) return arrived;
    if (await program.refused()) return null;
    await after(25);
  }
  return null;
}

/**
 * One case: `equal`, `changed`, `refused`, `no control`, `hang`, or `not driven` where the driver
 * itself failed. `json` is how many single values went through a box of JSON text.
 */
async function attempt(program, arrivals, tool, wanted, fill) {
  try {
    return await within(program, async () => {
      if (!(await program.show(tool.name, tool.other))) return { end: "not listed" };
      const { json = 0 } = (await fill()) ?? {};
      const arrived = await sent(program, arrivals);
      if (arrived === null) return { end: "refused", json };
      return { end: same(arrived, wanted) ? "equal" : "changed", json, arrived: writeExact(arrived) };
    });
  } catch (error) {
    if (error instanceof NoControl) return { end: "no control", why: error.message };
    await program.open();
    const why = String(error.message).split("\n")[0];
    return { end: error instanceof Hang ? "hang" : "not driven", why };
  }
}

/** An optional field that a person may type into and empty again: its key and a text for it. */
function touchable(schema, value) {
  if (!isObject(schema.properties ?? null) || !isObject(value)) return null;
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const key of Object.keys(schema.properties)) {
    if (required.includes(key) || Object.hasOwn(value, key)) continue;
    const { type, enum: options, default: fallback } = resolved(schema.properties[key], schema);
    if (options !== undefined || fallback !== undefined) continue;
    if (type === "string") return { key, text: "x" };
    if (type === "integer" || type === "number") return { key, text: "1" };
  }
  return null;
}

/** Everything about one schema in one program. */
export async function tryCase(program, arrivals, { name, schema, valid, invalid }, other) {
  const tool = { name, other };
  const fields = [];
  const json = [];
  const blank = [];
  for (const value of valid) {
    fields.push({
      leaves: leavesOf(value),
      ...(await attempt(program, arrivals, tool, value, () => program.fill(value, schema))),
    });
    json.push(await attempt(program, arrivals, tool, value, () => program.fillJson(writeExact(value))));
    const touched = touchable(schema, value);
    if (touched !== null && fields.at(-1).end === "equal") {
      const fill = async () => {
        if (!(await program.touch(touched.key, schema, touched.text))) throw new NoControl(`no ${touched.key}`);
        return program.fill(value, schema);
      };
      blank.push(await attempt(program, arrivals, tool, value, fill));
    }
  }
  const wrong = [];
  const wrongJson = [];
  for (const value of invalid) {
    wrong.push(await attempt(program, arrivals, tool, value, () => program.fill(value, schema)));
    wrongJson.push(await attempt(program, arrivals, tool, value, () => program.fillJson(writeExact(value))));
  }
  return { name, fields, json, blank, wrong, wrongJson };
}

/** Numbers as they are typed, and the field that they are typed into. */
export const NUMBERS = [
  ["whole", "9007199254740993"],
  ["whole", "12345678901234567890123"],
  ["whole", "3.0"],
  ["any", "0.1"],
  ["any", "1e-9"],
  ["any", "1.10"],
  ["any", "-0.5"],
  ["any", "3.141592653589793238462643"],
  ["any", "1e400"],
];

export const NUMBER_TOOL = {
  name: "numbers",
  description: "Digits that have to arrive as they were typed",
  inputSchema: { type: "object", properties: { whole: { type: "integer" }, any: { type: "number" } } },
};

/** What arrives of numbers, by field and by JSON. */
export async function tryNumbers(program, arrivals, other) {
  const tool = { name: NUMBER_TOOL.name, other };
  const rows = [];
  for (const [key, text] of NUMBERS) {
    const value = readExact(`{${JSON.stringify(key)}: ${text}}`);
    rows.push({
      key,
      text,
      field: await attempt(program, arrivals, tool, value, () => program.fill(value, NUMBER_TOOL.inputSchema)),
      json: await attempt(program, arrivals, tool, value, () => program.fillJson(writeExact(value))),
    });
  }
  return rows;
}
