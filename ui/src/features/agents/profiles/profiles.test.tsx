import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import type { Profile } from "../../../ipc/bindings";
import { mockMember, mockTool, mockView } from "../../../ipc/mock/members";
import { choose } from "../../../testing/choose";
import { openWindow } from "../../../testing/open";
import { descriptionOf, textOf } from "../../../testing/text";
import { NO_RULES } from "../policies/policyWords";
import { agentViewOfMember, smithy } from "../testing";

const PREVIEW = "Preview";
const bellows = () => mockMember(mockView("bellows"), [mockTool("bellows", { name: "blow", description: "Blows." })]);

const WRITING: Profile = {
  name: "writing",
  listing: "full",
  resultTokens: null,
  rules: NO_RULES,
  members: [
    { member: "smithy", withoutPrefix: true, tools: { kind: "all" }, offers: { kind: "all" }, changes: {} },
    { member: "bellows", withoutPrefix: false, tools: { kind: "all" }, offers: { kind: "all" }, changes: {} },
  ],
};

function openProfiles(profiles: Profile[] = [], options = {}) {
  const window = openWindow({ members: [smithy(), bellows()], ...options });
  window.bridge.gateway.state = { ...window.bridge.gateway.state, profiles };
  act(() => window.stores.navigation.openAgents("profiles"));
  return window;
}

describe("profiles", () => {
  it("are created by keyboard alone", async () => {
    const { user, bridge } = openProfiles();
    (await screen.findByRole("button", { name: "New profile" })).focus();
    await user.keyboard("{Enter}");
    await waitFor(async () => expect(await screen.findByLabelText("Name")).toHaveFocus());
    await user.keyboard("house");
    expect(screen.getByLabelText("Name")).toHaveAccessibleDescription("http://127.0.0.1:19999/profiles/house/mcp");
    screen.getByLabelText("Largest result in tokens").focus();
    await user.keyboard("5000");
    await choose(user, screen.getByLabelText("Add to profile"), "smithy");
    const tools = screen.getByRole("button", { name: "Tools of smithy" });
    tools.focus();
    await user.keyboard("{Enter}");
    const table = await screen.findByRole("grid", { name: "Tools of smithy" });
    table.focus();
    // Excludes `melt`, then opens the override of `look`.
    await user.keyboard(" {ArrowDown}{Enter}");
    const name = await screen.findByLabelText("Name", { selector: "[placeholder=look]" });
    await waitFor(() => expect(name).toHaveFocus());
    await user.keyboard("glance");
    await choose(user, within(screen.getByRole("group", { name: "Override of look" })).getByLabelText("Permission"), "Ask");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(bridge.gateway.state.profiles).toHaveLength(1));
    expect(bridge.gateway.state.profiles[0]).toEqual({
      name: "house",
      listing: null,
      resultTokens: 5000,
      rules: NO_RULES,
      members: [
        {
          member: "smithy",
          withoutPrefix: false,
          tools: { kind: "except", tools: ["melt"] },
          offers: { kind: "all" },
          changes: { look: { name: "glance", description: null, policy: "ask" } },
        },
      ],
    });
    expect(await screen.findByRole("heading", { name: "house" })).toBeVisible();
    expect(screen.getByRole("button", { name: "Save" })).toHaveAccessibleDescription("No changes");
    await user.click(screen.getByRole("button", { name: "Profiles" }));
    await waitFor(() => expect(screen.getByRole("heading", { name: "Profiles" })).toHaveFocus());
    expect(screen.getByText("http://127.0.0.1:19999/profiles/house/mcp")).toBeVisible();
  });

  it("choose prompts and resources", async () => {
    const window = openProfiles([WRITING]);
    window.bridge.gateway.policies.offers.set("smithy", ["prompt:review", "resource:smithy://ledger"]);
    const { user, bridge } = window;
    await user.click(await screen.findByRole("button", { name: "Edit writing" }));
    await user.click(screen.getByRole("button", { name: "Tools of smithy" }));
    const table = await screen.findByRole("grid", { name: "Tools of smithy" });
    await user.click(await within(table).findByText("prompt:review"));
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(bridge.gateway.state.profiles[0]?.members[0]).toMatchObject({
        tools: { kind: "all" },
        offers: { kind: "except", tools: ["prompt:review"] },
      }),
    );
  });

  it("need a name", async () => {
    const { user, bridge } = openProfiles();
    await user.click(await screen.findByRole("button", { name: "New profile" }));
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.getByLabelText("Name")).toHaveFocus());
    expect(descriptionOf(screen.getByLabelText("Name"))).toMatchInlineSnapshot(`"Give it a name first."`);
    expect(bridge.asked.map(({ name }) => name)).not.toContain("save_profile");
  });

  it("keep the members' order and one bare member", async () => {
    const { user, bridge } = openProfiles([WRITING]);
    await user.click(await screen.findByRole("button", { name: "Edit writing" }));
    const up = screen.getByRole("button", { name: "Move bellows up" });
    up.focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.getByRole("button", { name: "Move bellows up" })).toHaveFocus());
    const [first, second] = screen.getAllByRole("checkbox", { name: "Without prefix" });
    await user.click(first!);
    expect(second).not.toBeChecked();
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(bridge.gateway.state.profiles[0]?.members.map(({ member, withoutPrefix }) => [member, withoutPrefix])).toEqual([
        ["bellows", true],
        ["smithy", false],
      ]),
    );
  });

  it("are renamed by one command", async () => {
    const { user, bridge, stores } = openProfiles([WRITING]);
    act(() => stores.agents.endpoint.set({ kind: "profile", profile: "writing" }));
    await user.click(await screen.findByRole("button", { name: "Edit writing" }));
    await user.type(screen.getByLabelText("Name"), "2");
    expect(textOf(screen.getByTestId("profile-address-note"))).toMatchInlineSnapshot(`"The old URL keeps working."`);
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(bridge.gateway.state.profiles).toEqual([{ ...WRITING, name: "writing2" }]));
    await waitFor(() => expect(stores.agents.endpoint.get()).toEqual({ kind: "profile", profile: "writing2" }));
    const changes = bridge.asked.filter(({ name }) => name === "save_profile" || name === "delete_profile");
    expect(changes).toEqual([{ name: "save_profile", request: { profile: { ...WRITING, name: "writing2" }, insteadOf: "writing" } }]);
  });

  it("show the engine's error and keep the draft", async () => {
    const report = { code: "profile-refused" as const, message: "Two tools would be called melt.", hint: "Rename one.", member: null };
    const { user } = openProfiles([WRITING], { refusing: { save_profile: report } });
    await user.click(await screen.findByRole("button", { name: "Edit writing" }));
    await user.click(screen.getByRole("radio", { name: "Search" }));
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(textOf(await within(screen.getByTestId("profile-form")).findByRole("alert"))).toMatchInlineSnapshot(`"Two tools would be called melt. profile-refusedRename one."`);
    // The draft survives a visit to another tab, too.
    await user.click(screen.getByRole("tab", { name: "Overview" }));
    await user.click(screen.getByRole("tab", { name: "Profiles" }));
    expect(await screen.findByRole("radio", { name: "Search" })).toBeChecked();
  });

  it("are deleted, with Undo", async () => {
    const { user, bridge } = openProfiles([WRITING]);
    await user.click(await screen.findByRole("button", { name: "More for writing" }));
    await user.click(await screen.findByRole("menuitem", { name: "Delete profile" }));
    await waitFor(() => expect(bridge.gateway.state.profiles).toEqual([]));
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(bridge.gateway.state.profiles).toEqual([WRITING]));
  });

  it("save rules with the profile", async () => {
    const { user, bridge } = openProfiles([WRITING]);
    await user.click(await screen.findByRole("button", { name: "Edit writing" }));
    const rule = screen.getByRole("radiogroup", { name: "Destructive tools" });
    await user.click(within(rule).getByRole("radio", { name: "Deny" }));
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(bridge.gateway.state.profiles[0]?.rules).toEqual({ ...NO_RULES, destructive: "deny" }));
  });

  it("follow a change of the saved profile", async () => {
    const { user, bridge } = openProfiles([WRITING]);
    await user.click(await screen.findByRole("button", { name: "Edit writing" }));
    act(() => void bridge.gateway.change({ profiles: [{ ...WRITING, listing: "search" }] }));
    await waitFor(() => expect(screen.getByRole("radio", { name: "Search" })).toBeChecked());
    await user.type(screen.getByLabelText("Name"), "2");
    act(() => void bridge.gateway.change({ profiles: [{ ...WRITING, listing: "lazy" }] }));
    expect(screen.getByLabelText("Name")).toHaveValue("writing2");
    expect(screen.getByRole("radio", { name: "Search" })).toBeChecked();
  });

  it("restore discarded changes", async () => {
    const { user } = openProfiles([WRITING]);
    await user.click(await screen.findByRole("button", { name: "Edit writing" }));
    await user.type(screen.getByLabelText("Name"), "2");
    await user.click(screen.getByRole("button", { name: "Profiles" }));
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(await screen.findByLabelText("Name")).toHaveValue("writing2");
  });

  it("show a preview", async () => {
    const { user, bridge } = openProfiles([WRITING], { answers: { view_as_agent: () => agentViewOfMember } });
    await user.click(await screen.findByRole("button", { name: "More for writing" }));
    await user.click(await screen.findByRole("menuitem", { name: "Preview" }));
    const panel = await screen.findByRole("complementary", { name: "What agents see" });
    expect(await within(panel).findByText("melt")).toBeVisible();
    const asked = bridge.asked.filter(({ name }) => name === "view_as_agent").map(({ request }) => request);
    expect(asked).toEqual([{ endpoint: { kind: "profile", profile: "writing" }, listing: null }]);
  });

  it("list tools that the member no longer has", async () => {
    const gone: Profile = { ...WRITING, members: [{ member: "smithy", withoutPrefix: false, tools: { kind: "only", tools: ["gone", "melt"] }, offers: { kind: "all" }, changes: {} }] };
    const { user, bridge } = openProfiles([gone]);
    await user.click(await screen.findByRole("button", { name: "Edit writing" }));
    await user.click(screen.getByRole("button", { name: "Tools of smithy" }));
    expect(await screen.findByText(/No longer in the member/)).toBeVisible();
    screen.getByRole("grid", { name: "Tools of smithy" }).focus();
    await user.keyboard(" ");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(bridge.gateway.state.profiles[0]?.members[0]?.tools).toEqual({ kind: "only", tools: ["melt"] }));
  });

  it("are exported as files for a team", async () => {
    const { user } = openProfiles([WRITING]);
    await user.click(await screen.findByRole("button", { name: "More for writing" }));
    await user.click(await screen.findByRole("menuitem", { name: "Export for a team…" }));
    const target = await screen.findByLabelText("As");
    await waitFor(() => expect(target).toHaveFocus());
    await choose(user, target, /kubernetes/i);
    await user.type(screen.getByLabelText("Image with guildhall"), "guild-hall:1");
    await user.type(screen.getByLabelText("Image of the team's gateway"), "gateway:1{Enter}");
    const shown = await screen.findByRole("region", { name: PREVIEW });
    expect(textOf(within(shown).getByTestId("team-runs"))).toMatchInlineSnapshot(`"Members: bellows"`);
    expect(textOf(within(shown).getByRole("list", { name: "Left-out members" }))).toMatchInlineSnapshot(`"smithy is left out: it needs the files of its folder."`);
    expect(within(shown).getByText("kubernetes.yaml")).toBeVisible();
    expect(within(shown).getByText(/image: guild-hall:1/)).toBeVisible();
    expect(within(shown).getByRole("button", { name: "Copy kubernetes.yaml" })).toBeVisible();
    // Changing the target closes the preview of the previous target.
    await choose(user, target, /compose/i);
    expect(screen.queryByRole("region", { name: PREVIEW })).toBeNull();
  });

  it("are exported for another gateway without images", async () => {
    const { user, bridge } = openProfiles([WRITING]);
    await user.click(await screen.findByRole("button", { name: "More for writing" }));
    await user.click(await screen.findByRole("menuitem", { name: "Export for a team…" }));
    const target = await screen.findByLabelText("As");
    await user.type(screen.getByLabelText("Image with guildhall"), "guild-hall:1");
    await choose(user, target, /toolhive/i);
    expect(screen.getByLabelText("Image for commands")).toHaveValue("guild-hall:1");
    await choose(user, target, /agentgateway file/i);
    expect(textOf(screen.getByTestId("team-target-note"))).toMatchInlineSnapshot(`"agentgateway starts the members itself, from one configuration file."`);
    expect(screen.queryByLabelText(/^Image/)).toBeNull();
    await user.click(screen.getByRole("button", { name: "Preview" }));
    const shown = await screen.findByRole("region", { name: PREVIEW });
    expect(within(shown).getByText("agentgateway.yaml")).toBeVisible();
    const asked = bridge.asked.filter(({ name }) => name === "export_team").map(({ request }) => request);
    expect(asked).toEqual([{ profile: "writing", target: "agentgateway", image: null, gatewayImage: null, gatewayPort: null, url: null }]);
  });

  it("report no export error after closing", async () => {
    const { user, bridge, stores } = openProfiles([WRITING]);
    const call = bridge.call.bind(bridge);
    let refuse: () => void = () => undefined;
    const held = new Promise<never>((_, reject) => { refuse = () => reject(new Error("no such image")); });
    const asked = vi.spyOn(bridge, "call").mockImplementation((name, request) => (name === "export_team" ? held : call(name, request)));
    await user.click(await screen.findByRole("button", { name: "More for writing" }));
    await user.click(await screen.findByRole("menuitem", { name: "Export for a team…" }));
    await user.type(await screen.findByLabelText("Image with guildhall"), "guild-hall:1");
    await user.type(screen.getByLabelText("Image of the team's gateway"), "gateway:1{Enter}");
    await waitFor(() => expect(asked).toHaveBeenCalledWith("export_team", expect.anything()));
    await user.click(screen.getByRole("button", { name: "Close" }));
    await act(async () => {
      refuse();
      await held.catch(() => undefined);
    });
    expect(screen.queryByTestId("team-form")).toBeNull();
    expect(stores.hall.notices.get()).toEqual([]);
  });

  it("discard an export of changed answers", async () => {
    const { user, bridge } = openProfiles([WRITING]);
    const call = bridge.call.bind(bridge);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    vi.spyOn(bridge, "call").mockImplementation(async (name, request) => {
      const answer = await call(name, request);
      if (name === "export_team") await held;
      return answer;
    });
    await user.click(await screen.findByRole("button", { name: "More for writing" }));
    await user.click(await screen.findByRole("menuitem", { name: "Export for a team…" }));
    await user.type(await screen.findByLabelText("Image with guildhall"), "guild-hall:1{Enter}");
    expect(bridge.asked.map(({ name }) => name)).not.toContain("export_team");
    await user.type(screen.getByLabelText("Image of the team's gateway"), "gateway:1{Enter}");
    await waitFor(() => expect(bridge.asked.map(({ name }) => name)).toContain("export_team"));
    await choose(user, screen.getByLabelText("As"), /kubernetes/i);
    release();
    const show = screen.getByRole("button", { name: "Preview" });
    await waitFor(() => expect(show).not.toHaveAttribute("aria-disabled", "true"));
    expect(screen.queryByRole("region", { name: PREVIEW })).toBeNull();
    await user.click(show);
    expect(within(await screen.findByRole("region", { name: PREVIEW })).getByText("kubernetes.yaml")).toBeVisible();
  });
});
