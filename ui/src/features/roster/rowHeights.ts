import type { Row } from "./rows";

/** The height of each kind of row. The first paint needs them too, and nothing else of the rows. */
export const ROW_PX: Record<Row["kind"], number> = { member: 30, tool: 28, trouble: 20, note: 28 };
