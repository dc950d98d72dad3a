/** The `⋯` menu of a field. */

import { copyText } from "../../../lib/copy";
import { IconButton } from "../../../components/IconButton";
import { Menu, type MenuItem } from "../../../components/Menu";
import { keyed } from "../../../lib/format";
import { keyLabel } from "../../../lib/keys/keyLabel";
import { PART_KEYS } from "../../../lib/keys/actionKeys";
import { put, unset, useFormCommands } from "../commands";
import { ADDED, type Draft, NULL } from "../model/draft";
import { drawable } from "../model/fit";
import { valueLabels } from "../model/labels";
import type { FormNode } from "../model/node";
import { placeName } from "../model/pointer";
import { emptyOf, fallbackOf } from "../model/start";
import { ASIDE } from "./aside";
import type { RowProps } from "./row";
import { MENU_ENDING, partItems } from "./RowParts";

const EMPTY_WORDS: Partial<Record<Draft["kind"], string>> = {
  string: "Send empty text",
  array: "Send empty list",
  object: "Send empty object",
};

interface Props extends RowProps {
  /** Whether the field is shown as a JSON editor. */
  readonly json: boolean;
  readonly drawnAs: FormNode;
  readonly onRename: () => void;
}

/** The menu items that set, clear or copy the value of a field, as far as they apply to its current value. */
function useValueItems({ node, draft, place, kept = false, json, drawnAs }: Props): MenuItem[] {
  const form = useFormCommands();
  const items: MenuItem[] = [];
  // After a selection closes the menu, the focus goes to the field.
  const add = (label: string, value: Draft) =>
    items.push({
      label,
      onSelect: () => {
        put(form, place, value);
        form.focus(place.pointer);
      },
    });
  const fallback = draft.kind === "absent" ? fallbackOf(node) : undefined;
  const empty = draft.kind === "absent" ? emptyOf(drawnAs) : null;
  if (fallback !== undefined) {
    const label = node.secret ? "" : ` (${valueLabels([fallback, ...node.examples], 40)[0] ?? ""})`;
    add(`Use default${label}`, fallback);
  }
  if (empty !== null) add(EMPTY_WORDS[empty.kind] ?? "Send empty value", empty);
  if (node.nullable && draft.kind !== "null") {
    items.push({
      label: "Send null",
      onSelect: () => {
        form.edit(place, () => NULL);
        form.focus(place.pointer);
      },
    });
  }
  if (draft.kind !== "absent" && place.pointer !== "" && (!kept || draft.kind === "null")) {
    items.push({
      label: "Clear",
      onSelect: () => {
        if (kept) form.edit(place, () => ADDED);
        else unset(form, place);
        form.focus(place.pointer);
      },
    });
  }
  if (drawnAs.kind === "object" && drawnAs.extra?.untyped === true && drawnAs.fields.length > 0 && !json) {
    items.push({ label: "Add another key…", onSelect: () => form.addKey(place.pointer) });
  }
  items.push({
    label: json ? "Edit as field" : "Edit as JSON",
    icon: "braces",
    unavailable: json && !drawable(node, draft) ? "The value doesn't fit the field" : undefined,
    onSelect: () => {
      form.setJson(place.pointer, !json);
      form.focus(place.pointer);
    },
  });
  if (place.pointer !== "") items.push({ label: "Copy path", icon: "copy", onSelect: () => void copyText(placeName(place.pointer)) });
  return items;
}

export function RowMenu(props: Props) {
  const { label, part, place, json } = props;
  const form = useFormCommands();
  const items = useValueItems(props);
  return (
    <Menu items={part === undefined ? items : [...items, "line", ...partItems(form, part, place, props.onRename)]}>
      <IconButton
        {...ASIDE}
        icon="more"
        id={form.idOf(place.pointer) + MENU_ENDING}
        label={`Actions for ${part?.kind === "item" ? `${part.of}[${part.index}]` : label}`}
        title={keyed("Actions", keyLabel(PART_KEYS.fieldActions))}
        className={`-my-0.5 h-6! w-6! data-[state=open]:opacity-100 ${json ? "" : "opacity-0 group-focus-within/field:opacity-100 group-hover/field:opacity-100 [@media(hover:none)]:opacity-100"}`}
      />
    </Menu>
  );
}
