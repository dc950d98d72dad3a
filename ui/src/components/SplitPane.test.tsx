import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { PaneSizes, PaneSizesContext } from "../lib/paneSizes";
import { openWindow } from "../testing/open";
import { SplitPane } from "./SplitPane";

function openPanes() {
  return render(
    <PaneSizesContext value={new PaneSizes()}>
      <SplitPane name="test-share" label="Width of the first" share={57}>
        <p>first</p>
        <p>second</p>
      </SplitPane>
    </PaneSizesContext>,
  );
}

const divider = () => screen.getByRole("separator", { name: "Width of the first" });
const share = () => divider().parentElement?.style.getPropertyValue("--share");

describe("split panes", () => {
  it("are moved by the arrows, and to their ends by Home and End", async () => {
    openPanes();
    const user = userEvent.setup();
    await user.tab();
    await waitFor(() => expect(divider()).toHaveFocus());
    expect(divider()).toHaveAttribute("aria-valuenow", "57");
    await user.keyboard("{ArrowRight}{ArrowRight}{ArrowLeft}");
    expect(share()).toBe("59%");
    await user.keyboard("{Home}");
    expect(share()).toBe("20%");
    await user.keyboard("{ArrowLeft}");
    expect(divider()).toHaveAttribute("aria-valuenow", "20");
    await user.keyboard("{End}");
    expect(share()).toBe("80%");
    await user.keyboard("{Enter}");
    expect(share()).toBe("57%");
  });

  it("are dragged, and reset by a double click", () => {
    openPanes();
    const frame = divider().parentElement;
    Object.defineProperty(frame, "clientWidth", { value: 1_000 });
    divider().setPointerCapture = () => undefined;
    fireEvent.pointerDown(divider(), { clientX: 570, button: 0 });
    fireEvent.pointerMove(divider(), { clientX: 470 });
    expect(share()).toBe("47%");
    fireEvent.pointerMove(divider(), { clientX: -5_000 });
    expect(share()).toBe("20%");
    fireEvent.pointerUp(divider());
    fireEvent.pointerMove(divider(), { clientX: 900 });
    expect(share()).toBe("20%");
    fireEvent.doubleClick(divider());
    expect(share()).toBe("57%");
  });

  it("keep their place over a restart, and forget it when it is reset", async () => {
    const { unmount } = openPanes();
    const user = userEvent.setup();
    await user.tab();
    await user.keyboard("{ArrowRight}");
    unmount();
    openPanes();
    expect(share()).toBe("59%");
    await user.tab();
    await user.keyboard("{Enter}");
    expect(localStorage.getItem("guild-hall.test-share")).toBeNull();
  });

  it("take no garbage for a place", () => {
    localStorage.setItem("guild-hall.test-share", '"99%"');
    openPanes();
    expect(share()).toBe("57%");
  });
});

it("the roster's width is set on the page, where the next start finds it before the first paint", async () => {
  const { user } = openWindow({ members: [] });
  screen.getByRole("separator", { name: "Width of the roster" }).focus();
  await user.keyboard("{Home}{ArrowRight}");
  expect(document.documentElement.style.getPropertyValue("--roster")).toBe("236px");
  expect(localStorage.getItem("guild-hall.roster-width")).toBe("236");
  await user.keyboard("{Enter}");
  expect(document.documentElement.style.getPropertyValue("--roster")).toBe("");
});
