/** The replacement for a secret; the engine writes the same. */
export const MASK = "•••";
