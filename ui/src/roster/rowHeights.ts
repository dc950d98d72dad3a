import type { Row } from "./rows";

/** How high each kind of row is. The first paint has them too, and nothing else of the rows. */
export const ROW_PX: Record<Row["kind"], number> = { member: 32, tool: 26, trouble: 76, note: 26 };
