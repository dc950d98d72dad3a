/** The tour in a window that is read from right to left. */
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterAll, describe, expect, it, vi } from "vitest";

// Before any module of the window asks which way it is read.
vi.hoisted(() => {
  document.documentElement.dir = "rtl";
});

import { openWindow } from "../testing/open";
import { STOPS } from "./tour";

afterAll(() => document.documentElement.removeAttribute("dir"));

const stop = (number: number) => screen.findByRole("region", { name: `Tour, ${number} of ${STOPS.length}` });

describe("the tour from right to left", () => {
  it("goes forward by ←, back by →, and says so", async () => {
    const { house } = openWindow({ members: [] });
    const user = userEvent.setup();
    act(() => house.tour.begin());
    expect(await stop(1)).toHaveTextContent("Enter or ← next, → back, Esc leaves");
    await user.keyboard("{ArrowLeft}");
    await stop(2);
    await user.keyboard("{ArrowRight}");
    await stop(1);
  });

  it("points from the callout's edge to what it tells of", async () => {
    const { house } = openWindow({ members: [] });
    act(() => house.tour.begin());
    await stop(1);
    await waitFor(() => expect(screen.getByTestId("tour-arrow")).toHaveAttribute("data-edge", "top"));
  });
});
