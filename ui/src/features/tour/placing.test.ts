import { describe, expect, it } from "vitest";

import { arrowAt, placeBeside, type Box } from "./placing";

const CARD = { width: 300, height: 150 };
const WINDOW = { width: 1_200, height: 800 };

function overlaps(place: { x: number; y: number }, target: Box): boolean {
  return place.x < target.x + target.width && target.x < place.x + CARD.width && place.y < target.y + target.height && target.y < place.y + CARD.height;
}

describe("the callout's place", () => {
  it.each([
    ["below a bar at the top", { x: 20, y: 0, width: 400, height: 40 }],
    ["above a bar at the bottom", { x: 900, y: 776, width: 100, height: 24 }],
    ["at the right of the roster", { x: 0, y: 40, width: 272, height: 736 }],
    ["at the left of a side panel", { x: 900, y: 0, width: 300, height: 800 }],
  ])("%s covers nothing of it", (_, target) => {
    expect(overlaps(placeBeside(target, CARD, WINDOW), target)).toBe(false);
  });

  it.each([
    [{ width: 1_200, height: 800 }],
    [{ width: 353, height: 213 }],
    [{ width: 320, height: 180 }],
  ])("is whole within a window of %o, wherever its target is", (window) => {
    const card = { width: Math.min(CARD.width, window.width - 16), height: Math.min(CARD.height, window.height - 16) };
    for (const target of [null, { x: -50, y: -50, width: 10, height: 10 }, { x: 5_000, y: 5_000, width: 10, height: 10 }, { x: 0, y: 0, ...window }]) {
      const { x, y } = placeBeside(target, card, window);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(x + card.width).toBeLessThanOrEqual(window.width);
      expect(y + card.height).toBeLessThanOrEqual(window.height);
    }
  });

  it.each(["top", "bottom", "left", "right"] as const)("has its arrow at its %s edge, where the target is", (edge) => {
    const target = {
      top: { x: 20, y: 0, width: 60, height: 40 },
      bottom: { x: 1_100, y: 776, width: 60, height: 24 },
      left: { x: 0, y: 40, width: 272, height: 736 },
      right: { x: 900, y: 0, width: 300, height: 800 },
    }[edge];
    const place = placeBeside(target, CARD, WINDOW);
    expect(place.edge).toBe(edge);
    const arrow = arrowAt(target, CARD, place);
    const isBetween = (at: number, from: number, length: number) => at >= from && at <= from + length;
    if (edge === "top" || edge === "bottom") {
      expect(arrow.y).toBe(edge === "top" ? place.y : place.y + CARD.height);
      expect(isBetween(arrow.x, target.x, target.width) && isBetween(arrow.x, place.x, CARD.width)).toBe(true);
    } else {
      expect(arrow.x).toBe(edge === "left" ? place.x : place.x + CARD.width);
      expect(isBetween(arrow.y, target.y, target.height) && isBetween(arrow.y, place.y, CARD.height)).toBe(true);
    }
  });
});
