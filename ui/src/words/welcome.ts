import type { Forms } from "./format";

const members: Forms = { one: "member", other: "members" };

export const words = {
  members,
};
