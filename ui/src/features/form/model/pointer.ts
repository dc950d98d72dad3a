/** JSON Pointers (RFC 6901). The form and the validation in Rust identify values by them. */


/** Appends a key or an index to a pointer. */
export function childPointer(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Whether `pointer` equals `place` or is below it. */
export function isInside(place: string, pointer: string): boolean {
  return pointer.startsWith(place) && (pointer.length === place.length || pointer[place.length] === "/");
}

/** Splits a pointer into its unescaped keys. */
export function keysOf(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Formats a pointer for the user, such as `edits[0].oldText`; the root is "the arguments". */
export function placeName(pointer: string): string {
  const keys = keysOf(pointer);
  if (keys.length === 0) return "the arguments";
  return keys
    .map((key, index) => (/^[0-9]+$/.test(key) ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join("");
}
