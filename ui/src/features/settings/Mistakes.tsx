/** A summary of the mistakes in the settings file, shown above the settings. */
import type { SettingsState } from "../../ipc/bindings";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { counted } from "../../lib/format";

export const lineWords = (line: number, column: number | null) => (column === null ? `line ${line}` : `line ${line}, column ${column}`);

export function Mistakes({ known, onShow }: { known: SettingsState; onShow: () => void }) {
  const broken = known.problems.find(({ effect }) => effect === "unread");
  const wrong = known.problems.filter(({ effect }) => effect === "default");
  if (!broken && wrong.length === 0) return null;
  const first = broken ?? wrong[0];
  return (
    <div role="alert" data-testid="settings-mistakes" className={`flex flex-wrap items-start gap-x-3 gap-y-1 rounded-md border px-3 py-2 select-text ${broken ? "border-bad bg-bad-fill" : "border-warn bg-warn-fill"}`}>
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          <Sign of={broken ? "cross" : "warning"} className="me-1" />
          {broken ? "settings.json can't be read" : `settings.json has ${counted(wrong.length, { one: "mistake", other: "mistakes" })}`}
          {first?.line != null && ` (${lineWords(first.line, first.column)})`}
        </p>
        {first && <p dir="auto" className="text-sm break-words text-dim">{first.report.message}</p>}
        <p className="text-dim">{broken ? "Using your last valid settings. Fix the file to save changes." : "Defaults are used for these until fixed."}</p>
      </div>
      <Button onClick={onShow}>Show</Button>
    </div>
  );
}
