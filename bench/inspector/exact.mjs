/** JSON of which no digit changes: numbers are kept as the text that they were written with. */

/** Stands for a number while its text is JSON. */
const MARK = "\u0000number";

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A number as it was written. */
export class Num {
  constructor(text) {
    this.text = text;
  }
}

/** Reads JSON; numbers become {@link Num}, and `__proto__` is a key like any other. */
export function readExact(json) {
  const marked = json.replace(TOKENS, (token) => (token.startsWith('"') ? token : JSON.stringify({ [MARK]: token })));
  return JSON.parse(marked, (_key, value) =>
    typeof value === "object" && value !== null && Object.hasOwn(value, MARK) ? new Num(value[MARK]) : value,
  );
}

/** Writes what {@link readExact} has read. */
export function writeExact(value) {
  if (value instanceof Num) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeExact).join(", ")}]`;
  if (isObject(value)) {
    return `{${Object.keys(value).map((key) => `${JSON.stringify(key)}: ${writeExact(value[key])}`).join(", ")}}`;
  }
  return JSON.stringify(value);
}

export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Num);
}

/** Whether two values say the same: numbers by their decimal value, keys in any order. */
export function same(one, other) {
  if (one instanceof Num || other instanceof Num) {
    return one instanceof Num && other instanceof Num && decimal(one.text) === decimal(other.text);
  }
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) && Array.isArray(other) && one.length === other.length &&
      one.every((item, index) => same(item, other[index]))
    );
  }
  if (isObject(one) || isObject(other)) {
    if (!isObject(one) || !isObject(other)) return false;
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]))
    );
  }
  return one === other;
}

/** One spelling for each decimal value: the digits without zeros around them, and the exponent. */
export function decimal(text) {
  const [, sign, whole, part = "", power = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return text;
  const digits = (whole + part).replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  if (short === "") return "0";
  return `${sign}${short}e${BigInt(power) - BigInt(part.length) + BigInt(digits.length - short.length)}`;
}

/** How many single values there are; an empty list or object is one. */
export function leavesOf(value) {
  const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : null;
  if (inner === null || inner.length === 0) return 1;
  return inner.reduce((sum, one) => sum + leavesOf(one), 0);
}

/** The kind of a value, as JSON Schema calls it. */
export function kindOf(value) {
  if (value === null) return "null";
  if (value instanceof Num) return "number";
  if (Array.isArray(value)) return "array";
  return typeof value;
}
