/** Ticks all, takes ticks away, and adopts what is ticked. */
import type { RefObject } from "react";

import { useHouse } from "../app/house";
import type { FoundServer } from "../bridge/bindings";
import { Button } from "../parts/Button";
import { drawNow } from "../parts/drawNow";
import { counted, number } from "../words/format";
import { useAdopting } from "./adopting";
import { ADOPTED_MAX, wrongNames, type AdoptionState } from "./adoption";

interface Props {
  readonly servers: readonly FoundServer[];
  /** Those that the filter leaves. */
  readonly shown: readonly FoundServer[];
  readonly adoption: AdoptionState;
  readonly page: RefObject<HTMLElement | null>;
}

export function AdoptBar({ servers, shown, adoption: { chosen, busy }, page }: Props) {
  const { hall, spoken } = useHouse();
  const adopting = useAdopting();
  const { adoption } = adopting;
  const fresh = shown.filter(({ state }) => state.kind === "new");
  if (fresh.length === 0 && chosen.size === 0 && !busy) return null;
  const all = fresh.every(({ id }) => chosen.has(id));
  const unavailable = busy
    ? "They are being adopted"
    : chosen.size === 0
      ? "Nothing is ticked"
      : chosen.size > ADOPTED_MAX
        ? `At most ${counted(ADOPTED_MAX, { one: "server", other: "servers" })} at once`
        : undefined;

  const adopt = () => {
    const wrong = wrongNames(chosen, hall.state.get().members).size + adoption.look(servers);
    if (wrong > 0) {
      drawNow();
      page.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      spoken.set(`${counted(wrong, { one: "field", other: "fields" })} to be put right first.`);
      return;
    }
    // Its members come as events; what other files say of them is asked for.
    void adoption.adopt().then(() => adopting.read());
  };
  return (
    <div role="group" aria-label="What is ticked" className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line bg-bg px-4 py-2">
      <span role="status" data-testid="found-ticked" className="min-w-0 flex-1 basis-32">
        {busy ? `Adopting ${counted(chosen.size, { one: "server", other: "servers" })}…` : chosen.size === 0 ? "Nothing is ticked." : `${counted(chosen.size, { one: "server", other: "servers" })} ticked.`}
      </span>
      {chosen.size > 0 && (
        <Button unavailable={busy ? "They are being adopted" : undefined} onClick={() => adoption.untick([...chosen.keys()])}>Untick all</Button>
      )}
      <Button
        unavailable={busy ? "They are being adopted" : all ? "All are ticked" : undefined}
        onClick={() => adoption.tick(fresh)}
      >
        {shown.length < servers.length ? `Tick all that are shown (${number(fresh.length)})` : `Tick all (${number(fresh.length)})`}
      </Button>
      <Button look="accent" unavailable={unavailable} onClick={adopt}>
        {chosen.size === 0 ? "Adopt what is ticked" : `Adopt ${counted(chosen.size, { one: "server", other: "servers" })}`}
      </Button>
    </div>
  );
}
