import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { CallId, InstalledMcpb, McpbLook } from "../../../ipc/bindings";
import { Refusal } from "../../../ipc/bridge";
import type { MockBridge } from "../../../ipc/mock";
import { mockMember, mockView } from "../../../ipc/mock/members";
import { openWindow } from "../../../testing/open";
import { recorded } from "../../../testing/recorded";
import { descriptionOf, textOf } from "../../../testing/text";
import { MEMBER_NAME } from "../../../testing/labels";

const PATH = "/home/me/Downloads/weather.mcpb";
const CANCELLED = { code: "call-cancelled", message: "The install was cancelled. Nothing was written.", hint: "", member: null } as const;

/** The recorded response for a bundle, with another name and other values. */
function bundle(name: string, changes: Partial<McpbLook> = {}): McpbLook {
  const look = recorded("look_into_mcpb");
  return { ...look, path: PATH, files: 12, bytes: 20_480, unpacked: 3_145_728, suggested: name, about: { ...look.about, name, title: name, runtimes: ["node >=16"] }, ...changes };
}

/** Makes the mock complete an install once `unpack` resolves. A cancelled install is rejected. */
function installs(bridge: MockBridge, unpack: (call: CallId) => Promise<void> = () => Promise.resolve(), changes: Partial<InstalledMcpb> = {}): void {
  bridge.answers.install_mcpb = async ({ call, member, update }) => {
    await bridge.played(call, (_, cancelled) =>
      Promise.race([unpack(call), new Promise<never>((__, reject) => cancelled.addEventListener("abort", () => reject(new Refusal(CANCELLED))))]),
    );
    if (!update) bridge.add(mockMember(mockView(member, { status: "unreviewed" }), []));
    return { ...recorded("install_mcpb"), member, warning: null, ...changes };
  };
}

const installed = (bridge: MockBridge) => bridge.asked.filter(({ name }) => name === "install_mcpb").map(({ request }) => request as { answers: string });

async function openBundles(prepare: (bridge: MockBridge) => void = () => undefined) {
  const window = openWindow({ members: [mockMember(mockView("git"), [])], picks: PATH, answers: { look_into_mcpb: bundle("weather") } });
  installs(window.bridge);
  prepare(window.bridge);
  act(() => window.stores.navigation.openAdding("bundle"));
  await screen.findByRole("form", { name: "Choose a bundle" });
  return window;
}

async function chosen(prepare?: (bridge: MockBridge) => void) {
  const window = await openBundles(prepare);
  await window.user.click(screen.getByRole("button", { name: "Choose file…" }));
  await screen.findByRole("region", { name: "Install" });
  return window;
}

const key = () => screen.findByLabelText(/api_key/, { selector: "input" });
const install = (name = "Install") => screen.getByRole("button", { name });
const said = () => screen.getByTestId("bundle-says");

describe("a bundle", () => {
  it("open_container_lists_deciding_answers", async () => {
    await chosen((bridge) => {
      bridge.answers.look_into_mcpb = bundle("box", {
        commandLine: "docker run -i --rm --memory '${input:memory}' images.example/box:1",
        container: { kind: "open", reasons: ["`--memory` has a value with a variable"] },
      });
    });
    const open = screen.getByTestId("found-open");
    expect(textOf(open)).toMatchInlineSnapshot(`"It becomes the member's container if your answers allow it, otherwise a command:\`--memory\` has a value with a variable"`);
    expect(textOf(within(open).getByRole("list", { name: "Depends on your answers" }))).toMatchInlineSnapshot(`"\`--memory\` has a value with a variable"`);
  });

  it("shows contents and command, and gets the focus", async () => {
    await chosen((bridge) => {
      bridge.answers.look_into_mcpb = bundle("weather", {
        unfit: "The bundle is made for Windows, but this system is Linux.",
        notes: ["Something is odd."],
        signed: true,
        suspicions: [{ tool: "forecast", suspicion: { place: "/description", kind: "instruction", what: "it speaks to a model", quote: "ignore" } }],
      });
    });
    expect(said()).toHaveTextContent("weather 1.0.0");
    await waitFor(() => expect(said()).toHaveFocus());
    const runs = screen.getByRole("region", { name: "Runs" });
    expect(runs).toHaveTextContent(/bundle-\w{16}\/server\/index\.js/);
    expect(runs).toHaveTextContent("KEY=${input:api_key}");
    expect(textOf(runs).replace(/bundle-\w{16}/g, "bundle-DIGEST")).toMatchInlineSnapshot(`"RunsRuns: node '\${PLUGIN_DIR}/bundle-DIGEST/server/index.js' --place '\${input:place}'KEY=\${input:api_key}in the folder \${PLUGIN_DIR}/bundle-DIGESTSomething is odd."`);
    expect(textOf(screen.getByTestId("bundle-unfit"))).toMatchInlineSnapshot(`"The bundle is made for Windows, but this system is Linux."`);
    expect(textOf(screen.getByTestId("bundle-suspicions"))).toMatchInlineSnapshot(`"Words meant for a model in the tool forecast /description: it speaks to a model ignore"`);
    expect(textOf(within(screen.getByTestId("bundle")).getByTestId("bundle-size"))).toMatchInlineSnapshot(`"by Someone · MIT · 12 files, 20.5 KB; 3.1 MB unpacked"`);
    expect(textOf(within(screen.getByTestId("bundle")).getByTestId("bundle-runtime"))).toMatchInlineSnapshot(`"Runs on node (node >=16). Signed (not verified)."`);
    expect(textOf(screen.getByTestId("bundle-tools"))).toMatchInlineSnapshot(`"Lists 1 tool"`);
  });

  it("leaves the focus on the tabs for arrow keys", async () => {
    const { user } = await chosen((bridge) => {
      installs(bridge, () => new Promise(() => undefined));
    });
    const past = async () => {
      act(() => screen.getByRole("tab", { name: "New server" }).focus());
      await user.keyboard("{ArrowUp}");
      const tab = screen.getByRole("tab", { name: ".mcpb bundle" });
      await screen.findByTestId("bundle-says");
      expect(tab).toHaveAttribute("aria-selected", "true");
      expect(tab).toHaveFocus();
    };
    await past();
    await user.type(await key(), "k");
    await user.click(install());
    await screen.findByRole("button", { name: "Stop the install" });
    await past();
    expect(screen.getByRole("button", { name: "Stop the install" })).toBeVisible();
  });

  it("installs with typed answers and opens review", async () => {
    const { user, bridge, stores } = await chosen();
    await user.type(await key(), "s3cret");
    await user.click(install());
    await waitFor(() => expect(stores.navigation.place.get()).toMatchObject({ kind: "member", member: "weather" }));
    const [request] = installed(bridge);
    expect(request).toMatchObject({ path: PATH, member: "weather", update: false });
    expect(JSON.parse(request?.answers ?? "")).toEqual({ api_key: "s3cret", place: "Oslo" });
    expect(stores.bundles.looked.get()).toBeNull();
  });

  it("shows warnings of the install above the review", async () => {
    const { user, stores } = await chosen((bridge) => {
      installs(bridge, undefined, {
        warning: { code: "keychain-unanswered", message: "No keychain can be reached.", hint: "", member: null },
        staysCommand: ["members can't use the network `host`"],
      });
    });
    await user.type(await key(), "s3cret");
    await user.click(install());
    const note = await screen.findByTestId("just-installed");
    expect(textOf(within(note).getByRole("list", { name: "Reasons" }))).toMatchInlineSnapshot(`"members can't use the network \`host\`"`);
    expect(textOf(note)).toMatchInlineSnapshot(`"It stays a command. Its container may keep running after the command ends:members can't use the network \`host\`No keychain can be reached. keychain-unanswered"`);
    expect(stores.spoken.get()).toMatchInlineSnapshot(`"weather was added. Review it to start. It stays a command. Its container may keep running after the command ends: members can't use the network \`host\`. No keychain can be reached."`);
  });

  it("asks for missing answers and a free name", async () => {
    const { user, bridge } = await chosen();
    await user.click(install());
    expect(await screen.findByText("api_key: is missing")).toBeVisible();
    const name = screen.getByRole("textbox", { name: MEMBER_NAME });
    await user.clear(name);
    await user.type(name, "GIT");
    expect(name).toBeInvalid();
    expect(descriptionOf(name)).toMatchInlineSnapshot(`"A member named GIT already exists."`);
    expect(install()).toHaveAttribute("aria-disabled", "true");
    expect(installed(bridge)).toEqual([]);
  });

  it("replaces an older one or adds another member", async () => {
    const asks = { schema: JSON.stringify({ type: "object", properties: {}, required: [], additionalProperties: false }), secrets: [] };
    const { user, bridge, stores } = await chosen((bridge) => {
      bridge.answers.look_into_mcpb = bundle("weather", {
        suggested: "weather-2",
        installed: [{ member: "git", version: "0.9.0", change: "newer", asks }],
      });
    });
    const places = screen.getByRole("group", { name: "Already installed" });
    expect(within(places).getByRole("radio", { name: /Replace version 0\.9\.0 of git: this bundle is newer/ })).toBeChecked();
    expect(screen.queryByRole("textbox", { name: MEMBER_NAME })).toBeNull();
    await user.click(within(places).getByRole("radio", { name: "Add another member" }));
    expect(screen.getByRole("textbox", { name: MEMBER_NAME })).toHaveValue("weather-2");
    await user.click(within(places).getByRole("radio", { name: /of git/ }));
    await user.click(install("Replace 0.9.0"));
    await waitFor(() => expect(stores.navigation.place.get()).toMatchObject({ kind: "member", member: "git" }));
    expect(installed(bridge)).toMatchObject([{ member: "git", update: true, answers: "{}" }]);
  });

  it("shows the progress of an install and stops it", async () => {
    let tell: (done: number, of: number) => void = () => undefined;
    const { user, stores } = await chosen((bridge) => {
      installs(bridge, (call) => {
        tell = (done, of) => bridge.emit({ kind: "unpacking", call, done, of });
        return new Promise(() => undefined);
      });
    });
    await user.type(await key(), "k");
    await user.click(install());
    const cancel = await screen.findByRole("button", { name: "Stop the install" });
    await waitFor(() => expect(cancel).toHaveFocus());
    act(() => tell(1_048_576, 3_145_728));
    await waitFor(() => expect(screen.getByTestId("bundle-progress")).toHaveTextContent("1.0 MB of 3.1 MB"));
    expect(screen.getByRole("progressbar", { name: "Unpacked" })).toHaveAttribute("value", "1048576");
    await user.click(cancel);
    await waitFor(() => expect(screen.queryByRole("progressbar")).toBeNull());
    expect(install()).toHaveFocus();
    expect(screen.queryByTestId("bundle-refused")).toBeNull();
    expect(stores.layers.has("adding")).toBe(true);
  });

  it("installed_after_leaving_is_reported_by_toast", async () => {
    let unpacked: () => void = () => undefined;
    const { user, stores, bridge } = await chosen((bridge) => {
      installs(bridge, () => new Promise((resolve) => { unpacked = resolve; }));
    });
    await user.type(await key(), "k");
    await user.click(install());
    await screen.findByRole("button", { name: "Stop the install" });
    bridge.answers.look_into_mcpb = bundle("other", { digest: "another" });
    act(() => bridge.drop({ kind: "dropped", paths: ["/home/me/Downloads/other.mcpb"] }));
    await waitFor(() => expect(said()).toHaveTextContent("other 1.0.0"));
    const from = stores.navigation.place.get();
    act(() => unpacked());
    await waitFor(() => expect(stores.spoken.get()).toContain("weather"));
    expect(stores.spoken.get()).toMatchInlineSnapshot(`"weather was added. Review it to start."`);
    expect(stores.navigation.place.get()).toBe(from);
    expect(said()).toHaveTextContent("other 1.0.0");
    act(() => stores.layers.close("adding"));
    await user.click(await screen.findByRole("button", { name: "Review" }));
    expect(stores.navigation.place.get()).toEqual({ kind: "member", member: "weather", first: "review" });
  });

  it("refused_beside_another_is_reported_by_notice", async () => {
    let refuse: (why: Error) => void = () => undefined;
    const { user, stores, bridge } = await chosen((bridge) => {
      installs(bridge, () => new Promise((_, reject) => { refuse = reject; }));
    });
    await user.type(await key(), "k");
    await user.click(install());
    await screen.findByRole("button", { name: "Stop the install" });
    bridge.answers.look_into_mcpb = bundle("other", { digest: "another" });
    act(() => bridge.drop({ kind: "dropped", paths: [PATH] }));
    await waitFor(() => expect(said()).toHaveTextContent("other 1.0.0"));
    act(() => refuse(new Error("no room")));
    await waitFor(() => expect(stores.hall.notices.get()).toHaveLength(1));
    expect(screen.queryByTestId("bundle-refused")).toBeNull();
  });

  it("keeps input until it is installed", async () => {
    const { user, stores } = await chosen();
    await user.type(await key(), "s3cret");
    const name = () => screen.getByRole("textbox", { name: MEMBER_NAME });
    await user.clear(name());
    await user.type(name(), "rain");
    act(() => stores.navigation.openHelp());
    await waitFor(() => expect(screen.queryByTestId("bundle")).toBeNull());
    act(() => stores.navigation.leaveHelp());
    expect(await key()).toHaveValue("s3cret");
    expect(name()).toHaveValue("rain");
    await user.click(install());
    await waitFor(() => expect(stores.navigation.place.get()).toMatchObject({ kind: "member", member: "rain" }));
    expect([stores.bundles.typed.drafts.size, stores.bundles.typed.names.size]).toEqual([0, 0]);
  });

  it("shows errors of reading and installing", async () => {
    const { user, bridge } = await openBundles((bridge) => {
      bridge.answers.look_into_mcpb = () => {
        throw new Refusal({ code: "mcpb-unusable", message: `${PATH} is no zip archive.`, hint: "Get it anew.", member: null });
      };
    });
    await user.type(screen.getByRole("textbox", { name: "Bundle path" }), `${PATH}{Enter}`);
    expect(await screen.findByText(/is no zip archive/)).toBeVisible();
    expect(textOf(said())).toMatchInlineSnapshot(`"/home/me/Downloads/weather.mcpb can't be used."`);
    expect(screen.queryByRole("region", { name: "Install" })).toBeNull();
    bridge.answers.look_into_mcpb = bundle("weather");
    installs(bridge, () => Promise.reject(new Refusal({ code: "mcpb-unusable", message: "It is not the file that was looked into.", hint: "Look again.", member: null })));
    await user.click(screen.getByRole("button", { name: "Preview" }));
    await user.type(await key(), "k");
    await user.click(install());
    expect(textOf(await screen.findByTestId("bundle-refused"))).toMatchInlineSnapshot(`"It is not the file that was looked into. mcpb-unusableLook again."`);
    expect(install()).toHaveFocus();
  });

  it("opens when it is dropped on the window", async () => {
    const { bridge, stores } = await openBundles();
    act(() => stores.navigation.openFound());
    act(() => bridge.drop({ kind: "dropped", paths: [PATH] }));
    await screen.findByRole("region", { name: "Install" });
    expect(stores.adding.bundle.get()).toBeNull();
    expect(said()).toHaveTextContent("weather 1.0.0");
  });
});
