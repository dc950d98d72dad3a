import { Sign } from "../../components/Icon";
import { useNow } from "../../lib/useNow";
import { number } from "../../lib/format";

/** The remaining time is shown in seconds up to this limit, and in minutes above it. */
const SHORT_MS = 120_000;
const URGENT_MS = 30_000;

function timeLeft(leftMs: number): string {
  if (leftMs <= 0) return "Time is over";
  return leftMs > SHORT_MS ? `${number(Math.ceil(leftMs / 60_000))} min left` : `${number(Math.ceil(leftMs / 1_000))} s left`;
}

/** The remaining time until a question expires. */
export function TimeLeft({ untilMs }: { untilMs: number }) {
  const leftMs = untilMs - useNow(1_000);
  const urgent = leftMs <= URGENT_MS;
  return (
    <span role="timer" className={`text-sm whitespace-nowrap ${urgent ? "text-warn" : "text-dim"}`}>
      <Sign of={urgent ? "warning" : "clock"} className="me-1" />
      {timeLeft(leftMs)}
    </span>
  );
}
