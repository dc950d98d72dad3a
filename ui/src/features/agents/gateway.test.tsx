import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { TAKEN_PORT } from "../../ipc/mock/gateway";
import { openWindow } from "../../testing/open";
import { descriptionOf, textOf } from "../../testing/text";
import { smithy } from "./testing";

function openGateway() {
  const window = openWindow({ members: [smithy()] });
  act(() => window.stores.navigation.openAgents("gateway"));
  return window;
}

describe("the Agents page", () => {
  it("opens by key, status bar and palette", async () => {
    const { user, stores } = openWindow({ members: [smithy()] });
    await user.keyboard("{Control>}{Shift>}g{/Shift}{/Control}");
    expect(await screen.findByRole("heading", { name: "Agents", level: 1 })).toBeVisible();
    act(() => stores.navigation.openMember("smithy"));
    await user.click(await screen.findByTestId("gateway-mark"));
    expect(await screen.findByRole("tab", { name: "Overview", selected: true })).toBeVisible();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), ">Agents: Activity");
    await user.keyboard("{Enter}");
    expect(await screen.findByRole("tab", { name: "Activity", selected: true })).toBeVisible();
  });

  it("opens at the last tab", async () => {
    const { user, stores } = openGateway();
    await user.click(await screen.findByRole("tab", { name: "Permissions" }));
    act(() => stores.navigation.openMember("smithy"));
    await user.keyboard("{Control>}{Shift>}g{/Shift}{/Control}");
    expect(await screen.findByRole("tab", { name: "Permissions", selected: true })).toBeVisible();
  });
});

describe("search by meaning", () => {
  const fill = async (url: string, key = "") => {
    const window = openGateway();
    const section = within(await screen.findByTestId("meaning"));
    expect(section.getByLabelText("Address")).not.toBeVisible();
    await window.user.click(section.getByText("Search by meaning (optional)"));
    await window.user.type(section.getByLabelText("Address"), url);
    await window.user.type(section.getByLabelText("Model"), "all-minilm");
    if (key !== "") await window.user.type(section.getByLabelText("Key"), key.replace("{", "{{"));
    return { ...window, section };
  };

  it("tests an endpoint before it is saved", async () => {
    const { user, section, bridge } = await fill("http://127.0.0.1:11434/v1");
    await user.click(section.getByRole("button", { name: "Test endpoint" }));
    expect(textOf(await section.findByTestId("meaning-tested"))).toMatchInlineSnapshot(`"The endpoint works: vectors of 384 numbers, answered in 12 ms."`);
    expect(bridge.gateway.state.embeddings).toBeNull();
    await user.click(section.getByRole("button", { name: "Save endpoint" }));
    await waitFor(() => expect(bridge.gateway.state.embeddings).toEqual({ url: "http://127.0.0.1:11434/v1", model: "all-minilm" }));
    await user.click(await screen.findByRole("button", { name: "Remove endpoint" }));
    await waitFor(() => expect(bridge.gateway.state.embeddings).toBeNull());
  });

  it("reports an unreachable endpoint", async () => {
    const { user, section } = await fill(`http://127.0.0.1:${TAKEN_PORT}/v1`);
    await user.click(section.getByRole("button", { name: "Test endpoint" }));
    expect(textOf(await section.findByTestId("meaning-problem"))).toMatchInlineSnapshot(`"The embeddings endpoint at 127.0.0.1:8080 returned no vectors: nothing answers there. embeddings-failedCheck that the endpoint runs and that its address is right: most end in /v1."`);
  });

  it("saves references to keys only", async () => {
    const { user, section, bridge } = await fill("http://127.0.0.1:11434/v1", "sk-123");
    const save = section.getByRole("button", { name: "Save endpoint" });
    expect(save).toHaveAttribute("aria-disabled", "true");
    expect(save).toHaveAttribute("aria-description", expect.stringContaining("Store key"));
    await user.clear(section.getByLabelText("Key"));
    await user.type(section.getByLabelText("Key"), "${{secret:embeddings-key}");
    await user.click(save);
    await waitFor(() => expect(bridge.gateway.state.embeddings?.key).toBe("${secret:embeddings-key}"));
  });
});

describe("the gateway", () => {
  it("shows its address and its error", async () => {
    const { bridge } = openGateway();
    expect(await screen.findByTestId("gateway-mark")).toHaveTextContent(":19999");
    act(() => {
      bridge.gateway.change({ address: null, error: { code: "gateway-port-taken", message: "Port 19999 is taken.", hint: "Another one?", member: null } });
    });
    expect(textOf(screen.getByTestId("gateway-mark"))).toMatchInlineSnapshot(`"Not running on :19999"`);
    expect(screen.getByText(/Port 19999 is taken/)).toBeVisible();
  });

  it("reports a port in use", async () => {
    const { user, bridge } = openGateway();
    const port = await screen.findByLabelText("Port");
    await user.clear(port);
    await user.type(port, `${TAKEN_PORT}{Enter}`);
    expect(textOf(await screen.findByTestId("trouble"))).toMatchInlineSnapshot(`"Port 8080 is taken by another program. gateway-port-takenEnd that program, or give the gateway another port.Use 8079Change port…"`);
    const again = screen.getByLabelText("Port");
    expect(again).toHaveValue(String(TAKEN_PORT));
    await user.clear(again);
    await user.type(again, "20500{Enter}");
    await waitFor(() => expect(screen.getByTestId("gateway-address")).toHaveTextContent("http://127.0.0.1:20500/mcp"));
    expect(bridge.gateway.state.error).toBeNull();
  });

  it("rejects an invalid port", async () => {
    const { user, bridge } = openGateway();
    const port = await screen.findByLabelText("Port");
    for (const wrong of ["0", "65536", "8o"]) {
      await user.clear(port);
      await user.type(port, `${wrong}{Enter}`);
      expect(port).toBeInvalid();
      expect(port).toHaveAccessibleDescription(/from 1 to 65535/);
    }
    expect(bridge.asked.map(({ name }) => name)).not.toContain("change_gateway");
  });

  it("is switched by keys", async () => {
    const { user, bridge } = openGateway();
    const onOff = await screen.findByRole("switch", { name: /Gateway/ });
    onOff.focus();
    await user.keyboard(" ");
    await waitFor(() => expect(onOff).toHaveAttribute("aria-checked", "false"));
    expect(textOf(screen.getByTestId("gateway-not-listening"))).toMatchInlineSnapshot(`"Gateway is off"`);
    await user.keyboard(" ");
    await waitFor(() => expect(onOff).toHaveAttribute("aria-checked", "true"));
    screen.getByRole("radio", { name: /^Compact/ }).focus();
    await user.keyboard("{ArrowRight} ");
    await waitFor(() => expect(bridge.gateway.state.listing).toBe("full"));
  });
});

describe("the clients", () => {
  it("get a token that is shown once", async () => {
    const { user, bridge } = openGateway();
    await user.type(await screen.findByLabelText("Client name"), "cursor{Enter}");
    const token = await screen.findByTestId("new-token");
    const text = token.textContent;
    const panel = screen.getByRole("group", { name: "The token of cursor" });
    expect(textOf(panel)).toMatchInlineSnapshot(`"Copy this token of cursor now. It won't be shown again.gh_00000001f3a9c2d1b4e5CopyDone"`);
    await waitFor(() => expect(panel).toHaveFocus());
    await user.click(within(panel).getByRole("button", { name: "Copy the token" }));
    expect(await navigator.clipboard.readText()).toBe(text);
    // The token is still shown after a visit to another tab.
    await user.click(screen.getByRole("tab", { name: "Activity" }));
    await user.click(screen.getByRole("tab", { name: "Overview" }));
    expect(await screen.findByTestId("new-token")).toHaveTextContent(text);
    await user.click(screen.getByRole("button", { name: "Done" }));
    expect(screen.queryByText(text)).not.toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole("heading", { name: "Clients" })).toHaveFocus());
    const row = screen.getByRole("row", { name: /cursor/ });
    expect(row).toHaveTextContent(`…${text.slice(-4)}`);
    expect(row).toHaveTextContent("Never");
    expect(bridge.gateway.state.clients).toHaveLength(1);
  });

  it("are revoked after a question", async () => {
    const { user, bridge } = openGateway();
    act(() => {
      bridge.gateway.change({ clients: [{ id: "c", name: "cursor", tokenEnd: "d1b4", createdAtMs: 1, lastUsedMs: 2, endpoints: null }] });
    });
    await user.click(await screen.findByRole("button", { name: "Revoke cursor" }));
    const question = await screen.findByRole("alertdialog", { name: "Revoke cursor?" });
    expect(descriptionOf(question)).toMatchInlineSnapshot(`"Disconnects it now (token …d1b4). It needs a new token to connect again."`);
    await user.keyboard("{Escape}");
    expect(bridge.gateway.state.clients).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: "Revoke cursor" }));
    await user.click(await screen.findByRole("button", { name: "Revoke" }));
    await waitFor(() => expect(bridge.gateway.state.clients).toEqual([]));
    await waitFor(() => expect(screen.getByRole("heading", { name: "Clients" })).toHaveFocus());
  });

  it("get a token for one endpoint", async () => {
    const { user, bridge } = openGateway();
    await user.click(await screen.findByRole("combobox", { name: "Endpoints of the token" }));
    await user.click(await screen.findByRole("option", { name: "Only smithy" }));
    await user.type(screen.getByLabelText("Client name"), "cursor{Enter}");
    await waitFor(() => expect(bridge.gateway.state.clients[0]?.endpoints).toEqual([{ kind: "member", member: "smithy" }]));
    expect(screen.getByRole("row", { name: /cursor/ })).toHaveTextContent("smithy");
  });

  it("are bound to endpoints, and released again", async () => {
    const { user, bridge } = openGateway();
    const gone = { kind: "profile", profile: "gone" } as const;
    act(() => {
      bridge.gateway.change({ clients: [{ id: "c", name: "cursor", tokenEnd: "d1b4", createdAtMs: 1, lastUsedMs: 2, endpoints: [gone] }] });
    });
    const open = async () => {
      await user.click(await screen.findByRole("button", { name: "Endpoints of cursor" }));
      return within(await screen.findByTestId("client-endpoints"));
    };
    let sheet = await open();
    expect(textOf(sheet.getByRole("list"))).toMatchInlineSnapshot(`"All members/mcpsmithy/members/smithy/mcpProfile gone/profiles/gone/mcpRemoved"`);
    await user.click(sheet.getByRole("checkbox", { name: /^Profile gone/ }));
    expect(sheet.getByText(/accepted nowhere/)).toBeVisible();
    await user.click(sheet.getByRole("checkbox", { name: /^smithy/ }));
    await user.click(sheet.getByRole("button", { name: "Save endpoints" }));
    await waitFor(() => expect(bridge.gateway.state.clients[0]?.endpoints).toEqual([{ kind: "member", member: "smithy" }]));
    sheet = await open();
    await user.click(sheet.getByRole("radio", { name: "All endpoints" }));
    await user.click(sheet.getByRole("button", { name: "Save endpoints" }));
    await waitFor(() => expect(bridge.gateway.state.clients[0]?.endpoints).toBeNull());
  });

  it("report a failed addition", async () => {
    const report = { code: "data-unwritable" as const, message: "The disk is full.", hint: "", member: null };
    const { user, stores } = openWindow({ refusing: { add_agent_client: report } });
    act(() => stores.navigation.openAgents("gateway"));
    await user.type(await screen.findByLabelText("Client name"), "cursor{Enter}");
    expect(await screen.findByText(/The disk is full/)).toBeVisible();
    expect(screen.getByLabelText("Client name")).toHaveValue("cursor");
  });
});
