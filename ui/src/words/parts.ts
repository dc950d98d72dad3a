export const words = {
  copyWhat: (what: string) => `Copy ${what}`,
};
