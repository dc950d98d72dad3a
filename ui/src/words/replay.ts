import { number, plural } from "./format";

/** What has to be known of a call of the past before it is made again. */
export const words = {
  typeSecrets: "Its secrets were not kept: open it in the form, and type them in",
  /** The secrets at these places, and at so many more, were not kept. */
  notKept: (places: readonly string[], more: number) => {
    const all = more > 0 ? `${places.join(", ")} and ${number(more)} more` : places.join(", ");
    return plural(places.length + more, {
      one: `The value of ${all} is a secret, so it was not kept: type it in.`,
      other: `The values of ${all} are secrets, so they were not kept: type them in.`,
    });
  },
  argumentsChanged: "The tool's arguments have changed since that call; what no longer fits is told when you run it.",
  notJson: "The arguments of that call were no JSON; they are as they were sent.",
  heldElse: "The form held something else.",
  putBack: "Put back what was typed",
  earlierDraft: "An earlier draft is kept.",
  useDraft: "Use it",
  putNotesAway: "Put the notes away",
};
