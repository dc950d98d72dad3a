import type { Row } from "./rows";

/**
 * The height of each kind of row, in pixels. This is a separate file, because the first paint needs the heights
 * but no other code of the rows.
 */
export const ROW_PX: Record<Row["kind"], number> = { member: 30, tool: 28, trouble: 20, note: 28 };
