
/** What every install asks and says, wherever the server comes from. */
export const words = {
  install: "Install",
  beingInstalled: "It is being installed",
  isMemberNow: (member: string) => `${member} is a member now. It runs when you have accepted what it runs.`,
  whatWouldRun: "What it would run",
  address: "the address",
};
