/** The callout of a tour stop, beside the element that the stop explains. The rest of the window stays usable. */
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";

import { PART_KEYS } from "../../lib/keys/actionKeys";
import { useKeysOf } from "../../lib/keys/useKeysOf";
import { useStore } from "../../lib/store";
import { Button } from "../../components/Button";
import { number } from "../../lib/format";
import { keyLabel } from "../../lib/keys/keyLabel";
import { arrowAt, placeBeside, type Box, type Edge } from "./placing";
import { type Stop, type StopName, STOPS, useTour } from "./tour";

interface StopWords {
  title: string;
  text: string;
}

const STOP_WORDS: Record<StopName, StopWords> = {
  roster: { title: "The roster", text: "Your members and their status. Expand one to see its tools, even while it's stopped." },
  form: { title: "A tool's form", text: "Built from the tool's schema. Problems show next to the field before anything is sent." },
  result: { title: "The result", text: "Appears beside the form. You can compare it with earlier calls." },
  history: { title: "The history", text: "Your calls and those of agents. Run one again, save it, or compare two." },
  agents: { title: "The gateway for agents", text: "One URL gives every agent your tools. You decide what they see and what needs approval." },
  palette: { title: "Find anything", text: "Tools, members, actions and past calls. Type ? for help." },
};

/** The distance between the highlight frame and the element, in pixels. */
const FRAME = 2;

export default function TourCallout() {
  const tour = useTour();
  const stop = useStore(tour.stop, (now) => now);
  const shown = stop === null ? undefined : STOPS[stop];
  return shown && <Callout key={shown.name} stop={shown} number={STOPS.indexOf(shown) + 1} />;
}

function seen(selectors: readonly string[]): Element | null {
  for (const selector of selectors) {
    const found = [...document.querySelectorAll(selector)].find((one) => one.getClientRects().length > 0);
    if (found) return found;
  }
  return null;
}

/**
 * The position of the element that a stop explains, after the element was scrolled into view. It is measured again
 * whenever it may have changed.
 */
function useWhere(selectors: readonly string[]): Box | null {
  const [where, setWhere] = useState<Box | null>(null);
  useLayoutEffect(() => {
    let shown: Element | null = null;
    const look = () => {
      const thing = seen(selectors);
      // Each element is scrolled into view only once, so that the user can scroll away from it.
      if (thing !== null && thing !== shown) thing.scrollIntoView({ block: "nearest", inline: "nearest" });
      shown = thing;
      const box = thing?.getBoundingClientRect();
      const next = box ? { x: box.x, y: box.y, width: box.width, height: box.height } : null;
      setWhere((now) => (JSON.stringify(now) === JSON.stringify(next) ? now : next));
    };
    look();
    // The page of a stop may be rendered later, and then positions and sizes change.
    const changes = new MutationObserver(look);
    changes.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["class", "style"] });
    window.addEventListener("resize", look);
    // The capture phase also receives the scroll events of containers inside the window.
    window.addEventListener("scroll", look, true);
    return () => {
      changes.disconnect();
      window.removeEventListener("scroll", look, true);
      window.removeEventListener("resize", look);
    };
  }, [selectors]);
  return where;
}

/**
 * The border widths of the arrow, a square rotated by 45 degrees. Only the two sides outside the callout have a
 * border.
 */
const OUTER: Record<Edge, string> = {
  top: "1px 0 0 1px",
  bottom: "0 1px 1px 0",
  left: "0 0 1px 1px",
  right: "1px 1px 0 0",
};
const ARROW = 10;

/** The arrow from the callout to the element that the stop explains. */
function Arrow({ edge, x, y }: { edge: Edge; x: number; y: number }) {
  return (
    <div
      aria-hidden
      data-testid="tour-arrow"
      data-edge={edge}
      className="pointer-events-none fixed z-50 rotate-45 border-control bg-raised"
      style={{ left: x - ARROW / 2, top: y - ARROW / 2, width: ARROW, height: ARROW, borderWidth: OUTER[edge] }}
    />
  );
}

function Callout({ stop: { name, at }, number: position }: { stop: Stop; number: number }) {
  const tour = useTour();
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const onward = useRef<HTMLButtonElement>(null);
  const { title, text } = STOP_WORDS[name];
  const helpKeys = useKeysOf("help");
  const where = useWhere(at);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const isLast = position === STOPS.length;
  const label = `Tour, ${number(position)} of ${number(STOPS.length)}`;

  // The callout takes the focus at once, so that a screen reader reads the stop and no key press is lost.
  useLayoutEffect(() => onward.current?.focus({ preventScroll: true }), []);
  useLayoutEffect(() => {
    const { offsetWidth: width = 0, offsetHeight: height = 0 } = card.current ?? {};
    setSize((now) => (now.width === width && now.height === height ? now : { width, height }));
  }, [where]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      // If a dialog is open above the callout, the dialog handles the keys.
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) return;
      const isHere = card.current?.contains(document.activeElement) ?? false;
      if (event.key === "Escape") tour.leave();
      else if (isHere && event.key === "ArrowRight") tour.next();
      else if (isHere && event.key === "ArrowLeft") tour.back();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    // The capture phase runs before the window's own shortcuts, so that Esc only ends the tour.
    window.addEventListener("keydown", onKey, true);
    return () => window.removeEventListener("keydown", onKey, true);
  }, [tour]);

  const place = placeBeside(where, size, { width: window.innerWidth, height: window.innerHeight });
  return (
    <>
      {where && (
        <div
          aria-hidden
          className="pointer-events-none fixed z-40 rounded-md border-2 border-accent"
          style={{ left: where.x - FRAME, top: where.y - FRAME, width: where.width + 2 * FRAME, height: where.height + 2 * FRAME }}
        />
      )}
      <section
        ref={card}
        data-region
        data-testid="tour"
        aria-label={label}
        className="fixed z-50 flex max-h-[calc(100vh-16px)] w-[min(320px,calc(100vw-16px))] flex-col gap-2 overflow-y-auto rounded-md border border-control bg-raised p-3 shadow-(--shadow)"
        style={{ left: place.x, top: place.y }}
      >
        <div id={`${id}-text`}>
          <p className="text-sm text-dim">{label}</p>
          <h2 className="font-semibold">{title}</h2>
          <p className="break-words">{text}</p>
          {name === "palette" && <p className="break-words">{helpKeys ?? "The question mark at the foot of the sidebar"} opens the guide at the current page.</p>}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button ref={onward} look="accent" aria-describedby={`${id}-text ${id}-keys`} onClick={() => tour.next()}>
            {isLast ? "Done" : "Next"}
          </Button>
          {position > 1 && <Button onClick={() => tour.back()}>Back</Button>}
          {!isLast && <Button look="quiet" onClick={() => tour.leave()}>End tour</Button>}
        </div>
        <p id={`${id}-keys`} className="text-sm text-dim">
          {keyLabel(PART_KEYS.onwards)} or → next, ← back, {keyLabel(PART_KEYS.leave)} leaves
        </p>
      </section>
      {where && place.edge && <Arrow edge={place.edge} {...arrowAt(where, size, place)} />}
    </>
  );
}
