/** How the gateway is: its address, its port, its mode, and the clients that may come in. */
import { useId, useState, type SubmitEvent } from "react";

import { useHouse } from "../app/house";
import type { GatewayState, Listing } from "../bridge/bindings";
import { Button } from "../parts/Button";
import { CopyButton } from "../parts/CopyButton";
import { Sign } from "../parts/Icon";
import { Reported } from "../parts/Reported";
import { Trouble } from "../parts/Trouble";
import { useDeed } from "../parts/useDeed";
import { Clients } from "./Clients";
import { MeaningSection } from "./MeaningSection";
import { ALL_MEMBERS } from "./agents";
import { addressOf, LISTINGS, listingWords } from "./faces";

const BEING_CHANGED = "The gateway is being changed";

const PORT_MAX = 65_535;

export function GatewayTab({ gateway }: { gateway: GatewayState }) {
  const { agents } = useHouse();
  const deed = useDeed();
  const address = addressOf(gateway, ALL_MEMBERS);
  return (
    <div className="flex max-w-4xl flex-col gap-4 p-4">
      {gateway.error && <Trouble report={gateway.error} />}
      {deed.problem && <Trouble report={deed.problem} />}
      {gateway.warnings.length > 0 && (
        <ul aria-label="Warnings about the settings" className="max-h-40 overflow-y-auto rounded-md border border-warn bg-warn-fill px-3 py-2 select-text">
          {gateway.warnings.map((report, index) => (
            <li key={index} className="break-words">
              <Sign of="warning" className="text-warn me-1" />
              <Reported report={report} />
            </li>
          ))}
        </ul>
      )}
      <section aria-labelledby="gateway-address" className="flex flex-col gap-2">
        <h2 id="gateway-address" className="font-semibold">One address for every agent</h2>
        <div className="flex flex-wrap items-center gap-2">
          <code className="rounded-sm border border-line bg-surface px-2 font-mono break-all select-text" data-testid="gateway-address">
            {address}
          </code>
          <CopyButton what="the address" text={() => address} />
          {gateway.address === null && <span data-testid="gateway-not-listening" className="text-dim">nothing listens there now</span>}
        </div>
        <p className="text-dim">
          {gateway.tokensRequired
            ? "A client has to show its token, as Authorization: Bearer. Only programs of this machine reach the address."
            : <><Sign of="warning" className="me-1 text-warn" />No token is required: every program on this computer may call the tools.</>}
        </p>
        <div>
          <Button
            role="switch"
            aria-checked={gateway.enabled}
            unavailable={deed.busy ? BEING_CHANGED : undefined}
            onClick={() => void deed.go(() => agents.change("change_gateway", { enabled: !gateway.enabled, port: null, listing: null }))}
          >
            <Sign of={gateway.enabled ? "dot" : "ring"} className="me-1" />{gateway.enabled ? "Gateway on" : "Gateway off"}
          </Button>
        </div>
      </section>
      <Port key={gateway.port} gateway={gateway} />
      <Mode
        value={gateway.listing}
        onValue={(listing) => void deed.go(() => agents.change("change_gateway", { enabled: null, port: null, listing }))}
      />
      <MeaningSection gateway={gateway} />
      <Clients gateway={gateway} />
    </div>
  );
}

/** The port. A new one is tried when it is asked for: a port that is taken is said, never replaced. */
function Port({ gateway }: { gateway: GatewayState }) {
  const { agents, spoken } = useHouse();
  const id = useId();
  const [text, setText] = useState(String(gateway.port));
  const deed = useDeed();
  const port = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  const wrong = port < 1 || port > PORT_MAX ? `A port is a number from 1 to ${PORT_MAX}.` : null;
  const same = port === gateway.port;
  const change = (event: SubmitEvent) => {
    event.preventDefault();
    if (wrong !== null || same) return;
    void deed
      .go(() => agents.change("change_gateway", { enabled: null, port, listing: null }))
      .then((done) => done && spoken.set(`The gateway's port is ${port}.`));
  };
  return (
    <form className="flex flex-col gap-1" onSubmit={change}>
      <label htmlFor={id} className="font-semibold">Port</label>
      <div className="flex flex-wrap items-center gap-2">
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          aria-invalid={wrong !== null}
          aria-describedby={`${id}-says`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="h-6 w-24 rounded-sm border border-line-strong bg-bg px-2 tabular-nums aria-invalid:border-bad"
        />
        <Button type="submit" unavailable={deed.busy ? BEING_CHANGED : (wrong ?? (same ? "It is this port already" : undefined))}>
          Change the port
        </Button>
      </div>
      <p id={`${id}-says`} className="text-sm text-dim">
        {wrong === null ? "Clients that know the old address have to be told the new one." : <span className="text-bad"><Sign of="cross" className="me-1" />{wrong}</span>}
      </p>
      {deed.problem && <Trouble report={deed.problem} />}
    </form>
  );
}

/** How tools are listed for a client that asks for nothing else. */
function Mode({ value, onValue }: { value: Listing; onValue: (listing: Listing) => void }) {
  const name = useId();
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-semibold">How tools are listed</legend>
      {LISTINGS.map((listing) => (
        <label key={listing} className="flex items-baseline gap-2">
          <input type="radio" name={name} value={listing} checked={listing === value} onChange={() => onValue(listing)} />
          <span>
            {listing} <span className="text-dim">{listingWords(listing)}</span>
          </span>
        </label>
      ))}
      <p className="text-sm text-dim">A profile, an address with ?mode=, or the request itself may ask for another.</p>
    </fieldset>
  );
}
