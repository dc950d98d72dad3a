/** JSON Pointers (RFC 6901), the names of places that the form and the checker in Rust share. */


/** The pointer of a child. */
export function childPointer(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Whether a pointer leads to a place or into it. */
export function isInside(place: string, pointer: string): boolean {
  return pointer.startsWith(place) && (pointer.length === place.length || pointer[place.length] === "/");
}

/** A pointer as its keys. */
export function keysOf(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer
    .slice(1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A pointer as people read it: `edits[0].oldText`; the root is "the arguments". */
export function placeName(pointer: string): string {
  const keys = keysOf(pointer);
  if (keys.length === 0) return "the arguments";
  return keys
    .map((key, index) => (/^[0-9]+$/.test(key) ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join("");
}
