import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { SignInView } from "../../../ipc/bindings";
import type { MockOptions } from "../../../ipc/mock";
import { ADDRESS, GRANT, WAITING } from "../../../ipc/mock/signIn";
import { openWindow } from "../../../testing/open";
import { textOf } from "../../../testing/text";
import { elsewhere } from "./testing";

const CANCELLED = "Sign-in cancelled";

function openMember(changes: Partial<SignInView> | null, options: MockOptions = elsewhere()) {
  const window = openWindow(options);
  if (changes) act(() => void window.bridge.signIn.at("forge", changes));
  act(() => window.stores.navigation.place.set({ kind: "member", member: "forge", first: null }));
  return window;
}

function click(name: string | RegExp): void {
  fireEvent.click(screen.getByRole("button", { name }));
}

describe("signing in to a member", () => {
  it("opens the browser only after its host was shown and a person said so", async () => {
    const { bridge } = openMember({ needed: true });
    const panel = within(await screen.findByTestId("sign-in"));
    expect(textOf(panel.getByRole("status"))).toMatchInlineSnapshot(`"Sign in to use this member"`);
    click("Sign in…");
    expect(textOf(await screen.findByTestId("sign-in-host"))).toMatchInlineSnapshot(`"Sign in at auth.example"`);
    expect(await screen.findByRole("region", { name: "The whole address" })).toHaveTextContent(ADDRESS);
    expect(bridge.signIn.opened).toEqual([]);
    click("Open auth.example in the browser");
    await waitFor(() => expect(bridge.signIn.opened).toEqual([ADDRESS]));
  });

  it("shows what came of it: by whom, for what, until when", async () => {
    const { bridge } = openMember({ needed: true, stage: WAITING });
    await screen.findByTestId("sign-in-host");
    act(() => void bridge.signIn.at("forge", { stage: { kind: "taking" } }));
    expect(await screen.findByText(/Signing in…/)).toBeVisible();
    act(() => {
      bridge.change("forge", { status: "ready", error: null });
      bridge.signIn.at("forge", { stage: { kind: "done" }, needed: false, grant: GRANT });
    });
    expect(await screen.findByText("https://auth.example")).toBeVisible();
    expect(screen.getByText("files:read files:write")).toBeVisible();
    expect(screen.getByText("2026-11-21 15:03, renewed automatically")).toBeVisible();
    expect(within(screen.getByTestId("sign-in")).getByRole("status")).toHaveTextContent("Signed in");
  });

  it("is said when it comes about, and not again at a later visit", async () => {
    const { bridge, stores } = openMember({ needed: true, stage: { kind: "taking" } });
    await screen.findByText(/Signing in…/);
    const said = () => stores.spoken.get();
    act(() => void bridge.signIn.at("forge", { stage: { kind: "done" }, needed: false, grant: GRANT }));
    await waitFor(() => expect(said()).toContain("forge"));
    expect(said()).toMatchInlineSnapshot(`"Signed in to forge."`);
    act(() => {
      stores.spoken.set("");
      stores.navigation.place.set({ kind: "welcome" });
    });
    act(() => stores.navigation.openMember("forge"));
    expect(await screen.findByText("https://auth.example")).toBeVisible();
    expect(said()).toBe("");
  });

  it("keeps the focus where the button that was pressed goes away", async () => {
    const { user } = openMember({ needed: true });
    await user.click(await screen.findByRole("button", { name: "Sign in…" }));
    expect(await screen.findByTestId("sign-in-host")).toBeVisible();
    expect(screen.getByTestId("sign-in")).toContainElement(document.activeElement as HTMLElement);
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(await screen.findByText(/Sign-in cancelled/)).toBeVisible();
    expect(screen.getByTestId("sign-in")).toContainElement(document.activeElement as HTMLElement);
  });

  it("offers a code for another device where the server has one", async () => {
    openMember({ needed: true, stage: { ...WAITING, offersCode: true } });
    await screen.findByTestId("sign-in-host");
    click("Use a code on another device");
    expect(await screen.findByTestId("sign-in-code")).toHaveTextContent("WDJB-MJHT");
    expect(await screen.findByRole("region", { name: "The whole address" })).toHaveTextContent("https://auth.example/device");
    expect(screen.queryByRole("textbox", { name: /Paste the address/ })).toBeNull();
  });

  it("takes the address that a browser elsewhere shows at the end", async () => {
    const { bridge, user } = openMember({ needed: true, stage: WAITING });
    const field = await screen.findByRole("textbox", { name: /Paste the address/ });
    await user.type(field, "http://127.0.0.1:1/callback?code=c&state=other");
    await user.click(screen.getByRole("button", { name: "Use address" }));
    expect(await screen.findByText(/doesn't have the/)).toBeVisible();
    await user.clear(field);
    await user.type(field, "http://127.0.0.1:1/callback?code=c&state=s1");
    await user.click(screen.getByRole("button", { name: "Use address" }));
    expect(await screen.findByText(/Signing in…/)).toBeVisible();
    expect(bridge.signIn.pasted).toHaveLength(2);
  });

  it("can be cancelled, and begun again", async () => {
    openMember({ needed: true, stage: WAITING });
    await screen.findByTestId("sign-in-host");
    click("Cancel");
    expect(await screen.findByText(/Sign-in cancelled/)).toBeVisible();
    click("Sign in…");
    expect(await screen.findByTestId("sign-in-host")).toBeVisible();
  });

  it("announces a cancellation once", async () => {
    const { bridge, stores } = openMember({ needed: true, stage: WAITING });
    await screen.findByTestId("sign-in-host");
    click("Cancel");
    expect(await screen.findByText(/Sign-in cancelled/)).toBeVisible();
    expect(textOf(within(screen.getByTestId("sign-in")).getByRole("status"))).toMatchInlineSnapshot(`"Sign-in cancelled"`);
    // The announcement would be made in the same microtask as the response.
    await act(async () => Promise.resolve());
    expect(stores.spoken.get()).not.toBe(CANCELLED);
    act(() => void bridge.signIn.at("forge", { stage: WAITING, grant: GRANT }));
    await screen.findByTestId("sign-in-host");
    click("Cancel");
    await waitFor(() => expect(stores.spoken.get()).toBe(CANCELLED));
    expect(within(screen.getByTestId("sign-in")).getByRole("status")).not.toHaveTextContent(CANCELLED);
  });

  it("says why it failed, and that an answer was not used", async () => {
    const { bridge } = openMember({ needed: true, stage: { ...WAITING, strays: 1 } });
    expect(textOf(await screen.findByTestId("sign-in-foreign"))).toMatchInlineSnapshot(`"Ignored 1 response from another sign-in"`);
    const report = { code: "sign-in-failed", message: "The authorization server refused: access_denied.", hint: "Sign in again, and agree in the browser.", member: "forge" } as const;
    act(() => void bridge.signIn.at("forge", { stage: { kind: "failed", report } }));
    expect(await screen.findByTestId("sign-in-failed")).toHaveTextContent("access_denied");
  });

  it("says that no browser could be opened, and leaves the address", async () => {
    const { bridge } = openMember({ needed: true, stage: WAITING });
    bridge.signIn.noBrowser = { code: "sign-in-failed", message: "The browser was not opened: xdg-open was not found.", hint: "Open the address by hand.", member: "forge" };
    await screen.findByRole("region", { name: "The whole address" });
    click("Open auth.example in the browser");
    expect(await screen.findByText(/xdg-open was not found/)).toBeVisible();
    expect(screen.getByRole("region", { name: "The whole address" })).toHaveTextContent(ADDRESS);
  });

  it("is ended by signing out", async () => {
    const { bridge } = openMember({ grant: GRANT }, elsewhere({ status: "ready" }));
    await screen.findByText("https://auth.example");
    click("Sign out");
    await waitFor(() => expect(bridge.signIn.view("forge").grant).toBeNull());
    await waitFor(() => expect(screen.queryByTestId("sign-in")).toBeNull());
  });

  it("is not spoken of where nobody ever had to", async () => {
    const { bridge } = openMember(null, elsewhere({ status: "ready" }));
    await waitFor(() => expect(bridge.asked.some(({ name }) => name === "sign_in_state")).toBe(true));
    expect(screen.queryByTestId("sign-in")).toBeNull();
  });
});
