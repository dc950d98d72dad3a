import type { UpdateState } from "../../ipc/bindings";
import { useNavigation } from "../../lib/navigation/navigation";
import { useStore } from "../../lib/store";
import { Sign } from "../../components/Icon";
import { Tooltip } from "../../components/Tooltip";
import type { SignName } from "../../components/signs";
import { useUpdateStore } from "./updateStore";

/**
 * A button in the status bar that shows an available update or the outcome of the last update, and opens the
 * updates.
 */
export function UpdateMark() {
  const store = useUpdateStore();
  const navigation = useNavigation();
  const updates = useStore(store.known, (known) => known);
  const notice = updates && noticeOf(updates);
  if (!notice) return null;
  const [shape, colour, text] = notice;
  return (
    <Tooltip text="Open updates">
      <button
        type="button"
        data-testid="update-mark"
        className="rounded-sm px-1 hover:bg-hover hover:text-text"
        onClick={() => navigation.openSettings("updates")}
      >
        <Sign of={shape} className={`me-1 ${colour}`} />{text}
      </button>
    </Tooltip>
  );
}

function noticeOf({ stage, last }: UpdateState): readonly [shape: SignName, colour: string, text: string] | null {
  if (last && last.takenBack !== null) return ["cross", "text-bad", `Update to ${last.to} failed`];
  switch (stage.kind) {
    case "offered":
    case "fetching":
    case "ready":
      return ["ring", "text-accent", `Guild Hall ${stage.new.version} is available`];
    case "idle":
    case "looking":
    case "changing":
      return last && ["done", "text-ok", `Updated to ${last.to}`];
  }
}
