import { number } from "./format";

/** The embeddings endpoint that ranks tools by meaning. */
export const words = {
  busy: "The endpoint is being asked or saved",
  works: (dimensions: number, ms: number) => `The endpoint works: vectors of ${number(dimensions)} numbers, answered in ${number(ms)} ms.`,
};
