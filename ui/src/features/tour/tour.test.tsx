import { act, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";
import { STOPS } from "./tour";

const TAKE_TOUR = "Take the tour";

function clock() {
  return mockMember(mockView("clock"), [mockTool("clock", { name: "now", description: "The time.", hints: { readOnly: true } })]);
}

const stop = (number: number) => screen.findByRole("region", { name: `Tour, ${number} of ${STOPS.length}` });

describe("the tour", () => {
  it("never begins by itself, and is offered until it was begun or declined, over restarts", async () => {
    const { user, unmount } = openWindow({ members: [clock()] });
    expect(screen.queryByTestId("tour")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Skip the tour" }));
    expect(screen.queryByRole("button", { name: TAKE_TOUR })).toBeNull();
    unmount();
    openWindow({ members: [clock()] });
    expect(screen.getByTestId("first-steps")).toBeVisible();
    expect(screen.queryByRole("button", { name: TAKE_TOUR })).toBeNull();
  });

  it("goes forward by Enter and →, back by ←, with the focus on its way, and brings a tool on the screen", async () => {
    const { user, stores } = openWindow({ members: [clock()] });
    await user.click(screen.getByRole("button", { name: TAKE_TOUR }));
    expect(await stop(1)).toHaveTextContent("The roster");
    expect(screen.getByRole("button", { name: "Next" })).toHaveFocus();
    expect(screen.getByRole("button", { name: "Next" })).toHaveAccessibleDescription(/The roster/);
    await user.keyboard("{Enter}");
    expect(textOf(await stop(2))).toMatchInlineSnapshot(`"Tour, 2 of 6A tool's formBuilt from the tool's schema. Problems show next to the field before anything is sent.NextBackEnd tourEnter or → next, ← back, Esc leaves"`);
    await waitFor(() => expect(stores.navigation.place.get()).toEqual({ kind: "tool", member: "clock", tool: "now" }));
    await user.keyboard("{ArrowRight}");
    await stop(3);
    expect(screen.getByRole("button", { name: "Next" })).toHaveFocus();
    await user.keyboard("{ArrowLeft}");
    await stop(2);
    for (let press = 2; press < STOPS.length; press += 1) await user.keyboard("{Enter}");
    await stop(STOPS.length);
    await user.click(screen.getByRole("button", { name: "Done" }));
    expect(screen.queryByTestId("tour")).toBeNull();
    // The tour called no tool.
    expect(stores.hall.state.get().running.size).toBe(0);
  });

  it("is left by Esc from anywhere, which closes nothing else, and gives the focus back", async () => {
    const { user, stores } = openWindow({ members: [clock()] });
    const theme = screen.getByRole("button", { name: "Theme: System" });
    theme.focus();
    act(() => stores.layers.open("warnings"));
    await waitFor(() => expect(screen.getByRole("region", { name: "Warnings" })).toHaveFocus());
    theme.focus();
    act(() => stores.tour.begin());
    await stop(1);
    await user.keyboard("{Escape}");
    expect(screen.queryByTestId("tour")).toBeNull();
    expect(screen.getByRole("region", { name: "Warnings" })).toBeVisible();
    await waitFor(() => expect(theme).toHaveFocus());
  });

  it("stays where Esc closes a dialog above it, and gives the focus to the page where its button is gone", async () => {
    const { user } = openWindow({ members: [clock()] });
    await user.click(screen.getByRole("button", { name: TAKE_TOUR }));
    await stop(1);
    await user.keyboard("{Control>}k{/Control}");
    await waitFor(() => expect(screen.getByTestId("palette-input")).toHaveFocus());
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByTestId("palette-input")).toBeNull());
    expect(screen.getByTestId("tour")).toBeVisible();
    await user.keyboard("{Escape}");
    expect(screen.queryByTestId("tour")).toBeNull();
    await waitFor(() => expect(document.activeElement?.closest("main")).not.toBeNull());
  });

  it("leaves everything else usable: keys go where the focus is", async () => {
    const { user, stores } = openWindow({ members: [clock()] });
    act(() => stores.tour.begin());
    await stop(1);
    await user.type(screen.getByTestId("search"), "now");
    expect(screen.getByTestId("search")).toHaveValue("now");
    await user.keyboard("{ArrowRight}");
    await stop(1);
  });

  it("points to the page where there is no tool to open", async () => {
    const { stores } = openWindow({ members: [] });
    act(() => stores.tour.begin());
    act(() => stores.tour.next());
    expect(textOf(await stop(2))).toMatchInlineSnapshot(`"Tour, 2 of 6A tool's formBuilt from the tool's schema. Problems show next to the field before anything is sent.NextBackEnd tourEnter or → next, ← back, Esc leaves"`);
  });

  it("is begun again from the palette", async () => {
    const { user } = openWindow({ members: [clock()] });
    await user.click(screen.getByRole("button", { name: "Skip the tour" }));
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), ">take the tour{Enter}");
    await stop(1);
    await waitFor(() => expect(screen.getByRole("button", { name: "Next" })).toHaveFocus());
  });

  it("brings into sight what each stop tells of, once, and stays at it where it is scrolled", async () => {
    const shown = vi.spyOn(Element.prototype, "scrollIntoView");
    const { stores } = openWindow({ members: [clock()] });
    shown.mockClear();
    act(() => stores.tour.begin());
    await stop(1);
    const roster = document.getElementById("roster")!;
    expect(shown.mock.contexts).toEqual([roster]);
    roster.getBoundingClientRect = () => new DOMRect(10, 40, 200, 100);
    act(() => void roster.dispatchEvent(new Event("scroll")));
    expect(document.querySelector<HTMLElement>(".border-accent.pointer-events-none")?.style.top).toBe("38px");
    expect(shown.mock.contexts).toEqual([roster]);
    act(() => stores.tour.next());
    await stop(2);
    await waitFor(() => expect(shown.mock.contexts).toContain(document.querySelector('[data-tour="form"]')));
    shown.mockRestore();
  });
});
