import type { GatewayState } from "../../bridge/bindings";

export default function ConnectTab({ gateway }: { gateway: GatewayState }) {
  return <p className="p-4">{gateway.address}</p>;
}
