/** What fake members offer beside their tools. */
import type { MemberOffers } from "../bindings";

export type FakeOffers = Partial<Omit<MemberOffers, "member">>;

export const NO_OFFERS: Omit<MemberOffers, "member"> = {
  resources: [],
  templates: [],
  prompts: [],
  problems: [],
};

/** The content of a resource, or why there is none. */
export function findResource(offers: FakeOffers | undefined, uri: string): Record<string, unknown> | string {
  const listed = offers?.resources?.find((resource) => resource.uri === uri);
  const begun = offers?.templates?.some(({ uriTemplate }) => uri.startsWith(uriTemplate.split("{")[0] ?? ""));
  if (!listed && !begun) return `Resource ${uri} not found`;
  const mimeType = listed?.mimeType ?? "text/plain";
  return { contents: [{ uri, mimeType, text: `The content of ${uri}` }] };
}

/** A prompt filled in, or why there is none. */
export function findPrompt(
  offers: FakeOffers | undefined,
  name: string,
  args: Readonly<Record<string, string>>,
): Record<string, unknown> | string {
  const prompt = offers?.prompts?.find((each) => each.name === name);
  if (!prompt) return `Prompt ${name} not found`;
  const missing = prompt.arguments.find((argument) => argument.required && !(argument.name in args));
  if (missing) return `Missing required argument ${missing.name}`;
  const text = [name, ...Object.entries(args).map(([key, value]) => `${key}: ${value}`)].join("\n");
  return { description: prompt.description ?? undefined, messages: [{ role: "user", content: { type: "text", text } }] };
}
