/**
 * Numbers are text. What a person typed is what is sent, digit for digit; this module only says
 * whether the text is a JSON number, and in words what stops it from being one.
 */

import { words } from "../../words/json";

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/** A longer one is not sent. */
const LENGTH_MAX = 400;

/** What is wrong with a text as a JSON number; `null` when nothing is. */
export function numberProblem(text: string): string | null {
  if (text.length <= LENGTH_MAX && JSON_NUMBER.test(text)) return null;
  if (text.trim() === "") return words.numberNeeded;
  if (text.length > LENGTH_MAX) return words.numberTooLong(LENGTH_MAX);
  if (text !== text.trim()) return words.numberWithSpace;
  if (text.startsWith("+")) return words.numberWithPlus;
  if (/^-?\./.test(text)) return words.digitBeforePoint;
  if (/\.(?:$|[eE])/.test(text)) return words.digitAfterPoint;
  if (/[eE][+-]?$/.test(text)) return words.digitAfterE;
  if (/^-?0[0-9]/.test(text)) return words.leadingZero;
  if (/^-?[0-9]+(?:[,_' ][0-9]+)+/.test(text)) return words.numberWithSeparators;
  return words.notNumber;
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
