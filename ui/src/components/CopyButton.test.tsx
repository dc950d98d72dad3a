import { render, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { HouseContext } from "../app/house";
import { openWindow } from "../testing/open";
import { CopyButton } from "./CopyButton";

describe("what is copied", () => {
  it("is said aloud, and so is that it could not be", async () => {
    const { user, house } = openWindow({ members: [] });
    render(
      <HouseContext value={house}>
        <CopyButton what="Address" text={() => "http://127.0.0.1:1"} />
      </HouseContext>,
    );
    const copy = screen.getByLabelText("Copy Address");
    await user.click(copy);
    await waitFor(() => expect(house.spoken.get()).toBe("Address: Copied"));
    // The older way is not there in this browser.
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("not allowed"));
    await user.click(copy);
    await waitFor(() => expect(house.spoken.get()).toContain("Address: "));
    expect(house.spoken.get()).toMatchInlineSnapshot(`"Address: Not copied"`);
  });
});
