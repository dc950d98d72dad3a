/** The names under which prompts, resources and templates have policies and are reviewed. */
import type { ToolName } from "../../ipc/bindings";

const PREFIXES: readonly string[] = ["prompt:", "resource:", "template:"];

/** Whether a name is that of a prompt, a resource or a template. */
export function isOfferName(name: ToolName): boolean {
  return PREFIXES.some((prefix) => name.startsWith(prefix));
}
