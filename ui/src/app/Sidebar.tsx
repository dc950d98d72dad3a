/** The sidebar around the roster: the places of the window above it, and the program's own below. */
import type { ReactNode } from "react";

import { useStore } from "../hall/store";
import { Icon } from "../parts/Icon";
import { IconButton } from "../parts/IconButton";
import { SIGNS, type SignName } from "../parts/signs";
import { Roster } from "../roster/Roster";
import { keyed, number } from "../words/format";
import { words } from "../words/frame";
import { themeFace } from "../words/theme";
import { useHouse } from "./house";
import { Logo } from "./Logo";
import { nextTheme, theme } from "./theme";
import { useKeysOf } from "./useKeysOf";

export function Sidebar() {
  return (
    <div className="flex h-full min-h-0 flex-col border-e border-line bg-surface short:overflow-y-auto">
      <Head />
      <Roster />
      <Foot />
    </div>
  );
}

function Head() {
  const house = useHouse();
  const place = useStore(house.place, ({ kind }) => kind);
  const approvals = useStore(house.agents.approvals.open, ({ size }) => size);
  const paletteKeys = useKeysOf("palette");
  const agentKeys = useKeysOf("agents");
  const historyKeys = useKeysOf("dock");
  return (
    <header data-region className="shrink-0 px-2 pb-2">
      <div className="flex h-12 items-center gap-2 ps-1">
        <Logo />
        <span className="me-auto truncate font-semibold">Guild Hall</span>
        <IconButton icon="search" label={words.search} title={keyed(words.search, paletteKeys)} data-tour="palette" onClick={() => house.openPalette("")} />
      </div>
      <NavItem icon="home" current={place === "welcome"} onClick={() => house.openHome()}>
        {words.home}
      </NavItem>
      <NavItem icon="bot" current={place === "agents"} title={agentKeys} onClick={() => house.openAgents()}>
        {words.agents}
        {approvals > 0 && (
          <span className="ms-auto min-w-4.5 rounded-full bg-warn-fill px-1 text-center text-xs font-semibold text-warn">
            <span aria-hidden>{number(approvals)}</span>
            <span className="sr-only">{words.waiting(approvals)}</span>
          </span>
        )}
      </NavItem>
      <NavItem icon="history" current={place === "history"} title={historyKeys} tour="history" onClick={() => house.openHistory()}>
        {words.history}
      </NavItem>
    </header>
  );
}

interface NavItemProps {
  icon: SignName;
  current?: boolean;
  title?: string | undefined;
  tour?: string;
  onClick: () => void;
  children: ReactNode;
}

function NavItem({ icon, current = false, title, tour, onClick, children }: NavItemProps) {
  return (
    <button
      type="button"
      aria-current={current ? "page" : undefined}
      title={title}
      data-tour={tour}
      onClick={onClick}
      className="flex h-7 w-full items-center gap-2 rounded-sm px-2 font-medium text-dim hover:bg-hover hover:text-text aria-[current=page]:bg-selected aria-[current=page]:text-text"
    >
      <Icon of={SIGNS[icon]} className={current ? "text-accent" : "text-faint"} />
      {children}
    </button>
  );
}

function Foot() {
  const house = useHouse();
  const settingsKeys = useKeysOf("settings");
  const helpKeys = useKeysOf("help");
  const place = useStore(house.place, ({ kind }) => kind);
  const { shape, word } = themeFace(useStore(theme, (choice) => choice));
  return (
    <nav data-region aria-label={words.program} className="flex h-10 shrink-0 items-center gap-0.5 border-t border-line px-2">
      <IconButton icon="settings" label={words.settings} aria-current={place === "settings" ? "page" : undefined} title={keyed(words.settings, settingsKeys)} onClick={() => house.openSettings()} />
      <IconButton icon="question" label={words.help} aria-current={place === "help" ? "page" : undefined} title={keyed(words.help, helpKeys)} onClick={() => house.openHelp()} />
      <IconButton icon={shape} label={words.theme(word)} title={words.themeAndNext(word)} onClick={nextTheme} />
    </nav>
  );
}
