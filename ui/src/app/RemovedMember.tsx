import type { MemberName } from "../ipc/bindings";
import { Button } from "../components/Button";
import { Sign } from "../components/Icon";
import { useNavigation } from "../lib/navigation/navigation";

/** The page for a member that does not exist, because it was removed or because a link contains an unknown name. */
export function RemovedMember({ member }: { member: MemberName }) {
  const navigation = useNavigation();
  return (
    <div className="p-6">
      <h1 className="text-lg font-semibold break-words">
        <Sign of="ring" className="text-faint me-1" />
        {member}
      </h1>
      <p data-testid="member-gone" className="mt-1 break-words text-dim">
        {member} is not in the members folder.
      </p>
      <Button className="mt-3" onClick={() => navigation.openHome()}>
        Home
      </Button>
    </div>
  );
}
