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
    ? "Importing…"
    : chosen.size === 0
      ? "Nothing selected"
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
    // New members arrive as events; the found servers have to be read again.
    void adoption.adopt().then(() => adopting.read());
  };
  return (
    <div role="group" aria-label="Selected servers" className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line bg-bg px-4 py-2">
      <span role="status" data-testid="found-ticked" className="min-w-0 flex-1 basis-32">
        {busy ? `Importing ${counted(chosen.size, { one: "server", other: "servers" })}…` : chosen.size === 0 ? "Nothing selected" : `${counted(chosen.size, { one: "server", other: "servers" })} selected`}
      </span>
      {chosen.size > 0 && (
        <Button unavailable={busy ? "Importing…" : undefined} onClick={() => adoption.untick([...chosen.keys()])}>Clear selection</Button>
      )}
      <Button
        unavailable={busy ? "Importing…" : all ? "All are selected" : undefined}
        onClick={() => adoption.tick(fresh)}
      >
        {shown.length < servers.length ? `Select all shown (${number(fresh.length)})` : `Select all (${number(fresh.length)})`}
      </Button>
      <Button look="accent" unavailable={unavailable} onClick={adopt}>
        {chosen.size === 0 ? "Import" : `Import ${counted(chosen.size, { one: "server", other: "servers" })}`}
      </Button>
    </div>
  );
}
