/** Colour codes of a terminal: `ESC [ … letter`. */
// eslint-disable-next-line no-control-regex -- the escape character is what is looked for.
const COLOURS = /\u001b\[[0-9;:?]*[A-Za-z]/g;
// eslint-disable-next-line no-control-regex -- these are what is made visible.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** A line of a log without its colours; any other control character is made visible. */
export function plainLine(line: string): string {
  return line
    .replace(COLOURS, "")
    .replace(CONTROLS, (character) =>
      character === "\u007f" ? "␡" : String.fromCharCode(0x2400 + character.charCodeAt(0)),
    );
}
