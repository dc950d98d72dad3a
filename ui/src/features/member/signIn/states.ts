/** States of the sign-in to a remote member for the catalog of UI states. */
import type { SignInView } from "../../../ipc/bindings";
import type { MockBridge } from "../../../ipc/mock";
import { GRANT, WAITING } from "../../../ipc/mock/signIn";
import type { State, Stores } from "../../../testing/state";
import { elsewhere } from "./testing";

function standing(changes: Partial<SignInView>) {
  return (stores: Stores, bridge: MockBridge): void => {
    bridge.signIn.at("forge", changes);
    stores.navigation.place.set({ kind: "member", member: "forge", first: null });
  };
}

const failed: SignInView["stage"] = {
  kind: "failed",
  report: {
    code: "sign-in-failed",
    message: "Guild Hall rejected the authorization server: it doesn't declare that it checks who exchanges the code (PKCE with S256).",
    hint: "Tell whoever runs the server; nothing was sent.",
    member: "forge",
  },
};

const up = () => elsewhere({ status: "ready" });

export const SIGN_IN_STATES: readonly State[] = [
  { name: "sign-in-wanted", options: elsewhere, arrive: standing({ needed: true }), shows: /Sign in to use this member[^]*before a browser opens/, contrast: true },
  { name: "sign-in-looking", options: elsewhere, arrive: standing({ needed: true, stage: { kind: "looking" } }), shows: /Looking for the sign-in page/ },
  { name: "sign-in-waiting", options: elsewhere, arrive: standing({ needed: true, stage: WAITING }), shows: /Sign in at auth\.example[^]*response_type=code/, contrast: true },
  { name: "sign-in-waiting-narrow", options: elsewhere, arrive: standing({ needed: true, stage: { ...WAITING, host: "a-very-long-name-of-a-host.of-an-authorization-server.example:8443", strays: 2 } }), shows: /2 responses from another sign-in/, width: 480 },
  { name: "sign-in-code", options: elsewhere, arrive: standing({ needed: true, stage: { ...WAITING, code: "WDJB-MJHT", offersCode: true } }), shows: /WDJB-MJHT/, contrast: true },
  { name: "sign-in-failed", options: elsewhere, arrive: standing({ needed: true, stage: failed }), shows: /PKCE with S256/ },
  { name: "signed-in", options: up, arrive: standing({ grant: GRANT, stage: { kind: "done" } }), shows: /Signed in[^]*https:\/\/auth\.example[^]*renewed automatically/, contrast: true },
  { name: "sign-in-more", options: up, arrive: standing({ grant: GRANT, needed: true, wanted: ["files:delete"] }), shows: /Needs more permissions: files:delete/ },
];
