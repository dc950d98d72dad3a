import { useStore } from "../hall/store";
import { Button } from "../parts/Button";
import { ErrorCode } from "../parts/ErrorCode";
import { Sign } from "../parts/Icon";
import { useHouse } from "./house";

const SHOWN_MAX = 3;

/** Errors without another place in the window: shown until dismissed. */
export function Notices() {
  const { hall, layers } = useHouse();
  const notices = useStore(hall.notices, (all) => all);
  if (notices.length === 0) return null;
  const shown = notices.slice(-SHOWN_MAX).reverse();
  return (
    // From below: in a low window the newest is in sight, and the others are scrolled to.
    <div className="fixed end-3 bottom-9 z-30 flex scant:bottom-0 max-h-[calc(100vh-5rem)] scant:max-h-[60vh] w-[min(420px,calc(100vw-24px))] flex-col-reverse gap-2 overflow-y-auto">
      {shown.map(({ id, report }) => (
        <div key={id} role="alert" className="shrink-0 rounded-md border border-bad bg-raised p-3 shadow-(--shadow)">
          <div className="flex items-start gap-2">
            <p data-testid="notice" className="line-clamp-6 min-w-0 flex-1 break-words">
              <Sign of="cross" className="text-bad me-1" />
              {report.member !== null && <strong className="font-semibold">{report.member}: </strong>}
              {report.message}
            </p>
            <Button look="quiet" aria-label="Dismiss" onClick={() => hall.dismiss(id)}>
              <Sign of="close" />
            </Button>
          </div>
          {report.hint !== "" && <p className="mt-1 line-clamp-4 break-words text-dim">{report.hint}</p>}
          <div className="mt-1 flex flex-wrap items-center gap-x-3">
            <Button look="quiet" className="-ms-2" onClick={() => layers.open("bundle")}>
              Save a bundle for a bug report…
            </Button>
            <ErrorCode code={report.code} />
          </div>
        </div>
      ))}
    </div>
  );
}
