/** The text that replaces secrets. It must equal the engine's mask. */
export const MASK = "•••";
