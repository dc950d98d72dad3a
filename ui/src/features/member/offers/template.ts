/**
 * URI templates (RFC 6570, all four levels, for strings and lists of strings). The functions never throw: for an
 * invalid template they return an error message, and the user then edits the whole URI.
 */

/** One variable of an expression. */
interface Variable {
  readonly name: string;
  /** Whether each item of a list value is expanded separately (`*`). */
  readonly exploded: boolean;
  /** The number of characters of the value that are used (`:3`); `null` for all. */
  readonly prefix: number | null;
}

interface Expression {
  readonly operator: Operator;
  readonly variables: readonly Variable[];
}

export interface Template {
  /** Literal text and expressions, in the template's order. */
  readonly parts: readonly (string | Expression)[];
  /** Each variable once, in the order of the first use. */
  readonly variables: readonly Variable[];
}

export type Value = string | readonly string[];

type Operator = "" | "+" | "#" | "." | "/" | ";" | "?" | "&";

interface Rule {
  readonly first: string;
  readonly separator: string;
  /** Whether the expansion includes the variable's name before the value. */
  readonly named: boolean;
  /** The text after the name of a variable whose value is empty. */
  readonly ifEmpty: string;
  /** Whether reserved characters are left unencoded. */
  readonly reserved: boolean;
}

/** The table of operators in RFC 6570, appendix A. */
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

/** Accepts names such as `user-id`. RFC 6570 does not allow them, but servers use them, and they are unambiguous. */
const LOOSE = /^([A-Za-z0-9_.~-]+)(\*|:([1-9][0-9]{0,3}))?$/;

function isOperator(character: string): character is Exclude<Operator, ""> {
  return character !== "" && "+#./;?&".includes(character);
}

/** Parses a template. Returns an error message for an invalid one. */
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
      // A variable that is exploded in one expression takes a list of values in all expressions.
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

/** The URI with the values inserted. A variable without a value is omitted. */
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
