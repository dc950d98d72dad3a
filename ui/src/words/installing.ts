import { number, plural } from "./format";

/** What every install asks and says, wherever the server comes from. */
export const words = {
  memberName: "Name of the member",
  answersAsJson: "Answers as JSON",
  answersWrong: (count: number) => plural(count, { one: "One answer does not fit", other: `${number(count)} answers do not fit` }),
  beingChecked: "The answers are being checked",
  install: "Install",
  beingInstalled: "It is being installed",
  isMemberNow: (member: string) => `${member} is a member now. It runs when you have accepted what it runs.`,
  /** In the status bar, for whoever went elsewhere meanwhile. */
  isInstalled: (member: string) => `${member} is installed: review it`,
  whatWouldRun: "What it would run",
  address: "the address",
};
