/** Mock registry entries for tests and the catalog of UI states. */
import type { RegistryServer } from "../../../ipc/bindings";
import type { MockBridge } from "../../../ipc/mock";
import { mockInstall, mockListed, mockWay } from "../../../ipc/mock/registry";

const NOTES_ENV = [
  { name: "NOTES_LIMIT", value: "${input:NOTES_LIMIT}", secret: false },
  { name: "NOTES_TOKEN", value: "${input:NOTES_TOKEN}", secret: false },
];
const NOTES_ARGS = ["-y", "@example/notes@1.4.0", "${input:folder}"];

export const NOTES: RegistryServer = mockListed("notes", {
  title: "Notes",
  description: "Keeps notes and finds them again.",
  version: "1.4.0",
  versions: ["1.4.0", "1.3.0"],
  website: "https://notes.example/",
  repository: "https://code.example/notes",
  ways: [
    mockWay("notes", {
      version: "1.4.0",
      install: mockInstall("notes", {
        launch: { kind: "command", command: "npx", args: NOTES_ARGS, env: NOTES_ENV, cwd: null },
        commandLine: "npx -y @example/notes@1.4.0 '${input:folder}'",
        asks: {
          schema: JSON.stringify({
            type: "object",
            properties: {
              folder: { type: "string", description: "Where the notes are", minLength: 1 },
              NOTES_TOKEN: { type: "string", description: "The token of the account", minLength: 1, writeOnly: true },
              NOTES_LIMIT: { type: "number", default: 100 },
            },
            required: ["folder", "NOTES_TOKEN"],
            additionalProperties: false,
          }),
          secrets: ["NOTES_TOKEN"],
        },
      }),
    }),
    mockWay("notes", {
      kind: "oci",
      name: "images.example/notes:1.4.0",
      version: null,
      install: mockInstall("notes", {
        id: "way-notes-oci",
        launch: { kind: "command", command: "docker", args: ["run", "-i", "--rm", "--network", "host", "images.example/notes:1.4.0"], env: [], cwd: null },
        commandLine: "docker run -i --rm --network host images.example/notes:1.4.0",
        container: { kind: "command", reasons: ["members can't use the network `host`"] },
        notes: ["Its container has more access than the default: --network."],
      }),
    }),
    mockWay("notes", { kind: "mcpb", name: "https://code.example/notes/releases/notes.mcpb", version: null, install: null, unusable: "It is an .mcpb bundle. Download it, then add the file." }),
    mockWay("notes", { kind: "remote", name: "wss://notes.example/ws", version: null, install: null, unusable: "It uses the transport `ws`, which Guild Hall does not support." }),
  ],
});

const WEATHER: RegistryServer = mockListed("old-weather", {
  standing: "deprecated",
  standingMessage: "Use com.example/weather.",
  members: [{ member: "weather", version: "0.9.0", newer: true }],
});

const GONE: RegistryServer = mockListed("gone", { standing: "deleted", ways: [] });

export function many(count: number): RegistryServer[] {
  return Array.from({ length: count }, (_, index) => mockListed(`server-${String(index).padStart(5, "0")}`));
}

export const LONG: RegistryServer = mockListed("long", {
  title: "A server of a name that goes on and on ".repeat(5).trim(),
  description: `שרת הכלים ${"and a description without an end ".repeat(12)}\u202egnp.exe`,
  version: "1.0.0-a-version-that-nobody-wanted-to-be-so-long.20261121",
  ways: [
    mockWay("long", {
      name: `@example/${"a-package-of-a-long-name-".repeat(8)}`,
      install: mockInstall("long", { commandLine: `npx -y @example/long@1.0.0 ${"--flag value ".repeat(60)}` }),
    }),
  ],
});

/** Adds entries of every kind to the mock registry. */
export function fill(bridge: MockBridge): void {
  bridge.registry.list([NOTES, { ...NOTES, version: "1.3.0", ways: [mockWay("notes", { version: "1.3.0" })] }, WEATHER, GONE, ...many(3)]);
}
