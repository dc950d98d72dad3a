/** Help with an error: the system check, or a field for a missing secret. */
import { useEffect } from "react";

import { useHouse } from "../app/house";
import type { Code, MemberName, Report } from "../bridge/bindings";
import { useStore } from "../hall/store";
import { Button } from "../parts/Button";

/** Errors with a cause in this computer rather than in the member. */
const OF_MACHINE: ReadonlySet<Code> = new Set<Code>([
  "command-not-found",
  "command-not-executable",
  "spawn-failed",
  "ports-exhausted",
  "port-lost",
  "port-held",
  "gateway-port-taken",
  "data-unwritable",
  "variable-missing",
]);
const OF_SECRETS: ReadonlySet<Code> = new Set<Code>(["secret-missing", "keychain-unanswered", "secrets-unsafe"]);

export function Aids({ report, member }: { report: Report; member: MemberName }) {
  const house = useHouse();
  if (OF_SECRETS.has(report.code)) return <SecretAids member={member} />;
  if (!OF_MACHINE.has(report.code)) return null;
  const examine = () => {
    house.openDoctor();
    // Earlier findings may be outdated by the change.
    void house.doctor.examine();
  };
  return (
    <div className="mt-1">
      <Button onClick={examine}>Run system check</Button>
    </div>
  );
}

/** One button for each secret that the member uses and that has no value. */
function SecretAids({ member }: { member: MemberName }) {
  const house = useHouse();
  const { secrets } = house;
  const known = useStore(secrets.known, (now) => now);
  useEffect(() => void secrets.read(), [secrets]);
  const missing = known?.secrets.filter(({ kept, members }) => kept === null && members.includes(member)) ?? [];
  return (
    <div className="mt-1 flex flex-wrap gap-2">
      {missing.map(({ name }) => (
        <Button key={name} look="accent" onClick={() => house.openSecrets({ name, member })}>Set {name}…</Button>
      ))}
      <Button onClick={() => house.openSecrets()}>Open Secrets</Button>
    </div>
  );
}
