/**
 * Numbers are kept as text, so that every typed digit is sent. This module only checks whether the text is a
 * JSON number, and explains why not.
 */


const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/** A longer one is not sent. */
const LENGTH_MAX = 400;

/** The error of a text as a JSON number; `null` if it is one. */
export function numberProblem(text: string): string | null {
  if (text.length <= LENGTH_MAX && JSON_NUMBER.test(text)) return null;
  if (text.trim() === "") return "A number is needed.";
  if (text.length > LENGTH_MAX) return `A number of more than ${LENGTH_MAX} characters can't be sent.`;
  if (text !== text.trim()) return "Remove the space around the number.";
  if (text.startsWith("+")) return "JSON numbers have no leading plus.";
  if (/^-?\./.test(text)) return "A digit is needed before the point.";
  if (/\.(?:$|[eE])/.test(text)) return "A digit is needed after the point.";
  if (/[eE][+-]?$/.test(text)) return "A digit is needed after the e.";
  if (/^-?0[0-9]/.test(text)) return "JSON numbers have no leading zero.";
  if (/^-?[0-9]+(?:[,_' ][0-9]+)+/.test(text)) return "Write the number with a point and without separators.";
  return "Not a number.";
}

/** Splits a valid JSON number into sign, digits without outer zeros, and the power of ten. */
function canonical(text: string): string {
  const match = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(text);
  if (match === null) return text;
  const fraction = match[3] ?? "";
  const digits = `${match[2] ?? ""}${fraction}`.replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  if (kept === "") return "0";
  const exponent = Number(match[4] ?? "0") - fraction.length + (digits.length - kept.length);
  return `${match[1] ?? ""}${kept}e${exponent}`;
}

/** Whether two texts are the same number, however they are written: `1`, `1.0` and `10e-1`. */
export function sameNumber(a: string, b: string): boolean {
  return a === b || canonical(a) === canonical(b);
}

/** Whether the text is a whole number, however it is written. */
export function isWhole(text: string): boolean {
  const value = canonical(text);
  return value === "0" || /e(?!-)/.test(value);
}
