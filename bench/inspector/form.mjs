/**
 * What both drivers share. A driver fills a form by its controls alone, finding them by label,
 * role and kind as a person would, and trusts nothing of what the program keeps inside.
 */

import { isObject, kindOf, Num } from "./exact.mjs";

/** The form offers no control for a value: what a person would find, too. */
export class NoControl extends Error {}

/** How long one step of a driver may take. */
export const STEP_MS = 4_000;

/** Up to this many characters are typed one by one; more come at once, as if pasted. */
const TYPED_MAX = 60;

/** Takes out what stands in the focused control and types a text in its place. */
export async function retype(page, text) {
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  if (text.length <= TYPED_MAX && !/[\n[\]{}"]/.test(text)) await page.keyboard.type(text);
  else await page.keyboard.insertText(text);
}

/** The words that may stand in a menu for a value: its title in the schema, itself, its JSON. */
export function labelsOf(value, schema) {
  const plain = value instanceof Num ? value.text : value === null ? "null" : String(value);
  return [...titlesOf(value, schema), plain, JSON.stringify(plain)];
}

function titlesOf(value, schema, depth = 0) {
  if (typeof schema !== "object" || schema === null || depth > 12) return [];
  const own = Object.hasOwn(schema, "const") && typeof schema.title === "string" && isConst(schema.const, value);
  const inner = Object.values(schema).flatMap((part) => titlesOf(value, part, depth + 1));
  return own ? [schema.title, ...inner] : inner;
}

function isConst(constant, value) {
  return value instanceof Num ? typeof constant === "number" && String(constant) === value.text : constant === value;
}

const KIND_WORDS = {
  string: /\b(text|string)\b/i,
  number: /\b(whole number|number|integer)\b/i,
  boolean: /\b(yes or no|boolean)\b/i,
  array: /\b(list|array)\b/i,
  object: /\b(object|with|map)\b|:/i,
  null: /\bnull\b/i,
};

/** The places of a menu's options, the one that seems to fit a value best first. */
export function byFit(options, value, schema) {
  const score = (label) => {
    let points = KIND_WORDS[kindOf(value)].test(label) ? 2 : 0;
    if (!isObject(value)) return points + (labelsOf(value, schema).some((one) => label === one) ? 8 : 0);
    for (const [key, inner] of Object.entries(value)) {
      if (label.includes(key)) points += 1;
      if (typeof inner === "string" && new RegExp(`\\b${inner.replace(/\W/g, ".")}\\b`).test(label)) points += 8;
    }
    return points;
  };
  return options
    .map((label, index) => ({ index, points: score(label) }))
    .sort((one, other) => other.points - one.points)
    .map(({ index }) => index);
}

/** Whether a value that could be mistaken for one of another kind stands in the schema as it is. */
function isNamed(value, schema, depth = 0) {
  if (typeof schema !== "object" || schema === null || depth > 12) return false;
  const constants = [schema.const, ...(Array.isArray(schema.enum) ? schema.enum : [])];
  return constants.some((one) => isConst(one, value)) || Object.values(schema).some((one) => isNamed(value, one, depth + 1));
}

/** The option for a value in a menu; throws where there is none. */
export function optionFor(options, value, schema, where) {
  const looksOtherwise = value !== null && (typeof value !== "string" || /^(true|false|null|-?\d.*)$/.test(value));
  if (looksOtherwise && !isNamed(value, schema)) throw new NoControl(`${where} has no option for ${String(value?.text ?? value)}`);
  for (const label of labelsOf(value, schema)) {
    const index = options.indexOf(label);
    if (index >= 0) return index;
  }
  throw new NoControl(`${where} has no option for ${value instanceof Num ? value.text : JSON.stringify(value)}`);
}

/** Follows references inside the document to the schema of a property. */
export function resolved(schema, whole) {
  let found = schema;
  for (let hops = 0; hops < 8 && typeof found?.$ref === "string" && found.$ref.startsWith("#/"); hops += 1) {
    const keys = found.$ref.slice(2).split("/").map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    found = keys.reduce((at, key) => at?.[key], whole);
  }
  return typeof found === "object" && found !== null ? found : {};
}
