import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { mockMember, mockTool, mockView } from "../../../ipc/mock/members";
import type { MockOptions } from "../../../ipc/mock";
import { openWindow } from "../../../testing/open";

function openForge(options: MockOptions = {}) {
  const forge = mockMember(mockView("forge", { status: "ready" }), [mockTool("forge", { name: "heat", description: "Heats." })], { command: "npx -y forge" });
  const opened = openWindow({ members: [forge], ...options });
  opened.stores.navigation.openMember("forge");
  return opened;
}

type Opened = ReturnType<typeof openForge>;

async function openMenu({ user }: Opened, item: RegExp | string) {
  await user.click(await screen.findByRole("button", { name: "More actions for forge" }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
}

const askedFor = ({ bridge }: Opened, name: string) => bridge.asked.filter((one) => one.name === name).map(({ request }) => request);

async function openConfiguration(opened: Opened) {
  await openMenu(opened, "Edit plugin.json");
  return screen.findByTestId("configuration");
}

describe("member menu", () => {
  it("removes a member and restores it with Undo", async () => {
    const opened = openForge();
    await openMenu(opened, "Remove…");
    const dialog = await screen.findByRole("alertdialog", { name: "Remove forge?" });
    await opened.user.click(within(dialog).getByRole("button", { name: "Remove" }));
    await opened.user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(askedFor(opened, "remove_member")).toEqual([{ member: "forge" }]);
    await waitFor(() => expect(askedFor(opened, "restore_member")).toEqual([{ removal: "forge" }]));
    expect(await screen.findByRole("heading", { name: /^forge/ })).toBeVisible();
  });

  it("renames a member and opens its page", async () => {
    const opened = openForge();
    await openMenu(opened, "Rename…");
    const name = await screen.findByRole("textbox", { name: "Name" });
    expect(screen.getByRole("button", { name: "Rename" })).toHaveAttribute("aria-disabled", "true");
    await opened.user.clear(name);
    await opened.user.type(name, "smithy{Enter}");
    expect(await screen.findByRole("heading", { name: /^smithy/ })).toBeVisible();
    expect(askedFor(opened, "rename_member")).toEqual([{ member: "forge", name: "smithy" }]);
  });

  it("shows a refused name in the dialog", async () => {
    const refusing = { duplicate_member: { code: "adoption-refused", message: "There is a member already.", hint: "Give another name.", member: "forge" } } as const;
    const opened = openForge({ refusing });
    await openMenu(opened, "Duplicate…");
    await opened.user.click(await screen.findByRole("button", { name: "Duplicate" }));
    const dialog = screen.getByRole("dialog", { name: "Duplicate forge" });
    expect(await within(dialog).findByText(/There is a member already/)).toBeVisible();
  });

  it("disables and enables a member", async () => {
    const opened = openForge();
    await openMenu(opened, "Disable");
    await openMenu(opened, "Enable");
    expect(askedFor(opened, "set_member_enabled")).toEqual([{ member: "forge", enabled: false }, { member: "forge", enabled: true }]);
  });

  it("copies the client config of its first tool", async () => {
    const opened = openForge();
    opened.bridge.answers.copy_as = { text: "{}", note: null };
    await openMenu(opened, "Copy as client config");
    await waitFor(() => expect(askedFor(opened, "copy_as")).toEqual([{ member: "forge", tool: "heat", arguments: "{}", form: "client-config" }]));
  });

  it("opens at the pointer in the roster", async () => {
    const { user } = openForge();
    await user.pointer({ keys: "[MouseRight]", target: await screen.findByTestId("member-forge") });
    expect(await screen.findByRole("menuitem", { name: "Remove…" })).toBeVisible();
  });
});

describe("configuration editor", () => {
  it("saves a field of the form in the text", async () => {
    const opened = openForge();
    const section = await openConfiguration(opened);
    const args = await within(section).findByLabelText("Arguments");
    expect(args).toHaveValue("-y\nforge");
    const save = within(section).getByRole("button", { name: "Save changes" });
    expect(save).toHaveAccessibleDescription("Nothing was changed");
    await opened.user.type(args, "\n--fast");
    expect(save).toHaveAttribute("aria-disabled", "false");
    // The click takes the focus from the field, which applies its text.
    await opened.user.click(save);
    expect(await screen.findByText("Saved plugin.json of forge")).toBeVisible();
    const [saved] = askedFor(opened, "save_member_file") as { text: string; revision: string }[];
    expect(JSON.parse(saved?.text ?? "{}")).toMatchObject({ args: ["-y", "forge", "--fast"] });
    expect(saved?.revision).toBe("1");
  });

  it("discards changes", async () => {
    const opened = openForge();
    const section = await openConfiguration(opened);
    await opened.user.click(await within(section).findByRole("checkbox", { name: "Enabled" }));
    await waitFor(() => expect(within(section).getByRole("checkbox", { name: "Enabled" })).not.toBeChecked());
    await opened.user.click(within(section).getByRole("button", { name: "Discard" }));
    expect(within(section).getByRole("checkbox", { name: "Enabled" })).toBeChecked();
  });

  it("offers a reload after a change by another program", async () => {
    const refusing = { save_member_file: { code: "manifest-changed", message: "plugin.json has changed since you opened it.", hint: "", member: "forge" } } as const;
    const opened = openForge({ refusing });
    const section = await openConfiguration(opened);
    await opened.user.click(await within(section).findByRole("checkbox", { name: "Enabled" }));
    const save = within(section).getByRole("button", { name: "Save changes" });
    await waitFor(() => expect(save).toHaveAttribute("aria-disabled", "false"));
    await opened.user.click(save);
    await opened.user.click(await screen.findByRole("button", { name: "Reload" }));
    await waitFor(() => expect(askedFor(opened, "member_file").length).toBeGreaterThan(1));
  });

  it("lists problems and refuses to save errors", async () => {
    const opened = openForge();
    const problem = { line: 4, column: 14, field: "transport", message: "`transport` must be one of http, stdio", hint: "", severity: "error" } as const;
    opened.bridge.answers.check_member_file = { problems: [problem] };
    const section = await openConfiguration(opened);
    expect(await within(section).findByText(/`transport` must be/)).toBeVisible();
    await opened.user.click(within(section).getByRole("checkbox", { name: "Enabled" }));
    const save = within(section).getByRole("button", { name: "Save changes" });
    await waitFor(() => expect(save).toHaveAccessibleDescription("Correct the errors first"));
  });
});
