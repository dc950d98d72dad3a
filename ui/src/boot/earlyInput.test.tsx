import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";

import { MockBridge } from "../ipc/mock";
import { mockMember, mockTool, mockView } from "../ipc/mock/members";
import { openApp } from "../main";
import { recordEarlyInput } from "./earlyInput";
import { drawFirstPaint } from "./firstPaint";

let close: () => void = () => undefined;

afterEach(() => {
  act(close);
  close = () => undefined;
  document.body.replaceChildren();
});

function guild() {
  return Array.from({ length: 60 }, (_, index) => {
    const name = `member-${String(index).padStart(2, "0")}`;
    return mockMember(mockView(name), [mockTool(name, { name: "heat", description: "" })]);
  });
}

/** Draws the first paint. Returns a function that replaces it with the app, as boot.ts does. */
function openEarly() {
  const root = document.createElement("div");
  document.body.append(root);
  const bridge = new MockBridge({ members: guild() });
  root.append(...drawFirstPaint(bridge.opening!, {}, () => undefined));
  const end = recordEarlyInput(root);
  return () => {
    const early = end();
    act(() => {
      close = openApp(root, bridge, null, early);
    });
  };
}

describe("what is done before the app is there", () => {
  it("scrolls the app's roster too", () => {
    const takeOver = openEarly();
    screen.getByTestId("roster").scrollTop = 640;
    takeOver();
    expect(screen.getByTestId("roster").scrollTop).toBe(640);
  });

  it("stands in the app's search, with the focus", async () => {
    const takeOver = openEarly();
    const user = userEvent.setup();
    await user.type(screen.getByTestId("search"), "member-07");
    takeOver();
    expect(screen.getByTestId("search")).toHaveValue("member-07");
    await waitFor(() => expect(screen.getByTestId("search")).toHaveFocus());
    expect(await screen.findByTestId("tool-member-07-heat")).toBeVisible();
  });

  it("moves the cursor of the app's roster, and opens what it is on", async () => {
    const takeOver = openEarly();
    const user = userEvent.setup();
    screen.getByTestId("roster").focus();
    await user.keyboard("{ArrowDown}{ArrowDown}{Enter}");
    takeOver();
    await waitFor(() => expect(screen.getByTestId("roster")).toHaveFocus());
    await waitFor(() => expect(screen.getByRole("heading", { name: /member-02/ })).toBeVisible());
  });

  it("opens the app's palette", async () => {
    const takeOver = openEarly();
    const user = userEvent.setup();
    await user.keyboard("{Control>}k{/Control}");
    takeOver();
    expect(await screen.findByTestId("palette-input")).toBeVisible();
  });
});
