/** The band below a member's header with its most urgent problem or state, and the actions that help. */
import { useEffect } from "react";

import type { MemberView, Report } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { useDesktop, type Desktop } from "../../lib/desktop";
import { useHall, type Hall } from "../../lib/hall/hall";
import { useNavigation, type Navigation } from "../../lib/navigation/navigation";
import type { MemberTab } from "../../lib/navigation/places";
import { useStore } from "../../lib/store";
import { Band } from "../../components/Badge";
import { Button } from "../../components/Button";
import { ErrorCode } from "../../components/ErrorCode";
import { Icon } from "../../components/Icon";
import { Menu, type MenuItem } from "../../components/Menu";
import { Reported } from "../../components/Reported";
import { SIGNS } from "../../components/signs";
import { originWords } from "../review/faces";
import { useDoctor, type Doctor } from "../settings/doctor/examination";
import { useSecretStore, type SecretStore } from "../settings/secrets/secretStore";

interface Props {
  readonly view: MemberView;
  readonly tab: MemberTab;
  readonly onTab: (tab: MemberTab) => void;
}

export function StatusBand({ view, tab, onTab }: Props) {
  if (view.error) return <Failed view={view} error={view.error} tab={tab} onTab={onTab} />;
  if (view.status === "unreviewed" && tab !== "review") {
    const { origin, launch } = view.trust;
    const came = launch === "changed" ? "This command changed" : origin ? `This command was added from ${originWords(origin)}` : "This command is new";
    return (
      <Band tone="warn" icon="shield" actions={<Button onClick={() => onTab("review")}>Review</Button>}>
        {came}. Review it to start.
      </Band>
    );
  }
  if (view.warnings.length > 0) {
    return (
      <Band tone="warn" icon="warning">
        <ul aria-label="Warnings" className="max-h-40 overflow-y-auto select-text">
          {view.warnings.map((report, index) => (
            <li key={index} className="break-words"><Reported report={report} /></li>
          ))}
        </ul>
      </Band>
    );
  }
  return null;
}

function Failed({ view, error, tab, onTab }: Props & { readonly error: Report }) {
  const desktop = useDesktop();
  const doctor = useDoctor();
  const hall = useHall();
  const navigation = useNavigation();
  const secrets = useSecretStore();
  const items = useFixes({ desktop, doctor, hall, navigation, secrets }, view, error, onTab);
  return (
    <section aria-label="Problem" data-testid="member-error" data-code={error.code}>
      <Band
        tone="bad"
        icon="cross"
        actions={
          <>
            {items.length > 0 && (
              <Menu items={items}>
                <Button>
                  Fix…
                  <Icon of={SIGNS.chevronDown} size={14} />
                </Button>
              </Menu>
            )}
            {tab !== "log" && <Button onClick={() => onTab("log")}>Open log</Button>}
          </>
        }
      >
        <div className="max-h-40 overflow-y-auto select-text">
          <p className="font-medium break-words whitespace-pre-wrap">{error.message}</p>
          <p className="break-words text-dim">
            {error.hint} <ErrorCode code={error.code} />
          </p>
        </div>
      </Band>
    </section>
  );
}

/** Programs that members' commands need: a pattern for the command, the name, and the URL of the download page. */
const PROGRAMS: readonly [RegExp, string, string][] = [
  [/\buvx?\b/, "uv", "https://docs.astral.sh/uv/"],
  [/\b(?:npx|npm|node)\b/, "Node.js", "https://nodejs.org/en/download"],
  [/\bdocker\b/, "Docker", "https://docs.docker.com/get-started/get-docker/"],
  [/\bpython3?\b/, "Python", "https://www.python.org/downloads/"],
];

/** The stores that the fixes use. */
interface FixStores {
  readonly desktop: Desktop;
  readonly doctor: Doctor;
  readonly hall: Hall;
  readonly navigation: Navigation;
  readonly secrets: SecretStore;
}

/** The menu items that help to fix an error, selected by the error's code. */
function useFixes({ desktop, doctor, hall, navigation, secrets }: FixStores, { name: member }: MemberView, { code, message }: Report, onTab: Props["onTab"]): readonly MenuItem[] {
  const known = useStore(secrets.known, (now) => now);
  const ofSecrets = code === "secret-missing" || code === "keychain-unanswered" || code === "secrets-unsafe";
  useEffect(() => {
    if (ofSecrets) void secrets.read();
  }, [secrets, ofSecrets]);

  const configure = (label: string): MenuItem => ({ label, icon: "pencil", onSelect: () => onTab("configuration") });
  const check: MenuItem = {
    label: "Run system check",
    icon: "stethoscope",
    onSelect: () => {
      navigation.openDoctor();
      // The last system check may be older than the error's cause, so run a new one.
      void doctor.examine();
    },
  };
  switch (code) {
    case "command-not-found":
    case "command-not-executable":
    case "spawn-failed": {
      const needed = PROGRAMS.find(([command]) => command.test(message));
      const install = needed && desktop.open ? [installItem({ desktop, hall }, needed[1], needed[2])] : [];
      return [...install, configure("Change command…"), check];
    }
    case "secret-missing":
    case "keychain-unanswered":
    case "secrets-unsafe": {
      const missing = known?.secrets.filter(({ kept, members }) => kept === null && members.includes(member)) ?? [];
      return [
        ...missing.map(({ name }): MenuItem => ({ label: `Set ${name}…`, icon: "key", onSelect: () => navigation.openSecrets({ name, member }) })),
        { label: "Open secrets", icon: "lock", onSelect: () => navigation.openSecrets() },
      ];
    }
    case "port-held":
    case "port-lost":
    case "ports-exhausted":
      return [configure("Use another port…"), check];
    case "variable-missing":
      return [configure("Change environment…"), check];
    case "gateway-port-taken":
    case "data-unwritable":
      return [check];
    default:
      return [];
  }
}

function installItem({ desktop, hall }: { readonly desktop: Desktop; readonly hall: Hall }, name: string, address: string): MenuItem {
  const open = () => desktop.open?.({ kind: "address", address }).catch((reason: unknown) => hall.tell(asRefusal(reason).report));
  return { label: `Install ${name}`, icon: "external", onSelect: () => void open() };
}
