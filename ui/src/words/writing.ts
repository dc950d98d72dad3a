export const words = {
  whatIsMade: "What is made",
  begun: (name: string) => `${name} was created.`,
};
