/** The list in which the user selects a member's tools for a profile and edits the profile's overrides of them. */
import { useEffect, useMemo, useState } from "react";

import type { MountedMember, ToolChoice, ToolHints, ToolName } from "../../../ipc/bindings";
import { useHall } from "../../../lib/hall/hall";
import { useStore } from "../../../lib/store";
import { SearchField } from "../../../components/SearchField";
import { HintMarks } from "../../../components/HintMarks";
import { Select } from "../../../components/Select";
import { Sign } from "../../../components/Icon";
import { Reading } from "../../../components/Reading";
import { Tooltip } from "../../../components/Tooltip";
import { ErrorReport } from "../../../components/ErrorReport";
import { Box, RowGrid, type Column } from "../RowGrid";
import { POLICY_FACES } from "../faces";
import { isOfferName } from "../offerNames";
import { useCatalog } from "../policies/useCatalog";
import { changed, changeOf, choiceOf, isChosen, toggled } from "./edited";
import { ToolChangeForm } from "./ToolChangeForm";

const WHICH_TOOLS: Record<ToolChoice["kind"], string> = {
  all: "All, including new ones",
  only: "Only selected",
  except: "All except unselected",
};

const MARKS = "Space selects a tool, Enter edits its override.";

const CHOICES: readonly ToolChoice["kind"][] = ["all", "only", "except"];

interface Row {
  readonly tool: ToolName;
  /** Whether the row shows a prompt, a resource or a template. */
  readonly offer: boolean;
  /** The tool's hints; `null` for a tool that the member no longer has, and for a prompt, a resource or a template. */
  readonly hints: ToolHints | null;
  readonly chosen: boolean;
  readonly says: string;
}

const keyOfTool = ({ tool }: Row): string => tool;
const COLUMNS: readonly Column<Row>[] = [
  {
    title: "Selected",
    look: "w-16 shrink-0",
    cell: ({ chosen }) => (
      <>
        <Box on={chosen} />
        <span className="sr-only">{chosen ? "selected" : "not selected"}</span>
      </>
    ),
  },
  {
    title: "Tool",
    look: "min-w-0 flex-1",
    cell: ({ tool, hints, offer }) => (
      <>
        <bdi>{tool}</bdi>
        {hints === null && !offer && <span className="text-warn"> <Sign of="warning" className="me-1" />No longer in the member</span>}
      </>
    ),
  },
  { title: "Hints", look: "w-16 shrink-0 @max-md:hidden", cell: ({ hints }) => hints && <HintMarks hints={hints} /> },
  { title: "Override", look: "w-56 shrink-0 text-dim @max-xl:w-28", cell: ({ says }) => <Tooltip text={says}><bdi>{says}</bdi></Tooltip> },
];

export function MountTools({ mount, onMount }: { mount: MountedMember; onMount: (mount: MountedMember) => void }) {
  const hall = useHall();
  const { member, tools: choice } = mount;
  const known = useStore(hall.state, (state) => state.byName.has(member));
  const list = useStore(hall.lists, (lists) => lists.get(member));
  const [sought, setSought] = useState("");
  const [saying, setSaying] = useState<ToolName | null>(null);
  useEffect(() => hall.watch(member), [hall, member]);
  const tools = useMemo(() => list?.tools?.tools ?? [], [list]);
  const names = useMemo(() => tools.map(({ name }) => name), [tools]);
  const { catalog } = useCatalog(null);
  const offers = useMemo(() => {
    const prefix = `${member}/`;
    const listed = (catalog?.offers ?? []).filter(({ name }) => name.startsWith(prefix)).map(({ name }) => name.slice(prefix.length));
    // Names that the profile includes or excludes stay visible even if the member no longer lists them.
    return [...new Set([...listed, ...(mount.offers.kind === "all" ? [] : mount.offers.tools)])];
  }, [catalog, member, mount.offers]);
  const rows = useMemo(() => {
    const own = new Set(names);
    const named = [...(choice.kind === "all" ? [] : choice.tools), ...Object.keys(mount.changes)];
    const gone = [...new Set(named)].filter((name) => !own.has(name) && !isOfferName(name));
    const row = (tool: ToolName, hints: ToolHints | null): Row => ({ tool, offer: false, hints, chosen: isChosen(choice, tool), says: saysAnew(mount, tool) });
    const offer = (tool: ToolName): Row => ({ tool, offer: true, hints: null, chosen: isChosen(mount.offers, tool), says: saysAnew(mount, tool) });
    const all = [...(list?.tools ? gone.map((tool) => row(tool, null)) : []), ...tools.map(({ name, hints }) => row(name, hints)), ...offers.map(offer)];
    const wanted = sought.toLowerCase().split(/\s+/).filter(Boolean);
    return all.filter(({ tool }) => wanted.every((word) => tool.toLowerCase().includes(word)));
  }, [choice, list, mount, names, offers, tools, sought]);

  const toggle = ({ tool, offer }: Row) =>
    onMount(offer ? { ...mount, offers: toggled(mount.offers, tool) } : { ...mount, tools: toggled(choice, tool) });
  // A profile cannot override prompts and resources, so they have no form: a click or Enter selects them.
  const say = (row: Row) => (row.offer ? toggle(row) : setSaying(row.tool));
  return (
    <div className="flex flex-col gap-2 border-t border-line p-3">
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label={`Tools of ${member} in the profile`}
          value={choice.kind}
          options={CHOICES.map((kind) => ({ value: kind, label: WHICH_TOOLS[kind] }))}
          onValue={(kind) => onMount({ ...mount, tools: choiceOf(kind, choice, names) })}
        />
        <SearchField
          label={`Filter the tools of ${member}`}
          placeholder="Filter…"
          value={sought}
          onValue={setSought}
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
          className="min-w-24 flex-[0_1_220px]"
        />
        <span className="text-sm text-dim">{MARKS}</span>
      </div>
      {list?.error && <ErrorReport report={list.error} />}
      {!known && <p className="text-warn"><Sign of="warning" className="me-1" />{member} was removed. The profile keeps its place.</p>}
      {known && !list && <Reading what="its tools" className="" />}
      {rows.length === 0 ? (
        list?.tools && <p className="text-dim">{sought === "" ? "No tools" : "No matching tools"}</p>
      ) : (
        <div className="flex h-72 flex-col rounded-sm border border-line">
          <RowGrid
            label={`Tools of ${member}`}
            rows={rows}
            keyOf={keyOfTool}
            columns={COLUMNS}
            keys={MARKS}
            opened={saying}
            onPress={say}
            onKey={(row, key) => {
              if (key === " ") toggle(row);
              else if (key === "Enter") say(row);
              else return false;
              return true;
            }}
          />
        </div>
      )}
      {saying !== null && (
        <ToolChangeForm
          key={saying}
          member={member}
          tool={saying}
          bare={mount.withoutPrefix}
          chosen={isChosen(choice, saying)}
          change={changeOf(mount, saying)}
          onChosen={() => onMount({ ...mount, tools: toggled(choice, saying) })}
          onChange={(change) => onMount(changed(mount, saying, change))}
          onClose={() => setSaying(null)}
        />
      )}
    </div>
  );
}

function saysAnew(mount: MountedMember, tool: ToolName): string {
  const { name, description, policy } = changeOf(mount, tool);
  return [name, description === null ? null : "Custom description", policy === null ? null : POLICY_FACES[policy].word].filter((word) => word !== null).join(" · ");
}
