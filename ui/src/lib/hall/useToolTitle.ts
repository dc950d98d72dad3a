import { useEffect } from "react";

import type { MemberName, ToolName } from "../../ipc/bindings";
import { useStore } from "../store";
import { useHall } from "./hall";

/** The title of a tool, or its name if the tool has no title or its member's tool list is not loaded. */
export function useToolTitle(member: MemberName, tool: ToolName): string {
  const hall = useHall();
  useEffect(() => hall.watch(member), [hall, member]);
  return useStore(hall.lists, (lists) => lists.get(member)?.tools?.tools.find(({ name }) => name === tool)?.title ?? tool);
}
