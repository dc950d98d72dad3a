import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { Report } from "../../ipc/bindings";
import { openWindow } from "../../testing/open";

const report: Report = {
  code: "tray-missing",
  message: "The desktop has no tray: no panel displays tray icons.",
  hint: "Switch the desktop's tray on.",
  member: null,
};

describe("what is outside the window", () => {
  it("is said beside its setting where it can't be had, and no more once it can", async () => {
    const { bridge, user } = openWindow();
    bridge.outside.presence = { ...bridge.outside.presence, tray: { kind: "missing", report } };
    await user.keyboard("{Control>},{/Control}");
    const note = await screen.findByTestId("outside-tray");
    expect(note).toHaveTextContent("tray-missing");
    expect(note.closest("[data-setting]")).toHaveAttribute("data-setting", "window.tray");
    expect(screen.queryByTestId("outside-shortcut")).toBeNull();

    // The support is requested again after a setting changes.
    bridge.outside.presence = { ...bridge.outside.presence, tray: { kind: "off" } };
    await user.click(screen.getByRole("switch", { name: "Start at login" }));
    await waitFor(() => expect(screen.queryByTestId("outside-tray")).toBeNull());
  });
});
