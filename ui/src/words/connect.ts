
export const words = {
  onlyTools: (server: string, tools: readonly string[]) => (tools.length === 0 ? `none of ${server}` : `${tools.join(", ")} of ${server}`),
};
