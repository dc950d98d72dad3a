/** What a server says of a tool, as a word and what it means. */
export const en = {
  marks: {
    readOnly: "Read-only: the server says it changes nothing",
    destructive: "Destructive: the server says it may destroy something",
    idempotent: "Idempotent: the server says a second identical call changes nothing more",
    openWorld: "Open world: the server says it reaches things outside itself",
  },
  readOnly: { word: "read-only", says: "It changes nothing." },
  notReadOnly: { word: "may change things", says: "It is not read-only." },
  destructive: { word: "destructive", says: "It may destroy something. You are asked once more before it runs." },
  notDestructive: { word: "not destructive", says: "It only adds." },
  idempotent: { word: "idempotent", says: "A second identical call changes nothing more." },
  notIdempotent: { word: "each call counts", says: "A second identical call has its own effect." },
  openWorld: { word: "open world", says: "It reaches things outside its server." },
  notOpenWorld: { word: "closed world", says: "It reaches nothing outside its server." },
};
