/** Offers of a member: its resources, resource templates, prompts and skills. */
import type {
  MemberName,
  MemberOffers,
  OfferProblem,
  PromptView,
  ResourceTemplateView,
  ResourceView,
  SkillView,
} from "../../../ipc/bindings";
import type { Offer, OfferTab } from "../../../lib/navigation/places";

/** An offer with its properties from the member's list. */
export type Listed =
  | { readonly kind: "resource"; readonly view: ResourceView }
  | { readonly kind: "template"; readonly view: ResourceTemplateView }
  | { readonly kind: "prompt"; readonly view: PromptView }
  | { readonly kind: "skill"; readonly view: SkillView };

/** The name or URI by which the server identifies an offer. */
export function ownName(offer: Offer): string {
  switch (offer.kind) {
    case "resource":
    case "skill":
      return offer.uri;
    case "template":
      return offer.uriTemplate;
    case "prompt":
      return offer.prompt;
  }
}

/** A key that is unique among the offers of all members, such as `files/prompt review`. Members' names have no `/`. */
export function offerKey(member: MemberName, offer: Offer): string {
  return `${member}/${offer.kind} ${ownName(offer)}`;
}

export function offerOf(listed: Listed): Offer {
  switch (listed.kind) {
    case "resource":
      return { kind: "resource", uri: listed.view.uri };
    case "template":
      return { kind: "template", uriTemplate: listed.view.uriTemplate };
    case "prompt":
      return { kind: "prompt", prompt: listed.view.name };
    case "skill":
      return { kind: "skill", uri: listed.view.uri };
  }
}

/** The tab that lists an offer. */
export function tabOf({ kind }: Offer): OfferTab {
  return kind === "prompt" ? "prompts" : kind === "skill" ? "skills" : "resources";
}

/** The display name of an offer: its title, or its name without a title. */
export function nameOf(listed: Listed): string {
  return listed.kind === "skill" ? listed.view.name : (listed.view.title ?? listed.view.name);
}

/** All offers of one tab, in the server's order. Resources come before templates. */
export function listedIn(offers: MemberOffers, tab: OfferTab): readonly Listed[] {
  if (tab === "skills") return offers.skills.map((view): Listed => ({ kind: "skill", view }));
  if (tab === "prompts") return offers.prompts.map((view): Listed => ({ kind: "prompt", view }));
  return [
    ...offers.resources.map((view): Listed => ({ kind: "resource", view })),
    ...offers.templates.map((view): Listed => ({ kind: "template", view })),
  ];
}

export function problemsIn(offers: MemberOffers, tab: OfferTab): readonly OfferProblem[] {
  return offers.problems.filter(({ list }) => (list === "templates" ? "resources" : list) === tab);
}

/** The list entry of an offer; `undefined` if the list does not have the offer. */
export function findListed(offers: MemberOffers | null | undefined, offer: Offer): Listed | undefined {
  if (!offers) return undefined;
  switch (offer.kind) {
    case "resource": {
      const view = offers.resources.find(({ uri }) => uri === offer.uri);
      return view && { kind: "resource", view };
    }
    case "template": {
      const view = offers.templates.find(({ uriTemplate }) => uriTemplate === offer.uriTemplate);
      return view && { kind: "template", view };
    }
    case "prompt": {
      const view = offers.prompts.find(({ name }) => name === offer.prompt);
      return view && { kind: "prompt", view };
    }
    case "skill": {
      const view = offers.skills.find(({ uri }) => uri === offer.uri);
      return view && { kind: "skill", view };
    }
  }
}

/** Whether each search word occurs in the offer's name, title, URI or description. Words must be in lower case. */
export function hasWords(listed: Listed, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { view } = listed;
  const text = `${view.name}\n${nameOf(listed)}\n${ownName(offerOf(listed))}\n${view.description ?? ""}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
