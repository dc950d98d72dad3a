import { useHall } from "../lib/hall/hall";
import { useStore } from "../lib/store";
import { ErrorCode } from "../components/ErrorCode";
import { Sign } from "../components/Icon";

/** The banner above the page that reports a lost connection to the engine. The page is then no longer updated. */
export function ConnectionLost() {
  const lost = useStore(useHall().lost, (report) => report);
  if (!lost) return null;
  return (
    <section aria-label="No connection" data-region role="alert" data-code={lost.code} className="shrink-0 border-b border-bad bg-bad-fill px-4 py-2 select-text">
      <p className="line-clamp-4 break-words">
        <Sign of="cross" className="text-bad me-1" />
        {lost.message} <ErrorCode code={lost.code} /> <span className="text-dim">This view may be out of date. {lost.hint}</span>
      </p>
    </section>
  );
}
