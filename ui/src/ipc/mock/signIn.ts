/** Mocks signing in to servers. A sign-in waits until a test sets its outcome with `at`. */
import type { GrantView, HallEvent, MemberName, Report, SignInStage, SignInView } from "../bindings";
import type { Answers } from "../answers";
import { Refusal } from "../bridge";
import { refusal } from "./refusal";

export const ADDRESS = "https://auth.example/authorize?response_type=code&client_id=client-1&state=s1";

export const GRANT: GrantView = {
  issuer: "https://auth.example",
  scopes: ["files:read", "files:write"],
  receivedAtMs: new Date(2026, 10, 21, 14, 3).getTime(),
  expiresAtMs: new Date(2026, 10, 21, 15, 3).getTime(),
  renews: true,
  client: "registration",
};

export const WAITING: Extract<SignInStage, { kind: "waiting" }> = {
  kind: "waiting",
  host: "auth.example",
  issuer: "https://auth.example",
  scopes: ["files:read", "files:write"],
  untilMs: new Date(2026, 10, 21, 14, 8).getTime(),
  strays: 0,
  code: null,
  offersCode: false,
};

export class MockSignIn {
  /** The sign-in states by member. Members without an entry need no sign-in. */
  readonly views = new Map<MemberName, SignInView>();
  /** The addresses that were opened in the browser. */
  readonly opened: string[] = [];
  /** The addresses that were pasted. */
  readonly pasted: string[] = [];
  /** The failure of opening the browser; `null` if opening succeeds. */
  noBrowser: Report | null = null;
  readonly #tell: (event: HallEvent) => void;

  constructor(tell: (event: HallEvent) => void) {
    this.#tell = tell;
  }

  readonly handlers: Answers = {
    sign_in_state: ({ member }) => Promise.resolve(this.view(member)),
    sign_in: async ({ member }) => {
      const { stage } = this.view(member);
      if (stage.kind !== "waiting") {
        this.at(member, { stage: { kind: "looking" } });
        await Promise.resolve();
        this.at(member, { stage: WAITING });
      }
      return { address: ADDRESS, signIn: this.view(member) };
    },
    sign_in_with_code: ({ member }) => {
      const signIn = this.at(member, { stage: { ...WAITING, code: "WDJB-MJHT", offersCode: true } });
      return Promise.resolve({ address: "https://auth.example/device", signIn });
    },
    paste_sign_in: ({ member, answer }) => {
      this.pasted.push(answer);
      if (!answer.includes("state=s1")) {
        const message = "The browser's answer is invalid: the pasted text doesn't have the `state` of this sign-in.";
        return Promise.reject(refusal("sign-in-failed", message, "Sign in again.", member));
      }
      this.at(member, { stage: { kind: "taking" } });
      return Promise.resolve({});
    },
    open_sign_in: () => {
      if (this.noBrowser) return Promise.reject(new Refusal(this.noBrowser));
      this.opened.push(ADDRESS);
      return Promise.resolve({});
    },
    sign_in_ended: ({ member }) => Promise.resolve(this.view(member)),
    cancel_sign_in: ({ member }) => Promise.resolve(this.at(member, { stage: { kind: "cancelled" } })),
    sign_out: ({ member }) => Promise.resolve(this.at(member, { grant: null, stage: { kind: "idle" } })),
  };

  view(member: MemberName): SignInView {
    const none: SignInView = { member, possible: false, needed: false, wanted: [], stage: { kind: "idle" }, grant: null };
    return this.views.get(member) ?? none;
  }

  /** Changes a member's sign-in state, and sends the event. */
  at(member: MemberName, changes: Partial<SignInView>): SignInView {
    const signIn = { ...this.view(member), possible: true, ...changes };
    this.views.set(member, signIn);
    this.#tell({ kind: "sign_in_changed", signIn });
    return signIn;
  }
}
