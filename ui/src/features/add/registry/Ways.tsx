/**
 * The install options of a registry server as a radio group, with the command, the questions and the install
 * button of the selected option.
 */
import { useId } from "react";

import type { RegistryInstall, RegistryServer, RegistryWay } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { useHall } from "../../../lib/hall/hall";
import { useLayers, type Layers } from "../../../lib/layers";
import { useNavigation, type Navigation } from "../../../lib/navigation/navigation";
import { useSpoken } from "../../../lib/spoken";
import { wrongNames } from "../found/selection";
import { Launch } from "../found/Launch";
import { Sign } from "../../../components/Icon";
import { exact } from "../../../lib/exact";
import { useStore } from "../../../lib/store";
import { ErrorReport } from "../../../components/ErrorReport";
import { AnswerForm } from "../AnswerForm";
import { arrive } from "../arrive";
import { Foot } from "../frame";
import { NameField } from "../NameField";
import { useTyped } from "../typed";
import { INSTALL, useRegistryStore, type RegistryStore } from "./registryStore";

/** Labels for the kinds of install options. An unknown kind is shown unchanged. */
const KIND_WORDS: Record<string, string> = {
  npm: "npm package",
  pypi: "Python package",
  oci: "container image",
  nuget: "NuGet package",
  mcpb: ".mcpb bundle",
  remote: "remote server",
};

const KINDS: ReadonlyMap<string, string> = new Map(Object.entries(KIND_WORDS));

/** The key under which the selected install option of a server version is stored. */
const targetKey = (source: string, { server, version }: RegistryServer) => `${source} ${server} ${version}`;

/** The index of the option that is selected at first: the first one that can be installed. */
const firstTarget = ({ ways }: RegistryServer) => String(Math.max(0, ways.findIndex(({ install }) => install !== null)));

/** The stores that determine which part of the dialog is visible. */
interface DialogStores {
  readonly layers: Layers;
  readonly navigation: Navigation;
  readonly registry: RegistryStore;
}

/**
 * Whether the dialog still shows this install option. False if the user has moved to another tab, server, version
 * or option.
 */
function isShown({ layers, navigation, registry }: DialogStores, source: string, detail: RegistryServer, install: RegistryInstall): boolean {
  if (!layers.has("adding") || navigation.addingTab.get() !== "registry" || registry.search.get().source?.source !== source) return false;
  const looked = registry.looked.get();
  if (looked?.server !== detail.server) return false;
  // If another version is being loaded, `looked.version` is that version, and `looked.detail` is still the previous
  // one.
  if ((looked.version ?? looked.detail?.version) !== detail.version) return false;
  const target = registry.typed.targets.get(targetKey(source, detail)) ?? firstTarget(detail);
  return detail.ways[Number(target)]?.install?.id === install.id;
}

export function Ways({ source, detail }: { source: string; detail: RegistryServer }) {
  const { ways } = detail;
  const prefix = useId();
  const registry = useRegistryStore();
  const [target, setTarget] = useTyped(registry.typed.targets, targetKey(source, detail), () => firstTarget(detail));
  const chosen = Number(target);
  const way = ways[chosen];
  if (ways.length === 0) return <p>No install options listed<Foot /></p>;
  return (
    <>
      <fieldset className="flex flex-col gap-1">
        <legend className="font-semibold">Install options</legend>
        {ways.map(({ kind, name, version, unusable }, index) => (
          <label key={index} className="flex min-w-0 items-baseline gap-2">
            <input
              type="radio"
              name={prefix}
              checked={index === chosen}
              onChange={() => setTarget(String(index))}
            />
            <span className="min-w-0 wrap-anywhere">
              {KINDS.get(kind) ?? exact(kind)}: <code className="font-mono text-sm">{exact(name)}</code> {version !== null && exact(version)}
              {unusable !== null && <span className="text-dim"> <Sign of="cross" className="text-bad me-1" />can't be installed</span>}
            </span>
          </label>
        ))}
      </fieldset>
      {way && <Way key={chosen} source={source} detail={detail} way={way} />}
    </>
  );
}

function Way({ source, detail, way }: { source: string; detail: RegistryServer; way: RegistryWay }) {
  const id = useId();
  const { install, unusable } = way;
  if (install === null) {
    return <p data-testid="registry-unusable" className="break-words"><Sign of="cross" className="text-bad me-1" />{exact(unusable ?? "")}<Foot /></p>;
  }
  return (
    <section aria-label="Runs" className="flex flex-col gap-2">
      <Launch id={id} server={{ launch: install.launch, commandLine: install.commandLine, container: install.container, inputs: [] }} />
      {install.notes.map((note) => (
        <p key={note} className="text-sm wrap-anywhere"><Sign of="warning" className="text-warn me-1" />{exact(note)}</p>
      ))}
      <Install source={source} detail={detail} install={install} />
    </section>
  );
}

interface InstallProps {
  readonly source: string;
  readonly detail: RegistryServer;
  readonly install: RegistryInstall;
}

function Install({ source, detail, install }: InstallProps) {
  const hall = useHall();
  const registry = useRegistryStore();
  const layers = useLayers();
  const navigation = useNavigation();
  const spoken = useSpoken();
  const { server, version, suggested } = detail;
  const members = useStore(hall.state, (state) => state.members);
  const { typed } = registry;
  const typedAs = `${source} ${server} ${version} ${install.id}`;
  const [name, setName] = useTyped<string>(typed.names, typedAs, () => suggested);
  const wrong = wrongNames(new Map([[install.id, { called: server, name }]]), members).get(install.id);
  const what = INSTALL + typedAs;
  const busy = useStore(registry.trying, (now) => now.has(what));
  const refused = useStore(registry.refused, (now) => now.get(what));
  const go = (answers: string) =>
    registry.attempt(what, async () => {
      const isLeft = () => !isShown({ layers, navigation, registry }, source, detail, install);
      try {
        const done = await hall.ask("install_registry_server", { source, server, version, way: install.id, member: name, answers });
        const left = isLeft();
        // If the user has left, the forms of other options or versions may contain typed answers, so only the input of
        // this form is dropped.
        typed.drop(left ? typedAs : `${source} ${server}`);
        arrive({ navigation, spoken }, left, `${name} was added. Review it to start.`, done);
      } catch (reason) {
        const { report } = asRefusal(reason);
        // If the user has left, the form that would show the error is closed, so the error becomes a notice of the
        // window.
        if (isLeft()) hall.tell(report);
        else registry.refuse(what, report);
      }
    });
  return (
    <AnswerForm
      key={install.id}
      asks={install.asks}
      typed={typed}
      typedAs={typedAs}
      label="Install"
      unavailable={busy ? "Installing…" : wrong}
      onAnswers={(answers) => void go(answers)}
    >
      <NameField name={name} onName={setName} wrong={wrong} />
      <p className="text-sm text-dim">You review what it runs before it starts.</p>
      {refused && <ErrorReport report={refused} testid="registry-refused" />}
    </AnswerForm>
  );
}
