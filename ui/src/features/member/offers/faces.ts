/** The icon and the label of each kind of offer: resource, template, prompt or skill. */
import type { SignName } from "../../../components/signs";
import type { Face } from "../../../components/status";
import type { Listed } from "./offer";

const SHAPES: Readonly<Record<Listed["kind"], SignName>> = { resource: "file", template: "braces", prompt: "quote", skill: "library" };

const WORDS: Readonly<Record<Listed["kind"], string>> = { resource: "Resource", template: "Template", prompt: "Prompt", skill: "Skill" };

export function offerFace(kind: Listed["kind"]): Omit<Face, "colour"> {
  return { shape: SHAPES[kind], word: WORDS[kind] };
}
