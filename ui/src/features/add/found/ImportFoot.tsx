/** The dialog's footer for imports: the number of selected servers, and the button that imports them. */
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
import { useImportSource, type ImportSource } from "./importSource";
import { IMPORTED_MAX, wrongNames, type SelectionState } from "./selection";

interface Props {
  readonly servers: readonly FoundServer[];
  readonly selection: SelectionState;
  readonly panel: RefObject<HTMLElement | null>;
}

export function ImportFoot({ servers, selection: { chosen, busy, ended }, panel }: Props) {
  const hall = useHall();
  const spoken = useSpoken();
  const layers = useLayers();
  const navigation = useNavigation();
  const source = useImportSource();
  const unavailable = busy
    ? "Importing…"
    : chosen.size === 0
      ? "Select a server"
      : chosen.size > IMPORTED_MAX
        ? `At most ${counted(IMPORTED_MAX, { one: "server", other: "servers" })} at once`
        : undefined;

  const add = () => {
    const wrong = wrongNames(chosen, hall.state.get().members).size + source.selection.markMissing(servers);
    if (wrong === 0) {
      void importSelected({ hall, layers, navigation, spoken }, source);
      return;
    }
    drawNow();
    panel.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    spoken.set(`${counted(wrong, { one: "field", other: "fields" })} to fix`);
  };
  const offered = servers.filter(({ state }) => state.kind !== "gateway").length;
  const says = busy ? `Importing ${counted(chosen.size, { one: "server", other: "servers" })}…` : `${number(chosen.size)} of ${number(offered)} selected`;
  return (
    <Foot close={ended.length > 0 ? "Close" : "Cancel"} says={<span role="status" data-testid="found-ticked">{offered > 0 && says}</span>}>
      <Button look="accent" unavailable={unavailable} onClick={add}>
        {chosen.size === 0 ? "Add members" : `Add ${counted(chosen.size, { one: "member", other: "members" })}`}
      </Button>
    </Foot>
  );
}

/** The stores that an import needs. */
interface ImportStores {
  readonly hall: Hall;
  readonly layers: Layers;
  readonly navigation: Navigation;
  readonly spoken: Spoken;
}

/**
 * Imports the selected servers. Closes the dialog and opens the first new member, unless the user needs to read an
 * outcome first.
 */
async function importSelected({ hall, layers, navigation, spoken }: ImportStores, source: ImportSource): Promise<void> {
  const { selection } = source;
  const isLeft = leaving({ layers, navigation });
  await selection.importAll();
  const { ended } = selection.state.get();
  const added = ended.flatMap(({ end }) => (end.kind === "member" ? [end] : []));
  const [first] = added;
  const left = isLeft();
  if (first) {
    const summary = added.length === 1 ? `${first.member} was added` : `${counted(added.length, { one: "member", other: "members" })} were added`;
    const secrets = added.flatMap((end) => end.secrets);
    spoken.set(summary);
    showToast({
      text: summary,
      ...(secrets.length > 0 && { detail: `Saved as secrets: ${secrets.join(", ")}` }),
      ...(left && { action: { label: "Open", onClick: () => navigation.openMember(first.member) } }),
    });
  }
  if (left) {
    for (const { end } of ended) if (end.kind === "refused") hall.tell(end.report);
  } else if (first && added.length === ended.length && added.every(({ warning }) => warning === null)) {
    source.finish();
    navigation.openMember(first.member);
    navigation.addingTab.set("paste");
    return;
  }
  await source.read();
}
