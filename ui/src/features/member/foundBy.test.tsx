import { act, screen } from "@testing-library/react";
import { expect, it } from "vitest";

import type { FoundBy, Suspicion } from "../../ipc/bindings";
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import { openWindow } from "../../testing/open";
import { textOf } from "../../testing/text";

function openForge(found: FoundBy) {
  const forge = mockMember(mockView("forge", { status: "error" }), [mockTool("forge", { name: "heat", description: "Heats a piece." })]);
  return openWindow({ members: [{ ...forge, found }] });
}

it("a list that the server did not say shows where it was found, and that its tools can't be called", async () => {
  const { stores } = openForge({ rung: "json-lines", stream: "stdout", confidence: "fair" });
  act(() => stores.navigation.openMember("forge"));
  act(() => stores.roster.setExpanded("forge", true));
  expect(textOf(await screen.findByTestId("found-by"))).toMatchInlineSnapshot(`"Tools found in JSON objects, one a line on its stdout: likely its tools. You and agents can call them once the server confirms them."`);
  act(() => stores.navigation.openTool("forge", "heat"));
  expect(textOf(await screen.findByTestId("tool-note"))).toMatchInlineSnapshot(`"The server of forge hasn't confirmed this tool, so it can't be called."`);
  expect(textOf(screen.getByTestId("tool-found"))).toMatchInlineSnapshot(`"found in JSON objects, one a line on its stdout: likely its tools"`);
});

it("a list that came without a handshake can be called", async () => {
  const { stores } = openForge({ rung: "no-handshake", stream: null, confidence: "certain" });
  act(() => stores.navigation.openTool("forge", "heat"));
  expect(textOf(await screen.findByTestId("tool-found"))).toMatchInlineSnapshot(`"found in the server's answer without a handshake: certain"`);
  expect(textOf(await screen.findByTestId("tool-note"))).toMatchInlineSnapshot(`"forge has failed. Running the tool starts it."`);
});

it("what looks suspicious about a tool stands on its page", async () => {
  const window = openForge({ rung: "initialize", stream: null, confidence: "certain" });
  const suspicion: Suspicion = { place: "/description", kind: "invisible", what: "It has characters that can't be seen.", quote: "a⟨U+200B⟩b" };
  window.bridge.trust.suspicions.set("forge/heat", [suspicion]);
  act(() => window.stores.navigation.openTool("forge", "heat"));
  expect(textOf(await screen.findByTestId("tool-suspicion"))).toMatchInlineSnapshot(`"Characters that can't be seen: It has characters that can't be seen."`);
});

it("a name that another member has too is no matter for alarm among members of one's own", async () => {
  const { stores, bridge } = openForge({ rung: "initialize", stream: null, confidence: "certain" });
  const shadows: Suspicion = { place: "/name", kind: "shadows", what: "The member anvil has it too.", quote: "heat" };
  bridge.trust.suspicions.set("forge/heat", [shadows]);
  act(() => stores.navigation.openTool("forge", "heat"));
  expect(textOf(await screen.findByTestId("tool-found"))).toMatchInlineSnapshot(`"found in the server's answer: certain"`);
  expect(screen.queryByText(/anvil has it too/)).toBeNull();
  const origin = { from: "cursor", path: null, url: null, at: null, server: null };
  act(() => void bridge.change("forge", { trust: { origin, launch: "accepted", holds: true, held: 0 } }));
  expect(textOf(await screen.findByTestId("tool-suspicion"))).toMatchInlineSnapshot(`"A name that another member has: The member anvil has it too."`);
});
