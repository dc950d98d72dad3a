import type { ToolHints } from "../ipc/bindings";
import { hintMarks } from "./hints";
import { Sign } from "./Icon";
import { Tooltip } from "./Tooltip";

/**
 * A tool's annotation hints (`readOnlyHint` and so on) as icons. `brief` shows only the icons for read-only and
 * destructive, without tooltips.
 */
export function HintMarks({ hints, brief = false }: { hints: ToolHints; brief?: boolean }) {
  const marks = hintMarks(hints).filter(({ mark }) => !brief || mark === "eye" || mark === "warning");
  if (marks.length === 0) return null;
  return (
    <span className="inline-flex shrink-0 items-center gap-1">
      {marks.map(({ mark, title, colour }) => (
        <Tooltip key={mark} text={brief ? undefined : title}>
          <span role="img" aria-label={title} className={`inline-flex ${colour}`}>
            <Sign of={mark} />
          </span>
        </Tooltip>
      ))}
    </span>
  );
}
