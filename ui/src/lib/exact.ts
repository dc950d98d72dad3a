/** Control characters, invisible characters, and characters that change the text direction. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{VS}\u00a0\u115f\u1160\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0]/gu;

/** Makes the hidden characters of a text visible: each becomes its code point, such as `⟨200B⟩`. */
export function exact(text: string): string {
  return text.replace(HIDDEN, (hidden) => (hidden === "\n" ? "↵\n" : `⟨${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`));
}
