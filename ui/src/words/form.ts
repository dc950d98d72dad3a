import { number } from "./format";

const pickDate = {
  date: (label: string) => `Pick the date for ${label}`,
  time: (label: string) => `Pick the time for ${label}`,
  "date-time": (label: string) => `Pick the date and time for ${label}`,
};

/** Keys that JSON sets, changes or says nothing of, each as a list. */
interface PastedKeys {
  readonly added: string | null;
  readonly changed: string | null;
  readonly kept: string | null;
}

export const words = {
  tabs: { Form: "Form", JSON: "JSON", Schema: "Schema", Docs: "Docs" },

  moreCharacters: (count: number) => `${number(count)} more characters`,

  defaultIs: (value: string) => `default: ${value}`,
  example: (value: string) => `e.g. ${value}`,

  onceMore: (option: string) => `Add ${option} once more`,

  pickDate,
  file: {
    word: "File…",
    pick: "Pick a file of this computer",
    browseFor: (label: string) => `Browse for a file for ${label}`,
  },
  folder: {
    word: "Folder…",
    pick: "Pick a folder of this computer",
    browseFor: (label: string) => `Browse for a folder for ${label}`,
  },
  "new-file": {
    word: "Save as…",
    pick: "Choose where on this computer the file is written",
    browseFor: (label: string) => `Choose where to write the file for ${label}`,
  },

  removeOne: (item: string) => `Remove ${item}`,

  pasted: ({ added, changed, kept }: PastedKeys) => {
    const parts = [
      ...(added === null ? [] : [`sets ${added}`]),
      ...(changed === null ? [] : [`changes ${changed}`]),
      ...(kept === null ? [] : [`says nothing of ${kept}`]),
    ];
    return parts.length === 0 ? "It changes nothing." : `It ${parts.join(", ")}.`;
  },
};
