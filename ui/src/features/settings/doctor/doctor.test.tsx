import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { mockMember, mockView } from "../../../ipc/mock/members";
import { openWindow } from "../../../testing/open";
import { textOf } from "../../../testing/text";
import { runSystemCheck } from "./examination";
import { FOUND } from "./states";
import { asText } from "./faces";

function openDoctor(hangsAfter = Number.POSITIVE_INFINITY) {
  const window = openWindow({ members: [mockMember(mockView("forge"), [])] });
  window.bridge.doctor.findings = [...FOUND];
  window.bridge.doctor.hangsAfter = hangsAfter;
  act(() => runSystemCheck(window.stores));
  return window;
}

describe("the check of this machine", () => {
  it("is reached from the palette, and says what to do about each thing", async () => {
    const { user, bridge } = openWindow({ members: [mockMember(mockView("forge"), [])] });
    bridge.doctor.findings = [...FOUND];
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), ">Run system check");
    await user.keyboard("{Enter}");
    expect(await screen.findByText("1 problem, 2 warnings")).toBeVisible();
    const commands = screen.getByRole("region", { name: "Member commands" });
    expect(textOf(within(commands).getAllByRole("listitem")[0])).toMatchInlineSnapshot(`"Problem forge: The command \`uvx\` was not found.Fix: \`uvx\` comes with uv: install that, or write the full path of \`uvx\` as the manifest's \`command\`.Details of forgelooked in /usr/local/binlooked in /usr/binOpen forge"`);
    await user.click(within(commands).getByRole("button", { name: "Open forge" }));
    expect(await screen.findByRole("heading", { name: /forge/, level: 1 })).toBeVisible();
  });

  it("is reached from the error of a command that was not found", async () => {
    const error = { code: "command-not-found" as const, message: "The command `uvx` was not found.", hint: "Install uv.", member: "forge" };
    const { user, bridge, stores } = openWindow({ members: [mockMember(mockView("forge", { status: "error", error }), [])] });
    const looked = () => bridge.asked.filter(({ name }) => name === "doctor").length;
    act(() => runSystemCheck(stores));
    await waitFor(() => expect(screen.getByTestId("doctor-says")).toHaveTextContent(/Checked just now/));
    act(() => stores.navigation.openMember("forge"));
    await user.click(await screen.findByRole("button", { name: "Fix…" }));
    await user.click(await screen.findByRole("menuitem", { name: "Run system check" }));
    expect(await screen.findByRole("heading", { name: "System check" })).toBeVisible();
    // A failed check leaves no report, so opening the check again runs it again.
    expect(looked()).toBe(2);
  });

  it("shows what was found on the way, and keeps it when it is cancelled", async () => {
    const { user, bridge } = openDoctor(3);
    await waitFor(() => expect(screen.getByTestId("doctor-says")).toHaveTextContent("Checking… 3 of 8"));
    expect(screen.getByText(/v22.11.0/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(textOf(await screen.findByTestId("doctor-says"))).toMatchInlineSnapshot(`"Cancelled. No problems so far Checked just now"`);
    expect(screen.getByText(/v22.11.0/)).toBeVisible();
    expect(bridge.asked.filter(({ name }) => name === "cancel_call")).toHaveLength(1);
    expect(textOf(screen.getByTestId("doctor-says"))).toMatchInlineSnapshot(`"Cancelled. No problems so far Checked just now"`);
  });

  it("is said aloud each time, whatever was found before", async () => {
    const { user, stores } = openDoctor();
    await screen.findByText("1 problem, 2 warnings");
    const said: string[] = [];
    stores.spoken.subscribe(() => said.push(stores.spoken.get()));
    await user.click(screen.getByRole("button", { name: "Run again" }));
    await waitFor(() => expect(said).toHaveLength(2));
    expect(said).toMatchInlineSnapshot(`
      [
        "Checking…",
        "1 problem, 2 warnings",
      ]
    `);
  });

  it("looks once when it is opened, and again when it is asked to", async () => {
    const { user, bridge, stores } = openDoctor();
    const looked = () => bridge.asked.filter(({ name }) => name === "doctor").length;
    await screen.findByText("1 problem, 2 warnings");
    act(() => stores.navigation.openMember("forge"));
    act(() => runSystemCheck(stores));
    await screen.findByText("1 problem, 2 warnings");
    expect(looked()).toBe(1);
    bridge.doctor.findings = bridge.doctor.findings.filter(({ verdict }) => verdict === "fine");
    await user.click(screen.getByRole("button", { name: "Run again" }));
    expect(textOf(await screen.findByTestId("doctor-says"))).toMatchInlineSnapshot(`"No problems found Checked just now"`);
    expect(looked()).toBe(2);
  });

  it("waits for a person where a link led to it, and says what it does", async () => {
    const { user, bridge, stores } = openWindow({ members: [mockMember(mockView("forge"), [])] });
    bridge.doctor.findings = [...FOUND];
    const looked = () => bridge.asked.filter(({ name }) => name === "doctor").length;
    act(() => bridge.outside.show({ kind: "place", place: { kind: "page", page: "doctor" } }));
    const says = await screen.findByText(/Changes nothing/);
    expect(says).toBeVisible();
    expect(textOf(says)).toMatchInlineSnapshot(`"Checks your login shell, Node, Python, Docker, and each member's command, secrets, port and folder. Changes nothing."`);
    expect(says).not.toHaveTextContent("changes nothing");
    expect(looked()).toBe(0);
    const begin = screen.getByRole("button", { name: "Run system check" });
    await user.click(begin);
    expect(await screen.findByText("1 problem, 2 warnings")).toBeVisible();
    expect(screen.queryByText(/Changes nothing/)).toBeNull();
    // A link that is followed later shows the existing findings and starts no second check.
    act(() => stores.navigation.openMember("forge"));
    act(() => bridge.outside.show({ kind: "place", place: { kind: "page", page: "doctor" } }));
    expect(await screen.findByText("1 problem, 2 warnings")).toBeVisible();
    expect(looked()).toBe(1);
  });

  it("begins for a person who opens what a link led to", async () => {
    const { bridge, stores } = openWindow({ members: [mockMember(mockView("forge"), [])] });
    bridge.doctor.findings = [...FOUND];
    act(() => bridge.outside.show({ kind: "place", place: { kind: "page", page: "doctor" } }));
    await screen.findByText(/Changes nothing/);
    act(() => runSystemCheck(stores));
    expect(await screen.findByText("1 problem, 2 warnings")).toBeVisible();
  });

  it("is copied as text with each advice", () => {
    const text = asText(FOUND);
    expect(text).toContain("Member commands\n  Problem: forge: The command `uvx` was not found.");
    expect(text).toContain("    Fix: `uvx` comes with uv");
  });
});
