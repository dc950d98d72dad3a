import { useHouse } from "../app/house";
import { WriteFileButton } from "../app/WriteFileButton";
import type { LogFilter, MemberName } from "../bridge/bindings";
import { counted } from "../words/format";

/** Writes all lines that fit, those of the files included, to a file that a person chooses. */
export function SaveLog({ member, filter, empty }: { member: MemberName; filter: LogFilter; empty: boolean }) {
  const { hall } = useHouse();
  return (
    <WriteFileButton
      label="Save…"
      busyLabel="Saving…"
      title="All lines that are kept and fit, also those that are not shown"
      empty={empty}
      suggestedName={() => `${member}.log`}
      write={async (path) => {
        const saved = await hall.ask("save_member_log", { member, filter, path });
        return `${counted(saved.lines, { one: "line", other: "lines" })} written to ${saved.path}`;
      }}
    />
  );
}
