import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import type { ReadMemberLog } from "../../ipc/bindings";
import { Refusal } from "../../ipc/bridge";
import type { MockOptions } from "../../ipc/mock";
import { mockMember, mockTool, mockView, type MockMember } from "../../ipc/mock/members";
import { choose } from "../../testing/choose";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";

const LOAD_EARLIER = "Load earlier lines";
const tools = [mockTool("forge", { name: "heat", description: "" })];

function ready(stderr: string[] = []) {
  const view = mockView("forge", {
    transport: "http",
    port: 20_001,
    pid: 4_711,
    protocolVersion: "2025-11-25",
    description: "Makes things hot",
  });
  return mockMember(view, tools, { command: "/bin/forge --port 20001", stderr });
}

function broken() {
  const view = mockView("forge", {
    status: "backoff",
    attempt: 3,
    retryAtMs: Date.now() + 4_000,
    error: { code: "member-exited", message: "It ended with exit code 1.", hint: "Look at its log.", member: "forge" },
  });
  return mockMember(view, tools);
}

function openForge(member = ready()) {
  return openWindowOf(member);
}

function openLog(member = ready(), options: MockOptions = {}) {
  const opened = openWindow({ ...options, members: [member] });
  act(() => opened.stores.navigation.openMember("forge", true));
  return opened;
}

type Opened = ReturnType<typeof openWindow>;

/** Delays the responses to the log requests for which `holds` returns true. The returned function releases them. */
function holdBack({ bridge }: Opened, holds: (request: ReadMemberLog) => boolean): () => void {
  const call = bridge.call.bind(bridge);
  let release: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (release = resolve));
  bridge.call = ((name: Parameters<typeof call>[0], request: never) =>
    name === "read_member_log" && holds(request) ? gone.then(() => call(name, request)) : call(name, request));
  return release;
}

const linesOf = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);
const counts = (words: string) => waitFor(() => expect(screen.getByTestId("log-count")).toHaveTextContent(words));

function openWindowOf(member: MockMember, options: MockOptions = {}) {
  const opened = openWindow({ ...options, members: [member] });
  act(() => opened.stores.navigation.openMember("forge"));
  return opened;
}

describe("the member's page", () => {
  it("shows state, process, port, protocol and command", async () => {
    const { user } = openForge();
    expect(await screen.findByTestId("member-status")).toHaveTextContent(/Ready\s*up 1 min.* · HTTP · v1.0.0/);
    await user.click(screen.getByRole("tab", { name: "Configuration" }));
    expect(screen.getByText(/pid 4711 · port 20001 · up 1 min/)).toBeVisible();
    expect(screen.getByText("2025-11-25")).toBeVisible();
    expect(await screen.findByTestId("member-command")).toHaveTextContent("/bin/forge --port 20001");
    expect(screen.getByText("http://127.0.0.1:20001/mcp")).toBeVisible();
  });

  it("warns of secrets in arguments, and shows their references alone", async () => {
    const message = "plugin.json:7: args[1] has ${secret:KEY}, whose value every user of this machine can see while the server runs (`ps`)";
    const warning = { code: "manifest-field" as const, message, hint: "Pass it in `env` if the server reads it from a variable.", member: "forge" };
    const view = mockView("forge", { warnings: [warning] });
    const { user } = openForge(mockMember(view, tools, { command: "/bin/forge --key ${secret:KEY} --token •••" }));
    const warnings = await screen.findByRole("list", { name: "Warnings" });
    expect(warnings).toHaveTextContent(/args\[1\] has \$\{secret:KEY\}.*every user of this machine can see/);
    expect(textOf(warnings)).toMatchInlineSnapshot(`"plugin.json:7: args[1] has \${secret:KEY}, whose value every user of this machine can see while the server runs (\`ps\`) manifest-field Pass it in \`env\` if the server reads it from a variable."`);
    await user.click(screen.getByRole("tab", { name: "Configuration" }));
    expect(screen.getByTestId("member-command")).toHaveTextContent("/bin/forge --key ${secret:KEY} --token •••");
  });

  it("req_mcp_http_40: shows error and hint, and says when it tries again", async () => {
    vi.spyOn(Date, "now").mockReturnValue(Date.now());
    openForge(broken());
    const error = await screen.findByTestId("member-error");
    expect(textOf(error)).toMatchInlineSnapshot(`"It ended with exit code 1.Look at its log. member-exitedOpen log"`);
    expect(error).toHaveAttribute("data-code", "member-exited");
    expect(textOf(screen.getByTestId("member-status"))).toMatchInlineSnapshot(`"Retryingfailed 3 times; retrying in 4 s (3 of 5) · stdio · v1.0.0"`);
  });

  it("counts down to the next try without asking the engine", async () => {
    // Load the page's lazy modules before the fake timers stop the clock.
    const fetched = openForge(broken());
    await screen.findByTestId("member-status");
    fetched.unmount();
    vi.useFakeTimers();
    try {
      const { bridge } = openForge(broken());
      const status = screen.getByTestId("member-status");
      expect(status).toHaveTextContent("in 4 s");
      const asked = bridge.asked.length;
      act(() => void vi.advanceTimersByTime(2_000));
      expect(status).toHaveTextContent("in 2 s");
      act(() => void vi.advanceTimersByTime(2_500));
      expect(textOf(status)).toMatchInlineSnapshot(`"Retryingfailed 3 times; retrying now (3 of 5) · stdio · v1.0.0"`);
      const since = bridge.asked.slice(asked).map(({ name }) => name);
      // Opening the page and the window sends each of these requests once.
      expect(since.filter((name) => !["member_detail", "found_servers", "catalog"].includes(name))).toEqual([]);
      expect(new Set(since).size).toBe(since.length);
    } finally {
      vi.useRealTimers();
    }
  });

  it("leaves a crash loop by one click", async () => {
    const member = broken();
    const error = { code: "crash-loop" as const, message: "It ended again and again. Last: no anvil", hint: "", member: "forge" };
    member.view = { ...member.view, status: "crash-loop", attempt: 5, retryAtMs: null, error };
    const { user, bridge } = openForge(member);
    expect(await screen.findByTestId("member-error")).toHaveTextContent("no anvil");
    expect(textOf(screen.getByTestId("member-status"))).toMatchInlineSnapshot(`"Crashed5 times; won't restart by itself · stdio · v1.0.0"`);
    await user.click(screen.getByTestId("start"));
    expect(bridge.asked.map(({ name }) => name)).toContain("start_member");
    await waitFor(() => expect(screen.getByTestId("member-status")).toHaveAttribute("data-status", "ready"));
  });

  it("keeps an error of 2,000 characters whole", async () => {
    const member = broken();
    const message = "x".repeat(2_000);
    member.view = { ...member.view, error: { code: "spawn-failed", message, hint: "", member: "forge" } };
    openForge(member);
    expect(await screen.findByTestId("member-error")).toHaveTextContent(message);
  });

  it("stops, and the button then starts", async () => {
    const { user, bridge } = openForge();
    const button = await screen.findByTestId("stop");
    button.focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.getByTestId("member-status")).toHaveAttribute("data-status", "stopped"));
    expect(screen.getByTestId("start")).toBe(button);
    expect(button).toHaveFocus();
    await user.click(screen.getByTestId("restart"));
    await waitFor(() => expect(screen.getByTestId("member-status")).toHaveAttribute("data-status", "ready"));
    expect(bridge.asked.map(({ name }) => name)).not.toContain("start_member");
  });

  it("disabled_member_says_why_it_cannot_start", async () => {
    const { user, bridge } = openForge(mockMember(mockView("forge", { status: "disabled" }), tools));
    const start = await screen.findByTestId("start");
    expect(start).toHaveAttribute("aria-disabled", "true");
    expect(start.getAttribute("aria-description")).toMatchInlineSnapshot(`"Disabled in plugin.json"`);
    await user.click(start);
    expect(bridge.asked.map(({ name }) => name)).not.toContain("start_member");
  });

  it("offers fixes by the code of an error", async () => {
    const error = { code: "command-not-found" as const, message: "The command `uvx` was not found.", hint: "Install uv.", member: "forge" };
    const { user, bridge, stores } = openForge(mockMember(mockView("forge", { status: "error", error }), tools));
    const fix = await screen.findByRole("button", { name: "Fix…" });
    await user.click(fix);
    expect((await screen.findAllByRole("menuitem")).map(textOf)).toEqual(["Install uv", "Change command…", "Run system check"]);
    await user.click(screen.getByRole("menuitem", { name: "Install uv" }));
    expect(bridge.opened).toEqual([{ kind: "address", address: "https://docs.astral.sh/uv/" }]);
    await user.click(fix);
    await user.click(await screen.findByRole("menuitem", { name: "Change command…" }));
    expect(screen.getByRole("tab", { name: "Configuration" })).toHaveAttribute("aria-selected", "true");
    await user.click(fix);
    await user.click(await screen.findByRole("menuitem", { name: "Run system check" }));
    expect(stores.navigation.place.get()).toEqual({ kind: "doctor" });
  });

  it("lists tools, opens them and sets permissions", async () => {
    const { user, bridge, stores } = openForge();
    const table = await screen.findByRole("table", { name: "Tools of forge" });
    const select = await within(table).findByRole("combobox", { name: "Permission of agents for heat" });
    expect(select).toHaveTextContent("Allow");
    await choose(user, select, "Deny");
    await waitFor(() => expect(select).toHaveTextContent("Deny"));
    expect(bridge.asked).toContainEqual({ name: "set_tool_policies", request: { profile: null, tools: [{ member: "forge", tool: "heat", policy: "deny" }] } });
    expect(stores.navigation.place.get().kind).toBe("member");
    await user.click(within(table).getByRole("button", { name: "heat" }));
    expect(stores.navigation.place.get()).toEqual({ kind: "tool", member: "forge", tool: "heat" });
  });

  it("searches many tools, and draws a screenful", async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => mockTool("forge", { name: `tool_${index}`, description: `Does ${index}.` }));
    const { user } = openForge(mockMember(mockView("forge"), many));
    const table = await screen.findByRole("table", { name: "Tools of forge" });
    expect(within(table).getAllByRole("row").length).toBeLessThan(60);
    await user.type(screen.getByRole("searchbox", { name: "Search the tools of forge" }), "does 1999");
    expect(await within(table).findByRole("button", { name: "tool_1999" })).toBeVisible();
    expect(within(table).getAllByRole("row")).toHaveLength(2);
  });

  it("unknown_tools_offer_a_start", async () => {
    const { user } = openForge(mockMember(mockView("forge", { status: "stopped", freshness: "unknown" }), []));
    expect(await screen.findByText("Tools load when the member starts.")).toBeVisible();
    const [, start] = screen.getAllByRole("button", { name: "Start" });
    await user.click(start as HTMLElement);
    expect(await screen.findByText("No tools")).toBeVisible();
  });

  it("shows Dev only for members in development", async () => {
    const { stores } = openForge();
    await screen.findByRole("tab", { name: /Tools/ });
    expect(screen.queryByRole("tab", { name: "Dev" })).toBeNull();
    act(() => stores.navigation.place.set({ kind: "member", member: "forge", first: "dev" }));
    expect(await screen.findByRole("tab", { name: "Dev" })).toBeVisible();
  });

  it("restarts", async () => {
    const { user } = openForge();
    await user.click(await screen.findByTestId("restart"));
    await waitFor(() => expect(screen.getByTestId("member-status")).toHaveAttribute("data-status", "ready"));
  });

  it("shows stderr live, what was there before included", async () => {
    const { bridge } = openLog(ready(["\u001b[32mearlier\u001b[0m"]));
    const log = await screen.findByTestId("log");
    expect(await within(log).findByText("earlier")).toBeVisible();
    bridge.write("forge", ["later\u0007"]);
    expect(await within(log).findByText("later^G")).toBeVisible();
  });

  it("finds lines of the log by words", async () => {
    const { user } = openLog(ready(["a red line", "a blue line"]));
    const log = await screen.findByTestId("log");
    await within(log).findByText("a red line");
    await user.type(screen.getByRole("searchbox", { name: "Search the log" }), "blue");
    await waitFor(() => expect(within(log).queryByText("a red line")).toBeNull());
    expect(within(log).getByText("a blue line")).toBeVisible();
  });

  it("goes back into the files as far as the log's first line, and the focus stays with it", async () => {
    const { user } = openLog(ready(linesOf(2_500)));
    await counts("1,000 lines");
    const earlier = screen.getByRole("button", { name: LOAD_EARLIER });
    earlier.focus();
    await user.keyboard("{Enter}");
    await counts("2,000 lines");
    await waitFor(() => expect(earlier).toHaveFocus());
    await user.keyboard("{Enter}");
    await counts("2,500 lines");
    expect(earlier).not.toBeInTheDocument();
    await waitFor(() => expect(screen.getByTestId("log")).toHaveFocus());
  });

  it("goes back into the files of a log that was empty when it was opened", async () => {
    const { user, bridge } = openLog(ready());
    await screen.findByTestId("log-empty");
    act(() => void bridge.write("forge", linesOf(10_500)));
    await counts("10,000 lines");
    await user.click(screen.getByRole("button", { name: LOAD_EARLIER }));
    await counts("10,500 lines");
    expect(screen.queryByRole("button", { name: LOAD_EARLIER })).toBeNull();
  });

  it("passes by a page without lines that is not the last", async () => {
    const opened = openLog(ready(linesOf(2_500)));
    await counts("1,000 lines");
    const { bridge } = opened;
    const call = bridge.call.bind(bridge);
    bridge.call = (async (name: Parameters<typeof call>[0], request: never) => {
      const answer = await call(name, request);
      return "before" in answer && (request as ReadMemberLog).before === 1_500 ? { ...answer, lines: [], before: 1_400 } : answer;
    }) as typeof call;
    await opened.user.click(screen.getByRole("button", { name: LOAD_EARLIER }));
    await counts("2,000 lines");
    expect(bridge.asked.flatMap(({ name, request }) => (name === "read_member_log" ? [(request as ReadMemberLog).before] : []))).toEqual([null, 1_500, 1_400]);
  });

  it("says so when no more of it fits into the window", async () => {
    const { user, bridge } = openLog(ready(linesOf(2_500)));
    await counts("1,000 lines");
    const call = bridge.call.bind(bridge);
    bridge.call = (async (name: Parameters<typeof call>[0], request: never) => {
      const answer = await call(name, request);
      if (!("totalBytes" in answer)) return answer;
      const lines = Array.from({ length: 99_000 }, (_, index) => ({ seq: index - 97_500, start: 1, atMs: 0, text: "old" }));
      return { ...answer, lines, before: -97_500 };
    }) as typeof call;
    await user.click(screen.getByRole("button", { name: LOAD_EARLIER }));
    await counts("100,000 lines");
    expect(textOf(screen.getByTestId("earlier"))).toMatchInlineSnapshot(`"Showing the last 100,000 lines. Download the log to get all of them."`);
    expect(screen.queryByRole("button", { name: LOAD_EARLIER })).toBeNull();
  });

  it("can be read further after a search that began in the middle of reading", async () => {
    const opened = openLog(ready(linesOf(2_500)));
    await counts("1,000 lines");
    const release = holdBack(opened, ({ before, filter }) => before !== null && filter.contains === "");
    await opened.user.click(screen.getByRole("button", { name: LOAD_EARLIER }));
    const field = screen.getByRole("searchbox", { name: "Search the log" });
    await opened.user.type(field, "line 7");
    await counts("found");
    await opened.user.clear(field);
    await counts("1,000 lines");
    act(release);
    await opened.user.click(await screen.findByRole("button", { name: LOAD_EARLIER }));
    await counts("2,000 lines");
  });

  it("does not say that nothing fits before the files were looked through, and lets one stop", async () => {
    const opened = openLog(ready(["the needle", ...linesOf(2_500)]));
    await counts("1,000 lines");
    const release = holdBack(opened, ({ filter }) => filter.contains !== "");
    await opened.user.type(screen.getByRole("searchbox", { name: "Search the log" }), "needle");
    expect(await screen.findByText("Searching earlier lines, 0% done")).toBeVisible();
    expect(screen.queryByText("No matching lines")).toBeNull();
    await opened.user.click(screen.getByRole("button", { name: "Stop searching" }));
    expect(textOf(await screen.findByTestId("log-empty"))).toMatchInlineSnapshot(`"No matching lines"`);
    act(release);
    await opened.user.click(screen.getByRole("button", { name: "Search earlier lines" }));
    expect(await screen.findByText("the needle")).toBeVisible();
    expect(opened.stores.spoken.get()).toBe("1 line found");
  });

  it("searches all of the log, page by page, and new lines with it", async () => {
    const member = ready(Array.from({ length: 4_000 }, (_, index) => (index === 3 ? "the needle" : `hay ${index}`)));
    const { user, bridge } = openLog(member);
    await waitFor(() => expect(screen.getByTestId("log-count")).toHaveTextContent("1,000 lines"));
    bridge.logs.share = 700;
    await user.type(screen.getByRole("searchbox", { name: "Search the log" }), "NEEDLE");
    const log = screen.getByTestId("log");
    expect(await within(log).findByText("the needle")).toBeVisible();
    act(() => void bridge.write("forge", ["another needle", "no such thing"]));
    expect(await within(log).findByText("another needle")).toBeVisible();
    expect(screen.getByTestId("log-count")).toHaveTextContent("2 lines found");
    const asked = bridge.asked.filter(({ name }) => name === "read_member_log").length;
    expect(asked).toBeGreaterThan(4);
  });

  it("shows the lines of one start", async () => {
    const { user, bridge } = openLog(ready(["of the first"]));
    const log = await screen.findByTestId("log");
    await within(log).findByText("of the first");
    act(() => bridge.emit({ kind: "stderr", member: "forge", lines: bridge.logs.write("forge", ["of the second"], true), skipped: 0 }));
    await choose(user, await screen.findByRole("combobox", { name: "Run" }), "Run 1");
    await waitFor(() => expect(within(log).queryByText("of the second")).toBeNull());
    expect(within(log).getByText("of the first")).toBeVisible();
  });

  it("holds still while it is paused, and counts what comes and fits", async () => {
    const { user, bridge } = openLog(ready(["first"]));
    const log = await screen.findByTestId("log");
    await within(log).findByText("first");
    let height = 1_000;
    Object.defineProperty(log, "scrollHeight", { get: () => (height += 100) });
    const shows = async (text: string) => {
      act(() => void bridge.write("forge", [text]));
      await within(log).findByText(text);
      return log.scrollTop;
    };
    const before = await shows("second");
    const followed = await shows("third");
    expect(followed).toBeGreaterThan(before);
    await user.click(screen.getByRole("button", { name: "Auto-scroll" }));
    expect(await shows("fourth")).toBe(followed);
    await shows("fifth");
    await user.type(screen.getByRole("searchbox", { name: "Search the log" }), "fifth");
    const end = await screen.findByRole("button", { name: "1 new line" });
    await user.clear(screen.getByRole("searchbox", { name: "Search the log" }));
    expect(await screen.findByRole("button", { name: "2 new lines" })).toBe(end);
    await user.click(end);
    expect(screen.getByRole("button", { name: "Auto-scroll" })).toHaveAttribute("aria-pressed", "true");
    await waitFor(() => expect(log).toHaveFocus());
    expect(log.scrollTop).toBeGreaterThan(followed);
  });

  it("says why files can't be read, and goes on with new lines", async () => {
    const report = { code: "log-unwritable" as const, message: "forge.log can't be read.", hint: "Mend it.", member: null };
    const { user, stores, bridge } = openLog(ready(), { refusing: { read_member_log: report } });
    const earlier = await screen.findByTestId("earlier");
    expect(textOf(within(earlier).getByRole("status"))).toMatchInlineSnapshot(`"forge.log can't be read. log-unwritable Mend it."`);
    act(() => void bridge.write("forge", ["later"]));
    expect(await within(screen.getByTestId("log")).findByText("later")).toBeVisible();
    await user.click(within(earlier).getByRole("link", { name: /^log-unwritable/ }));
    expect(stores.navigation.place.get()).toEqual({ kind: "help", at: "errors#log-unwritable" });
  });

  it("is saved with all that fits, and says where, or why not", async () => {
    const { user, bridge } = openLog(ready(linesOf(2_500)), { picks: "/home/me/forge.log" });
    await counts("1,000 lines");
    await user.click(screen.getByRole("button", { name: "Download log" }));
    expect(textOf(await screen.findByTestId("file-written"))).toMatchInlineSnapshot(`"2,500 lines written to /home/me/forge.log"`);
    expect(bridge.picked).toEqual([{ kind: "new-file", suggestedName: "forge.log" }]);

    const full = { code: "data-unwritable" as const, message: "No space left.", hint: "Choose another place.", member: null };
    const call = bridge.call.bind(bridge);
    bridge.call = (name: Parameters<typeof call>[0], request: never) =>
      name === "save_member_log" ? Promise.reject(new Refusal(full)) : call(name, request);
    await user.click(screen.getByRole("button", { name: "Download log" }));
    const failure = await screen.findByText("Not written:");
    expect(failure).toHaveClass("text-bad");
    expect(textOf(failure.closest('[role="alert"]'))).toMatchInlineSnapshot(`"Not written: No space left. data-unwritable Choose another place."`);
    expect(screen.queryByText(/written to/)).toBeNull();
  });

  it("shows plugin.json and the server's details", async () => {
    const { user } = openForge();
    await user.click(await screen.findByRole("tab", { name: "Configuration" }));
    const server = await screen.findByRole("region", { name: "Server" });
    await waitFor(() => expect(server).toHaveTextContent(/forge-server 1.2.3/));
    const configuration = await screen.findByTestId("configuration");
    await waitFor(() => expect(configuration).toHaveTextContent(/"name": "forge"/));
  });

  it("menu opens files, and shows a refusal", async () => {
    const { user, bridge } = openForge();
    const press = async (name: string) => {
      await user.click(await screen.findByRole("button", { name: "More actions for forge" }));
      await user.click(await screen.findByRole("menuitem", { name }));
    };
    for (const name of ["Open folder", "Open in terminal", "Open log file"]) await press(name);
    bridge.notOpened = { code: "not-opened", message: "Nothing was opened: no program.", hint: "Install one.", member: null };
    await press("Open in editor");
    expect(bridge.opened.map(({ kind }) => kind)).toEqual(["folder", "terminal", "log", "manifest"]);
    expect(bridge.opened).toContainEqual({ kind: "manifest", member: "forge" });
    expect(await screen.findByText(/no program/)).toBeVisible();
  });

  it("asks for details when it opens and when its run changes, not with every event", async () => {
    const { bridge } = openForge();
    await screen.findByRole("table");
    await waitFor(() => expect(bridge.asked.map(({ name }) => name)).toContain("member_detail"));
    const asked = () => bridge.asked.filter(({ name }) => name === "member_detail").length;
    const before = asked();
    for (let calls = 0; calls < 20; calls += 1) act(() => void bridge.change("forge", { calls }));
    expect(asked()).toBe(before);
    act(() => void bridge.change("forge", { pid: 4_712 }));
    await waitFor(() => expect(asked()).toBe(before + 1));
  });
});
