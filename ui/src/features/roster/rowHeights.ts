import type { Row } from "./rows";

/** How high each kind of row is. The first paint has them too, and nothing else of the rows. */
export const ROW_PX: Record<Row["kind"], number> = { member: 30, tool: 28, trouble: 20, note: 28 };
