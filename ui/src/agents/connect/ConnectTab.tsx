/** The programs that agents run in: what each has to be told, and Guild Hall writing it for them. */
import { useCallback, useEffect, useState } from "react";

import { useHouse } from "../../app/house";
import type { ClientConfig, Endpoint, GatewayState, Report } from "../../bridge/bindings";
import { asRefusal } from "../../bridge/bridge";
import { Sign } from "../../parts/Icon";
import { Reading } from "../../parts/Reading";
import { Trouble } from "../../parts/Trouble";
import { EndpointPicker, useEndpoint } from "../EndpointPicker";
import { pathOf } from "../faces";
import { Program } from "./Program";

interface Answer {
  readonly of: string;
  readonly programs: readonly ClientConfig[] | null;
  readonly error: Report | null;
}

/** The programs and their files. They are read anew when the gateway changes, and when one comes back to the window. */
function usePrograms(endpoint: Endpoint, gateway: GatewayState) {
  const { hall } = useHouse();
  const of = pathOf(endpoint);
  const [answer, setAnswer] = useState<Answer>({ of: "", programs: null, error: null });
  const [turn, setTurn] = useState(0);
  const renew = useCallback(() => setTurn((held) => held + 1), []);
  useEffect(() => {
    let wanted = true;
    hall.ask("client_configs", { endpoint }).then(
      ({ clients }) => wanted && setAnswer({ of, programs: clients, error: null }),
      (reason: unknown) => wanted && setAnswer({ of, programs: null, error: asRefusal(reason).report }),
    );
    return () => {
      wanted = false;
    };
  }, [hall, endpoint, of, gateway.address, gateway.port, turn]);
  useEffect(() => {
    window.addEventListener("focus", renew);
    return () => window.removeEventListener("focus", renew);
  }, [renew]);
  return { ...answer, renew };
}

export default function ConnectTab({ gateway }: { gateway: GatewayState }) {
  const endpoint = useEndpoint(gateway);
  const { programs, error, renew } = usePrograms(endpoint, gateway);
  return (
    <div className="flex flex-col">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2">
        <EndpointPicker gateway={gateway} />
      </div>
      <div className="flex max-w-5xl flex-col gap-3 p-4">
        <p className="text-dim">
          Each program gets a token of its own when Guild Hall writes its file. Only the entry of the gateway is changed; the rest of the file stays as it is.
        </p>
        {gateway.address === null && (
          <p className="rounded-sm bg-warn-fill px-2 py-1">
            <Sign of="warning" className="text-warn me-1" />
            The gateway does not listen now: a program that is connected reaches nothing until it does.
          </p>
        )}
        {error && <Trouble report={error} />}
        {!programs && !error && <Reading what="the programs' files" className="" />}
        {programs?.length === 0 && <p className="text-dim">No program is known whose configuration could name the gateway.</p>}
        {programs && (
          <ul aria-label="Programs" className="flex flex-col gap-2">
            {programs.map((program) => (
              <Program key={program.client} program={program} endpoint={endpoint} onChanged={renew} />
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
