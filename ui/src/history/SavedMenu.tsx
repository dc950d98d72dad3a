/** In a tool's head: its saved calls as a menu, and the field that gives the present arguments a name. */
import { DropdownMenu, Popover } from "radix-ui";
import { useEffect, useState } from "react";

import { useHouse } from "../app/house";
import { useKeysOf } from "../app/useKeysOf";
import type { ToolDetail } from "../bridge/bindings";
import { firstDraft } from "../form/ToolForm";
import { toJsonText } from "../form/model/json";
import { placeName } from "../form/model/pointer";
import { useStore } from "../hall/store";
import { sheetKey } from "../hall/workbench";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { PopoverPane } from "../parts/PopoverPane";
import { keyed, number } from "../words/format";
import { NameForm } from "./NameForm";
import { openSaved } from "./runAgain";
import { useSaved } from "./useSaved";

/** So many are in the menu; the dock has all of them. */
const MENU_MAX = 20;
const ITEM = "rounded-sm px-2 py-1 outline-none data-[highlighted]:bg-selected data-[disabled]:text-dim";

export function SavedMenu({ detail }: { detail: ToolDetail }) {
  const house = useHouse();
  const keys = useKeysOf("save-call");
  const { history, bench, dock, spoken } = house;
  const { member, name: tool } = detail.summary;
  const naming = useStore(history.naming, (ref) => ref?.member === member && ref.tool === tool);
  const [open, setOpen] = useState(false);
  const saved = useSaved(member, tool);
  // Another tool's name is not asked for because this one's was.
  useEffect(() => () => history.naming.set(null), [history, member, tool]);

  const save = async (name: string, existing: "keep" | "replace") => {
    const written = toJsonText(bench.sheet(sheetKey(member, tool)).draft ?? firstDraft(detail));
    if ("errors" in written) {
      const first = written.errors[0];
      return first ? `The arguments can't be saved yet. ${placeName(first.pointer)}: ${first.message}` : "The arguments can't be saved yet: they are no JSON.";
    }
    await history.saved.save(member, tool, name, written.ok, existing);
    return null;
  };
  const calls = saved?.calls ?? [];
  return (
    <Popover.Root open={naming} onOpenChange={(is) => history.naming.set(is ? { member, tool } : null)}>
      <Popover.Anchor asChild>
        <span className="inline-flex">
          <Button className="rounded-e-none" title={keyed("Keep these arguments under a name", keys)} onClick={() => history.naming.set({ member, tool })}>
            Save
          </Button>
          <DropdownMenu.Root open={open} onOpenChange={setOpen}>
            <DropdownMenu.Trigger asChild>
              <Button aria-label={`Saved calls of ${tool}`} className="-ms-px rounded-s-none px-1">
                {calls.length > 0 && <span>{calls.length}</span>}
                <Sign of="chevronDown" className="me-1" />
              </Button>
            </DropdownMenu.Trigger>
            <DropdownMenu.Portal>
              <DropdownMenu.Content
                align="end"
                className="z-30 max-h-[70vh] w-max max-w-[min(420px,calc(100vw-24px))] min-w-48 overflow-y-auto rounded-md border border-line-strong bg-raised p-1 shadow-(--shadow)"
              >
                {calls.length === 0 && (
                  <DropdownMenu.Item disabled className={ITEM}>
                    {saved?.trouble ? saved.trouble.message : "No call of this tool was saved yet."}
                  </DropdownMenu.Item>
                )}
                {calls.slice(0, MENU_MAX).map((call) => (
                  <DropdownMenu.Item key={call.id} className={`${ITEM} truncate`} onSelect={() => openSaved(house, call)}>
                    <bdi>{call.name}</bdi>
                  </DropdownMenu.Item>
                ))}
                <DropdownMenu.Separator className="my-1 h-px bg-line" />
                <DropdownMenu.Item className={ITEM} onSelect={() => dock.open("saved")}>
                  {calls.length > MENU_MAX ? `All ${number(calls.length)} in the dock…` : "Rename or remove in the dock…"}
                </DropdownMenu.Item>
              </DropdownMenu.Content>
            </DropdownMenu.Portal>
          </DropdownMenu.Root>
        </span>
      </Popover.Anchor>
      <PopoverPane stays align="end" aria-label="Save this call" className="w-[min(440px,calc(100vw-24px))] p-3">
        <NameForm
          label="Name"
          verb="Save"
          taken={calls.map(({ name }) => name)}
          onName={save}
          onDone={() => {
            history.naming.set(null);
            spoken.set("The call was saved.");
          }}
          onLeave={() => history.naming.set(null)}
        />
      </PopoverPane>
    </Popover.Root>
  );
}
