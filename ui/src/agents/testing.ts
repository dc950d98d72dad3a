/** A fake member for the tests and pictures of what agents get. */
import { fakeMember, fakeTool, fakeView } from "../bridge/fake/members";

const input = {
  type: "object",
  required: ["path"],
  properties: { path: { type: "string", description: "Which piece" }, amount: { type: "integer" } },
};

export function smithy() {
  return fakeMember(fakeView("smithy"), [
    fakeTool("smithy", { name: "melt", description: "Melts a piece. It does not come back.", hints: { destructive: true }, input }),
    fakeTool("smithy", { name: "look", description: "Looks at a piece.", hints: { readOnly: true }, input }),
    fakeTool("smithy", { name: "חישול", description: "מחשל את הלהב, לדוגמה sword.", hints: { readOnly: false } }),
  ]);
}
