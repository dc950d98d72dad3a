
export const words = {
  difference: { new: "new", changed: "changed" },
};
