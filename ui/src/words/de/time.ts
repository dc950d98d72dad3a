import type { en, Unit } from "../en/time";

const units: Record<Unit, string> = { ms: "ms", s: "s", min: "min", h: "h", d: "d" };

export const de: typeof en = {
  duration: (parts) => parts.map(({ amount, unit }) => `${amount} ${units[unit]}`).join(" "),
  justNow: "gerade eben",
  ago: (past) => `vor ${past}`,
};
