import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { openWindow } from "../testing/open";

const twoFrames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

describe("a page that is opened", () => {
  it("begins at its heading where what had the focus is gone", async () => {
    const { stores } = openWindow({ members: [] });
    within(screen.getByRole("main")).getByRole("button", { name: "Add member" }).focus();
    act(() => stores.navigation.openSecrets());
    await waitFor(() => expect(screen.getByRole("heading", { level: 1, name: "Secrets" })).toHaveFocus());
  });

  it("takes the focus from nobody who has it", async () => {
    const { user, stores } = openWindow();
    const search = screen.getByTestId("search");
    await user.click(search);
    act(() => stores.navigation.openSettings());
    await screen.findByRole("heading", { level: 1, name: "Settings" });
    await act(twoFrames);
    await act(twoFrames);
    expect(search).toHaveFocus();
  });
});
