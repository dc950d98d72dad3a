/** Copies the call that the form would make in a format for another program, such as a curl command. */
import { useEffect, useState } from "react";

import type { Copied, CopyForm, MemberName, ToolName } from "../../ipc/bindings";
import { asRefusal } from "../../ipc/bridge";
import { copyText } from "../../lib/copy";
import type { MenuItem } from "../../components/Menu";
import { useHall } from "../../lib/hall/hall";

const COPY_FORMS: Record<CopyForm, string> = {
  curl: "curl script",
  "json-rpc": "JSON-RPC message",
  guildhall: "guildhall command",
  "client-config": "Client configuration",
};

const FORMS: readonly CopyForm[] = ["curl", "json-rpc", "guildhall", "client-config"];

interface Call {
  readonly member: MemberName;
  readonly tool: ToolName;
  /** Returns the arguments as JSON text, or the reason why they can't be copied. */
  readonly arguments: () => { readonly text: string } | { readonly why: string };
}

type Texts = ReadonlyMap<CopyForm, Copied>;

/** The menu items of the copy formats, and the outcome of the last copy. The texts are made when the menu opens. */
export function useCopyAs({ member, tool, arguments: args }: Call, open: boolean): { readonly items: readonly MenuItem[]; readonly outcome: string } {
  const hall = useHall();
  const [texts, setTexts] = useState<Texts>(new Map());
  const [outcome, setOutcome] = useState("");
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
    setOutcome(done ? note === null ? `${name} copied.` : `${name} copied. ${note}` : `${name} could not be copied.`);
  };
  const items = FORMS.map((form): MenuItem => {
    const name = COPY_FORMS[form];
    const copied = texts.get(form);
    const missing = copied === undefined || copied.text === "";
    const label = missing || copied.note === null ? name : <span>{name}<span className="block text-sm text-dim">{copied.note}</span></span>;
    return { label, unavailable: missing ? (copied?.note ?? "Preparing…") : undefined, onSelect: () => copied && void copy(name, copied) };
  });
  return { items, outcome };
}
