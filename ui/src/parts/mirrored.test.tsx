import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

beforeEach(() => {
  document.documentElement.dir = "rtl";
  vi.resetModules();
});

afterEach(() => {
  document.documentElement.removeAttribute("dir");
  vi.resetModules();
});

describe("in a window that is read from right to left", () => {
  it("the arrow to the left leads onwards, and what is closed points to it", async () => {
    const mirrored = await import("./mirrored");
    expect([mirrored.ONWARDS, mirrored.BACK]).toEqual(["ArrowLeft", "ArrowRight"]);
    expect([mirrored.CLOSED, mirrored.SMALL_CLOSED, mirrored.LEADS_TO]).toEqual(["◀", "◂", "←"]);
  });

  it("a line between panes goes where its arrow points, and its value grows to the left", async () => {
    const { Divider } = await import("./Divider");
    const onValue = vi.fn();
    render(<Divider label="Width" controls="pane" value={50} least={20} most={80} step={2} perPixel={() => 1} onValue={onValue} />);
    const line = screen.getByRole("separator", { name: "Width" });
    fireEvent.keyDown(line, { key: "ArrowLeft" });
    fireEvent.keyDown(line, { key: "ArrowRight" });
    expect(onValue.mock.calls).toEqual([[52], [48]]);
  });
});
