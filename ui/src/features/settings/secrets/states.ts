/** States of the secrets page for the catalog of UI states. */
import type { Report } from "../../../ipc/bindings";
import type { MockBridge, MockOptions } from "../../../ipc/mock";
import { mockMember, mockView } from "../../../ipc/mock/members";
import { press, typeInto, whenThere } from "../../../testing/acting";
import type { State, Stores } from "../../../testing/state";

const MISSING: Report = {
  code: "secret-missing",
  message: "${secret:FORGE_TOKEN} has no value: this secret doesn't exist.",
  hint: "Set it on the Secrets page, or with `guildhall secret set FORGE_TOKEN`.",
  member: "forge",
};

const NO_KEYCHAIN: Report = {
  code: "keychain-unanswered",
  message: "No keychain is available (no bus), so secrets are saved in /home/me/.local/share/guild-hall/secrets.json.",
  hint: "Every app that you start can read that file. Start the system's keychain to save secrets there.",
  member: null,
};

const LOCKED: Report = {
  code: "keychain-unanswered",
  message: "The keychain did not answer within 20 s; it may be locked.",
  hint: "Unlock it, then try again.",
  member: null,
};

const LONG_MEMBER = "a-member-whose-name-has-the-full-sixty-four-characters-allowed-x";

/** A member that fails because a secret is missing. */
export function waitingForge(): MockOptions {
  return { members: [mockMember(mockView("forge", { status: "error", error: MISSING, freshness: "unknown" }), [])] };
}

export function fill(bridge: MockBridge): void {
  bridge.secrets.secrets = [
    { name: "FORGE_TOKEN", kept: null, members: ["forge"] },
    { name: "GITHUB_TOKEN", kept: "keychain", members: ["forge"] },
    { name: "OLD_KEY", kept: "file", members: [] },
  ];
}

const open = (stores: Stores, bridge: MockBridge) => {
  fill(bridge);
  stores.navigation.openSecrets();
};

export const SECRET_STATES: readonly State[] = [
  { name: "secrets", options: waitingForge, arrive: open, shows: /GITHUB_TOKEN[^]*In the keychain/, contrast: true },
  { name: "secrets-empty", options: () => ({}), arrive: (stores) => stores.navigation.openSecrets(), shows: /No secrets yet/ },
  { name: "secrets-loading", options: () => ({ silent: ["secrets"] }), arrive: (stores) => stores.navigation.openSecrets(), shows: /Reading the names/ },
  {
    name: "secrets-no-keychain",
    options: waitingForge,
    arrive: (stores, bridge) => {
      bridge.secrets.keychain = "absent";
      bridge.secrets.warning = NO_KEYCHAIN;
      open(stores, bridge);
      bridge.secrets.secrets = bridge.secrets.secrets.map((secret) => ({ ...secret, kept: secret.kept && "file" }));
    },
    shows: /No keychain is available/,
  },
  {
    name: "secrets-locked",
    options: waitingForge,
    arrive: (stores, bridge) => {
      bridge.secrets.keychain = "unanswered";
      bridge.secrets.warning = LOCKED;
      bridge.secrets.refusing = LOCKED;
      fill(bridge);
      stores.navigation.openSecrets({ name: "FORGE_TOKEN", member: "forge" });
      whenThere('input[type="password"]', (field) => {
        typeInto(field, "planted");
        press("button", "Save");
      });
    },
    shows: /Save to a file instead/,
    contrast: true,
  },
  {
    name: "secrets-unreadable",
    options: () => ({ refusing: { secrets: { code: "secrets-unsafe", message: "secrets.json can be read by other users.", hint: "Run `chmod 600` on it.", member: null } } }),
    arrive: (stores) => stores.navigation.openSecrets(),
    shows: /can be read by other users/,
  },
  {
    name: "secrets-removing",
    options: waitingForge,
    arrive: (stores, bridge) => {
      open(stores, bridge);
      whenThere('[aria-label="Remove GITHUB_TOKEN"]', (button) => button.click());
    },
    shows: /can't be undone/,
  },
  {
    name: "secrets-long",
    options: waitingForge,
    arrive: (stores, bridge) => {
      bridge.secrets.secrets = [{ name: "A_NAME_OF_MANY_WORDS_".repeat(12), kept: "file", members: ["forge", LONG_MEMBER, "bellows", `${LONG_MEMBER}-too`] }];
      stores.navigation.openSecrets();
    },
    shows: /A_NAME_OF_MANY/,
    width: 480,
  },
  {
    name: "secrets-set",
    options: waitingForge,
    arrive: (stores, bridge) => {
      fill(bridge);
      stores.navigation.openSecrets({ name: "FORGE_TOKEN", member: "forge" });
    },
    shows: /Save and start forge/,
  },
  { name: "secrets-narrow", options: waitingForge, arrive: open, shows: /OLD_KEY/, width: 480 },
  {
    name: "member-secret-missing",
    options: waitingForge,
    arrive: (stores, bridge) => {
      fill(bridge);
      stores.navigation.openMember("forge");
    },
    shows: /Set it on the Secrets page/,
  },
];
