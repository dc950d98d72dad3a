/** What may mislead a person in an address. */
export const words = {
  noAddress: "This is no address that a browser can go to.",
  plainHere: "It is not https; it stays on this computer.",
  plain: "It is not https: others on the way can read and change what is sent.",
  otherProgram: (protocol: string) => `It is not https but ${protocol} and would be opened by another program.`,
  lookAlike: (host: string) => `Its host has letters that can look like others. To a browser it is ${host}.`,
  punycode: "Its host is written in punycode (xn--): a browser may show it with letters that look like others.",
  readAs: (host: string) => `A browser reads its host as ${host}.`,
  number: "Its host is a number, not a name.",
  beforeAt: (host: string) => `What stands before @ is not where it goes; it goes to ${host}.`,
  hidden: "It has characters that can't be seen; they are shown as ⟨…⟩.",
  backslash: "It has a \\, which browsers take for a /.",
};
