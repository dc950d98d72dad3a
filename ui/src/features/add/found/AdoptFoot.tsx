/** The footer of the dialog for selected servers: their number, and the button that adds them. */
import type { RefObject } from "react";

import { useHall, type Hall } from "../../../lib/hall/hall";
import { useLayers, type Layers } from "../../../lib/layers";
import { useNavigation, type Navigation } from "../../../lib/navigation/navigation";
import { useSpoken, type Spoken } from "../../../lib/spoken";
import { leaving } from "../arrive";
import { Foot } from "../frame";
import type { FoundServer } from "../../../ipc/bindings";
import { Button } from "../../../components/Button";
import { drawNow } from "../../../lib/drawNow";
import { showToast } from "../../../lib/toasts";
import { counted, number } from "../../../lib/format";
import { useAdopting, type Adopting } from "./adopting";
import { ADOPTED_MAX, wrongNames, type AdoptionState } from "./adoption";

interface Props {
  readonly servers: readonly FoundServer[];
  readonly adoption: AdoptionState;
  readonly panel: RefObject<HTMLElement | null>;
}

export function AdoptFoot({ servers, adoption: { chosen, busy }, panel }: Props) {
  const hall = useHall();
  const spoken = useSpoken();
  const layers = useLayers();
  const navigation = useNavigation();
  const adopting = useAdopting();
  const unavailable = busy
    ? "Importing…"
    : chosen.size === 0
      ? "Select a server"
      : chosen.size > ADOPTED_MAX
        ? `At most ${counted(ADOPTED_MAX, { one: "server", other: "servers" })} at once`
        : undefined;

  const add = () => {
    const wrong = wrongNames(chosen, hall.state.get().members).size + adopting.adoption.look(servers);
    if (wrong === 0) {
      void adopt({ hall, layers, navigation, spoken }, adopting);
      return;
    }
    drawNow();
    panel.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    spoken.set(`${counted(wrong, { one: "field", other: "fields" })} to fix`);
  };
  const offered = servers.filter(({ state }) => state.kind !== "gateway").length;
  const says = busy ? `Importing ${counted(chosen.size, { one: "server", other: "servers" })}…` : `${number(chosen.size)} of ${number(offered)} selected`;
  return (
    <Foot says={<span role="status" data-testid="found-ticked">{offered > 0 && says}</span>}>
      <Button look="accent" unavailable={unavailable} onClick={add}>
        {chosen.size === 0 ? "Add members" : `Add ${counted(chosen.size, { one: "member", other: "members" })}`}
      </Button>
    </Foot>
  );
}

/** The stores that an import uses. */
interface AdoptStores {
  readonly hall: Hall;
  readonly layers: Layers;
  readonly navigation: Navigation;
  readonly spoken: Spoken;
}

/** Imports the selection. Closes the dialog and opens the first member, unless an outcome needs to be read. */
async function adopt({ hall, layers, navigation, spoken }: AdoptStores, adopting: Adopting): Promise<void> {
  const { adoption } = adopting;
  const isLeft = leaving({ layers, navigation });
  await adoption.adopt();
  const { ended } = adoption.state.get();
  const added = ended.flatMap(({ end }) => (end.kind === "member" ? [end] : []));
  const [first] = added;
  const left = isLeft();
  if (first) {
    const said = added.length === 1 ? `${first.member} was added` : `${counted(added.length, { one: "member", other: "members" })} were added`;
    const secrets = added.flatMap((end) => end.secrets);
    spoken.set(said);
    showToast({
      text: said,
      ...(secrets.length > 0 && { detail: `Saved as secrets: ${secrets.join(", ")}` }),
      ...(left && { action: { label: "Open", onClick: () => navigation.openMember(first.member) } }),
    });
  }
  if (left) {
    for (const { end } of ended) if (end.kind === "refused") hall.tell(end.report);
  } else if (first && added.length === ended.length && added.every(({ warning }) => warning === null)) {
    adopting.finish();
    navigation.openMember(first.member);
    return;
  }
  await adopting.read();
}
