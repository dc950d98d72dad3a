/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the list has the
   focus and handles the keys; a row only handles clicks */
/** A row for one server in the search results of a registry. */
import type { RegistryRow } from "../../../ipc/bindings";
import { Sign } from "../../../components/Icon";
import { exact } from "../../../lib/exact";
import { membersWords, rowWords, STANDING_FACES } from "./faces";

export const ROW_PX = 52;

interface RowProps {
  readonly id: string;
  readonly row: RegistryRow;
  readonly active: boolean;
  readonly opened: boolean;
  readonly onPress: () => void;
}

export function Row({ id, row, active, opened, onPress }: RowProps) {
  const face = row.standing !== "active" ? STANDING_FACES[row.standing] : null;
  return (
    <div
      id={id}
      role="option"
      aria-selected={opened}
      aria-label={rowWords(row)}
      onClick={onPress}
      className={`flex flex-col justify-center gap-0.5 border-b border-line px-2 ${active ? "bg-hover" : ""} ${opened ? "shadow-[inset_3px_0_0_var(--color-accent)]" : ""}`}
      style={{ height: ROW_PX }}
    >
      <p className="flex min-w-0 items-baseline gap-2">
        <span className="min-w-0 truncate font-medium">{exact(row.title === "" ? row.server : row.title)}</span>
        <span className="shrink-0 text-sm text-dim">{exact(row.version)}</span>
        {face && <span className="shrink-0 text-sm"><Sign of={face.shape} className={`me-1 ${face.colour}`} />{face.word}</span>}
        <span className="ms-auto shrink-0 text-sm text-faint">{exact(row.kinds.join(" "))}</span>
      </p>
      <p className="flex min-w-0 gap-2 text-sm text-dim">
        {row.members.length > 0 && (
          <span className="max-w-[50%] shrink-0 truncate">
            <span aria-hidden className={row.members.some(({ newer }) => newer) ? "text-accent" : "text-ok"}><Sign of="dot" className="me-1" /></span>
            {membersWords(row.members)}
          </span>
        )}
        <span className="min-w-0 truncate">{exact(row.description === "" ? row.server : row.description)}</span>
      </p>
    </div>
  );
}
