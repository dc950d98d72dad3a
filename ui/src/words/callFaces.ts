import type { FaceName } from "../results/face";

const faces: Record<FaceName, string> = {
  ok: "ok",
  tool: "tool error",
  protocol: "protocol error",
  transport: "no connection",
  limit: "time limit",
  cancelled: "cancelled",
  unsent: "not sent",
};

/** How a call ended. */
export const words = {
  faces,
};
