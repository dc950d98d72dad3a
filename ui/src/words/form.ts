
export const words = {
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
};
