/** The units of durations, from a thousandth of a second to a day. */
export type Unit = "ms" | "s" | "min" | "h" | "d";

const units: Record<Unit, string> = { ms: "ms", s: "s", min: "min", h: "h", d: "d" };

export const en = {
  /** `84 ms`, `4 min 10 s`: amounts with their units, the largest first. */
  duration: (parts: readonly { amount: string; unit: Unit }[]) => parts.map(({ amount, unit }) => `${amount} ${units[unit]}`).join(" "),
  justNow: "just now",
  ago: (past: string) => `${past} ago`,
};
