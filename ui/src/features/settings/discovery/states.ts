/** States of tool detection for the catalog of UI states. */
import type { DiscoverySettings, Report } from "../../../ipc/bindings";
import type { MockBridge, MockOptions } from "../../../ipc/mock";
import { NO_MODEL } from "../../../ipc/mock/discovery";
import { mockMember, mockView } from "../../../ipc/mock/members";
import { press } from "../../../testing/acting";
import type { State, Stores } from "../../../testing/state";

const SILENT: Report = {
  code: "start-timeout",
  message: "The member did not answer within 30 s.",
  hint: "No other way brought tools either.",
  member: "weather",
};

const BROKEN: Report = {
  code: "discovery-settings",
  message: "config.yml:2: it must be true or false, not \"maybe\".",
  hint: "It has the section `discovery` and the section `prediction`.",
  member: null,
};

const REFUSED_KEY: Report = {
  code: "prediction-failed",
  message: "The model at models.example.org was asked for the member's tools in vain: it rejected the key (HTTP 401): \"Incorrect API key provided.\".",
  hint: "Set the secret that `key` under `prediction` names anew.",
  member: "weather",
};

export const MODEL: DiscoverySettings = {
  ...NO_MODEL,
  prediction: { enabled: true, url: "https://models.example.org/v1", model: "small-7b", key: "${secret:prediction-key}", timeoutMs: 30_000 },
};

/** A member that failed to start, and for which no tools were detected. */
export function silentWeather(): MockOptions {
  return { members: [mockMember(mockView("weather", { transport: "stdio", status: "error", error: SILENT, freshness: "unknown" }), [])] };
}

const ask = (settings: DiscoverySettings, then?: (bridge: MockBridge) => void) => (stores: Stores, bridge: MockBridge) => {
  bridge.discovery.settings = settings;
  then?.(bridge);
  stores.navigation.openMember("weather");
  press('[data-testid="prediction"] button', "Ask a model…");
};

export const DISCOVERY_STATES: readonly State[] = [
  { name: "discovery", options: () => ({}), arrive: (stores) => stores.navigation.openDiscovery(), shows: /what a model takes for its tools/, contrast: true },
  { name: "discovery-loading", options: () => ({ silent: ["discovery_settings"] }), arrive: (stores) => stores.navigation.openDiscovery(), shows: /Reading config.yml/ },
  {
    name: "discovery-broken",
    options: () => ({}),
    arrive: (stores, bridge) => {
      bridge.discovery.trouble = BROKEN;
      stores.navigation.openDiscovery();
    },
    shows: /it must be true or false/,
  },
  { name: "discovery-narrow", options: () => ({}), arrive: (stores) => stores.navigation.openDiscovery(), shows: /Ask a model as a last resort/, width: 480 },
  { name: "prediction-offered", options: silentWeather, arrive: (stores) => stores.navigation.openMember("weather"), shows: /You can ask a model/ },
  { name: "prediction-off", options: silentWeather, arrive: ask(NO_MODEL), shows: /No model is set/ },
  { name: "prediction-request", options: silentWeather, arrive: ask(MODEL), shows: /POST https:\/\/models.example.org/, contrast: true },
  {
    name: "prediction-early",
    options: silentWeather,
    arrive: ask(MODEL, (bridge) => {
      bridge.discovery.whyNot.set("weather", { code: "prediction-refused", message: "It was not asked in all other ways yet.", hint: "Refresh its tools first.", member: "weather" });
    }),
    shows: /not asked in all other ways/,
  },
  {
    name: "prediction-failed",
    options: () => ({ ...silentWeather(), refusing: { predict_tools: REFUSED_KEY } }),
    arrive: (stores, bridge) => {
      ask(MODEL)(stores, bridge);
      press('[data-testid="prediction"] button', "Send");
    },
    shows: /Incorrect API key/,
  },
  { name: "prediction-narrow", options: silentWeather, arrive: ask(MODEL), shows: /Send/, width: 480 },
];
