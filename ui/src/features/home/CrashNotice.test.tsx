import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { CrashReport } from "../../ipc/bindings";
import { openWindow } from "../../testing/open";

const CRASH: CrashReport = {
  name: "crash-2.txt",
  atMs: Date.now() - 7_200_000,
  program: "guildhall",
  version: "0.2.0",
  message: "panicked at main.rs:1:1:\nnot a number",
};

describe("a crash", () => {
  it("shows the newest report with its age, message and version", async () => {
    openWindow({ crashes: [CRASH, { ...CRASH, name: "crash-1.txt" }] });
    expect(await screen.findByTestId("crash")).toHaveTextContent(/guildhall crashed 2 h ago.*not a number.*version 0\.2\.0\. There are reports of 1 earlier crash/);
  });

  it("opens the report, or a file with all diagnostics", async () => {
    const { user, bridge } = openWindow({ crashes: [CRASH] });
    await user.click(await screen.findByRole("button", { name: "Open report" }));
    expect(bridge.opened).toEqual([{ kind: "crash-report", name: "crash-2.txt" }]);
    await user.click(screen.getByRole("button", { name: "Save diagnostics…" }));
    expect(await screen.findByRole("dialog")).toBeVisible();
  });

  it("is hidden once dismissed, and the focus moves to the page", async () => {
    const { user, bridge } = openWindow({ crashes: [CRASH] });
    await user.click(within(await screen.findByTestId("crash")).getByRole("button", { name: "Dismiss" }));
    await waitFor(() => expect(screen.queryByTestId("crash")).toBeNull());
    expect(bridge.logs.crashes).toEqual([]);
    expect(document.activeElement?.closest("main")).not.toBeNull();
  });

  it("stays if it can't be dismissed", async () => {
    const report = { code: "data-unwritable", member: null, message: "The disk is read-only.", hint: "" } as const;
    const { user } = openWindow({ crashes: [CRASH], refusing: { dismiss_crash_reports: report } });
    const crash = await screen.findByTestId("crash");
    await user.click(within(await screen.findByTestId("crash")).getByRole("button", { name: "Dismiss" }));
    expect(await screen.findByText("The disk is read-only.")).toBeVisible();
    expect(crash).toBeVisible();
  });
});
