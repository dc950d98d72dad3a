/** The page of the docs: what was measured, in tables and words. */

import { leavesOf } from "./exact.mjs";

/** What no form shows. Kept by hand: look it up again when the Inspector's version changes. */
const BEYOND_THE_FORM = `## Beyond the form

This page compares forms. MCP Inspector does things that Guild Hall does not do at all:

- It answers a server's sampling requests, and lets a person edit the answer.
- It walks through a server's OAuth sign-in step by step and shows each exchange.
- It lists and follows tasks, the calls that outlive their answer.
- It draws MCP Apps, the pages that a server sends, in a sandbox.
- It tells which parts of a schema other clients may refuse ("schema portability"), and which
  entries of a tool list break the protocol, with the reason.
- It offers roots to servers, connects with SSE, and comes with a terminal program and a command
  line that keeps connections open.

Guild Hall keeps a draft for each tool: with the Inspector, opening another tool forgets what was
typed. What else Guild Hall does, it does beside the form.
`;

const NOT_SENT = new Set(["refused", "no control", "not listed"]);

/** One line for each measure: its words, and how to count it in a program's rows. */
const MEASURES = [
  ["schemas whose tool is in the list", (rows) => share(rows, (row) => !all(row).some(is("not listed")))],
  [
    "single values of the valid ones that have a control of their own",
    (rows) => {
      const values = rows.flatMap((row) => row.fields);
      return of(sum(values, controlled), sum(values, ({ leaves }) => leaves));
    },
  ],
  [
    "valid values entered by fields alone that arrive equal",
    (rows) => share(rows.flatMap((row) => row.fields), ({ end, json }) => end === "equal" && json === 0),
  ],
  [
    "the same, with JSON typed into the boxes that the form shows for some places",
    (rows) => share(rows.flatMap((row) => row.fields), is("equal")),
  ],
  ["valid values entered as JSON that arrive equal", (rows) => share(rows.flatMap((row) => row.json), is("equal"))],
  [
    "valid values that can't be tried, because their tool is not in the list",
    (rows) => count(rows.flatMap((row) => row.fields), is("not listed")),
  ],
  [
    "valid values that arrive changed, by either way",
    (rows) => count(rows.flatMap((row) => [...row.fields, ...row.json]), is("changed")),
  ],
  [
    "optional fields, typed into and emptied, that are left out",
    (rows) => share(rows.flatMap((row) => row.blank), is("equal")),
  ],
  [
    "invalid values that the fields do not take or that are refused before sending",
    (rows) => share(rows.flatMap((row) => row.wrong), ({ end }) => NOT_SENT.has(end)),
  ],
  ["… that are sent", (rows) => count(rows.flatMap((row) => row.wrong), is("equal"))],
  ["… in whose place another value is sent", (rows) => count(rows.flatMap((row) => row.wrong), is("changed"))],
  [
    "invalid values entered as JSON that are refused before sending",
    (rows) => share(rows.flatMap((row) => row.wrongJson), ({ end }) => NOT_SENT.has(end)),
  ],
  ["cases in which the page hung", (rows) => count(rows.flatMap(all), is("hang"))],
  ["cases that the driver itself could not do", (rows) => count(rows.flatMap(all), is("not driven"))],
];

function is(wanted) {
  return ({ end }) => end === wanted;
}

function all({ fields, json, blank, wrong, wrongJson }) {
  return [...fields, ...json, ...blank, ...wrong, ...wrongJson];
}

function sum(list, amount) {
  return list.reduce((total, one) => total + amount(one), 0);
}

function count(list, holds) {
  return String(list.filter(holds).length);
}

function of(part, whole) {
  return `${part} of ${whole}`;
}

function share(list, holds) {
  return of(list.filter(holds).length, list.length);
}

/** How many single values of a case went through a control of their own. */
function controlled({ end, leaves, json }) {
  return json === undefined || end === "not listed" ? 0 : leaves - json;
}

function row(cells) {
  return `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

function table(head, rows) {
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}

/** The ends of some cases in a few words: `2 equal` or `1 equal, 1 refused`. */
function ends(list) {
  const counts = new Map();
  for (const { end, json } of list) {
    const word = end === "equal" && json > 0 ? "equal by JSON boxes" : end;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts.size === 0 ? "–" : [...counts].map(([word, times]) => `${times} ${word}`).join(", ");
}

/** Invalid values: which were sent is what counts. */
function wrongEnds(list) {
  return list.length === 0 ? "–" : `${list.filter(is("equal")).length} of ${list.length}`;
}

function schemaTable(cases, results) {
  const head = ["schema", ...results.flatMap(({ program }) => [`${program}: by fields`, "as JSON", "invalid sent, fields / JSON"])];
  const rows = cases.map(({ name, why }, index) => [
    `\`${name}\`: ${why}`,
    ...results.flatMap(({ rows: tried }) => {
      const one = tried[index];
      return [ends(one.fields), ends(one.json), `${wrongEnds(one.wrong)} / ${wrongEnds(one.wrongJson)}`];
    }),
  ]);
  return table(head, rows);
}

function numberTable(results) {
  const [first] = results;
  const came = ({ end, arrived, why }) => (end === "changed" ? `arrives as ${/: (\S+)}$/.exec(arrived)?.[1] ?? arrived}` : why ?? end);
  return table(
    ["typed", "field", ...results.flatMap(({ program }) => [`${program}: field`, "JSON"])],
    first.numbers.map(({ key, text }, index) => [
      `\`${text}\``,
      key === "whole" ? "integer" : "number",
      ...results.flatMap(({ numbers }) => [came(numbers[index].field), came(numbers[index].json)]),
    ]),
  );
}

/** Which schemas each program does better, by how many values arrive and how many go by fields. */
function ahead(cases, results) {
  const [ours, theirs] = results.map(({ rows }) => rows);
  const good = (one) => one.fields.filter(({ end }) => end === "equal").length * 1_000 + sum(one.fields, controlled);
  const names = (better, worse) =>
    cases.filter((_, index) => good(better[index]) > good(worse[index])).map(({ name }) => `\`${name}\``);
  const list = (found) => (found.length === 0 ? "none" : found.join(", "));
  return `More values arrive equal, or more of them by fields, with ${results[0].program}: ${list(names(ours, theirs))}.

The same with ${results[1].program}: ${list(names(theirs, ours))}.`;
}

export function report(cases, results, { chromium, node, date }) {
  const values = cases.flatMap(({ valid }) => valid);
  const wrong = sum(cases, ({ invalid }) => invalid.length);
  const versions = results.map(({ program, version }) => `${program} ${version}`).join(" and ");
  return `# The form beside MCP Inspector's

Written by \`node bench/inspector/compare.mjs\` on ${date.toISOString().slice(0, 10)}: ${versions} in
Chromium ${chromium}; the Inspector on Node ${node}. Do not edit it by hand.

## What was done

${cases.length} schemas (\`tests/data/torture-schemas.json\`) with ${values.length} valid values (${sum(values, leavesOf)} single values in them) and ${wrong} invalid
ones are served as tools by one server, which both programs start in the same way; what reaches its
stdin is kept byte for byte. Each value is entered into an empty form by real key presses and
clicks, and then the tool is run; again, as a whole, in the JSON editor that each program has.
Values are compared by the text of their numbers; the order of keys does not count.

Guild Hall's window is the built page in the browser, under the policy of the desktop program. The
page's commands go to the engine by a pipe, so that its own code checks and sends the arguments;
the shell and its web view are left out. The Inspector is run as it comes from npm.

The set was made to be hard, and made while Guild Hall's form was designed: it says more of what a
form does at the edges than of how often a tool of today meets them. A driver finds controls by
label, role and kind. Where it gives up although a person might not, the case counts as "not
driven" and as nothing better.

## Totals

${table(["", ...results.map(({ program }) => program)], MEASURES.map(([words, measure]) => [words, ...results.map(({ rows }) => measure(rows))]))}

${results.length === 2 ? ahead(cases, results) : ""}

Another value is sent where a form fills in a required constant, or where a field of numbers drops or
changes what is typed into it.

A tool that is not in the list can't be called at all. The Inspector leaves out those whose schema
breaks the protocol's own (an \`inputSchema\` has to say \`"type": "object"\`), and says so above the
list; that is strict, not wrong.

That the Inspector sends what a schema forbids has a use, too: it shows what a server makes of it.
In Guild Hall that takes "Send anyway" (Ctrl+Shift+Enter).

## Numbers

${results.every(({ numbers }) => numbers.length > 0) ? numberTable(results) : "Not tried."}

"equal" is by decimal value.

## Each schema

"no control": the fields offer no way to enter the value. "equal by JSON boxes": it arrives equal,
but a part of it was typed as JSON into the form.

${schemaTable(cases, results)}

${BEYOND_THE_FORM}`;
}
