export const words = {
  nowhere: "Nobody has said where newer versions are told of: neither the settings above nor the package.",
  looking: "Looking for a newer version…",
  none: (moment: string) => `No newer version was told of (${moment}).`,
  offered: (version: string) => `Guild Hall ${version} is there`,
  fetching: (version: string) => `Fetching ${version}…`,
  ready: (version: string) => `Guild Hall ${version} was fetched, and its signature is right.`,
  changing: (version: string) => `Restarting as ${version}…`,
};
