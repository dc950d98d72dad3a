/** Mocks the settings of tool discovery in `config.yml`, and the model that predicts tools. */
import type { DiscoverySettings, FoundBy, MemberTools, PredictionRequest, Report } from "../bindings";
import type { Answers } from "../answers";
import { Refusal } from "../bridge";
import { refusal } from "./refusal";

/** Access to the mock members. */
interface Members {
  readonly predicted: (member: string, names: readonly string[], found: FoundBy) => MemberTools;
}

export const NO_MODEL: DiscoverySettings = {
  enabled: true,
  timeoutMs: null,
  cache: true,
  prediction: { enabled: false, url: "", model: "", key: null, timeoutMs: 30_000 },
};

export class MockDiscovery {
  settings: DiscoverySettings = NO_MODEL;
  trouble: Report | null = null;
  /** Returns the model's answer: the names of tools. */
  answer: () => Promise<readonly string[]> = () => Promise.resolve(["forecast", "alerts"]);
  /** By member, the hash of the request that may be sent without asking the user. */
  readonly remembered = new Map<string, string>();
  /** By member, the reason why the request can't be sent now. */
  readonly whyNot = new Map<string, Report>();
  /** By call id, the functions that cancel the running requests. */
  readonly #asking = new Map<string, (reason: Refusal) => void>();
  readonly #members: Members;

  constructor(members: Members) {
    this.#members = members;
  }

  readonly handlers: Answers = {
    discovery_settings: () => Promise.resolve(this.#state()),
    change_discovery_settings: ({ seen, settings }) => {
      if (JSON.stringify(seen) !== JSON.stringify(this.settings)) return Promise.reject(refusal("discovery-settings", "config.yml was changed meanwhile, and is left as it is.", "Look at the settings again."));
      if (settings.prediction.url.startsWith("http://models.")) return Promise.reject(refusal("discovery-settings", "config.yml is left as it is: that address is not encrypted.", "Fix that value."));
      this.settings = settings;
      return Promise.resolve(this.#state());
    },
    prediction_request: ({ member }) => this.#request(member),
    predict_tools: async ({ call, member, hash, remember }) => {
      const request = await this.#request(member);
      if (request.whyNot) throw new Refusal(request.whyNot);
      if (request.hash !== hash) throw refusal("review-outdated", "What would be sent is not what was shown.", "Look at the request again.", member);
      if (remember) this.remembered.set(member, hash);
      else this.remembered.delete(member);
      const cancelled = new Promise<never>((_, reject) => this.#asking.set(call, reject));
      try {
        const names = await Promise.race([this.answer(), cancelled]);
        return this.#members.predicted(member, names, { rung: "prediction", stream: null, confidence: "guess" });
      } finally {
        this.#asking.delete(call);
      }
    },
    forget_prediction: ({ member }) => {
      this.remembered.delete(member);
      return this.#request(member);
    },
  };

  cancel(call: string): void {
    this.#asking.get(call)?.(refusal("call-cancelled", "The model is asked no more.", ""));
  }

  #state() {
    return { file: "/home/me/.local/share/guild-hall/config.yml", settings: this.settings, trouble: this.trouble };
  }

  #request(member: string): Promise<PredictionRequest> {
    const { enabled, url, model, key } = this.settings.prediction;
    if (url === "" || model === "") return Promise.reject(refusal("prediction-off", "No model is set.", "Name one in `config.yml` under `prediction`, or on the member's page.", member));
    const off = enabled ? null : refusal("prediction-off", "Asking a model for tools is off.", "Switch it on.", member).report;
    const body = JSON.stringify({ model, messages: [{ role: "user", content: JSON.stringify({ name: member, command: "weather-mcp", environment: ["API_KEY"] }) }], stream: false }, null, 2);
    const hash = `${url} ${body.length}`;
    return Promise.resolve({
      member,
      url: `${url}/chat/completions`,
      headers: ["Content-Type: application/json", ...(key === null ? [] : [`Authorization: Bearer ${key}`])],
      body,
      hash,
      remembered: this.remembered.get(member) === hash,
      whyNot: off ?? this.whyNot.get(member) ?? null,
    });
  }
}
