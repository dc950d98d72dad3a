/** What stands where a secret was; the engine writes the same. */
export const MASK = "•••";
