export const words = {
  beingChanged: "The gateway is being changed",
};
