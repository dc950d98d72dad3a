import { WriteFileButton } from "../../components/WriteFileButton";
import type { LogFilter, MemberName } from "../../ipc/bindings";
import { counted } from "../../lib/format";
import { useHall } from "../../lib/hall/hall";

/** A button that writes all matching lines, including those in the log files, to a file that the user selects. */
export function SaveLog({ member, filter, empty }: { member: MemberName; filter: LogFilter; empty: boolean }) {
  const hall = useHall();
  return (
    <WriteFileButton
      label="Download log"
      icon="download"
      busyLabel="Saving…"
      title="Download all matching lines"
      empty={empty}
      suggestedName={() => `${member}.log`}
      write={async (path) => {
        const saved = await hall.ask("save_member_log", { member, filter, path });
        return `${counted(saved.lines, { one: "line", other: "lines" })} written to ${saved.path}`;
      }}
    />
  );
}
