/**
 * The full command or URL of a server, with its environment variables or headers. Long text wraps and is never
 * truncated.
 */
import type { FoundContainer, FoundServer, FoundValue } from "../../../ipc/bindings";
import { Sign } from "../../../components/Icon";
import { exact } from "../../../lib/exact";
import { number, plural } from "../../../lib/format";

const CODE = "block rounded-sm bg-sidebar px-2 py-0.5 font-mono text-sm whitespace-pre-wrap wrap-anywhere select-text";

type Launched = Pick<FoundServer, "launch" | "commandLine" | "inputs"> & Partial<Pick<FoundServer, "container">>;

interface Props {
  readonly id: string;
  readonly server: Launched;
  /** Whether a command that runs a container is imported unchanged instead of as a container. */
  readonly keepCommand?: boolean;
}

export function Launch({ id, server: { launch, commandLine, container, inputs }, keepCommand = false }: Props) {
  if (launch === null) return null;
  const needed = inputs.filter(({ required, default: usual }) => required && usual === null).length;
  return (
    <div id={id} className="flex flex-col gap-0.5" data-testid="found-launch">
      <span className="sr-only">{launch.kind === "url" ? "Address:" : "Runs:"} </span>
      <code className={CODE}>{exact(commandLine)}</code>
      {launch.kind === "url" ? <Values what="Headers" sign=": " values={launch.headers} /> : <Values what="Environment" sign="=" values={launch.env} />}
      {launch.kind === "command" && launch.cwd !== null && (
        <p data-testid="launch-folder" className="text-sm wrap-anywhere text-dim">
          in the folder <code className="font-mono">{exact(launch.cwd)}</code>
        </p>
      )}
      {container && <Contained container={container} keepCommand={keepCommand} />}
      {needed > 0 && (
        <p data-testid="launch-needs" className="text-sm"><Sign of="ring" className="text-accent me-1" />{plural(needed, { one: "Needs 1 value from you", other: `Needs ${number(needed)} values from you` })}</p>
      )}
    </div>
  );
}

/** The container that replaces the command, or the reasons why the command is imported unchanged. */
export function Contained({ container, keepCommand }: { container: FoundContainer; keepCommand: boolean }) {
  if (container.kind !== "container") {
    const { kind } = container;
    return (
      <div className="text-sm" data-testid={kind === "open" ? "found-open" : "found-stays"}>
        <p><Sign of="warning" className="text-warn me-1" />{kind === "open" ? "It becomes the member's container if your answers allow it, otherwise a command:" : "It stays a command. Its container may keep running after the command ends:"}</p>
        <ul aria-label={kind === "open" ? "Depends on your answers" : "Reasons"} className="list-disc ps-5">
          {container.reasons.map((reason) => <li key={reason} className="wrap-anywhere">{exact(reason)}</li>)}
        </ul>
      </div>
    );
  }
  if (keepCommand) return <p className="text-sm" data-testid="found-kept"><Sign of="warning" className="text-warn me-1" />The command stays unchanged. Its container may keep running after the command ends.</p>;
  const { parts, env, keptOutside } = container;
  return (
    <div className="flex flex-col gap-0.5" data-testid="found-container">
      <p className="text-sm"><Sign of="package" className="me-1 text-accent" />As a member it runs in this container, which is removed when it stops:</p>
      <Values what="Container" sign=": " values={parts} />
      <Values what="Environment in the container" sign="=" values={env} />
      {keptOutside.length > 0 && <p data-testid="launch-kept-outside" className="text-sm wrap-anywhere text-dim">Not passed to the container: {keptOutside.map(exact).join(", ")}. The entry sets this only for the container engine.</p>}
    </div>
  );
}

function Values({ what, sign, values }: { what: string; sign: string; values: readonly FoundValue[] }) {
  if (values.length === 0) return null;
  return (
    <ul aria-label={what}>
      {values.map(({ name, value, secret }) => (
        <li key={name} className={CODE}>
          {exact(name)}
          {sign}
          {exact(value)}
          {secret && <span className="font-sans text-dim"> secret</span>}
        </li>
      ))}
    </ul>
  );
}
