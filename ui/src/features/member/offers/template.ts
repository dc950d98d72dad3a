/**
 * URI templates (RFC 6570, all four levels, for strings and lists of strings). Never throws: an invalid
 * template yields an error message, and the user then edits the whole address.
 */

/** One variable of an expression. */
interface Variable {
  readonly name: string;
  /** Whether each item of its list is expanded separately (`*`). */
  readonly exploded: boolean;
  /** How many characters of its value are taken (`:3`). */
  readonly prefix: number | null;
}

interface Expression {
  readonly operator: Operator;
  readonly variables: readonly Variable[];
}

export interface Template {
  /** Plain text and expressions in their order. */
  readonly parts: readonly (string | Expression)[];
  /** Each variable once, in the order of first use. */
  readonly variables: readonly Variable[];
}

export type Value = string | readonly string[];

type Operator = "" | "+" | "#" | "." | "/" | ";" | "?" | "&";

interface Rule {
  readonly first: string;
  readonly separator: string;
  /** Whether the name is written before the value. */
  readonly named: boolean;
  /** What follows a name whose value is empty. */
  readonly ifEmpty: string;
  /** Whether reserved characters are left unencoded. */
  readonly reserved: boolean;
}

/** The table of RFC 6570, appendix A. */
const RULES: Readonly<Record<Operator, Rule>> = {
  "": { first: "", separator: ",", named: false, ifEmpty: "", reserved: false },
  "+": { first: "", separator: ",", named: false, ifEmpty: "", reserved: true },
  "#": { first: "#", separator: ",", named: false, ifEmpty: "", reserved: true },
  ".": { first: ".", separator: ".", named: false, ifEmpty: "", reserved: false },
  "/": { first: "/", separator: "/", named: false, ifEmpty: "", reserved: false },
  ";": { first: ";", separator: ";", named: true, ifEmpty: "", reserved: false },
  "?": { first: "?", separator: "&", named: true, ifEmpty: "=", reserved: false },
  "&": { first: "&", separator: "&", named: true, ifEmpty: "=", reserved: false },
};

const VARIABLE = /^((?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*)(\*|:([1-9][0-9]{0,3}))?$/;
const EXPRESSIONS_MAX = 200;

/** Servers write names such as `user-id`, which the RFC does not know; they can be meant in one way only. */
const LOOSE = /^([A-Za-z0-9_.~-]+)(\*|:([1-9][0-9]{0,3}))?$/;

function isOperator(character: string): character is Exclude<Operator, ""> {
  return character !== "" && "+#./;?&".includes(character);
}

/** Reads a template, or says why it is none. */
export function readTemplate(text: string): Template | { readonly problem: string } {
  const parts: (string | Expression)[] = [];
  let place = 0;
  while (place < text.length) {
    const open = text.indexOf("{", place);
    const plain = text.slice(place, open < 0 ? text.length : open);
    if (plain.includes("}")) return { problem: "It has a } without a {." };
    if (plain !== "") parts.push(plain);
    if (open < 0) break;
    const close = text.indexOf("}", open);
    if (close < 0) return { problem: "It has a { without a }." };
    const expression = readExpression(text.slice(open + 1, close));
    if ("problem" in expression) return expression;
    parts.push(expression);
    if (parts.length > EXPRESSIONS_MAX) return { problem: "It has too many expressions." };
    place = close + 1;
  }
  const variables = new Map<string, Variable>();
  for (const part of parts) {
    if (typeof part === "string") continue;
    for (const variable of part.variables) {
      // A variable that is a list in one expression is a list in all of them.
      if (!variables.has(variable.name) || variable.exploded) variables.set(variable.name, variable);
    }
  }
  return { parts, variables: [...variables.values()] };
}

function readExpression(inside: string): Expression | { readonly problem: string } {
  const character = inside.charAt(0);
  const operator = isOperator(character) ? character : "";
  const variables: Variable[] = [];
  for (const word of inside.slice(operator.length).split(",")) {
    const found = VARIABLE.exec(word) ?? LOOSE.exec(word);
    const name = found?.[1];
    if (!found || name === undefined) return { problem: `{${inside}} is no expression that is known.` };
    variables.push({ name, exploded: found[2] === "*", prefix: found[3] === undefined ? null : Number(found[3]) });
  }
  return { operator, variables };
}

/** The address with the values put in; a variable without a value leaves nothing behind. */
export function expand(template: Template, values: ReadonlyMap<string, Value>): string {
  return template.parts.map((part) => (typeof part === "string" ? encode(part, true) : expanded(part, values))).join("");
}

function expanded({ operator, variables }: Expression, values: ReadonlyMap<string, Value>): string {
  const rule = RULES[operator];
  const pieces = variables.flatMap((variable) => piecesOf(variable, values.get(variable.name), rule));
  return pieces.length === 0 ? "" : rule.first + pieces.join(rule.separator);
}

function piecesOf({ name, exploded, prefix }: Variable, value: Value | undefined, rule: Rule): readonly string[] {
  if (value === undefined || (typeof value !== "string" && value.length === 0)) return [];
  const written = (text: string) => encode(text, rule.reserved);
  const withName = (text: string) => {
    if (!rule.named) return text;
    return written(name) + (text === "" ? rule.ifEmpty : `=${text}`);
  };
  if (typeof value !== "string") {
    return exploded ? value.map((one) => withName(written(one))) : [withName(value.map(written).join(","))];
  }
  const cut = prefix === null ? value : Array.from(value).slice(0, prefix).join("");
  return [withName(written(cut))];
}

const UNRESERVED = /[A-Za-z0-9\-._~]/;
const RESERVED = /[:/?#[\]@!$&'()*+,;=]/;
const ENCODED = /%[0-9A-Fa-f]{2}/y;
const UTF8 = new TextEncoder();

/**
 * Percent-encodes text for a URI. With `reserved`, reserved characters and existing escapes are left
 * unchanged.
 */
function encode(text: string, reserved: boolean): string {
  let written = "";
  for (let place = 0; place < text.length; ) {
    ENCODED.lastIndex = place;
    if (reserved && ENCODED.test(text)) {
      written += text.slice(place, place + 3);
      place += 3;
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(place) ?? 0);
    place += character.length;
    if (UNRESERVED.test(character) || (reserved && RESERVED.test(character))) written += character;
    else for (const byte of UTF8.encode(character)) written += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return written;
}
