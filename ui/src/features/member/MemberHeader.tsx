/** The page header of a member: its name and state, and buttons that start, stop and restart its process. */
import type { MemberView } from "../../ipc/bindings";
import { useHall } from "../../lib/hall/hall";
import { useStore } from "../../lib/store";
import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { Icon, Sign } from "../../components/Icon";
import { PageHeader } from "../../components/PageHeader";
import { SIGNS, type SignName } from "../../components/signs";
import { Tooltip } from "../../components/Tooltip";
import { useNow } from "../../lib/useNow";
import { statusDetail, stopWord } from "../../lib/words/doing";
import { TRANSPORT_NAMES } from "../../lib/words/transport";
import { faceOf, isRunning } from "../../components/status";
import { MemberMenu } from "./edit/MemberMenu";
import { whyNot, type MemberVerb } from "./verbs";

const TONES = { ready: "ok", starting: "warn", error: "bad", backoff: "bad", "crash-loop": "bad", unreviewed: "warn", stopping: "plain", stopped: "plain", disabled: "plain" } as const;

export function MemberHeader({ view }: { view: MemberView }) {
  const hall = useHall();
  const pending = useStore(hall.pending, (all) => all);
  const { shape, word } = faceOf(view.status);
  const button = (verb: MemberVerb, label: string, icon: SignName) => (
    <Button data-testid={verb} unavailable={whyNot(verb, view, pending)} onClick={() => void hall.tend(`${verb}_member`, view.name)}>
      <Icon of={SIGNS[icon]} size={14} />
      {pending.has(`${verb}_member:${view.name}`) ? `${label}…` : label}
    </Button>
  );
  return (
    <PageHeader
      id="member-title"
      title={view.name}
      state={
        <p className="flex flex-wrap items-center gap-x-2 text-sm text-dim" data-testid="member-status" data-status={view.status}>
          <Badge tone={TONES[view.status]}>
            <Sign of={shape} />
            {word}
          </Badge>
          <RunLine view={view} />
        </p>
      }
      lead={view.description === "" ? undefined : (
        <Tooltip text={view.description}>
          <p className="line-clamp-2 break-words">{view.description}</p>
        </Tooltip>
      )}
      actions={
        <>
          {isRunning(view.status) ? button("stop", stopWord(view), "stop") : button("start", "Start", "play")}
          {button("restart", view.status === "backoff" ? "Restart now" : "Restart", "retry")}
          <MemberMenu member={view} />
        </>
      }
    />
  );
}

/** The member's status detail (such as the uptime), transport and version in one line. */
function RunLine({ view }: { view: MemberView }) {
  const now = useNow(1_000);
  const transport = view.transport === null ? "" : TRANSPORT_NAMES[view.transport];
  const state = [statusDetail(view, now), transport].filter(Boolean).join(" · ");
  return <span>{state}{view.version && <>{state && " · "}v<bdi>{view.version}</bdi></>}</span>;
}
