import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { openWindow } from "../../../testing/open";
import { textOf } from "../../../testing/text";
import { fill, waitingForge } from "./states";

function openSecrets() {
  const window = openWindow(waitingForge());
  fill(window.bridge);
  act(() => window.stores.navigation.openSecrets());
  return window;
}

describe("the secrets", () => {
  it("are set right from the error of the member that misses one, which is started then", async () => {
    const { user, bridge, stores } = openWindow(waitingForge());
    fill(bridge);
    act(() => stores.navigation.openMember("forge"));
    await user.click(await screen.findByRole("button", { name: "Fix…" }));
    await user.click(await screen.findByRole("menuitem", { name: "Set FORGE_TOKEN…" }));
    const field = await screen.findByLabelText("Value of FORGE_TOKEN");
    await waitFor(() => expect(field).toHaveFocus());
    expect(field).toHaveAttribute("type", "password");
    await user.type(field, "planted{Enter}");
    await waitFor(() => expect(bridge.asked.map(({ name }) => name)).toContain("start_member"));
    expect(bridge.asked.find(({ name }) => name === "set_secret")?.request).toEqual({ name: "FORGE_TOKEN", value: "planted", place: null });
    expect(await screen.findAllByText("In the keychain")).toHaveLength(2);
    expect(document.body.innerHTML).not.toContain("planted");
    expect([...document.querySelectorAll("input")].map(({ value }) => value)).not.toContain("planted");
  });

  it("say where each is kept and who uses it", async () => {
    openSecrets();
    const rows = await screen.findAllByTestId("secret");
    expect(rows.map((row) => row.textContent)).toMatchInlineSnapshot(`
      [
        "FORGE_TOKENNo valueUsed by forgeSet…",
        "GITHUB_TOKENIn the keychainUsed by forgeReplace…Remove…",
        "OLD_KEYIn secrets.jsonNot usedReplace…Remove…",
      ]
    `);
  });

  it("are removed, and one that is still used stays with no value", async () => {
    const { user } = openSecrets();
    await user.click(await screen.findByRole("button", { name: "Remove OLD_KEY" }));
    await user.click(await screen.findByRole("button", { name: "Remove" }));
    await waitFor(() => expect(screen.getAllByTestId("secret")).toHaveLength(2));
    await user.click(screen.getByRole("button", { name: "Remove GITHUB_TOKEN" }));
    expect(textOf(await screen.findByRole("alertdialog"))).toMatchInlineSnapshot(`"Remove GITHUB_TOKEN?This can't be undone. forge can't start without it.CancelRemove"`);
    await user.click(screen.getByRole("button", { name: "Remove" }));
    await waitFor(() => expect(screen.getAllByText("No value")).toHaveLength(2));
  });

  it("stay where a person keeps them after all, and the focus is on the page again", async () => {
    const { user, bridge } = openSecrets();
    await user.click(await screen.findByRole("button", { name: "Remove GITHUB_TOKEN" }));
    await user.click(await screen.findByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.getByRole("heading", { name: "Secrets" })).toHaveFocus());
    await user.click(screen.getByRole("button", { name: "Set FORGE_TOKEN" }));
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.getByRole("heading", { name: "Secrets" })).toHaveFocus());
    expect(bridge.asked.map(({ name }) => name)).not.toContain("remove_secret");
  });

  it("go into a file where the keychain does not answer and a person says so", async () => {
    const { user, bridge } = openSecrets();
    bridge.secrets.refusing = { code: "keychain-unanswered", message: "The keychain did not answer within 20 s.", hint: "Unlock it.", member: null };
    await user.click(await screen.findByRole("button", { name: "New secret…" }));
    const form = screen.getByRole("form", { name: "New secret" });
    await user.type(within(form).getByLabelText(/Name, as in/), "NEW_KEY");
    await user.type(within(form).getByLabelText("Value"), "planted{Enter}");
    expect(textOf(await within(form).findByRole("alert"))).toMatchInlineSnapshot(`"The keychain did not answer within 20 s. keychain-unansweredUnlock it."`);
    await user.click(within(form).getByRole("button", { name: "Save to a file instead" }));
    await waitFor(() => expect(screen.getAllByText("In secrets.json")).toHaveLength(2));
    expect(screen.queryByRole("form")).toBeNull();
  });

  it("leave another form alone when they are kept after theirs was closed", async () => {
    const { user, bridge, stores } = openSecrets();
    const call = bridge.call.bind(bridge);
    let unlock: () => void = () => undefined;
    const unlocked = new Promise<void>((resolve) => (unlock = resolve));
    bridge.call = ((name: Parameters<typeof call>[0], request: never) =>
      name === "set_secret" ? unlocked.then(() => call(name, request)) : call(name, request));
    await user.click(await screen.findByRole("button", { name: "Set FORGE_TOKEN" }));
    await user.type(screen.getByLabelText("Value of FORGE_TOKEN"), "planted{Enter}");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await user.click(screen.getByRole("button", { name: "New secret…" }));
    const field = screen.getByLabelText(/Name, as in/);
    await user.type(field, "NEW_KEY");
    act(unlock);
    await waitFor(() => expect(stores.spoken.get()).toContain("FORGE_TOKEN"));
    expect(stores.spoken.get()).toMatchInlineSnapshot(`"FORGE_TOKEN was saved in the keychain."`);
    await waitFor(() => expect(bridge.asked.map(({ name }) => name)).toContain("start_member"));
    expect(field).toHaveValue("NEW_KEY");
    await waitFor(() => expect(field).toHaveFocus());
  });

  it("are not kept without a name or a value", async () => {
    const { user, bridge } = openSecrets();
    await user.click(await screen.findByRole("button", { name: "New secret…" }));
    const keep = screen.getByRole("button", { name: "Save" });
    expect(keep.getAttribute("aria-description")).toMatchInlineSnapshot(`"Enter a name"`);
    await user.type(screen.getByLabelText(/Name, as in/), "NEW_KEY{Enter}");
    expect(keep.getAttribute("aria-description")).toMatchInlineSnapshot(`"Enter a value"`);
    expect(bridge.asked.map(({ name }) => name)).not.toContain("set_secret");
  });
});
