/**
 * Checks of numbers that are stored as text. A draft keeps the text of a number so that every typed digit is
 * sent; this module checks whether the text is a JSON number and returns the error message if not.
 */


const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/** Maximum characters of a number that is sent. */
const LENGTH_MAX = 400;

/** Returns the reason why the text is not a valid JSON number; `null` if the text is valid. */
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

/** Normalizes a JSON number to its sign, its digits without outer zeros, and a power of ten. */
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

/** Whether two texts have the same numeric value, such as `1`, `1.0` and `10e-1`. */
export function sameNumber(a: string, b: string): boolean {
  return a === b || canonical(a) === canonical(b);
}

/** Whether the text has an integer value; `1.0` and `1e3` count. */
export function isWhole(text: string): boolean {
  const value = canonical(text);
  return value === "0" || /e(?!-)/.test(value);
}
