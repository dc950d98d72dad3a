/** States of apps of members for the catalog of UI states. */
import { mockMember, mockTool, mockView } from "../../ipc/mock/members";
import type { State } from "../../testing/state";
import { press } from "../../testing/acting";

const members = () => [mockMember(mockView("forge"), [mockTool("forge", { name: "chart", description: "Draws the orders of a week.", app: "ui://forge/chart" })])];
const arrive: State["arrive"] = (stores) => {
  stores.navigation.openTool("forge", "chart");
  press("[data-testid=run]", "Run");
  press("[role=tab]", "App");
};

export const APP_STATES: readonly State[] = [
  {
    name: "app-open",
    options: () => ({
      members: members(),
      app: { address: "about:blank", origin: "null", domains: ["https://prices.example.com"], permissions: ["camera"] },
    }),
    arrive,
    shows: /The app asks for: camera/,
  },
  { name: "app-closed", options: () => ({ members: members() }), arrive, shows: /The app was closed/ },
];
