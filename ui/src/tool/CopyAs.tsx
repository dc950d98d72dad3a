/** The call that the form would make, as text for another program. */
import { DropdownMenu } from "radix-ui";
import { useEffect, useState } from "react";

import { useHouse } from "../app/house";
import { useKeysOf } from "../app/useKeysOf";
import type { Copied, CopyForm, MemberName, ToolName } from "../bridge/bindings";
import { asRefusal } from "../bridge/bridge";
import { useStore } from "../hall/store";
import { Sign } from "../parts/Icon";
import { copyText } from "../parts/copy";

const COPY_FORMS: Record<CopyForm, string> = {
  "json-rpc": "JSON-RPC message",
  curl: "curl script",
  guildhall: "guildhall command",
  "client-config": "Client configuration",
};

const FORMS: readonly CopyForm[] = ["json-rpc", "curl", "guildhall", "client-config"];

interface Props {
  readonly member: MemberName;
  readonly tool: ToolName;
  /** The arguments as JSON text, or why there are none to copy. */
  readonly arguments: () => { readonly text: string } | { readonly why: string };
}

type Texts = ReadonlyMap<CopyForm, Copied>;

export function CopyAs({ member, tool, arguments: args }: Props) {
  const house = useHouse();
  const { hall, desk } = house;
  const open = useStore(desk.copying, (is) => is);
  const keys = useKeysOf("copy-as");
  const [texts, setTexts] = useState<Texts>(new Map());
  const [said, setSaid] = useState("");

  // Another tool's menu is not open because this one's was.
  useEffect(() => () => desk.copying.set(false), [desk]);
  useEffect(() => {
    if (!open) return;
    let wanted = true;
    const given = args();
    const keep = (form: CopyForm, copied: Copied) => {
      if (wanted) setTexts((held) => new Map(held).set(form, copied));
    };
    for (const form of FORMS) {
      if ("why" in given) {
        keep(form, { text: "", note: given.why });
        continue;
      }
      hall.ask("copy_as", { member, tool, arguments: given.text, form }).then(
        (copied) => keep(form, copied),
        (reason: unknown) => keep(form, { text: "", note: asRefusal(reason).report.message }),
      );
    }
    return () => {
      wanted = false;
      setTexts(new Map());
    };
  }, [open, hall, member, tool, args]);

  const copy = async (name: string, { text, note }: Copied) => {
    const done = await copyText(text);
    setSaid(done ? note === null ? `${name} copied.` : `${name} copied. ${note}` : `${name} could not be copied.`);
  };
  return (
    <span className="inline-flex min-w-0 items-center gap-2">
      <span role="status" className="line-clamp-2 min-w-0 text-sm text-dim empty:hidden" title={said}>{said}</span>
      <DropdownMenu.Root open={open} onOpenChange={(is) => (is ? house.copyCall() : desk.copying.set(false))} modal={false}>
        <DropdownMenu.Trigger
          title={keys}
          className="inline-flex h-6 shrink-0 items-center gap-1 rounded-sm border border-line-strong bg-raised px-2 whitespace-nowrap hover:bg-hover"
        >
          Copy as <Sign of="chevronDown" className="me-1" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content align="end" sideOffset={4} className="z-30 w-80 max-w-[92vw] rounded-md border border-line-strong bg-raised p-1 shadow-(--shadow)">
            {FORMS.map((form) => {
              const name = COPY_FORMS[form];
              const copied = texts.get(form);
              const missing = copied === undefined || copied.text === "";
              return (
                <DropdownMenu.Item
                  key={form}
                  disabled={missing}
                  onSelect={() => copied && void copy(name, copied)}
                  className="flex flex-col rounded-sm px-2 py-1 outline-none data-[disabled]:text-faint data-[highlighted]:bg-selected"
                >
                  <span>{name}</span>
                  {copied === undefined && <span className="text-sm text-faint">being written…</span>}
                  {copied?.note != null && <span className="text-sm break-words text-dim">{copied.note}</span>}
                </DropdownMenu.Item>
              );
            })}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </span>
  );
}
