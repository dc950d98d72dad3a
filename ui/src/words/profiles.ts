import type { ToolChoice } from "../bridge/bindings";
import { counted, number } from "./format";

const tools = (count: number) => counted(count, { one: "tool", other: "tools" });

const whichTools: Record<ToolChoice["kind"], string> = {
  all: "all, also those that it will have",
  only: "only those that are marked",
  except: "all but those that are not marked",
};

const marks = "Space marks a tool, Enter says something else of it.";

export const words = {
  profiles: "Profiles",
  newProfile: "New profile",
  noProfile:
    "No profile yet. A profile chooses members and tools, can call and describe them anew and be stricter about them, and has an address of its own: one for writing, one for the house.",
  asGatewayNow: (listing: string) => `${listing}, as the gateway`,
  givesNothing: "no member: it gives nothing",
  addressOf: (profile: string) => `the address of ${profile}`,
  whatGives: "What it gives",
  whatOneGives: (profile: string) => `What ${profile} gives`,
  edit: "Edit",
  editOne: (profile: string) => `Edit ${profile}`,
  delete: "Delete",
  deleteAsk: "Delete…",
  deleteOne: (profile: string) => `Delete ${profile}`,
  deleteQuestion: (profile: string) => `Delete ${profile}?`,
  keep: "Keep it",
  whatDeletingMeans: "Agents that use its address get nothing any more. Its members and their tools stay as they are.",
  isGone: (profile: string) => `The profile ${profile} is gone.`,

  profileCalled: (name: string) => `Profile ${name}`,
  name: "Name",
  oldAddressStays: (name: string) => `The address as ${name} goes on, for the agents that have it.`,
  howListed: "How its tools are listed",
  asGateway: (listing: string) => `as the gateway (${listing})`,
  membersInOrder: "Members, in the order of the list",
  noMember: "No member yet: the profile gives nothing.",
  addMember: "Add a member",
  allAreIn: "all are in it",
  choose: "choose…",
  save: "Save",
  beingSaved: "It is being saved",
  cancel: "Cancel",
  isSaved: (profile: string) => `The profile ${profile} is saved.`,
  isAtPlace: (member: string, place: number, among: number) => `${member} is number ${number(place)} of ${number(among)}`,

  withoutPrefix: "without prefix",
  moveUp: (member: string) => `Move ${member} up`,
  moveDown: (member: string) => `Move ${member} down`,
  isFirst: "It is the first",
  isLast: "It is the last",
  tools: "Tools",
  toolsOf: (member: string) => `Tools of ${member}`,
  takeOut: (member: string) => `Take ${member} out`,
  allTools: "all tools",
  onlyTools: (count: number) => `only ${tools(count)}`,
  allButTools: (count: number) => `all but ${tools(count)}`,
  saidAnewOf: (count: number) => `${tools(count)} said anew`,

  whichTools,
  whichOf: (member: string) => `Which tools of ${member}`,
  filterOf: (member: string) => `Filter the tools of ${member}`,
  filter: "Filter…",
  marks,
  chosen: "Chosen",
  isChosen: "chosen",
  isLeftOut: "left out",
  tool: "Tool",
  hasNone: "the member has no such tool",
  hints: "Hints",
  saidAnew: "Said anew",
  describedAnew: "described anew",
  memberGone: (member: string) => `There is no member called ${member} now; the profile keeps its place.`,
  itsTools: "its tools",
  noTools: "It has no tools.",
  noneCalledSo: "No tool is called so.",

  saidOf: (tool: string) => `What is said of ${tool}`,
  inProfile: "in the profile",
  closeOne: (tool: string) => `Close ${tool}`,
  description: "Description",
  policy: "Policy",
  asElsewhere: "as its rules and elsewhere",
  onlyStricter: "A profile can only be stricter.",
};
