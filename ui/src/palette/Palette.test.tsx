import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";

import { fakeMember, fakeTool, fakeView } from "../bridge/fake/members";
import { openWindow } from "../testing/open";

it("waits at Enter for the answer to what was typed, and opens its first entry", async () => {
  const tools = ["heat", "quench"].map((name) => fakeTool("forge", { name, description: "" }));
  const { user, house } = openWindow({ members: [fakeMember(fakeView("forge"), tools)] });
  await user.keyboard("{Control>}k{/Control}");
  const field = await screen.findByTestId("palette-input");
  await user.type(field, "heat");
  await screen.findByRole("option", { name: /heat forge/ });
  await user.clear(field);
  await user.type(field, "quench{Enter}");
  await waitFor(() => expect(screen.queryByTestId("palette-input")).toBeNull());
  expect(house.place.get()).toEqual({ kind: "tool", member: "forge", tool: "quench" });
});
