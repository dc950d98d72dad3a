import { act, screen } from "@testing-library/react";
import { expect, it } from "vitest";

import type { FoundBy, Suspicion } from "../bridge/bindings";
import { fakeMember, fakeTool, fakeView } from "../bridge/fake/members";
import { openWindow } from "../testing/open";

function openForge(found: FoundBy) {
  const forge = fakeMember(fakeView("forge", { status: "error" }), [fakeTool("forge", { name: "heat", description: "Heats a piece." })]);
  return openWindow({ members: [{ ...forge, found }] });
}

it("a list that the server did not say shows where it was found, and that its tools can't be called", async () => {
  const { house } = openForge({ rung: "json-lines", stream: "stdout", confidence: "fair" });
  act(() => house.openMember("forge"));
  act(() => house.setExpanded("forge", true));
  expect(await screen.findByTestId("found-by")).toHaveTextContent("found in JSON objects, one a line on its stdout: likely its tools. They can be called, and agents get them, once the server has confirmed them.");
  act(() => house.openTool("forge", "heat"));
  expect(await screen.findByText(/has not confirmed that it has this tool/)).toBeVisible();
  expect(screen.getByText(/▲ found in JSON objects/)).toBeVisible();
});

it("a list that came without a handshake can be called", async () => {
  const { house } = openForge({ rung: "no-handshake", stream: null, confidence: "certain" });
  act(() => house.openTool("forge", "heat"));
  expect(await screen.findByText(/found in the server's answer without a handshake: certain/)).toBeVisible();
  expect(await screen.findByText("forge does not run; a call starts it first.")).toBeVisible();
});

it("what looks suspicious about a tool stands on its page", async () => {
  const window = openForge({ rung: "initialize", stream: null, confidence: "certain" });
  const suspicion: Suspicion = { place: "/description", kind: "invisible", what: "It has characters that can't be seen.", quote: "a⟨U+200B⟩b" };
  window.bridge.trust.suspicions.set("forge/heat", [suspicion]);
  act(() => window.house.openTool("forge", "heat"));
  expect(await screen.findByText("▲ Characters that can't be seen: It has characters that can't be seen.")).toBeVisible();
});

it("a name that another member has too is no matter for alarm among members of one's own", async () => {
  const { house, bridge } = openForge({ rung: "initialize", stream: null, confidence: "certain" });
  const shadows: Suspicion = { place: "/name", kind: "shadows", what: "The member anvil has it too.", quote: "heat" };
  bridge.trust.suspicions.set("forge/heat", [shadows]);
  act(() => house.openTool("forge", "heat"));
  expect(await screen.findByText(/found in the server's answer/)).toBeVisible();
  expect(screen.queryByText(/anvil has it too/)).toBeNull();
  const origin = { from: "cursor", path: null, url: null, at: null, server: null };
  act(() => void bridge.change("forge", { trust: { origin, launch: "accepted", holds: true, held: 0 } }));
  expect(await screen.findByText("▲ A name that another member has: The member anvil has it too.")).toBeVisible();
});
