/** The menu of actions on a tool, in the tool's header. */
import { useCallback, useEffect, useState } from "react";

import { useKeysOf } from "../../lib/keys/useKeysOf";
import type { MemberView, Policy, ToolDetail } from "../../ipc/bindings";
import { usePageForm } from "../../lib/pageForm";
import { useSetPolicy } from "../agents/policies/useSetPolicy";
import { toJsonText } from "../form/model/json";
import { firstDraft } from "../form/ToolForm";
import { useStore } from "../../lib/store";
import { useToolPageState } from "./pageState";
import { sheetKey, shownRun, useWorkbench } from "./workbench";
import { KeepExample } from "../member/dev/KeepExample";
import { IconButton } from "../../components/IconButton";
import { Menu, type MenuItem } from "../../components/Menu";
import { ToolSheet } from "./ToolSheet";
import { useCopyAs } from "./useCopyAs";

const PERMISSIONS: readonly { readonly policy: Policy | null; readonly label: string }[] = [
  { policy: null, label: "Inherit" },
  { policy: "allow", label: "Allow" },
  { policy: "ask", label: "Ask" },
  { policy: "deny", label: "Deny" },
];

export function ToolMenu({ view, detail }: { view: MemberView; detail: ToolDetail }) {
  const bench = useWorkbench();
  const pageState = useToolPageState();
  const pageForm = usePageForm();
  const { member, name: tool } = detail.summary;
  const key = sheetKey(member, tool);
  const [open, setOpen] = useState(false);
  const [sheet, setSheet] = useState<"schema" | "docs" | null>(null);
  const [keeping, setKeeping] = useState(false);
  const copying = useStore(pageState.copying, (is) => is);
  const hasRun = useStore(bench.sheets, () => shownRun(bench.sheet(key))?.outcome != null);
  const keys = useKeysOf("copy-as");
  // Closes the menu of copy formats when another tool is shown, because the state is shared by all tools.
  useEffect(() => () => pageState.copying.set(false), [pageState]);

  const args = useCallback(() => {
    const written = toJsonText(bench.sheet(key).draft ?? firstDraft(detail));
    if ("ok" in written) return { text: written.ok };
    return { why: `Fix the form first: ${written.errors[0]?.message ?? "it isn't valid JSON"}` };
  }, [bench, detail, key]);
  const copy = useCopyAs({ member, tool, arguments: args }, open || copying);

  const { set } = useSetPolicy(null);
  const items: readonly MenuItem[] = [
    { label: <span className="flex justify-between gap-4">Copy as<span className="text-sm text-faint">{keys}</span></span>, icon: "copy", items: copy.items },
    // Examples are saved in the member's manifest, which the user can change only for their own members.
    ...(view.trust.launch === "own"
      ? [{ label: "Save as example…", unavailable: hasRun ? undefined : "Run the tool first", onSelect: () => setKeeping(true) }]
      : []),
    "line",
    { label: "View schema", icon: "braces", onSelect: () => setSheet("schema") },
    { label: "View documentation", icon: "info", onSelect: () => setSheet("docs") },
    "line",
    {
      label: "Permission for agents",
      icon: "shieldCheck",
      items: PERMISSIONS.map(({ policy, label }) => ({ label, onSelect: () => set([{ member, tool }], policy) })),
    },
  ];
  return (
    <>
      <span role="status" className="line-clamp-2 min-w-0 text-sm text-dim empty:hidden">{copy.outcome}</span>
      <KeepExample view={view} tool={tool} open={keeping} onOpenChange={setKeeping} />
      <Menu
        items={copying ? copy.items : items}
        open={open || copying}
        onOpenChange={(is) => {
          // Commits the text of the focused control, so that copied arguments include it.
          if (is) pageForm.current()?.commit();
          setOpen(is);
          if (!is) pageState.copying.set(false);
        }}
      >
        <IconButton icon="more" label={`More actions for ${tool}`} title="More actions" />
      </Menu>
      {sheet !== null && <ToolSheet tool={detail} shows={sheet} onClose={() => setSheet(null)} />}
    </>
  );
}
