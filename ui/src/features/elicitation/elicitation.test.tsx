import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { AnswerElicitation, CallEnd } from "../../ipc/bindings";
import { Refusal } from "../../ipc/bridge";
import type { MockBridge, MockCall } from "../../ipc/mock";
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import { axeDefects, PART } from "../../testing/axe";
import { cancelledEnd, textEnd } from "../../testing/callEnds";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";

const ADDRESS_WARNINGS = "Warnings about the address";
const ASKING = "A server asks";
const SCHEMA = {
  type: "object",
  required: ["name", "steel"],
  properties: {
    name: { type: "string", title: "Your name", description: "Goes on the blade" },
    steel: { type: "string", oneOf: [{ const: "c75", title: "Carbon, springy" }, { const: "n690", title: "Stainless" }] },
    edge: { type: "string", enum: ["k", "s"], enumNames: ["Keen", "Sturdy"], default: "s" },
    marks: { type: "array", items: { anyOf: [{ const: "r", title: "Rune" }, { const: "d", title: "Date" }] } },
    mail: { type: "string", format: "email" },
    pieces: { type: "integer", minimum: 1, default: 2 },
    gift: { type: "boolean" },
  },
};

const form = (schema: unknown = SCHEMA) => ({ kind: "form" as const, schema: JSON.stringify(schema), notes: [] });
const visit = (url: string) => ({ kind: "url" as const, url, elicitationId: "visit-1" });

/**
 * Opens a window with a tool whose server asks a question before the call returns. The answers are collected in
 * order.
 */
function openAsking(ask: (bridge: MockBridge, call: string) => Promise<AnswerElicitation>) {
  const answers: AnswerElicitation[] = [];
  const onCall: MockCall = async (request, _progress, cancelled): Promise<CallEnd> => {
    const over = new Promise<null>((resolve) => cancelled.addEventListener("abort", () => resolve(null)));
    const answer = await Promise.race([ask(opened.bridge, request.call), over]);
    if (answer === null) return cancelledEnd();
    answers.push(answer);
    return textEnd(`answered by ${answer.action}`);
  };
  const members = [
    mockMember(mockView("forge"), [
      mockTool("forge", { name: "smith", description: "Makes a blade." }),
      mockTool("forge", { name: "quench", description: "Cools it.", input: { type: "object", properties: { path: { type: "string" } } } }),
    ]),
  ];
  const opened = openWindow({ members, onCall });
  return { ...opened, answers };
}

const ofCall = (mode: ReturnType<typeof form> | ReturnType<typeof visit>, message = "Which blade?") =>
  openAsking((bridge, call) => bridge.elicit({ member: "forge", tool: "smith", call, message, mode }));

type Opened = ReturnType<typeof ofCall>;

async function run({ stores, user }: Opened) {
  act(() => stores.navigation.openTool("forge", "smith"));
  await screen.findByText("Makes a blade.");
  await user.keyboard("{Control>}{Enter}{/Control}");
}

const panel = () => screen.findByTestId("question");
const result = () => within(screen.getByTestId("result"));

describe("a server's question during a call", () => {
  it("appears in the result pane of its call", async () => {
    const opened = ofCall(form());
    await run(opened);
    const asked = within(await panel());
    expect(screen.getByTestId("result")).toContainElement(await panel());
    expect(asked.getByRole("heading", { name: /forge asks during smith/ })).toBeVisible();
    expect(asked.getByText("Which blade?")).toBeVisible();
    expect(asked.getByRole("timer")).toHaveTextContent(/10 min left/);
  });

  it("sends values from a form with defaults", async () => {
    const opened = ofCall(form());
    const { user, answers } = opened;
    await run(opened);
    const asked = within(await panel());
    await user.type(asked.getByRole("textbox", { name: /name/ }), "Wayland");
    await user.click(within(asked.getByRole("radiogroup", { name: /steel/ })).getByRole("radio", { name: "Stainless" }));
    expect(within(asked.getByRole("radiogroup", { name: /edge/ })).getByRole("radio", { name: "Sturdy" })).toBeChecked();
    await user.click(asked.getByRole("checkbox", { name: "Date" }));
    await user.click(asked.getByRole("button", { name: "Submit" }));
    expect(await result().findByText("answered by accept")).toBeVisible();
    expect(answers.map(({ action, content }) => [action, JSON.parse(content ?? "null") as unknown])).toEqual([
      ["accept", { name: "Wayland", steel: "n690", edge: "s", marks: ["d"], pieces: 2 }],
    ]);
    expect(result().getByText(/you answered after/)).toBeVisible();
    expect(screen.queryByTestId("question")).toBeNull();
  });

  it("is answered by keyboard alone", async () => {
    const opened = ofCall(form({ type: "object", required: ["n"], properties: { n: { type: "integer" } } }));
    const { user, answers } = opened;
    await run(opened);
    await panel();
    await user.keyboard("{Control>}{Shift>}a{/Shift}{/Control}");
    await waitFor(() => expect(screen.getByRole("textbox", { name: /^n/ })).toHaveFocus());
    await user.keyboard("9007199254740993{Control>}{Enter}{/Control}");
    await waitFor(() => expect(answers).toHaveLength(1));
    expect(answers[0]?.content).toBe('{"n":9007199254740993}');
    // The focus moves to the element that replaces the panel.
    await waitFor(() => expect(screen.getByRole("group", { name: "Questions" })).toHaveFocus());
  });

  it("shows problems and sends nothing", async () => {
    const opened = ofCall(form());
    const { user, bridge, answers } = opened;
    const call = bridge.call.bind(bridge);
    bridge.call = ((name, request) =>
      name === "check_elicitation"
        ? Promise.resolve({ errors: [{ pointer: "/mail", message: "is not an e-mail address", keyword: "format" }], notes: [] })
        : call(name, request));
    await run(opened);
    const asked = within(await panel());
    await user.type(asked.getByRole("textbox", { name: /mail/ }), "nobody");
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(textOf(await asked.findByRole("alert"))).toMatchInlineSnapshot(`"1 problemmail: is not an e-mail address"`);
    expect(asked.getByRole("textbox", { name: /mail/ })).toHaveAttribute("aria-invalid", "true");
    await user.click(asked.getByRole("button", { name: /mail: is not/ }));
    await waitFor(() => expect(asked.getByRole("textbox", { name: /mail/ })).toHaveFocus());
    expect(answers).toEqual([]);
    expect(await axeDefects(document.body, PART)).toEqual([]);
  });

  it("keeps its draft while another page is open", async () => {
    const opened = ofCall(form());
    const { user, stores } = opened;
    await run(opened);
    await user.type(within(await panel()).getByRole("textbox", { name: /name/ }), "Way");
    act(() => stores.navigation.openTool("forge", "quench"));
    await screen.findByText("Cools it.");
    expect(screen.queryByTestId("question")).toBeNull();
    act(() => stores.navigation.openTool("forge", "smith"));
    expect(within(await panel()).getByRole("textbox", { name: /name/ })).toHaveValue("Way");
  });

  it("keeps its JSON view on other pages", async () => {
    const opened = ofCall(form());
    await run(opened);
    const asked = async () => within(await panel());
    await opened.user.click((await asked()).getByRole("button", { name: "Actions for marks" }));
    await opened.user.click(await screen.findByRole("menuitem", { name: "Edit as JSON" }));
    const away = async () => {
      act(() => opened.stores.navigation.openTool("forge", "quench"));
      await screen.findByText("Cools it.");
      act(() => opened.stores.navigation.openTool("forge", "smith"));
    };
    await away();
    expect((await asked()).getByRole("textbox", { name: "marks as JSON" })).toBeVisible();
    await opened.user.click((await asked()).getByRole("button", { name: "Edit as JSON" }));
    await away();
    expect((await asked()).getByRole("button", { name: "Back to the fields" })).toHaveAttribute("aria-pressed", "true");
  });

  it("is declined", async () => {
    const opened = ofCall(form());
    await run(opened);
    await opened.user.click(within(await panel()).getByRole("button", { name: "Decline" }));
    expect(await result().findByText(/you declined after/)).toBeVisible();
    expect(opened.answers).toEqual([{ id: "elicitation-1", action: "decline", content: null }]);
  });

  it("is dismissed by Esc", async () => {
    const opened = ofCall(form());
    await run(opened);
    (await panel()).focus();
    await opened.user.keyboard("{Escape}");
    expect(await result().findByText(/you dismissed it/)).toBeVisible();
    expect(opened.answers[0]?.action).toBe("cancel");
  });

  it("asks before Esc discards a draft", async () => {
    const opened = ofCall(form());
    const { user, answers } = opened;
    await run(opened);
    const name = within(await panel()).getByRole("textbox", { name: /name/ });
    await user.type(name, "Way{Escape}");
    const sure = screen.getByRole("alertdialog", { name: /Discard your answer/ });
    await waitFor(() => expect(within(sure).getByRole("button", { name: "Keep editing" })).toHaveFocus());
    expect(await axeDefects(document.body, PART)).toEqual([]);
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(answers).toEqual([]);
    expect(name).toHaveValue("Way");
    await user.type(name, "{Escape}");
    await user.click(screen.getByRole("button", { name: "Discard" }));
    await waitFor(() => expect(answers[0]?.action).toBe("cancel"));
  });

  it("ends with its cancelled call", async () => {
    const opened = ofCall(form());
    const { user, bridge } = opened;
    await run(opened);
    await panel();
    await user.keyboard("{Control>}.{/Control}");
    act(() => bridge.emit({ kind: "elicitation_ended", id: "elicitation-1" }));
    await waitFor(() => expect(screen.queryByTestId("question")).toBeNull());
    expect(await result().findByText(/the call was cancelled after/)).toBeVisible();
  });

  it("ends when its time is over", async () => {
    const opened = openAsking((bridge, call) =>
      bridge.elicit({ member: "forge", call, message: "Quick!", mode: form(), expiresAtMs: Date.now() - 1 }),
    );
    await run(opened);
    await panel();
    expect(textOf(screen.getByRole("timer"))).toMatchInlineSnapshot(`"Time is over"`);
    act(() => opened.bridge.emit({ kind: "elicitation_ended", id: "elicitation-1" }));
    expect(await result().findByText(/timed out/)).toBeVisible();
  });

  it("shows the error of an answer", async () => {
    const opened = ofCall(form({ type: "object", properties: {} }));
    const { user, bridge } = opened;
    await run(opened);
    const asked = within(await panel());
    expect(textOf(asked.getByTestId("question-empty"))).toMatchInlineSnapshot(`"Nothing to fill in"`);
    const call = bridge.call.bind(bridge);
    bridge.call = ((name, request) =>
      name === "answer_elicitation"
        ? Promise.reject(new Refusal({ code: "arguments-invalid", message: "They do not fit.", hint: "", member: "forge" }))
        : call(name, request));
    await user.click(asked.getByRole("button", { name: "Submit" }));
    expect(textOf(await asked.findByRole("alert"))).toMatchInlineSnapshot(`"They do not fit. arguments-invalid"`);
    expect(asked.getByRole("button", { name: "Submit" })).toHaveAttribute("aria-disabled", "false");
  });

  it("keeps keys from the tool's form", async () => {
    const opened = ofCall(form());
    const { user, bridge, answers } = opened;
    await run(opened);
    const name = within(await panel()).getByRole("textbox", { name: /name/ });
    await user.type(name, "W{Control>}{Shift>}{Enter}{/Shift}{/Control}{Escape}");
    // Ctrl+Enter does not accept the answer while the dialog asks whether to discard it.
    await user.keyboard("{Control>}{Enter}{/Control}{Escape}");
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(bridge.asked.filter((one) => one.name === "invoke_tool")).toHaveLength(1);
    expect(bridge.asked.filter((one) => one.name === "check_elicitation")).toHaveLength(0);
    expect(answers).toEqual([]);
  });

  it("is in a queue, oldest first", async () => {
    const opened = openAsking(async (bridge, call) => {
      const first = bridge.elicit({ member: "forge", call, message: "First?", mode: form() });
      await bridge.elicit({ member: "forge", call, message: "Second?", mode: form() });
      return first;
    });
    const { user } = opened;
    await run(opened);
    const asked = within(await panel());
    expect(asked.getByText("First?")).toBeVisible();
    expect(asked.getByText(/1 of 2/)).toBeVisible();
    await user.click(asked.getByRole("button", { name: "Next question" }));
    expect(await screen.findByText("Second?")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Decline" }));
    expect(await screen.findByText("First?")).toBeVisible();
    expect(screen.queryByText(/1 of/)).toBeNull();
  });

  it("is counted after many others ended", async () => {
    const opened = openAsking(async (bridge, call) => {
      const ask = (message: string) => bridge.elicit({ member: "forge", call, message, mode: form() });
      for (const message of ["1?", "2?", "3?", "4?", "5?", "6?"]) void ask(message);
      return ask("Last?");
    });
    await run(opened);
    await panel();
    const end = (...ids: number[]) =>
      act(() => ids.forEach((id) => opened.bridge.emit({ kind: "elicitation_ended", id: `elicitation-${id}` })));
    end(1, 2, 3, 4, 5, 6);
    expect(textOf(await result().findByTestId("questions-hidden"))).toMatchInlineSnapshot(`"1 earlier question is not shown"`);
    end(7);
    expect(textOf(await result().findByTestId("questions-hidden"))).toMatchInlineSnapshot(`"2 earlier questions are not shown"`);
  });
});

describe("a server's question on another page", () => {
  it("is announced once without the focus", async () => {
    const { bridge, stores, user } = ofCall(form());
    act(() => stores.navigation.openTool("forge", "quench"));
    const field = await screen.findByRole("textbox", { name: /path/ });
    await user.type(field, "ab");
    act(() => void bridge.elicit({ member: "forge", message: "Which blade?", mode: form() }));
    await waitFor(() => expect(screen.getByTestId("question-alert")).toHaveTextContent("Which blade?"));
    expect(textOf(screen.getByTestId("question-alert"))).toMatchInlineSnapshot(`"forge asks: Which blade?."`);
    expect(textOf(within(screen.getByRole("region", { name: ASKING })).getByTestId("waiting-text"))).toMatchInlineSnapshot(`"forge asks: Which blade?"`);
    expect(screen.getByRole("button", { name: /1 question/ })).toBeVisible();
    await waitFor(() => expect(field).toHaveFocus());
    await user.keyboard("c");
    expect(field).toHaveValue("abc");
    expect(await axeDefects(document.body, PART)).toEqual([]);

    // The notice still shows the first question. The live region announces the second question.
    act(() => void bridge.elicit({ member: "forge", message: "How long?", mode: form() }));
    await waitFor(() => expect(screen.getByTestId("question-alert")).toHaveTextContent("How long?"));
    expect(textOf(screen.getByTestId("question-alert"))).toMatchInlineSnapshot(`"forge asks: How long?."`);
    expect(screen.getByText("and 1 more")).toBeVisible();
  });

  it("opens its call and focuses the form", async () => {
    const opened = ofCall(form());
    const { user, stores } = opened;
    await run(opened);
    await panel();
    act(() => stores.navigation.openMember("forge"));
    await user.click(await screen.findByRole("button", { name: "Answer" }));
    expect(stores.navigation.place.get()).toEqual({ kind: "tool", member: "forge", tool: "smith" });
    await waitFor(() => expect(screen.getByRole("textbox", { name: /name/ })).toHaveFocus());
    expect(screen.queryByRole("region", { name: ASKING })).toBeNull();
  });

  it("can be postponed", async () => {
    const { bridge, user } = ofCall(form());
    act(() => void bridge.elicit({ member: "forge", message: "Which blade?", mode: form() }));
    await user.click(await screen.findByRole("button", { name: "Hide notice" }));
    expect(screen.queryByRole("region", { name: ASKING })).toBeNull();
    await waitFor(() => expect(screen.getByRole("button", { name: /1 question/ })).toHaveFocus());
    await user.click(screen.getByRole("button", { name: /1 question/ }));
    // The question's call was made outside this window, so the question opens on a separate page.
    expect(await screen.findByRole("heading", { name: "Questions of forge" })).toBeVisible();
    await user.click(within(await panel()).getByRole("button", { name: "Decline" }));
    expect(await screen.findByText(/you declined/)).toBeVisible();
    expect(screen.queryByRole("button", { name: /1 question/ })).toBeNull();
    expect(await axeDefects(document.body, PART)).toEqual([]);
  });

  it("is an action of the palette", async () => {
    const { bridge, user } = ofCall(form());
    act(() => void bridge.elicit({ member: "forge", message: "Which blade?", mode: form() }));
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), ">answer forge");
    await user.click(await screen.findByRole("option", { name: /Answer forge: Which blade/ }));
    expect(await panel()).toBeVisible();
  });
});

describe("a server's address to open", () => {
  it("is shown whole and answered by Done", async () => {
    const url = "https://sign.example.com/a/b?state=1#x";
    const opened = ofCall(visit(url), "Please sign in");
    const { user, answers } = opened;
    await run(opened);
    const asked = within(await panel());
    const address = asked.getByTestId("address");
    expect(address).toHaveTextContent(url);
    expect(address.querySelector("strong")).toHaveTextContent("sign.example.com");
    expect((await panel()).querySelector("a, iframe, form[action]")).toBeNull();
    expect(asked.queryByRole("list", { name: ADDRESS_WARNINGS })).toBeNull();
    await user.click(asked.getByRole("button", { name: "Done" }));
    expect(await result().findByText(/you confirmed opening sign\.example\.com/)).toBeVisible();
    expect(answers).toEqual([{ id: "elicitation-1", action: "accept", content: null }]);
  });

  it("has warnings about misleading parts", async () => {
    const opened = ofCall(visit("http://xn--pple-43d.com@evil.example/"));
    await run(opened);
    const list = within(await panel()).getByRole("list", { name: ADDRESS_WARNINGS });
    expect(textOf(list)).toMatchInlineSnapshot(`"Not HTTPS: others on the network can read or change what you send.Misleading address: the part before @ isn't the site. It opens evil.example."`);
  });
});
