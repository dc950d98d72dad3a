/**
 * The window's frame and the roster's rows before the app is there: the same elements that the app
 * draws in their place, as the test beside this file compares. What the app adds is marked as busy.
 */
import { keysOf, type KeyedAction, type OwnKeys } from "../app/actionKeys";
import { keptDock } from "../app/kept";
import type { MemberName, MemberView } from "../bridge/bindings";
import type { Opening } from "../bridge/bridge";
import { countMembers, nothingYet, withRoster } from "../hall/state";
import { ROW_PX } from "../roster/rowHeights";
import { keyed, number } from "../words/format";
import { words } from "../words/frame";
import { keyLabel } from "../words/keys";
import { faceOf, freshnessWord } from "../words/status";
import { keptTheme, themeFace } from "../words/theme";

type Child = Node | string | false;

const BUTTON =
  "inline-flex h-7 shrink-0 items-center justify-center gap-1.5 rounded-sm px-2.5 font-medium whitespace-nowrap aria-disabled:opacity-50 slim:h-auto slim:min-h-7 slim:shrink slim:whitespace-normal";
const QUIET_BUTTON = `${BUTTON} border border-transparent text-dim hover:bg-hover hover:text-text`;
const PLAIN_BUTTON = `${BUTTON} border border-line bg-raised shadow-low hover:bg-hover text-text`;

function element(tag: string, attributes: Record<string, string>, ...children: Child[]): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== false));
  return made;
}

function sign(shape: string, classes?: string): HTMLElement {
  return element("span", { "aria-hidden": "true", ...(classes !== undefined && { class: classes }) }, shape);
}

/** What an action's keys are called; `undefined` where a person took them away. */
function labelOf(action: KeyedAction, own: OwnKeys): string | undefined {
  const keys = keysOf(action, own);
  return keys === undefined ? undefined : keyLabel(keys);
}

function keyMark(action: KeyedAction, own: OwnKeys, classes: string): Child {
  const label = labelOf(action, own);
  return label !== undefined && element("kbd", { class: `font-sans ${classes}` }, label);
}

/** What stands in the root until the app does. `press` is told which member was clicked. */
export function drawFirstPaint(opening: Opening, own: OwnKeys, press: (member: MemberName) => void): HTMLElement[] {
  const { members } = withRoster(nothingYet, opening.roster);
  const floor = element(
    "div",
    { class: "relative flex min-h-0 flex-1 scant:h-full scant:flex-none" },
    element(
      "div",
      {
        class:
          "w-[var(--roster,clamp(272px,24vw,400px))] max-w-[60vw] shrink-0 border-e border-line max-narrow:hidden",
      },
      roster(members, own, press),
    ),
    element("main", { "data-region": "true", "aria-busy": "true", class: "flex min-w-0 flex-1 flex-col" }),
  );
  return [element("div", { class: "flex h-full flex-col scant:overflow-y-auto" }, topBar(own), floor, statusBar(members, opening.info.version, own))];
}

function topBar(own: OwnKeys): HTMLElement {
  const face = themeFace(keptTheme());
  return element(
    "header",
    { "data-region": "true", class: "@container flex h-10 shrink-0 items-center gap-2 border-b border-line bg-surface px-2" },
    element(
      "button",
      {
        type: "button",
        "aria-label": words.roster,
        "aria-expanded": "false",
        "aria-disabled": "false",
        class: `${QUIET_BUTTON} narrow:hidden`,
        "data-tour": "roster",
      },
      sign("☰"),
    ),
    element(
      "button",
      {
        type: "button",
        class:
          "flex h-7 min-w-0 flex-1 items-center gap-2 rounded-sm border border-line-strong bg-bg px-2 text-start text-dim hover:text-text narrow:max-w-md",
        "data-tour": "palette",
      },
      sign("⌕"),
      element("span", { class: "min-w-0 flex-1 truncate @max-[240px]:sr-only" }, "Find tool, member, action…"),
      keyMark("palette", own, "text-sm @max-[480px]:hidden"),
    ),
    element("span", { class: "flex-1 max-narrow:hidden" }),
    element(
      "button",
      {
        type: "button",
        "aria-label": words.theme(face.word),
        "aria-disabled": "false",
        title: words.themeAndNext(face.word),
        class: `${QUIET_BUTTON} `,
      },
      sign(face.shape),
      element("span", { class: "@max-[480px]:sr-only" }, face.word),
    ),
    element(
      "button",
      { type: "button", "aria-label": "Help on what is shown here", "aria-disabled": "false", title: keyed("Help on what is shown here", labelOf("help", own)), class: `${QUIET_BUTTON} ` },
      sign("?"),
    ),
  );
}

function roster(members: readonly MemberView[], own: OwnKeys, press: (member: MemberName) => void): HTMLElement {
  const tools = members.reduce((sum, member) => sum + member.tools, 0);
  const none = members.length === 0;
  // More than fit are not seen before the app is there.
  const seen = members.slice(0, Math.ceil(window.innerHeight / ROW_PX.member));
  return element(
    "section",
    { "aria-label": words.roster, "data-region": "true", class: "@container flex h-full min-h-0 flex-col bg-surface scant:overflow-y-auto" },
    element(
      "header",
      { class: "@container flex min-h-9 shrink-0 flex-wrap items-center gap-x-2 py-1 ps-3 pe-2" },
      element(
        "div",
        { class: "flex min-w-0 flex-1 basis-24 flex-wrap items-baseline gap-x-2" },
        element("h2", { class: "font-semibold" }, words.roster),
        element(
          "span",
          { class: "text-sm text-dim", title: words.membersAndTools(members.length, tools) },
          words.toolCount(tools),
        ),
      ),
      element(
        "button",
        { type: "button", "aria-disabled": "false", title: "Add members", class: `${QUIET_BUTTON} ` },
        sign("+"),
        element("span", { class: "@max-[240px]:sr-only" }, "Add…"),
      ),
      element(
        "button",
        {
          type: "button",
          "aria-disabled": String(none),
          title: none ? "There are no members" : words.refreshAll,
          class: `${QUIET_BUTTON} `,
        },
        sign("⟳"),
        element("span", { class: "@max-[336px]:sr-only" }, "Refresh"),
      ),
    ),
    element(
      "div",
      { class: "shrink-0 px-2 pb-2" },
      element("input", {
        type: "search",
        role: "combobox",
        "aria-label": "Search all tools",
        "aria-expanded": "false",
        "aria-controls": "roster-rows",
        "aria-autocomplete": "list",
        "data-testid": "search",
        placeholder: words.searchWithKey(labelOf("search", own)),
        spellcheck: "false",
        autocomplete: "off",
        maxlength: "200",
        class: "h-7 w-full rounded-sm border border-line-strong bg-bg px-2 placeholder:text-faint",
      }),
    ),
    none && element("p", { class: "px-3 py-2 text-dim" }, words.noMembersYet),
    none &&
      element(
        "button",
        { type: "button", "aria-disabled": "false", class: `${PLAIN_BUTTON} mx-3 mb-2 self-start` },
        "Add members…",
      ),
    element(
      "div",
      {
        id: "roster-rows",
        role: "tree",
        "aria-label": "Members and their tools",
        tabindex: "0",
        "data-testid": "roster",
        "data-viewport": "true",
        "aria-busy": "true",
        class: "group min-h-0 flex-1 overflow-x-hidden overflow-y-auto has-data-active:outline-none scant:min-h-[80vh]",
      },
      element(
        "div",
        { role: "presentation", class: "relative", style: `height: ${members.length * ROW_PX.member}px;` },
        ...seen.map((view, index) => {
          const row = memberRow(view, index, members.length);
          row.addEventListener("click", () => press(view.name));
          return row;
        }),
      ),
    ),
  );
}

function memberRow(view: MemberView, index: number, siblings: number): HTMLElement {
  const face = faceOf(view.status);
  const freshness = freshnessWord(view.freshness);
  return element(
    "div",
    {
      role: "treeitem",
      "aria-level": "1",
      "aria-setsize": String(siblings),
      "aria-posinset": String(index + 1),
      "aria-expanded": "false",
      id: `roster-row-${index}`,
      "aria-selected": "false",
      "data-testid": `member-${view.name}`,
      ...(index === 0 && { "data-active": "true" }),
      style: `height: ${ROW_PX.member}px; transform: translateY(${index * ROW_PX.member}px);`,
      class:
        "absolute top-0 start-0 w-full overflow-hidden border-s-2 pe-3 group-focus-visible:data-active:outline-2 group-focus-visible:data-active:-outline-offset-2 group-focus-visible:data-active:outline-accent border-transparent hover:bg-hover ",
    },
    element(
      "div",
      { class: `flex h-full items-center gap-1.5 ps-1 ${view.status === "disabled" ? "text-dim" : ""}` },
      sign("▶", "flex h-6 w-5 shrink-0 items-center justify-center rounded-sm text-[10px] text-dim hover:bg-line"),
      sign(face.shape, `w-3.5 shrink-0 text-center ${face.colour}`),
      element(
        "span",
        {
          class: "me-auto min-w-0 truncate font-medium",
          title: [`${view.name} ${view.version}`, view.description].filter(Boolean).join("\n"),
        },
        view.name,
      ),
      view.calls > 0 &&
        element("span", { class: "text-sm text-accent", title: words.running(view.calls) }, `▸${view.calls}`),
      freshness !== "" &&
        element(
          "span",
          { class: "flex h-4 min-w-0 shrink-[99999] flex-wrap justify-end overflow-hidden text-sm text-faint", title: freshness },
          element("span", { class: "h-4 w-px" }),
          element("span", { class: "whitespace-nowrap" }, freshness),
        ),
      element("span", { class: `text-sm whitespace-nowrap @max-[200px]:sr-only ${view.status === "ready" ? "text-faint" : face.colour}` }, face.word),
      element(
        "span",
        { class: "min-w-8 text-end text-sm text-dim tabular-nums", title: "Tools" },
        view.freshness === "unknown" ? "–" : number(view.tools),
      ),
    ),
  );
}

function statusBar(members: readonly MemberView[], version: string, own: OwnKeys): HTMLElement {
  const counts = countMembers(members);
  const calls = members.reduce((sum, member) => sum + member.calls, 0);
  return element(
    "footer",
    {
      "data-region": "true",
      class:
        "flex h-6 shrink-0 items-center gap-x-4 overflow-hidden border-t border-line bg-surface px-3 text-sm whitespace-nowrap text-dim max-narrow:h-auto max-narrow:min-h-6 max-narrow:flex-wrap max-narrow:gap-x-2 max-narrow:whitespace-normal",
    },
    element(
      "span",
      { class: "flex gap-x-3 max-narrow:flex-wrap max-narrow:gap-x-2", "data-testid": "counts" },
      count("●", "text-ok", words.ready(counts.ready)),
      counts.starting > 0 && count("◐", "text-warn", words.starting(counts.starting)),
      counts.failed > 0 && count("✕", "text-bad", words.failed(counts.failed)),
    ),
    calls > 0 && element("span", { class: "flex items-center gap-2" }, words.callsRunning(calls)),
    element(
      "div",
      { class: "ms-auto flex items-center gap-x-4 max-narrow:flex-wrap max-narrow:justify-end max-narrow:gap-x-2" },
      element(
        "button",
        { type: "button", class: "rounded-sm px-1 hover:bg-hover hover:text-text" },
        "Agents ",
        keyMark("agents", own, "text-faint max-narrow:hidden"),
      ),
      element(
        "button",
        {
          type: "button",
          "aria-expanded": String(keptDock()),
          "data-tour": "history",
          class: "rounded-sm px-1 hover:bg-hover hover:text-text",
        },
        "History ",
        keyMark("dock", own, "text-faint max-narrow:hidden"),
      ),
      element(
        "button",
        {
          type: "button",
          title: "Save a bundle for a bug report",
          class: "rounded-sm px-1 hover:bg-hover hover:text-text max-narrow:hidden",
        },
        words.program(version),
      ),
    ),
  );
}

function count(shape: string, colour: string, text: string): HTMLElement {
  return element("span", {}, sign(shape, colour), ` ${text}`);
}
