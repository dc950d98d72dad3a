/** In policies and reviews, the names of prompts, resources and templates have a prefix, such as `prompt:`. */
import type { ToolName } from "../../ipc/bindings";

const PREFIXES: readonly string[] = ["prompt:", "resource:", "template:"];

/** Whether a name belongs to a prompt, a resource or a template. */
export function isOfferName(name: ToolName): boolean {
  return PREFIXES.some((prefix) => name.startsWith(prefix));
}
