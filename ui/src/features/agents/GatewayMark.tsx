/** A button in the status bar that shows the gateway's state and opens the Agents page. */
import { useNavigation } from "../../lib/navigation/navigation";
import { useStore } from "../../lib/store";
import { Sign } from "../../components/Icon";
import { Tooltip } from "../../components/Tooltip";
import { useAgents } from "./agents";
import { gatewayFace } from "./faces";

export function GatewayMark() {
  const agents = useAgents();
  const navigation = useNavigation();
  const gateway = useStore(agents.gateway, (now) => now);
  const face = gateway && gatewayFace(gateway);
  const state = gateway?.error ? gateway.error.message : gateway?.address;
  return (
    <Tooltip text={state ?? undefined} side="top">
      <button
        type="button"
        // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- aria-description is part of ARIA 1.3, and all three browser engines support it
        aria-description={state ?? undefined}
        className="rounded-sm px-1 hover:bg-hover hover:text-text"
        onClick={() => navigation.openAgents()}
      >
        {face && <Sign of={face.shape} className={`me-1 ${face.colour}`} />}
        {"Gateway "}
        {gateway && face && (
          <span data-testid="gateway-mark">
            {gateway.address === null && face.word}
            {gateway.address === null && gateway.enabled && " on "}
            {gateway.enabled && `:${gateway.port}`}
          </span>
        )}
      </button>
    </Tooltip>
  );
}
