export const words = {
  begun: (name: string) => `${name} was created.`,
};
