/** The states of the registries, for the catalogue. */
import type { House } from "../../app/house";
import type { FakeBridge } from "../../bridge/fake";
import { press, typeInto, whenThere } from "../../testing/acting";
import type { State } from "../../testing/states";
import { fill, LONG, many, NOTES, UNREAD } from "./testing";

const open = (house: House, bridge: FakeBridge): void => {
  fill(bridge);
  house.openAdding("registry");
};

const look = (name: string, then: () => void = () => undefined): void =>
  whenThere(`[role="option"][aria-label*="${name}"]`, (row) => {
    row.click();
    then();
  });

export const REGISTRY_STATES: readonly State[] = [
  { name: "registry", options: () => ({}), arrive: open, shows: /6 servers, read 3 d/, contrast: true },
  { name: "registry-empty", options: () => ({}), arrive: (house) => house.openAdding("registry"), shows: /None is named yet/ },
  { name: "registry-loading", options: () => ({ silent: ["registry_sources"] }), arrive: (house) => house.openAdding("registry"), shows: /Reading the sources/ },
  {
    name: "registry-slow",
    options: () => ({ silent: ["search_registry"] }),
    arrive: open,
    shows: /Reading what it lists/,
  },
  {
    name: "registry-reading",
    options: () => ({}),
    arrive: (house, bridge) => {
      bridge.registry.onRead = (_, progress) => {
        progress("4,200 servers so far");
        return new Promise(() => undefined);
      };
      bridge.registry.list([], UNREAD);
      house.openAdding("registry");
      press('[aria-label="Sources"] button', "Read it");
    },
    shows: /4,200 servers so far/,
  },
  {
    name: "registry-unread",
    options: () => ({
      refusing: {
        read_registry: {
          code: "registry-unread",
          message: "https://registry.example could not be read: page 2: the server answers with HTTP 500.",
          hint: "Look whether it is there and lists servers in the registry's format, and read it again.",
          member: null,
        },
      },
    }),
    arrive: (house, bridge) => {
      open(house, bridge);
      press('[aria-label="Sources"] button', "Read what changed");
    },
    shows: /HTTP 500/,
  },
  {
    name: "registry-broken",
    options: () => ({
      refusing: {
        search_registry: { code: "registry-unread", message: "/home/me/servers.json could not be read: it is no JSON.", hint: "Look whether it is there.", member: null },
      },
    }),
    arrive: open,
    shows: /it is no JSON/,
  },
  {
    name: "registry-left-out",
    options: () => ({}),
    arrive: (house, bridge) => {
      bridge.registry.leftOut = [{ at: 7, name: "no slash", why: "its name is not of the form `com.example/name`" }];
      open(house, bridge);
    },
    shows: /1 entry left out/,
  },
  {
    name: "registry-none",
    options: () => ({}),
    arrive: (house, bridge) => {
      open(house, bridge);
      whenThere('[aria-label^="Search by name"]', (field) => typeInto(field, "zeppelin"));
    },
    shows: /None has these words/,
  },
  {
    name: "registry-server",
    options: () => ({}),
    arrive: (house, bridge) => {
      open(house, bridge);
      look("com.example/notes");
    },
    shows: /Name of the member/,
    contrast: true,
  },
  {
    name: "registry-asks",
    options: () => ({}),
    arrive: (house, bridge) => {
      open(house, bridge);
      look("com.example/notes", () => press('[data-testid="registry-server"] button', "Install"));
    },
    shows: /2 answers do not fit/,
  },
  {
    name: "registry-deprecated",
    options: () => ({}),
    arrive: (house, bridge) => {
      open(house, bridge);
      look("old-weather");
    },
    shows: /Use com\.example\/weather/,
  },
  {
    name: "registry-deleted",
    options: () => ({}),
    arrive: (house, bridge) => {
      open(house, bridge);
      look("com.example/gone");
    },
    shows: /lists no way to run it/,
  },
  {
    name: "registry-gone",
    options: () => ({
      refusing: { registry_server: { code: "registry-unknown", message: "https://registry.example does not list \"com.example/notes\".", hint: "Search for it.", member: null } },
    }),
    arrive: (house, bridge) => {
      open(house, bridge);
      look("com.example/notes");
    },
    shows: /does not list/,
  },
  {
    name: "registry-removing",
    options: () => ({}),
    arrive: (house, bridge) => {
      open(house, bridge);
      press('[aria-label="Sources"] button', "Remove…");
    },
    shows: /Members that were installed from it stay/,
  },
  {
    name: "registry-many",
    options: () => ({}),
    arrive: (house, bridge) => {
      bridge.registry.list(many(10_000));
      house.openAdding("registry");
    },
    shows: /10,000 servers/,
  },
  {
    name: "registry-long",
    options: () => ({}),
    arrive: (house, bridge) => {
      bridge.registry.list([LONG]);
      house.openAdding("registry");
      look("A server of a name");
    },
    shows: /202E/,
  },
  {
    name: "registry-narrow",
    options: () => ({}),
    arrive: (house, bridge) => {
      bridge.registry.list([NOTES]);
      house.openAdding("registry");
      look("com.example/notes");
    },
    shows: /Name of the member/,
    width: 360,
  },
];
