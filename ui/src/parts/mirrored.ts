/** What changes its side where the window is read from right to left. */
export const isMirrored = document.documentElement.dir === "rtl";

/** The key that leads onwards, and the one that leads back. */
export const [ONWARDS, BACK] = isMirrored ? (["ArrowLeft", "ArrowRight"] as const) : (["ArrowRight", "ArrowLeft"] as const);

/** The signs of something that can be opened: closed, and in small. */
export const CLOSED = isMirrored ? "◀" : "▶";
export const SMALL_CLOSED = isMirrored ? "◂" : "▸";

/** The sign between a cause and what comes of it. */
export const LEADS_TO = isMirrored ? "←" : "→";
