/** States of servers' questions for the catalog of UI states. */
import type { Elicitation, ElicitationMode } from "../../ipc/bindings";
import type { MockBridge, MockOptions } from "../../ipc/mock";
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import type { State, Stores } from "../../testing/state";
import { leadTo } from "./lead";

const FORM: ElicitationMode = {
  kind: "form",
  schema: JSON.stringify({
    type: "object",
    required: ["owner", "steel"],
    properties: {
      owner: { type: "string", title: "Owner", description: "Engraved below the guard", maxLength: 40 },
      mail: { type: "string", format: "email", description: "Where the bill goes" },
      steel: { type: "string", oneOf: [{ const: "c75", title: "Carbon, springy" }, { const: "n690", title: "Stainless" }] },
      marks: { type: "array", items: { anyOf: [{ const: "rune", title: "Rune" }, { const: "date", title: "Date" }] } },
      pieces: { type: "integer", minimum: 1, maximum: 12, default: 1 },
      gift: { type: "boolean", default: false },
    },
  }),
  notes: [],
};

const visit = (url: string): ElicitationMode => ({ kind: "url", url, elicitationId: "visit-7" });

const QUESTION = "The order is nearly complete. Who is the blade for, and of which steel shall it be?";

function smithy(): MockOptions {
  return {
    members: [mockMember(mockView("smithy", { pid: 41_300 }), [mockTool("smithy", { name: "order", description: "Orders a blade." })])],
    onCall: () => new Promise(() => undefined),
  };
}

/** Calls the tool and makes its server ask the questions. */
function asking(mode: ElicitationMode, message = QUESTION, more: Partial<Elicitation>[] = [{}]) {
  return (stores: Stores, bridge: MockBridge): void => {
    stores.roster.setExpanded("smithy", true);
    stores.navigation.openTool("smithy", "order");
    void stores.bench.run("smithy", "order", "{}", "refuse");
    const call = stores.bench.sheet("smithy/order").runs[0]?.call ?? null;
    for (const each of more) void bridge.elicit({ member: "smithy", tool: "order", call, message, mode, ...each });
  };
}

export const QUESTION_STATES: readonly State[] = [
  { name: "question-form", options: smithy, arrive: asking(FORM), shows: /smithy asks during order/, contrast: true },
  {
    name: "question-queue",
    options: smithy,
    arrive: asking(FORM, QUESTION, [{}, { message: "And the sheath?" }]),
    shows: /1 of 2/,
  },
  {
    name: "question-short",
    options: smithy,
    arrive: asking({ kind: "form", schema: '{"type":"object","properties":{}}', notes: [] }, "Shall the fire go out?", [
      { expiresAtMs: Date.now() + 20_000 },
    ]),
    shows: /Nothing to fill in/,
  },
  {
    name: "question-visit",
    options: smithy,
    arrive: asking(visit("https://guild.example.com/orders/4711/pay?return=smithy#card"), "Please pay for the blade."),
    shows: /Done/,
  },
  {
    name: "question-visit-suspicious",
    options: smithy,
    arrive: asking(visit("http://guild.example.com@xn--gild-0ra.example/pay\u202e"), "Please pay for the blade."),
    shows: /punycode/,
  },
  {
    name: "question-ended",
    options: smithy,
    arrive: (stores, bridge) => {
      asking(FORM)(stores, bridge);
      // Wait until the question was shown, because a question that ends earlier leaves no entry.
      setTimeout(() => void stores.questions.answer("elicitation-1", "decline", null), 100);
    },
    shows: /you declined/,
  },
  {
    name: "question-elsewhere",
    options: smithy,
    arrive: (stores, bridge) => {
      asking(FORM)(stores, bridge);
      stores.navigation.openMember("smithy");
    },
    shows: /Log[^]*smithy asks:/,
  },
  {
    name: "question-of-an-agent",
    options: smithy,
    arrive: (stores, bridge) => {
      void bridge.elicit({ member: "smithy", message: QUESTION, mode: FORM });
      // The question arrives with the next event, and can only be opened after that.
      setTimeout(() => {
        const [first] = stores.hall.state.get().elicitations.values();
        if (first) leadTo(stores, first);
      }, 100);
    },
    shows: /Questions of smithy/,
  },
  {
    name: "question-right-to-left",
    options: smithy,
    arrive: asking(FORM, `מי הבעלים של הלהב? ${"ומאיזו פלדה תהיה? ".repeat(60)}`),
    shows: /smithy asks during[^]*מי הבעלים/,
  },
];
