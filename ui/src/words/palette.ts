
export const words = {
  title: "Find a tool, member or action",
};
