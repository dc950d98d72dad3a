
/** What keeps a text from being JSON. */
export const words = {
  nothingMayFollow: "Nothing may follow the value.",
  tooDeep: (levels: number) => `Nested deeper than ${levels} levels.`,
  keyNeeded: "A key in double quotes is needed here.",
  colonNeeded: "A colon is needed after the key.",
  commaOr: (end: string) => `A comma or ${end} is needed here.`,
  someEscapeInvalid: "An escape in a text is not valid.",
  at: (line: number, column: number, problem: string) => `Line ${line}, column ${column}: ${problem}`,
};
