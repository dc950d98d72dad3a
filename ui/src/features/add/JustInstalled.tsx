/** Warnings about a member that was just installed, shown above the review of that member. */
import type { MemberName } from "../../ipc/bindings";
import { useNavigation } from "../../lib/navigation/navigation";
import { Contained } from "./found/Launch";
import { useStore } from "../../lib/store";
import { Sign } from "../../components/Icon";
import { Reported } from "../../components/Reported";

export function JustInstalled({ member }: { member: MemberName }) {
  const navigation = useNavigation();
  const installed = useStore(navigation.installed, (now) => now);
  if (installed?.member !== member) return null;
  const { warning, staysCommand } = installed;
  if (warning === null && staysCommand.length === 0) return null;
  return (
    <div role="note" data-testid="just-installed" className="flex flex-col gap-2 rounded-md border border-warn bg-warn-fill px-3 py-2 break-words select-text">
      {staysCommand.length > 0 && <Contained container={{ kind: "command", reasons: staysCommand }} keepCommand={false} />}
      {warning && (
        <p data-code={warning.code}>
          <Sign of="warning" className="text-warn me-1" />
          <Reported report={warning} />
        </p>
      )}
    </div>
  );
}
