/**
 * Draws the window's frame and the roster's rows before the app has loaded. The elements equal those that the app
 * renders later; firstPaint.test.tsx compares both. Elements whose content is still missing have `aria-busy`.
 */
import { keysOf, type KeyedAction, type OwnKeys } from "../lib/keys/actionKeys";
import { LOGO } from "../components/logoParts";
import type { MemberName, MemberView } from "../ipc/bindings";
import type { Opening } from "../ipc/bridge";
import { countMembers, nothingYet, withRoster } from "../lib/hall/state";
import { FIRST_SIGNS, type FirstSignName } from "../components/firstSigns";
import { ROW_PX } from "../features/roster/rowHeights";
import { number } from "../lib/format";
import { words } from "../lib/words/frame";
import { keyLabel } from "../lib/keys/keyLabel";
import { faceOf, freshnessWord } from "../components/status";
import { themeFace } from "../components/themeFace";
import { keptTheme } from "../lib/theme/themes";

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

const SVG = "http://www.w3.org/2000/svg";

type Attributes = Readonly<Record<string, string | number | undefined>>;

function svgElement(tag: string, attributes: Attributes, ...children: Element[]): Element {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** Creates the same element as the app's `Icon`. */
function icon(name: FirstSignName, size = 16, classes = ""): Element {
  const outer = { "aria-hidden": "true", width: size, height: size, viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": "1.75", "stroke-linecap": "round", "stroke-linejoin": "round", class: `inline-block shrink-0 ${classes}` };
  return svgElement("svg", outer, ...FIRST_SIGNS[name].map(([tag, attributes]) => svgElement(tag, attributes)));
}

/** Creates the same element as the app's `Sign`. */
function sign(name: FirstSignName, classes = ""): Element {
  return icon(name, 14, `align-[-2px] ${name === "dashes" ? "animate-spin" : ""} ${classes}`);
}

/** Creates the same element as the app's `IconButton`. */
function iconButton(name: FirstSignName, label: string, attributes: Record<string, string> = {}): HTMLElement {
  return element("button", { type: "button", "aria-label": label, "aria-disabled": "false", class: `${QUIET_BUTTON} w-7 px-0! aria-[current=page]:bg-selected aria-[current=page]:text-accent`, ...attributes }, icon(name));
}

/** The label of an action's shortcut; `undefined` if the user removed the shortcut. */
function labelOf(action: KeyedAction, own: OwnKeys): string | undefined {
  const keys = keysOf(action, own);
  return keys === undefined ? undefined : keyLabel(keys);
}

/** Creates the content of the root element until the app has loaded. `press` is called with a clicked member. */
export function drawFirstPaint(opening: Opening, own: OwnKeys, press: (member: MemberName) => void): HTMLElement[] {
  const { members } = withRoster(nothingYet, opening.roster);
  const floor = element(
    "div",
    { class: "relative flex min-h-0 flex-1 scant:h-full scant:flex-none" },
    element(
      "div",
      { class: "w-[var(--roster,264px)] shrink-0 max-rail:w-12 max-narrow:hidden" },
      element(
        "div",
        { class: "@container/side flex h-full min-h-0 flex-col border-e border-line bg-sidebar short:overflow-y-auto" },
        head(),
        roster(members, own, press),
        foot(),
      ),
    ),
    element("main", { "data-region": "true", "aria-busy": "true", class: "flex min-w-0 flex-1 flex-col" }),
  );
  return [element("div", { class: "flex h-full flex-col scant:overflow-y-auto" }, narrowBar(), floor, statusBar(members))];
}

function narrowBar(): HTMLElement {
  return element(
    "nav",
    { "data-region": "true", "aria-label": words.sidebar, class: "flex h-10 shrink-0 items-center gap-1 border-b border-line bg-sidebar px-2 narrow:hidden" },
    iconButton("menu", words.sidebar, { "aria-expanded": "false", "data-tour": "roster" }),
    element("span", { class: "me-auto truncate font-semibold" }, "Guild Hall"),
    iconButton("search", words.search, { "data-tour": "palette" }),
  );
}

function head(): HTMLElement {
  const item = (name: FirstSignName, label: string, current: boolean, attributes: Record<string, string> = {}) =>
    element(
      "button",
      {
        type: "button",
        ...(current && { "aria-current": "page" }),
        ...attributes,
        class:
          "relative flex h-7 w-full items-center gap-2 rounded-sm px-2 font-medium text-dim hover:bg-hover hover:text-text aria-[current=page]:bg-selected aria-[current=page]:text-text",
      },
      icon(name, 16, current ? "text-accent" : "text-faint"),
      element("span", { class: "truncate @max-[100px]/side:sr-only" }, label),
    );
  return element(
    "header",
    { "data-region": "true", class: "shrink-0 px-2 pb-2" },
    element(
      "div",
      { class: "flex min-h-12 items-center gap-2 ps-1 @max-[100px]/side:flex-col @max-[100px]/side:ps-0 @max-[100px]/side:pt-3.5" },
      logo(),
      element("span", { class: "me-auto truncate font-semibold @max-[100px]/side:hidden" }, "Guild Hall"),
      iconButton("search", words.search, { "data-tour": "palette" }),
    ),
    item("home", words.home, true),
    item("bot", words.agents, false),
    item("history", words.history, false, { "data-tour": "history" }),
    element("div", { class: "hidden @max-[100px]/side:block" }, item("menu", words.showRoster, false, { "data-tour": "roster" })),
  );
}

function logo(): Element {
  const outer = { "aria-hidden": "true", viewBox: "16 16 480 480", width: "20", height: "20", class: "shrink-0" };
  return svgElement("svg", outer, ...LOGO.map(([tag, attributes]) => svgElement(tag, attributes)));
}

/** The attributes of a button that opens a menu. */
const MENU = { "aria-haspopup": "menu", "aria-expanded": "false" };

function foot(): HTMLElement {
  const face = themeFace(keptTheme());
  return element(
    "nav",
    { "data-region": "true", "aria-label": words.program, class: "flex min-h-10 shrink-0 items-center gap-0.5 border-t border-line px-2 @max-[100px]/side:mt-auto @max-[100px]/side:flex-col @max-[100px]/side:py-2" },
    iconButton("settings", words.settings),
    iconButton("question", words.help, MENU),
    iconButton(face.shape, words.theme(face.word), MENU),
  );
}

function roster(members: readonly MemberView[], own: OwnKeys, press: (member: MemberName) => void): HTMLElement {
  const none = members.length === 0;
  const searchKeys = labelOf("search", own);
  // Only as many rows as fit into the window are drawn.
  const seen = members.slice(0, Math.ceil(window.innerHeight / ROW_PX.member));
  return element(
    "section",
    { "aria-label": words.roster, "data-region": "true", class: "@container flex min-h-0 flex-1 flex-col short:min-h-[80vh] @max-[100px]/side:hidden" },
    element(
      "header",
      { class: "flex h-8 shrink-0 items-center ps-4 pe-2" },
      element("h2", { class: "text-xs font-semibold text-faint" }, words.roster),
      element("span", { class: "ms-1.5 me-auto text-xs text-faint" }, number(members.length)),
      iconButton("refresh", words.refreshAll, none ? { "aria-disabled": "true" } : {}),
      iconButton("plus", words.addMember),
    ),
    element(
      "div",
      { class: "relative mx-2 mb-1.5 flex shrink-0 items-center" },
      icon("search", 16, "pointer-events-none absolute start-2 text-faint"),
      element("input", {
        type: "search",
        role: "combobox",
        "aria-label": "Search all tools",
        "aria-expanded": "false",
        "aria-controls": "roster-rows",
        "aria-autocomplete": "list",
        "data-testid": "search",
        placeholder: words.filterTools,
        spellcheck: "false",
        autocomplete: "off",
        maxlength: "200",
        class: "h-7 w-full rounded-sm border border-line bg-bg ps-7.5 pe-8 placeholder:text-faint",
      }),
      searchKeys !== undefined &&
        element("kbd", { class: "pointer-events-none absolute end-2 rounded-xs border border-line px-1 font-sans text-xs leading-4 text-faint" }, searchKeys),
    ),
    none && element("p", { class: "px-3 py-2 text-dim" }, words.noMembersYet),
    none &&
      element(
        "button",
        { type: "button", "aria-disabled": "false", class: `${PLAIN_BUTTON} mx-3 mb-2 self-start` },
        "Add member…",
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
        "data-state": "closed",
        "aria-busy": "true",
        class: "group min-h-0 flex-1 overflow-x-hidden overflow-y-auto has-data-active:outline-none pb-2",
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
      "data-status": view.status,
      "data-index": String(index),
      ...(index === 0 && { "data-active": "true" }),
      style: `height: ${ROW_PX.member}px; transform: translateY(${index * ROW_PX.member}px);`,
      class:
        "absolute top-0 start-2 end-2 overflow-hidden rounded-sm pe-2 select-none group-focus-visible:data-active:outline-2 group-focus-visible:data-active:-outline-offset-2 group-focus-visible:data-active:outline-accent hover:bg-hover ",
    },
    element(
      "div",
      { class: `flex h-full items-center gap-1.5 ps-1 ${view.status === "disabled" ? "text-dim" : ""}` },
      element("span", { "aria-hidden": "true", class: "flex h-6 w-5 shrink-0 items-center justify-center rounded-xs text-dim hover:bg-line" }, sign("chevronRight")),
      sign(face.shape, face.colour),
      element("span", { class: "me-auto min-w-0 truncate font-medium" }, view.name),
      view.calls > 0 && element("span", { class: "text-sm text-accent" }, sign("play", "me-0.5"), String(view.calls)),
      freshness !== "" &&
        element(
          "span",
          { class: "flex h-4 min-w-0 shrink-[99999] flex-wrap justify-end overflow-hidden text-sm text-faint" },
          element("span", { class: "h-4 w-px" }),
          element("span", { class: "whitespace-nowrap" }, freshness),
        ),
      element("span", { class: `text-sm whitespace-nowrap @max-[200px]:sr-only ${view.status === "ready" ? "sr-only" : face.colour}` }, face.word),
      element(
        "span",
        { class: "min-w-5 text-end text-sm text-faint tabular-nums" },
        view.freshness === "unknown" ? "–" : number(view.tools),
      ),
    ),
  );
}

function statusBar(members: readonly MemberView[]): HTMLElement {
  const counts = countMembers(members);
  const calls = members.reduce((sum, member) => sum + member.calls, 0);
  return element(
    "footer",
    {
      "data-region": "true",
      class:
        "flex h-6 shrink-0 items-center gap-x-4 overflow-hidden border-t border-line bg-sidebar px-2 text-sm whitespace-nowrap text-dim max-narrow:h-auto max-narrow:min-h-6 max-narrow:flex-wrap max-narrow:gap-x-2 max-narrow:whitespace-normal",
    },
    element(
      "span",
      { class: "flex gap-x-2 max-narrow:flex-wrap", "data-testid": "counts" },
      count("dot", "text-ok", words.ready(counts.ready)),
      counts.starting > 0 && count("dashes", "text-warn", words.starting(counts.starting)),
      counts.failed > 0 && count("diamond", "text-bad", words.failed(counts.failed)),
    ),
    calls > 0 && element("span", {}, words.callsRunning(calls)),
    element(
      "div",
      { class: "ms-auto flex items-center gap-x-4 max-narrow:flex-wrap max-narrow:justify-end max-narrow:gap-x-2" },
      element("button", { type: "button", class: "rounded-sm px-1 hover:bg-hover hover:text-text" }, "Gateway "),
    ),
  );
}

function count(shape: FirstSignName, colour: string, text: string): HTMLElement {
  const look = "rounded-sm px-1 hover:bg-hover hover:text-text aria-pressed:bg-selected aria-pressed:text-text";
  return element("button", { type: "button", "aria-pressed": "false", class: look }, sign(shape, `me-1 ${colour}`), text);
}
