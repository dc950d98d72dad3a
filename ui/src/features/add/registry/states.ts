/** States of a registry search for the catalog of UI states. */
import type { Report } from "../../../ipc/bindings";
import type { MockBridge } from "../../../ipc/mock";
import { mockSource } from "../../../ipc/mock/registry";
import { press, typeInto, whenThere } from "../../../testing/acting";
import type { State, Stores } from "../../../testing/state";
import { fill, LONG, many, NOTES } from "./testing";

const UNREACHABLE: Report = {
  code: "registry-unread",
  message: "https://registry.example could not be read: the connection failed.",
  hint: "Check the network and the address, or change the setting `registry`.",
  member: null,
};

const open = (stores: Stores, bridge: MockBridge): void => {
  fill(bridge);
  stores.navigation.openAdding("registry");
};

const look = (name: string, then: () => void = () => undefined): void =>
  whenThere(`[role="option"][aria-label*="${name}"]`, (row) => {
    row.click();
    then();
  });

export const REGISTRY_STATES: readonly State[] = [
  { name: "registry", options: () => ({}), arrive: open, shows: /6 servers/, contrast: true },
  {
    name: "registry-slow",
    options: () => ({ silent: ["search_registry"] }),
    arrive: open,
    shows: /Searching…/,
  },
  {
    name: "registry-offline",
    options: () => ({}),
    arrive: (stores, bridge) => {
      bridge.registry.source = mockSource({ asOfMs: Date.now() - 3 * 3_600_000, unread: UNREACHABLE });
      open(stores, bridge);
    },
    shows: /The registry can't be reached now/,
  },
  {
    name: "registry-unread",
    options: () => ({ refusing: { search_registry: UNREACHABLE } }),
    arrive: open,
    shows: /could not be read/,
  },
  {
    name: "registry-left-out",
    options: () => ({}),
    arrive: (stores, bridge) => {
      bridge.registry.leftOut = [{ at: 7, name: "no slash", why: "its name doesn't have the form `com.example/name`" }];
      open(stores, bridge);
    },
    shows: /1 entry left out/,
  },
  {
    name: "registry-none",
    options: () => ({}),
    arrive: (stores, bridge) => {
      open(stores, bridge);
      whenThere('[aria-label="Search servers"]', (field) => typeInto(field, "zeppelin"));
    },
    shows: /No matching servers/,
  },
  {
    name: "registry-server",
    options: () => ({}),
    arrive: (stores, bridge) => {
      open(stores, bridge);
      look("com.example/notes");
    },
    shows: /Member name/,
    contrast: true,
  },
  {
    name: "registry-asks",
    options: () => ({}),
    arrive: (stores, bridge) => {
      open(stores, bridge);
      look("com.example/notes", () => press("footer button", "Install"));
    },
    shows: /2 answers to fix/,
  },
  {
    name: "registry-deprecated",
    options: () => ({}),
    arrive: (stores, bridge) => {
      open(stores, bridge);
      look("old-weather");
    },
    shows: /Use com\.example\/weather/,
  },
  {
    name: "registry-deleted",
    options: () => ({}),
    arrive: (stores, bridge) => {
      open(stores, bridge);
      look("com.example/gone");
    },
    shows: /No install options listed/,
  },
  {
    name: "registry-gone",
    options: () => ({
      refusing: { registry_server: { code: "registry-unknown", message: "https://registry.example does not list \"com.example/notes\".", hint: "Search for it.", member: null } },
    }),
    arrive: (stores, bridge) => {
      open(stores, bridge);
      look("com.example/notes");
    },
    shows: /does not list/,
  },
  {
    name: "registry-many",
    options: () => ({}),
    arrive: (stores, bridge) => {
      bridge.registry.list(many(10_000));
      stores.navigation.openAdding("registry");
    },
    shows: /50 servers so far/,
  },
  {
    name: "registry-long",
    options: () => ({}),
    arrive: (stores, bridge) => {
      bridge.registry.list([LONG]);
      stores.navigation.openAdding("registry");
      look("A server of a name");
    },
    shows: /202E/,
  },
  {
    name: "registry-narrow",
    options: () => ({}),
    arrive: (stores, bridge) => {
      bridge.registry.list([NOTES]);
      stores.navigation.openAdding("registry");
      look("com.example/notes");
    },
    shows: /Member name/,
    width: 360,
  },
];
