/** Places a callout beside its subject, and always whole within the window. */
interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly x: number;
  readonly y: number;
}

/** The distance between the callout and its subject, and between it and the window's edge. */
const GAP = 8;

function within(at: number, length: number, room: number): number {
  return Math.max(GAP, Math.min(at, room - length - GAP));
}

/** The edge of the callout next to its subject. */
export type Edge = "top" | "bottom" | "left" | "right";

interface Place {
  readonly x: number;
  readonly y: number;
  /** `null` without a subject. */
  readonly edge: Edge | null;
}

/**
 * Below it, above it, after it or before it, at the first place with room. A subject that fills the window
 * has the callout in the lower corner where reading ends; a callout without a subject is there too.
 */
export function placeBeside(target: Box | null, card: Size, window: Size): Place {
  const corner = {
    x: within(window.width, card.width, window.width),
    y: within(window.height, card.height, window.height),
    edge: null,
  };
  if (target === null) return corner;
  const x = within(target.x, card.width, window.width);
  const y = within(target.y, card.height, window.height);
  const fitsX = (at: number) => at >= GAP && at + card.width + GAP <= window.width;
  const fitsY = (at: number) => at >= GAP && at + card.height + GAP <= window.height;
  const below = target.y + target.height + GAP;
  const above = target.y - card.height - GAP;
  const right = target.x + target.width + GAP;
  const left = target.x - card.width - GAP;
  if (fitsY(below)) return { x, y: below, edge: "top" };
  if (fitsY(above)) return { x, y: above, edge: "bottom" };
  if (fitsX(right)) return { x: right, y, edge: "left" };
  if (fitsX(left)) return { x: left, y, edge: "right" };
  return corner;
}

/** Minimum distance of the arrow from a corner of the callout. */
const CORNER = 16;

/** The position of the arrow on the callout's edge: at the middle of the target, as far as the edge goes. */
export function arrowAt(target: Box, card: Size, { x, y, edge }: Place): { readonly x: number; readonly y: number } {
  const along = (middle: number, from: number, length: number) =>
    Math.max(from + CORNER, Math.min(middle, from + length - CORNER));
  if (edge === "left" || edge === "right") {
    return { x: edge === "left" ? x : x + card.width, y: along(target.y + target.height / 2, y, card.height) };
  }
  return { x: along(target.x + target.width / 2, x, card.width), y: edge === "bottom" ? y + card.height : y };
}
