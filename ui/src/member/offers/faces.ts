/** How offers are called on the screen. */
import type { Face } from "../../words/status";
import type { Listed } from "./offer";

const SHAPES: Readonly<Record<Listed["kind"], string>> = { resource: "▤", template: "{}", prompt: "❝" };

export function offerFace(kind: Listed["kind"]): Omit<Face, "colour"> {
  return { shape: SHAPES[kind], word: kind };
}
