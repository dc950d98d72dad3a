export const words = {
  title: "About Guild Hall",
  text: "One place to run, see, try and serve MCP servers.",
  version: "Version",
  dataDir: "Data folder",
  membersDir: "Members' folder",
  logDir: "Logs",
  licence: "Licence",
  licenceText: "MIT or Apache 2.0, as you choose.",
  thirdParty: "Licences of others' works in it",
  /** Where nothing was packed, nothing was collected. */
  thirdPartyMade: "This program was built from source: {command} collects them.",
  copy: (what: string) => `the path of: ${what}`,
  reading: "Reading the version…",
  bundle: "Save a bundle for a bug report…",
  guide: "User guide",
  close: "Close",
};
