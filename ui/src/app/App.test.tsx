import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { mockView } from "../ipc/mock/members";
import { openWindow } from "../testing/open";
import { newFailures } from "./Announcer";

describe("the window", () => {
  it("says where members are looked for when there are none", () => {
    openWindow({ members: [] });
    expect(screen.getByRole("heading", { name: "Your guild is empty" })).toBeVisible();
    expect(screen.getByText(/guild-members$/)).toBeVisible();
  });

  it("lists failed members on Home, with a way to their logs", async () => {
    const { user, stores } = openWindow();
    await user.click(screen.getByRole("button", { name: "Open log of mongodb" }));
    expect(stores.navigation.place.get()).toMatchObject({ kind: "member", member: "mongodb", first: "log" });
    await user.click(screen.getByRole("button", { name: "Home" }));
    expect(screen.getByRole("heading", { name: "Welcome to Guild Hall" })).toBeVisible();
  });

  it("keeps the focus off the page while the roster lies over it, and only then", async () => {
    vi.stubGlobal("innerWidth", 480);
    const { user, stores } = openWindow();
    const main = screen.getByRole("main");
    expect(main).not.toHaveAttribute("inert");
    act(() => stores.roster.toggle());
    await waitFor(() => expect(screen.getByTestId("search")).toHaveFocus());
    expect(main).toHaveAttribute("inert");
    for (let press = 0; press < 6; press += 1) {
      const before = document.activeElement;
      await user.keyboard("{F6}");
      expect(document.activeElement).not.toBe(before);
      expect(main).not.toContainElement(document.activeElement as HTMLElement);
    }
    // In a wider window, the roster is beside the page instead of above it.
    vi.stubGlobal("innerWidth", 1024);
    fireEvent(window, new Event("resize"));
    expect(main).not.toHaveAttribute("inert");
    vi.stubGlobal("innerWidth", 480);
    fireEvent(window, new Event("resize"));
    expect(main).toHaveAttribute("inert");
    // The first Escape closes the tooltip of the focused button, the second one the drawer.
    await user.keyboard("{Escape}{Escape}");
    expect(main).not.toHaveAttribute("inert");
  });

  it("never reloads", () => {
    openWindow({ members: [] });
    expect(fireEvent.keyDown(window, { key: "F5" })).toBe(false);
    expect(fireEvent.keyDown(window, { key: "r", ctrlKey: true })).toBe(false);
  });

  it("opens the palette, finds a tool and opens it", async () => {
    const { user, stores } = openWindow();
    await user.keyboard("{Control>}k{/Control}");
    const field = await screen.findByTestId("palette-input");
    await waitFor(() => expect(field).toHaveFocus());
    await user.type(field, "edit_file");
    await screen.findByRole("option", { name: /edit_file filesystem/ });
    await user.keyboard("{Enter}");
    expect(stores.navigation.place.get()).toEqual({ kind: "tool", member: "filesystem", tool: "edit_file" });
    expect(screen.queryByTestId("palette-input")).toBeNull();
  });

  it("shows a refused request as an alert that can be put away", async () => {
    const { user, stores } = openWindow();
    await act(() => stores.hall.tend("restart_member", "nobody"));
    const alert = await screen.findByText(/No member named "nobody"/);
    const notice = alert.closest<HTMLElement>('[role="alert"]');
    expect(notice).not.toBeNull();
    await user.click(within(notice!).getByRole("button", { name: "Dismiss" }));
    await waitFor(() => expect(screen.queryByTestId("notice")).toBeNull());
  });

  it("keeps a chosen theme, and follows the system without one", async () => {
    const { user } = openWindow();
    const look = () => {
      const { theme, contrast } = document.documentElement.dataset;
      return { theme, contrast };
    };
    const choose = async (now: string, next: string) => {
      await user.click(screen.getByRole("button", { name: `Theme: ${now}` }));
      await user.click(await screen.findByRole("menuitemradio", { name: next }));
    };
    await choose("System", "Light");
    expect(look()).toEqual({ theme: "light", contrast: "normal" });
    expect(localStorage.getItem("guild-hall.theme")).toBe("light");
    await choose("Light", "High contrast, light");
    expect(look()).toEqual({ theme: "light", contrast: "more" });
    await choose("High contrast, light", "High contrast, dark");
    expect(look()).toEqual({ theme: "dark", contrast: "more" });
    await choose("High contrast, dark", "System");
    expect(look()).toEqual({ theme: "dark", contrast: "normal" });
    expect(localStorage.getItem("guild-hall.theme")).toBeNull();
  });

  it("filters the roster by a count of the status bar", async () => {
    const { user } = openWindow();
    await user.click(screen.getByRole("button", { name: /failed$/ }));
    expect(screen.getByTestId("member-mongodb")).toBeVisible();
    expect(screen.queryByTestId("member-filesystem")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Show all members, not only: failed" }));
    expect(screen.getByTestId("member-filesystem")).toBeVisible();
  });

  it("marks on the document that all members are settled", () => {
    const { bridge } = openWindow();
    expect(document.documentElement.dataset["settled"]).toBe("false");
    act(() => void bridge.change("playwright", { status: "ready" }));
    act(() => void bridge.change("time", { status: "crash-loop" }));
    expect(document.documentElement.dataset["settled"]).toBe("true");
  });
});

describe("what is said aloud", () => {
  const before = new Map([["forge", mockView("forge")]]);

  it("is a member's failure, once", () => {
    const failed = mockView("forge", { status: "error" });
    expect(newFailures(before, [failed])).toMatch(/forge has failed/);
    expect(newFailures(new Map([["forge", failed]]), [failed])).toBeNull();
  });

  it("is not a member that was broken when the window opened", () => {
    expect(newFailures(new Map(), [mockView("forge", { status: "error" })])).toBeNull();
  });
});
