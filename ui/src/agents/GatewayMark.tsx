/** How the gateway does, in the status bar; leads to the page about agents. */
import { useHouse } from "../app/house";
import { useStore } from "../hall/store";
import { KeyMark } from "../parts/KeyMark";
import { gatewayFace } from "./faces";

export function GatewayMark() {
  const house = useHouse();
  const gateway = useStore(house.agents.gateway, (now) => now);
  const face = gateway && gatewayFace(gateway);
  const said = gateway?.error ? gateway.error.message : gateway?.address;
  return (
    <button type="button" title={said ?? undefined} className="rounded-sm px-1 hover:bg-hover hover:text-text" onClick={() => house.openAgents()}>
      Agents{" "}
      {gateway && face && (
        <span data-testid="gateway-mark">
          <span aria-hidden className={face.colour}>{face.shape}</span>{" "}
          {gateway.address === null ? (
            gateway.enabled ? `${face.word} on :${gateway.port}` : face.word
          ) : (
            <>
              <span className="max-narrow:hidden">{gateway.address.replace(/^http:\/\/|:\d+\/mcp$/g, "")}</span>:{gateway.port}
            </>
          )}{" "}
        </span>
      )}
      <KeyMark of="agents" className="text-faint max-narrow:hidden" />
    </button>
  );
}
