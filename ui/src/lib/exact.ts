/** Control characters, those that can't be seen, and those that turn the order of others round. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{VS}\u00a0\u115f\u1160\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0]/gu;

/** A text of a file such that nothing in it is hidden and nothing looks like something else's place. */
export function exact(text: string): string {
  return text.replace(HIDDEN, (hidden) => (hidden === "\n" ? "↵\n" : `⟨${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`));
}
