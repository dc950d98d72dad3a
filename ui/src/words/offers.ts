import { number } from "./format";

/** The kinds of what a member offers beside tools, in the middle of a sentence. */
const LISTS = { resources: "resources", prompts: "prompts" };
type Tab = keyof typeof LISTS;

export const words = {
  kinds: { resource: "resource", template: "template", prompt: "prompt" },
  tabs: { resources: "Resources", prompts: "Prompts" },

  waits: (member: string) => `${member} is starting; a reading waits until it is ready.`,
  isDisabled: (member: string) => `${member} is disabled in its manifest, so nothing of it can be read.`,
  isUnreviewed: (member: string) => `Nobody has accepted what ${member} runs, so nothing of it can be read.`,
  startsFirst: (member: string) => `${member} does not run; a reading starts it first.`,
  memberDisabled: "The member is disabled in its manifest",

  search: (tab: Tab, member: string) => `Search the ${LISTS[tab]} of ${member}`,
  searchIn: {
    resources: (count: number) => `Search ${number(count)} resources and templates`,
    prompts: (count: number) => `Search ${number(count)} prompts`,
  },
  listOf: { resources: (member: string) => `Resources of ${member}`, prompts: (member: string) => `Prompts of ${member}` },
  reading: (tab: Tab, member: string) => `Reading the ${LISTS[tab]} of ${member}…`,
  startingToRead: (tab: Tab, member: string) => `Starting ${member} to read its ${LISTS[tab]}…`,
  cannotBeRead: (tab: Tab, member: string) => `${member} is disabled in its manifest, so its ${LISTS[tab]} can't be read.`,
  readWhenReady: (tab: Tab, member: string) => `${member} is starting; its ${LISTS[tab]} are read when it is ready.`,
  notKnownYet: (tab: Tab, member: string) => `${member} does not run, and its ${LISTS[tab]} are not known yet.`,
  notReadYet: (tab: Tab, member: string) => `The ${LISTS[tab]} of ${member} were not read yet.`,
  startAndRead: (tab: Tab) => `Start it and read its ${LISTS[tab]}`,
  notNamed: (tab: Tab, member: string) => `${member} says that it has no ${LISTS[tab]}: its server does not name that capability.`,
  offersNone: (tab: Tab, member: string) => `${member} offers no ${LISTS[tab]}.`,

  missing: (names: readonly string[]) =>
    names.length === 1 ? `A required argument is missing: ${names.join(", ")}` : `${number(names.length)} required arguments are missing: ${names.join(", ")}`,
};
