/** In policies and reviews, the names of prompts, resources, templates and skills have a prefix, such as `prompt:`. */
import type { ToolName } from "../../ipc/bindings";

const PREFIXES: readonly string[] = ["prompt:", "resource:", "template:", "skill:"];

/** Whether a name belongs to a prompt, a resource, a template or a skill. */
export function isOfferName(name: ToolName): boolean {
  return PREFIXES.some((prefix) => name.startsWith(prefix));
}
