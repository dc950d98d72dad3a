import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { MockOptions } from "../ipc/mock";
import { openWindow } from "../testing/open";

function openBundle(options: MockOptions = {}) {
  const opened = openWindow(options);
  act(() => opened.stores.layers.open("bundle"));
  return opened;
}

describe("the bundle for a bug report", () => {
  it("is found in the palette, and says what would be in it before anything is written", async () => {
    const { user, bridge, stores } = openWindow();
    act(() => stores.palette.open(">bug report"));
    await user.click(await screen.findByRole("option", { name: /Save diagnostics/ }));
    const dialog = await screen.findByTestId("bundle");
    expect(await within(dialog).findByText("manifests/forge.json")).toBeVisible();
    expect(within(dialog).getByText("2 places")).toBeVisible();
    expect(bridge.asked.map(({ name }) => name)).not.toContain("write_bundle");
  });

  it("is written where a person says", async () => {
    const { user, bridge } = openBundle({ picks: "/home/me/bundle.tar.gz" });
    const dialog = await screen.findByTestId("bundle");
    await within(dialog).findByText("contents.txt");
    await user.click(within(dialog).getByRole("button", { name: "Save…" }));
    expect(await within(dialog).findByText("Saved to /home/me/bundle.tar.gz")).toBeVisible();
    expect(bridge.picked).toEqual([{ kind: "new-file", suggestedName: "guild-hall-202611210900.tar.gz" }]);
  });

  it("says why it can't be put together", async () => {
    const report = { code: "shutting-down" as const, message: "Guild Hall is closing.", hint: "", member: null };
    openBundle({ refusing: { preview_bundle: report } });
    const dialog = await screen.findByTestId("bundle");
    await waitFor(() => expect(within(dialog).getByRole("alert")).toHaveTextContent(report.message));
    expect(within(dialog).getByRole("button", { name: "Save…" })).toHaveAttribute("aria-disabled", "true");
  });
});
