/** A menu with the saved calls of a tool, and a popover that saves the form's current arguments under a name. */
import { Popover } from "radix-ui";
import { useEffect } from "react";

import { useKeysOf } from "../../lib/keys/useKeysOf";
import type { ToolDetail } from "../../ipc/bindings";
import { useNavigation } from "../../lib/navigation/navigation";
import { firstDraft } from "../form/ToolForm";
import { toJsonText } from "../form/model/json";
import { placeName } from "../form/model/pointer";
import { useStore } from "../../lib/store";
import { sheetKey, useWorkbench } from "../tool/workbench";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { Menu } from "../../components/Menu";
import { PopoverPane } from "../../components/PopoverPane";
import { showToast } from "../../lib/toasts";
import { keyed, number } from "../../lib/format";
import { NameForm } from "./NameForm";
import { useCallHistory } from "./callHistory";
import { openSaved } from "./runAgain";
import { useSaved } from "./useSaved";

/** Maximum number of saved calls in the menu. The History page lists all. */
const MENU_MAX = 20;

export function SavedMenu({ detail }: { detail: ToolDetail }) {
  const history = useCallHistory();
  const bench = useWorkbench();
  const navigation = useNavigation();
  const keys = useKeysOf("save-call");
  const { member, name: tool } = detail.summary;
  const naming = useStore(history.naming, (ref) => ref?.member === member && ref.tool === tool);
  const saved = useSaved(member, tool);
  // Close the popover when the user leaves the tool's page.
  useEffect(() => () => history.naming.set(null), [history, member, tool]);

  const save = async (name: string, existing: "keep" | "replace") => {
    const written = toJsonText(bench.sheet(sheetKey(member, tool)).draft ?? firstDraft(detail));
    if ("errors" in written) {
      const first = written.errors[0];
      return first ? `The arguments can't be saved yet. ${placeName(first.pointer)}: ${first.message}` : "The arguments aren't valid JSON yet.";
    }
    await history.saved.save(member, tool, name, written.ok, existing);
    return null;
  };
  const calls = saved?.calls ?? [];
  return (
    <Popover.Root open={naming} onOpenChange={(is) => history.naming.set(is ? { member, tool } : null)}>
      <Popover.Anchor asChild>
        <span className="inline-flex">
          <Button className={calls.length > 0 ? "rounded-e-none" : ""} title={keyed("Save these arguments under a name", keys)} onClick={() => history.naming.set({ member, tool })}>
            <Sign of="bookmark" />
            Save
          </Button>
          {calls.length > 0 && (
            <Menu
              items={[
                ...calls.slice(0, MENU_MAX).map((call) => ({ label: <bdi>{call.name}</bdi>, onSelect: () => openSaved({ bench, navigation }, call) })),
                "line",
                { label: calls.length > MENU_MAX ? `All ${number(calls.length)} saved calls…` : "Manage saved calls…", onSelect: () => navigation.openHistory("saved") },
              ]}
            >
              <Button aria-label={`Saved calls of ${tool}`} className="-ms-px rounded-s-none px-1.5!">
                {calls.length}
                <Sign of="chevronDown" />
              </Button>
            </Menu>
          )}
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
            showToast({ text: "Saved the call" });
          }}
          onLeave={() => history.naming.set(null)}
        />
      </PopoverPane>
    </Popover.Root>
  );
}
