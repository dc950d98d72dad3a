
export const words = {
  wantsMore: (scopes: string) => (scopes === "" ? "The server wants to have been granted more." : `The server wants to have been granted more: ${scopes}.`),
  cancelled: "The sign-in was given up.",
  done: (member: string) => `Signed in to ${member}.`,
  clients: {
    manifest: "the client of the manifest",
    document: "the client of the manifest's document",
    registration: "a client that was registered for this",
  },
};
