const times = (attempt: number) => (attempt <= 1 ? "once" : `${attempt} times in a row`);

/** What stands behind the word for a member's status. */
export const en = {
  for: (since: string) => `for ${since}`,
  since: (since: string) => `since ${since}`,
  ago: (since: string) => `${since} ago`,
  queued: "waits until others have started; a call goes first",
  pulling: (since: string) => `for ${since}; the image of its container is being fetched`,
  installing: (since: string) => `for ${since}; its server is being installed`,
  overtime: (since: string) => `for ${since}, past its limit; it is still being installed, which goes on for ten minutes at most`,
  late: (since: string) => `for ${since}, past its limit; it is still at work and has up to four times its limit`,
  onDemand: "a call starts it",
  disabled: "its manifest says so",
  otherLaunch: "it runs something else than was accepted",
  notAccepted: "nothing starts it before you have accepted it",
  crashLoop: (attempt: number) => `it ended ${times(attempt)}; nothing more is tried until you start it`,
  backoff: (attempt: number, seconds: number, most: number) =>
    `it failed ${times(attempt)}; tries again ${seconds > 0 ? `in ${seconds} s` : "now"} (try ${attempt} of ${most})`,
  stop: "Stop",
  giveUp: "Give up",
};
