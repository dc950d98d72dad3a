/** The sidebar: the main pages, the roster, and the app's menus. In windows below 900 px it is a column of icons. */
import { useState, type ReactNode } from "react";

import { useAgents } from "../features/agents/agents";
import { usePaletteState } from "../features/palette/paletteState";
import { useNavigation } from "../lib/navigation/navigation";
import { useRosterPanel } from "../lib/rosterPanel";
import { useStore } from "../lib/store";
import { Icon } from "../components/Icon";
import { IconButton } from "../components/IconButton";
import { Menu, type MenuItem } from "../components/Menu";
import { SIGNS, type SignName } from "../components/signs";
import { Tooltip } from "../components/Tooltip";
import { Roster } from "../features/roster/Roster";
import { keyed, number } from "../lib/format";
import { words } from "../lib/words/frame";
import { keyLabel } from "../lib/keys/keyLabel";
import { themeFace } from "../components/themeFace";
import { THEMES } from "../lib/theme/themes";
import { useActionList, type Action } from "../lib/actions";
import { Logo } from "../components/Logo";
import { setTheme, theme } from "../lib/theme/theme";
import { useKeysOf } from "../lib/keys/useKeysOf";

export function Sidebar() {
  return (
    <div className="@container/side flex h-full min-h-0 flex-col border-e border-line bg-sidebar short:overflow-y-auto">
      <Head />
      <Roster />
      <Foot />
    </div>
  );
}

function Head() {
  const navigation = useNavigation();
  const agents = useAgents();
  const palette = usePaletteState();
  const roster = useRosterPanel();
  const place = useStore(navigation.place, ({ kind }) => kind);
  const approvals = useStore(agents.approvals.open, ({ size }) => size);
  const paletteKeys = useKeysOf("palette");
  const rosterKeys = useKeysOf("roster");
  const agentKeys = useKeysOf("agents");
  const historyKeys = useKeysOf("dock");
  return (
    <header data-region className="shrink-0 px-2 pb-2">
      <div className="flex min-h-12 items-center gap-2 ps-1 @max-[100px]/side:flex-col @max-[100px]/side:ps-0 @max-[100px]/side:pt-3.5">
        <Logo />
        <span className="me-auto truncate font-semibold @max-[100px]/side:hidden">Guild Hall</span>
        <IconButton icon="search" label={words.search} title={keyed(words.search, paletteKeys)} data-tour="palette" onClick={() => palette.open("")} />
      </div>
      <NavItem icon="home" label={words.home} current={place === "welcome"} onClick={() => navigation.openHome()} />
      <NavItem icon="bot" label={words.agents} current={place === "agents"} keys={agentKeys} onClick={() => navigation.openAgents()}>
        {approvals > 0 && (
          <span className="ms-auto min-w-4.5 rounded-full bg-warn-fill px-1 text-center text-xs font-semibold text-warn @max-[100px]/side:absolute @max-[100px]/side:end-0 @max-[100px]/side:top-0">
            <span aria-hidden>{number(approvals)}</span>
            <span className="sr-only">{words.waiting(approvals)}</span>
          </span>
        )}
      </NavItem>
      <NavItem icon="history" label={words.history} current={place === "history"} keys={historyKeys} tour="history" onClick={() => navigation.openHistory()} />
      <div className="hidden @max-[100px]/side:block">
        <NavItem icon="menu" label={words.showRoster} keys={rosterKeys} tour="roster" onClick={() => roster.searchTools()} />
      </div>
    </header>
  );
}

interface NavItemProps {
  icon: SignName;
  label: string;
  current?: boolean;
  keys?: string | undefined;
  tour?: string;
  onClick: () => void;
  children?: ReactNode;
}

function NavItem({ icon, label, current = false, keys, tour, onClick, children }: NavItemProps) {
  return (
    <Tooltip side="right" text={keyed(label, keys)}>
      <button
        type="button"
        aria-current={current ? "page" : undefined}
        // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- ARIA 1.3 property that all web views support
        aria-description={keys}
        data-tour={tour}
        onClick={onClick}
        className="relative flex h-7 w-full items-center gap-2 rounded-sm px-2 font-medium text-dim hover:bg-hover hover:text-text aria-[current=page]:bg-selected aria-[current=page]:text-text"
      >
        <Icon of={SIGNS[icon]} className={current ? "text-accent" : "text-faint"} />
        <span className="truncate @max-[100px]/side:sr-only">{label}</span>
        {children}
      </button>
    </Tooltip>
  );
}

/** Menu items for the actions with the given ids. */
function actionItems(actions: readonly Action[], ids: readonly string[]): MenuItem[] {
  return ids.flatMap((id): MenuItem[] => {
    const action = actions.find((one) => one.id === id);
    return action ? [{ label: action.title, keys: action.keys && keyLabel(action.keys), unavailable: action.unavailable, onSelect: action.run }] : [];
  });
}

function Foot() {
  const actions = useActionList();
  const navigation = useNavigation();
  const settingsKeys = useKeysOf("settings");
  const helpKeys = useKeysOf("help");
  const place = useStore(navigation.place, ({ kind }) => kind);
  const chosen = useStore(theme, (choice) => choice);
  const { shape, word } = themeFace(chosen);
  const [open, setOpen] = useState<"help" | "theme" | null>(null);
  const menu = (name: "help" | "theme") => ({
    align: "start" as const,
    open: open === name,
    onOpenChange: (is: boolean) => setOpen(is ? name : null),
    runsOnceClosed: true,
  });
  const help = (): MenuItem[] => [...actionItems(actions.all(), ["help", "guide", "codes", "keys", "tour"]), "line", ...actionItems(actions.all(), ["bundle", "about"])];
  const themes = (): MenuItem[] => [
    ...THEMES.map((choice): MenuItem => ({ label: themeFace(choice).word, icon: themeFace(choice).shape, checked: choice === chosen, onSelect: () => setTheme(choice) })),
    "line",
    ...actionItems(actions.all(), ["zoom-in", "zoom-out", "zoom-reset"]),
  ];
  return (
    <nav data-region aria-label={words.program} className="flex min-h-10 shrink-0 items-center gap-0.5 border-t border-line px-2 @max-[100px]/side:mt-auto @max-[100px]/side:flex-col @max-[100px]/side:py-2">
      <IconButton icon="settings" label={words.settings} aria-current={place === "settings" ? "page" : undefined} title={keyed(words.settings, settingsKeys)} onClick={() => navigation.openSettings()} />
      <Menu {...menu("help")} items={open === "help" ? help() : []}>
        <IconButton icon="question" label={words.help} title={keyed(words.help, helpKeys)} aria-current={place === "help" ? "page" : undefined} />
      </Menu>
      <Menu {...menu("theme")} items={open === "theme" ? themes() : []}>
        <IconButton icon={shape} label={words.theme(word)} />
      </Menu>
    </nav>
  );
}
