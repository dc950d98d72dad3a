/** Renders the toasts of `toasts.ts` and the notices of `Hall`, which are failures that no page shows. */
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Toaster as Sonner, toast as sonner } from "sonner";

import type { Report } from "../ipc/bindings";
import { useHall } from "../lib/hall/hall";
import { useLayers } from "../lib/layers";
import { useStore } from "../lib/store";
import { Button } from "./Button";
import { ErrorCode } from "./ErrorCode";
import { Sign } from "./Icon";
import { IconButton } from "./IconButton";
import { closeToast, toasts } from "../lib/toasts";

const SHOWN_MAX = 3;
/** The window height, in pixels, below which only one message is shown, so that messages cover less of the page. */
const LOW_PX = 480;

export default function Toaster() {
  const hall = useHall();
  const open = useStore(toasts, (all) => all);
  const notices = useStore(hall.notices, (all) => all);
  // A message with the keyboard focus does not time out. For the pointer, sonner itself pauses the timeout.
  const [isHeld, setHeld] = useState(false);
  const drawn = useRef<ReadonlyMap<string, number>>(new Map());
  useEffect(() => {
    const now = new Map<string, number>();
    const draw = (id: string, content: ReactNode, duration: number, onGone: () => void) => {
      now.set(id, duration);
      // Sonner restarts the timeout for each update, so an unchanged message is not updated.
      if (drawn.current.get(id) !== duration) sonner.custom(() => <>{content}</>, { id, duration, onDismiss: onGone, onAutoClose: onGone });
    };
    for (const [id, { text, detail, action, lastsMs }] of open) {
      const close = (isUsed?: boolean) => closeToast(id, isUsed);
      draw(
        `toast ${id}`,
        <Message text={text} detail={detail} onClose={() => close()}>
          {action && (
            <Button
              onClick={() => {
                close(true);
                action.onClick();
              }}
            >
              {action.label}
            </Button>
          )}
        </Message>,
        isHeld ? Infinity : lastsMs,
        () => close(),
      );
    }
    for (const { id, report } of notices) {
      const close = () => hall.dismiss(id);
      draw(`notice ${id}`, <Failure report={report} onClose={close} />, Infinity, close);
    }
    for (const id of drawn.current.keys()) if (!now.has(id)) sonner.dismiss(id);
    drawn.current = now;
  }, [hall, open, notices, isHeld]);
  useEffect(
    () => () => {
      for (const id of drawn.current.keys()) sonner.dismiss(id);
      drawn.current = new Map();
    },
    [],
  );
  return (
    <div data-region onFocus={() => setHeld(true)} onBlur={() => setHeld(false)}>
      <Sonner
        expand
        position={document.documentElement.dir === "rtl" ? "bottom-left" : "bottom-right"}
        offset={{ bottom: 36, right: 12, left: 12 }}
        mobileOffset={{ bottom: 36, right: 12, left: 12 }}
        visibleToasts={window.innerHeight < LOW_PX ? 1 : SHOWN_MAX}
        gap={8}
        customAriaLabel="Messages"
        className="font-sans!"
      />
    </div>
  );
}

const PANE = "w-[min(356px,calc(100vw-24px))] rounded-md border bg-raised text-text shadow-(--shadow)";

function Message({ text, detail, onClose, children }: { readonly text: string; readonly detail: string | undefined; readonly onClose: () => void; readonly children: ReactNode }) {
  return (
    <div data-testid="toast" className={`${PANE} flex items-center gap-2 border-line py-2 ps-3 pe-1.5`}>
      {/* The texts are English sentences, so they are shown from left to right even if they begin with a
          right-to-left name. */}
      <div className="min-w-0 flex-1 break-words">
        <p dir="ltr" className="line-clamp-3">{text}</p>
        {detail !== undefined && <p className="line-clamp-4 text-sm text-dim">{detail}</p>}
      </div>
      {children}
      <IconButton icon="close" label="Dismiss" onClick={onClose} />
    </div>
  );
}

function Failure({ report, onClose }: { readonly report: Report; readonly onClose: () => void }) {
  const layers = useLayers();
  return (
    <div role="alert" className={`${PANE} max-h-[50vh] overflow-y-auto border-bad p-3`}>
      <div className="flex items-start gap-2">
        <p data-testid="notice" className="line-clamp-6 min-w-0 flex-1 break-words">
          <Sign of="cross" className="me-1 text-bad" />
          {report.member !== null && <strong className="font-semibold">{report.member}: </strong>}
          {report.message}
        </p>
        <IconButton icon="close" label="Dismiss" onClick={onClose} />
      </div>
      {report.hint !== "" && <p className="mt-1 line-clamp-4 break-words text-dim">{report.hint}</p>}
      <div className="mt-1 flex flex-wrap items-center gap-x-3">
        <Button look="quiet" className="-ms-2" onClick={() => layers.open("bundle")}>Save diagnostics…</Button>
        <ErrorCode code={report.code} />
      </div>
    </div>
  );
}
