import type { en } from "../en/names";

export const de: typeof en = {
  missing: "Es fehlt ein Name.",
  malformed: "Ein Name hat 1 bis 64 Zeichen aus A-Z a-z 0-9 . _ - und beginnt mit einem Buchstaben oder einer Ziffer.",
  memberTaken: (name) => `Es gibt schon ein Mitglied namens ${name}.`,
  tickedTwice: (name) => `Zwei der ausgewählten Server heißen ${name}.`,
  profileTaken: (name) => `Es gibt schon ein Profil namens ${name}.`,
};
