import { number, plural } from "./format";

/** What has to be known of a call of the past before it is made again. */
export const words = {
  /** The secrets at these places, and at so many more, were not kept. */
  notKept: (places: readonly string[], more: number) => {
    const all = more > 0 ? `${places.join(", ")} and ${number(more)} more` : places.join(", ");
    return plural(places.length + more, {
      one: `The value of ${all} is a secret, so it was not kept: type it in.`,
      other: `The values of ${all} are secrets, so they were not kept: type them in.`,
    });
  },
};
