export const words = {
  copy: "Copy",
  copyWhat: (what: string) => `Copy ${what}`,
};
