import { counted, plural } from "./format";

export const words = {
  /** `withheld` of them reach no agent. */
  notAsAccepted: (count: number, withheld: number) =>
    `${counted(count, { one: "tool", other: "tools" })} ${plural(count, { one: "is", other: "are" })} not as accepted; agents get ${withheld === 0 ? "all that is there" : `${counted(withheld, { one: "tool", other: "tools" })} less`}.`,
};
