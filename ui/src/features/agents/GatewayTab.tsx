/** The Overview tab: pending approvals, the gateway's URL, port, tool list and clients, and search by meaning. */
import { useId, useState, type SubmitEvent } from "react";

import type { GatewayState, Listing } from "../../ipc/bindings";
import { useNavigation } from "../../lib/navigation/navigation";
import { useSpoken } from "../../lib/spoken";
import { useStore } from "../../lib/store";
import { Band } from "../../components/Badge";
import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { Sign } from "../../components/Icon";
import { Reported } from "../../components/Reported";
import { Segmented } from "../../components/Segmented";
import { ErrorReport } from "../../components/ErrorReport";
import { useOperation } from "../../lib/useOperation";
import { number } from "../../lib/format";
import { callWord, leadToApproval } from "./approvals/lead";
import { Clients } from "./Clients";
import { MeaningSection } from "./MeaningSection";
import { ALL_MEMBERS, useAgents } from "./agents";
import { addressOf, LISTING_NAMES, LISTINGS, LISTING_WORDS } from "./faces";
import { useAgentView } from "./useAgentView";

const BEING_CHANGED = "Saving…";

const PORT_MAX = 65_535;

export function GatewayTab({ gateway }: { gateway: GatewayState }) {
  const agents = useAgents();
  const navigation = useNavigation();
  const operation = useOperation();
  const pending = useStore(agents.approvals.open, (open) => open);
  const address = addressOf(gateway, ALL_MEMBERS);
  return (
    <div className="flex max-w-4xl flex-col gap-6 p-5">
      {operation.problem && <ErrorReport report={operation.problem} />}
      {gateway.warnings.length > 0 && (
        <ul aria-label="Warnings about the settings" className="max-h-40 overflow-y-auto rounded-md bg-warn-fill px-3 py-2 select-text">
          {gateway.warnings.map((report, index) => (
            <li key={index} className="break-words">
              <Sign of="warning" className="text-warn me-1" />
              <Reported report={report} />
            </li>
          ))}
        </ul>
      )}
      {pending.size > 0 && (
        <section aria-label="Approvals" className="flex flex-col gap-2">
          {[...pending.values()].map((approval) => (
            <Band key={approval.id} tone="warn" icon="warning" actions={<Button onClick={() => leadToApproval({ agents, navigation }, approval.id)}>Review</Button>}>
              {callWord(approval)}
            </Band>
          ))}
        </section>
      )}
      <section aria-labelledby="gateway-address" className="flex flex-col gap-3 rounded-md border border-line bg-raised p-4">
        <h2 id="gateway-address" className="font-semibold">URL for all your tools</h2>
        <div className="flex flex-wrap items-center gap-2">
          <code className="min-w-0 rounded-sm border border-line bg-sidebar px-2 py-0.5 font-mono break-all select-text" data-testid="gateway-address">
            {address}
          </code>
          <CopyButton what="the address" text={() => address} />
          {gateway.address === null && <span data-testid="gateway-not-listening" className="text-dim">Gateway is off</span>}
        </div>
        <p className="text-dim">
          {gateway.tokensRequired
            ? "Clients send their token as a Bearer header. Only apps on this computer can connect."
            : <><Sign of="warning" className="me-1 text-warn" />No token needed: any app on this computer can call your tools.</>}
        </p>
        <Port key={gateway.port} gateway={gateway} />
      </section>
      <ToolList
        value={gateway.listing}
        onValue={(listing) => void operation.go(() => agents.change("change_gateway", { enabled: null, port: null, listing }))}
      />
      <Clients gateway={gateway} />
      <MeaningSection gateway={gateway} />
    </div>
  );
}

/** The form for the gateway's port. The gateway reports a port that is in use and never switches to another port. */
function Port({ gateway }: { gateway: GatewayState }) {
  const agents = useAgents();
  const spoken = useSpoken();
  const id = useId();
  const [text, setText] = useState(String(gateway.port));
  const operation = useOperation();
  const port = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  const wrong = port < 1 || port > PORT_MAX ? `Enter a number from 1 to ${PORT_MAX}` : null;
  const same = port === gateway.port;
  const change = (event: SubmitEvent) => {
    event.preventDefault();
    if (wrong !== null || same) return;
    void operation
      .go(() => agents.change("change_gateway", { enabled: null, port, listing: null }))
      .then((done) => done && spoken.set(`The gateway uses port ${port}`));
  };
  return (
    <form className="flex flex-col gap-1" onSubmit={change}>
      <label htmlFor={id} className="font-medium">Port</label>
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
          className="h-7 w-24 rounded-sm border border-control bg-bg px-2 tabular-nums aria-invalid:border-bad"
        />
        <Button type="submit" unavailable={operation.busy ? BEING_CHANGED : (wrong ?? (same ? "Already the port" : undefined))}>
          Change port
        </Button>
      </div>
      <p id={`${id}-says`} className="text-sm text-dim">
        {wrong === null ? "Existing clients must be updated when you change the port." : <span className="text-bad"><Sign of="cross" className="me-1" />{wrong}</span>}
      </p>
      {operation.problem && <ErrorReport report={operation.problem} />}
    </form>
  );
}

/** A control for the default listing mode, which applies to clients that do not request another mode. */
function ToolList({ value, onValue }: { value: Listing; onValue: (listing: Listing) => void }) {
  const { view } = useAgentView(ALL_MEMBERS, null);
  const tokens = view?.tokens;
  return (
    <section className="flex flex-col gap-2">
      <h2 id="tool-list" className="font-semibold">Tool list</h2>
      <Segmented
        aria-labelledby="tool-list"
        className="self-start"
        value={value}
        options={LISTINGS.map((listing) => ({
          value: listing,
          label: <>{LISTING_NAMES[listing]}{listing === "lazy" && " (recommended)"}{tokens && <span className="ms-1 font-normal text-faint">{number(tokens[listing])} tokens</span>}</>,
        }))}
        onValue={onValue}
      />
      <p className="text-dim">{LISTING_WORDS[value]}. Profiles, <code className="font-mono text-sm">?mode=</code> and single requests can override this.</p>
    </section>
  );
}
