import { useHouse } from "../app/house";
import { WriteFileButton } from "../app/WriteFileButton";
import type { LogFilter, MemberName } from "../bridge/bindings";
import { words } from "../words/log";

/** Writes all lines that fit, those of the files included, to a file that a person chooses. */
export function SaveLog({ member, filter, empty }: { member: MemberName; filter: LogFilter; empty: boolean }) {
  const { hall } = useHouse();
  return (
    <WriteFileButton
      label={words.save}
      busyLabel={words.saving}
      title={words.saveMeans}
      empty={empty}
      suggestedName={() => `${member}.log`}
      write={async (path) => {
        const saved = await hall.ask("save_member_log", { member, filter, path });
        return words.saved(saved.lines, saved.path);
      }}
    />
  );
}
