
/** What every install asks and says, wherever the server comes from. */
export const words = {
  isMemberNow: (member: string) => `${member} is a member now. It runs when you have accepted what it runs.`,
};
