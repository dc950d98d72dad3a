/** Finds a tool that can be called at once, and opens it with its form filled. */
import type { Hall } from "../../lib/hall/hall";
import type { MemberName, MemberView, ToolDetail, ToolName, ToolSummary } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import type { Navigation } from "../../lib/navigation/navigation";
import type { RosterPanel } from "../../lib/rosterPanel";
import { formOf } from "../form/ToolForm";
import type { Draft } from "../form/model/draft";
import { handOver } from "../tool/handOver";
import type { Workbench } from "../tool/workbench";

/** The sample tool that is preferred, because its form is simple and its result is useful. */
const SAMPLE = { member: "clock", tool: "now" };
/** The maximum time to wait for the first tools, in milliseconds. Members may install packages at their first start. */
const COMING_MS = 30_000;
/** The number of members whose tool lists are searched if the sample is missing. */
const LOOKED_AT = 3;

/** The stores that are needed to find and open a tool. */
export interface TryOutStores {
  readonly bench: Workbench;
  readonly hall: Hall;
  readonly navigation: Navigation;
  readonly roster: RosterPanel;
}

interface Choice {
  member: MemberName;
  tool: ToolName;
}

/** Whether a better tool than the current ones will be listed soon. */
function isWaitedFor(members: readonly MemberView[]): boolean {
  const sample = members.find(({ name }) => name === SAMPLE.member);
  return sample ? isComing(sample) : !members.some(isUsable) && members.some(isComing);
}

/** Waits until the first tools are listed, at most `COMING_MS`. */
function untilListed(hall: Hall): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isWaitedFor(hall.state.get().members)) done();
    };
    const timer = setTimeout(() => done(), COMING_MS);
    const end = hall.state.subscribe(look);
    const done = () => {
      clearTimeout(timer);
      end();
      resolve();
    };
    look();
  });
}

/** Whether the server declares the tool as read-only. */
function harmless({ hints }: ToolSummary): boolean {
  return hints.readOnly === true && hints.destructive !== true;
}

/** The sample tool if it is listed, or else a read-only tool; `null` if no inspected member has such a tool. */
async function chooseTool(hall: Hall): Promise<Choice | null> {
  const members = byUse(hall.state.get().members).filter(isUsable);
  const sample = members.find(({ name }) => name === SAMPLE.member);
  const looked = sample ? [sample] : members.slice(0, LOOKED_AT);
  for (const { name } of looked) {
    const listed = await hall.ask("member_tools", { member: name });
    const tool = listed.tools.find((one) => sample && one.name === SAMPLE.tool) ?? listed.tools.find(harmless);
    if (tool) return { member: name, tool: tool.name };
  }
  return null;
}

/** The first example object in the tool's schema. Numbers keep all digits of the schema's text. */
function exampleOf(detail: ToolDetail): Draft | null {
  return formOf(detail).examples.find(({ kind }) => kind === "object") ?? null;
}

/**
 * Opens a tool with its form filled from an example. Without a suitable tool, opens the first member. With
 * `focus`, the form takes the focus. Opens nothing if the user has left the page or if `wanted` returns false.
 */
export async function tryOut({ bench, hall, navigation, roster }: TryOutStores, focus = true, wanted = (): boolean => true): Promise<void> {
  const from = navigation.place.get();
  const isLeft = () => navigation.place.get() !== from || !wanted();
  try {
    await untilListed(hall);
    if (isLeft()) return;
    const choice = await chooseTool(hall);
    if (isLeft()) return;
    if (choice === null) {
      const [first] = byUse(hall.state.get().members);
      if (first) navigation.openMember(first.name);
      return;
    }
    const { member, tool } = choice;
    const example = exampleOf(await hall.toolDetail(member, tool));
    if (isLeft()) return;
    roster.setExpanded(member, true);
    if (!focus) navigation.openTool(member, tool);
    else if (example) handOver({ bench, navigation }, member, tool, example, [], "run");
    else navigation.fillTool(member, tool);
  } catch (reason) {
    hall.tell(asRefusal(reason).report);
  }
}

/** Whether calls of the member's tools can succeed in its current state. */
function isUsable(view: MemberView): boolean {
  return view.error === null && view.tools > 0 && view.status !== "disabled" && view.status !== "unreviewed";
}

/** Whether the member's tools are not listed yet, but will be listed without an action of the user. */
function isComing({ status, freshness, tools, error }: MemberView): boolean {
  if (tools > 0) return false;
  // The tools of a running server that responds are listed next.
  const isUnlisted = freshness === "unknown" && (status === "stopped" || (status === "ready" && error === null));
  return status === "starting" || isUnlisted;
}

/**
 * Sorts the members: usable and running ones first, then other usable ones. Within a group, members with fewer
 * tools come first.
 */
function byUse(members: readonly MemberView[]): readonly MemberView[] {
  const rank = (view: MemberView) => (isUsable(view) ? (view.status === "ready" ? 0 : 1) : 2) * 100_000 + view.tools;
  return [...members].sort((a, b) => rank(a) - rank(b));
}
