/** Converts a prompt's messages to plain text that the user can paste into another program. */
import { childAt, childrenOf, kindOf, type Tape, textAt } from "../../results/json/tape";

/** The text of a content block, or a placeholder such as `[image image/png]` for a block without text. */
function wordsOf(tape: Tape, node: number): string {
  const text = textAt(tape, node, "text");
  if (text !== undefined) return text;
  const resource = childAt(tape, node, "resource");
  if (resource >= 0) return textAt(tape, resource, "text") ?? `[resource ${textAt(tape, resource, "uri") ?? "without an address"}]`;
  const type = textAt(tape, node, "type") ?? "content";
  const what = textAt(tape, node, "uri") ?? textAt(tape, node, "mimeType");
  return what === undefined ? `[${type}]` : `[${type} ${what}]`;
}

/** All messages as text, each below a line with its role. */
export function messagesText(tape: Tape): string {
  const list = childAt(tape, 0, "messages");
  if (list < 0 || kindOf(tape, list) !== "array") return "";
  return [...childrenOf(tape, list)]
    .map((node) => {
      const content = childAt(tape, node, "content");
      const parts = content < 0 ? [] : kindOf(tape, content) === "array" ? [...childrenOf(tape, content)] : [content];
      return `${textAt(tape, node, "role") ?? "?"}:\n${parts.map((part) => wordsOf(tape, part)).join("\n")}`;
    })
    .join("\n\n");
}
