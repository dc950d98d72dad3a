import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import type { Commands } from "../../../ipc/bindings";
import type { MockBridge, MockOptions } from "../../../ipc/mock";
import { mockRound } from "../../../ipc/mock/dev";
import { mockMember, mockTool, mockView } from "../../../ipc/mock/members";
import { mockToolReview } from "../../review/testing";
import { choose } from "../../../testing/choose";
import { openWindow } from "../../../testing/open";
import { textOf } from "../../../testing/text";
import { expectationsOf } from "./expectation";
import { examples, followed, REPEATS, WARM } from "./testing";

function openDev(prepare: (bridge: MockBridge) => void, options: MockOptions = followed()) {
  const window = openWindow(options);
  prepare(window.bridge);
  act(() => window.stores.navigation.place.set({ kind: "member", member: "forge", first: "dev" }));
  return window;
}

function asked<K extends keyof Commands>(bridge: MockBridge, wanted: K): Commands[K]["request"][] {
  return bridge.asked.flatMap(({ name, request }) => (name === wanted ? [request as Commands[K]["request"]] : []));
}

describe("the files of a member", () => {
  it("are said to be watched, by which patterns and what builds them", async () => {
    openDev(examples);
    const files = within(await screen.findByRole("region", { name: "Files" }));
    expect(files.getByText(/src\/\*\*\/\*\.py/)).toBeVisible();
    expect(files.getByText(/12 files in 3 folders/)).toBeVisible();
    expect(files.getByText("make forge")).toBeVisible();
  });

  it("are said not to be watched, and what to do about it", async () => {
    openDev(() => undefined);
    expect(await screen.findByText(/Not watched/)).toHaveTextContent('"dev": true');
    expect(screen.getByText(/No examples/)).toBeVisible();
    expect(screen.queryByRole("button", { name: /^Run/ })).toBeNull();
  });

  it("are said to be watched in part, with why", async () => {
    openDev((bridge) => {
      examples(bridge);
      const problem = { code: "dev-unwatched", message: "Not all of /forge is watched.", hint: "Name what counts.", member: "forge" } as const;
      bridge.dev.states.set("forge", { ...bridge.dev.states.get("forge"), problem });
    });
    expect(textOf(await screen.findByRole("note"))).toMatchInlineSnapshot(`"Not all of /forge is watched. dev-unwatched Name what counts."`);
  });
});

describe("a round", () => {
  it("is shown as it goes, and as it ended", async () => {
    const { bridge } = openDev(examples);
    await screen.findByRole("region", { name: "Files" });
    act(() => bridge.dev.tell(mockRound(1, { step: "building", tookMs: null, build: { tookMs: null, error: null, output: [] } })));
    const shown = await screen.findByTestId("dev-round");
    expect(shown).toHaveTextContent(/Building.*src\/forge\.py/);
    act(() => bridge.dev.tell(mockRound(1, { build: { tookMs: 1_100, error: null, output: [] }, tools: [mockToolReview("heat"), mockToolReview("melt", { difference: "new" })] })));
    await waitFor(() => expect(shown).toHaveAttribute("data-step", "passed"));
    expect(shown).toHaveTextContent("2 tools changed");
    expect(within(shown).getByRole("list", { name: "Tools that changed" })).toHaveTextContent(/heat.*melt/);
    act(() => bridge.dev.tell(mockRound(2, { files: ["src/a.py"], moreFiles: 30, step: "not-running" })));
    await waitFor(() => expect(screen.getAllByTestId("dev-round")).toHaveLength(2));
    expect(textOf(screen.getAllByTestId("dev-round")[0])).toMatchInlineSnapshot(`"Stoppedsrc/a.py and 30 more files<time>, 1.2 sThe member was stopped. It runs the new code when you start it."`);
  });

  it("whose build failed says why, with its last lines as they were written", async () => {
    const error = { code: "build-failed", message: "`make` failed with exit code 2.", hint: "All of it is in the log.", member: "forge" } as const;
    openDev((bridge) => {
      examples(bridge);
      bridge.dev.tell(mockRound(1, { step: "build-failed", build: { tookMs: 80, error, output: ["src/forge.py:3: <b>no fire</b>"] } }));
    });
    const shown = within(await screen.findByTestId("dev-round"));
    expect(textOf(shown.getByRole("alert"))).toMatchInlineSnapshot(`"\`make\` failed with exit code 2. build-failedAll of it is in the log.src/forge.py:3: <b>no fire</b>"`);
    expect(shown.getByLabelText("Last lines of the build")).toHaveTextContent("src/forge.py:3: <b>no fire</b>");
  });

  it("marks the tools that it changed in the roster, until the next one", async () => {
    const { bridge, stores } = openDev(examples);
    act(() => stores.roster.setExpanded("forge", true));
    act(() => bridge.dev.tell(mockRound(1, { tools: [mockToolReview("heat"), mockToolReview("temper", { difference: "gone" })] })));
    expect(textOf(await within(await screen.findByTestId("member-forge")).findByTestId("changed-count"))).toMatchInlineSnapshot(`"2 tools changed just now"`);
    const heat = await screen.findByTestId("tool-forge-heat");
    expect(heat).toHaveTextContent("changed");
    expect(await screen.findByTestId("tool-forge-melt")).not.toHaveTextContent("changed");
    act(() => bridge.dev.tell(mockRound(2)));
    await waitFor(() => expect(heat).not.toHaveTextContent("changed"));
    expect(within(screen.getByTestId("member-forge")).queryByText(/changed just now/)).toBeNull();
  });
});

describe("examples", () => {
  it("run all or one by one, and one that fails says what was expected and what came", async () => {
    const { user, bridge } = openDev((fake) => {
      examples(fake);
      fake.dev.onExample = (name) => (name === "is warm" ? { end: "failed", differences: [WARM] } : {});
    });
    await user.click(await screen.findByRole("button", { name: "Run 2 examples" }));
    const shown = await screen.findByTestId("dev-round");
    expect(shown).toHaveTextContent("1 example failed");
    const difference = within(shown).getByRole("group", { name: "Structured content at /degrees" });
    expect(difference).toHaveTextContent(/Expected.*900.*Got.*20/);
    expect(within(shown).getAllByTestId("example-run").map((row) => row.getAttribute("data-end"))).toEqual(["passed", "failed"]);
    await user.click(screen.getByRole("button", { name: "Run repeats" }));
    await waitFor(() => expect(asked(bridge, "run_examples").map(({ names }) => names)).toEqual([null, ["repeats"]]));
  });

  it("say why they were not run", async () => {
    const refusing = { run_examples: { code: "member-disabled", message: "The member is disabled.", hint: "", member: "forge" } } as const;
    const { user } = openDev(examples, { ...followed(), refusing });
    await user.click(await screen.findByRole("button", { name: "Run 2 examples" }));
    expect(await screen.findByText(/The member is disabled/)).toBeVisible();
  });

  it("are kept of a call that was made, with what its result is to be", async () => {
    const { user, bridge, stores } = openWindow(followed());
    act(() => stores.navigation.openTool("forge", "heat"));
    const keep = async () => {
      await user.click(await screen.findByRole("button", { name: "More actions for heat" }));
      return screen.findByRole("menuitem", { name: /^Save as example…/ });
    };
    expect(await keep()).toHaveAttribute("aria-disabled", "true");
    await user.keyboard("{Escape}");
    await act(() => stores.bench.run("forge", "heat", '{"piece":"bar"}', "refuse", null));
    await user.click(await keep());
    await choose(user, await screen.findByLabelText("Expect"), "This text");
    await user.type(screen.getByLabelText("Name"), "heats a bar{Enter}");
    await waitFor(() =>
      expect(asked(bridge, "save_example")).toEqual([
        { member: "forge", name: "heats a bar", tool: "heat", arguments: '{"piece":"bar"}', expect: '{"text_equals": "{\\"piece\\":\\"bar\\"}"}' },
      ]),
    );
    await waitFor(() => expect(screen.queryByLabelText("Expect")).toBeNull());
    // The name is now taken, which the form reports below the field.
    await user.click(await keep());
    await user.type(await screen.findByLabelText("Name"), "heats a bar{Enter}");
    expect(await screen.findByText(/already/)).toBeVisible();
  });

  it("are kept of one's own members alone", async () => {
    const { trust } = mockView("forge");
    const view = mockView("forge", { trust: { ...trust, launch: "accepted" } });
    const { stores } = openWindow({ members: [mockMember(view, [mockTool("forge", { name: "heat", description: "Heats a piece." })])] });
    act(() => stores.navigation.openTool("forge", "heat"));
    expect(await screen.findByRole("button", { name: "Save" })).toBeVisible();
    await userEvent.click(await screen.findByRole("button", { name: "More actions for heat" }));
    expect(screen.queryByRole("menuitem", { name: /^Save as example…/ })).toBeNull();
  });
});

describe("what an example may expect", () => {
  const outcome = (result: unknown, isError = false) => ({ ...REPEATS, end: { kind: "result", result: JSON.stringify(result), isError } as const });
  const words = (of: ReturnType<typeof outcome>) => expectationsOf(of).map(({ expect: wanted }) => JSON.parse(wanted) as unknown);

  it("comes from the result, every digit of it", () => {
    expect(expectationsOf(null)).toEqual([{ word: "No error", expect: "{}" }]);
    const content = [{ type: "text", text: "red" }, { type: "text", text: "hot" }];
    expect(words(outcome({ content }))).toEqual([{}, { text_equals: "red\nhot" }]);
    expect(words(outcome({ content, structuredContent: { n: 1 } }))).toEqual([{}, { text_equals: "red\nhot" }, { structured: { n: 1 } }]);
    expect(words(outcome({ content: [] }, true))).toEqual([{ is_error: true }]);
    const exact = { ...REPEATS, end: { kind: "result", result: '{"content":[],"structuredContent":{"n":9007199254740993}}', isError: false } as const };
    expect(expectationsOf(exact).at(-1)?.expect).toBe('{"structured": {"n":9007199254740993}}');
    expect(words(outcome({ content: [{ type: "text", text: "x".repeat(40_000) }] }))).toEqual([{}]);
  });
});
