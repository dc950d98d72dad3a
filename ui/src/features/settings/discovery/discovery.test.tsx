import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { Report } from "../../../ipc/bindings";
import { openWindow } from "../../../testing/open";
import { textOf } from "../../../testing/text";
import { MODEL, silentWeather } from "./states";

const ASK_AGAIN = "Ask me again";

function openWeather() {
  const window = openWindow(silentWeather());
  window.bridge.discovery.settings = MODEL;
  act(() => window.stores.navigation.openMember("weather"));
  return window;
}

/** Sets the whole value of a field with one event. */
function put(field: HTMLElement, value: string): void {
  fireEvent.change(field, { target: { value } });
}

async function openRequest() {
  const window = openWeather();
  await window.user.click(await screen.findByRole("button", { name: "Ask a model…" }));
  const request = await screen.findByTestId("prediction-request");
  return { ...window, request };
}

const asked = ({ bridge }: ReturnType<typeof openWindow>, name: string) => bridge.asked.filter((one) => one.name === name).map(({ request }) => request);

describe("asking a model", () => {
  it("shows the whole request first, and sends it after a yes", async () => {
    const window = await openRequest();
    expect(window.request).toHaveTextContent("POST https://models.example.org/v1/chat/completions");
    expect(window.request).toHaveTextContent("Authorization: Bearer ${secret:prediction-key}");
    expect(window.request).toHaveTextContent('"model": "small-7b"');
    expect(asked(window, "predict_tools")).toEqual([]);
    await window.user.click(screen.getByRole("button", { name: "Send" }));
    expect(textOf(await screen.findByTestId("found-by"))).toMatchInlineSnapshot(`"Tools found in what a model takes for its tools: a guess. You and agents can call them once the server confirms them."`);
    expect(asked(window, "predict_tools")).toEqual([expect.objectContaining({ member: "weather", remember: false })]);
    expect(textOf(await screen.findByTestId("prediction-state"))).toMatchInlineSnapshot(`"A model guessed these tools."`);
  });

  it("keeps a yes where one wants that, and takes it back", async () => {
    const window = await openRequest();
    const box = screen.getByRole("checkbox", { name: /Always send this request for weather/ });
    expect(box).not.toBeChecked();
    await window.user.click(box);
    await window.user.click(screen.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(asked(window, "predict_tools")).toEqual([expect.objectContaining({ remember: true })]));
    await window.user.click(await screen.findByRole("button", { name: ASK_AGAIN }));
    await waitFor(() => expect(screen.queryByRole("button", { name: ASK_AGAIN })).toBeNull());
    expect(screen.getByRole("checkbox", { name: /Always send this request for weather/ })).not.toBeChecked();
    expect(window.bridge.discovery.remembered.size).toBe(0);
  });

  it("can be cancelled while it runs", async () => {
    const window = await openRequest();
    window.bridge.discovery.answer = () => new Promise(() => undefined);
    await window.user.click(screen.getByRole("button", { name: "Send" }));
    expect(await screen.findByRole("button", { name: "Asking…" })).toHaveAttribute("aria-disabled", "true");
    await window.user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(await screen.findByRole("button", { name: "Send" })).toHaveAttribute("aria-disabled", "false");
    expect(screen.queryByTestId("prediction-problem")).toBeNull();
  });

  it("is cancelled with its page", async () => {
    const window = await openRequest();
    window.bridge.discovery.answer = () => new Promise(() => undefined);
    await window.user.click(screen.getByRole("button", { name: "Send" }));
    await screen.findByRole("button", { name: "Asking…" });
    act(() => window.stores.navigation.openSecrets());
    await waitFor(() => expect(asked(window, "cancel_call")).toHaveLength(1));
  });

  it("says why nothing is sent, and what helps", async () => {
    const window = openWindow(silentWeather());
    act(() => window.stores.navigation.openMember("weather"));
    await window.user.click(await screen.findByRole("button", { name: "Ask a model…" }));
    expect(textOf(await screen.findByTestId("prediction"))).toMatchInlineSnapshot(`"No tools found. You can ask a model to guess.CloseNo model is set. prediction-off Name one in \`config.yml\` under \`prediction\`, or on the member's page.Open settings"`);
    await window.user.click(screen.getByRole("button", { name: "Open settings" }));
    expect(await screen.findByRole("heading", { name: "Tool detection", level: 1 })).toBeVisible();
  });

  it("is not offered for a member whose tools are known, or that runs", async () => {
    const window = openWeather();
    await screen.findByTestId("prediction");
    act(() => void window.bridge.change("weather", { status: "ready", error: null }));
    await waitFor(() => expect(screen.queryByTestId("prediction")).toBeNull());
  });

  it("says what went wrong at the endpoint", async () => {
    const problem: Report = { code: "prediction-failed", message: "The model at models.example.org was asked in vain: too much was asked of it (HTTP 429).", hint: "Try again later.", member: "weather" };
    const window = openWindow({ ...silentWeather(), refusing: { predict_tools: problem } });
    window.bridge.discovery.settings = MODEL;
    act(() => window.stores.navigation.openMember("weather"));
    await window.user.click(await screen.findByRole("button", { name: "Ask a model…" }));
    await window.user.click(await screen.findByRole("button", { name: "Send" }));
    expect(await screen.findByTestId("prediction-problem")).toHaveTextContent("HTTP 429");
  });
});

describe("the settings of discovery", () => {
  function openSettings() {
    const window = openWindow({});
    act(() => window.stores.navigation.openDiscovery());
    return window;
  }

  it("name the ways in their order, the model last", async () => {
    openSettings();
    const ways = await screen.findByRole("list", { name: "Methods" });
    const items = within(ways).getAllByRole("listitem");
    expect(textOf(items.at(0))).toMatchInlineSnapshot(`"the server's answer"`);
    expect(textOf(items.at(-1))).toMatchInlineSnapshot(`"what a model takes for its tools"`);
    expect(items).toHaveLength(9);
  });

  it("switch a model on only with an address and a name, and are written as they were seen", async () => {
    const window = openSettings();
    const { user } = window;
    await user.click(await screen.findByRole("checkbox", { name: /Ask a model which/ }));
    const write = screen.getByRole("button", { name: "Save" });
    expect(write).toHaveAttribute("aria-disabled", "true");
    put(screen.getByRole("textbox", { name: "Address" }), "http://127.0.0.1:11434/v1");
    put(screen.getByRole("textbox", { name: "Model" }), "small");
    expect(write).toHaveAttribute("aria-disabled", "false");
    await user.click(write);
    await waitFor(() => expect(window.bridge.discovery.settings.prediction).toEqual({ enabled: true, url: "http://127.0.0.1:11434/v1", model: "small", key: null, timeoutMs: 30_000 }));
  });

  it("keep the key as a secret and name it", async () => {
    const window = openSettings();
    const { user } = window;
    await user.click(await screen.findByRole("button", { name: "Set the key…" }));
    await user.type(await screen.findByLabelText("Value of prediction-key"), "planted{Enter}");
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Key" })).toHaveValue("${secret:prediction-key}"));
    expect(asked(window, "set_secret")).toEqual([{ name: "prediction-key", value: "planted", place: null }]);
    expect(document.body.innerHTML).not.toContain("planted");
  });

  it("say why they were not written", async () => {
    const window = openSettings();
    const { user } = window;
    put(await screen.findByRole("textbox", { name: "Address" }), "http://models.example.org");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText(/is not encrypted/)).toBeVisible();
    put(screen.getByRole("textbox", { name: "Time for one member, in milliseconds" }), "soon");
    expect(screen.getByRole("button", { name: "Save" }).getAttribute("aria-description")).toMatchInlineSnapshot(`"A time limit is a whole number of milliseconds"`);
  });
});
