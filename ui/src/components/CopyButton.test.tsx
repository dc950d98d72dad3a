import { render, screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";

import { SpokenContext } from "../lib/spoken";
import { openWindow } from "../testing/open";
import { CopyButton } from "./CopyButton";

describe("what is copied", () => {
  it("is said aloud, and so is that it could not be", async () => {
    const { user, stores } = openWindow({ members: [] });
    render(
      <SpokenContext value={stores.spoken}>
        <CopyButton what="Address" text={() => "http://127.0.0.1:1"} />
      </SpokenContext>,
    );
    const copy = screen.getByLabelText("Copy Address");
    await user.click(copy);
    await waitFor(() => expect(stores.spoken.get()).toBe("Address: Copied"));
    // The fallback `execCommand` does not exist in this environment either.
    vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("not allowed"));
    await user.click(copy);
    await waitFor(() => expect(stores.spoken.get()).toContain("Address: "));
    expect(stores.spoken.get()).toMatchInlineSnapshot(`"Address: Not copied"`);
  });
});
