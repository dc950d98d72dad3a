/** The path of the settings file, and a list of the mistakes in it. */
import type { SettingsState } from "../../ipc/bindings";
import { CopyButton } from "../../components/CopyButton";
import { ErrorCode } from "../../components/ErrorCode";
import { Sign } from "../../components/Icon";
import { counted } from "../../lib/format";
import { lineWords } from "./Mistakes";
import { ExportImport } from "./ExportImport";

export const FILE_LINE = "Your settings are in one file, JSON with comments. You can edit it by hand; changes take effect within a second.";

const EFFECT = { unread: "the file can't be read", default: "the default is used", kept: "unknown, kept in the file" };

export function FilePart({ known }: { known: SettingsState }) {
  const { file, problems } = known;
  const unknown = problems.filter(({ effect }) => effect === "kept").length;
  const mistakes = problems.length - unknown;
  const heading = mistakes === 0 ? counted(unknown, { one: "unknown field", other: "unknown fields" }) : counted(mistakes, { one: "mistake", other: "mistakes" });
  const besides = mistakes > 0 && unknown > 0 ? `Also ${counted(unknown, { one: "unknown field", other: "unknown fields" })}, kept in the file.` : "";
  return (
    <>
      <p className="text-sm text-dim">{FILE_LINE} settings.schema.json beside it gives editors completion and validation.</p>
      <p className="flex flex-wrap items-center gap-2 py-1">
        <code dir="ltr" className="min-w-0 font-mono text-sm break-all select-text">{file}</code>
        <CopyButton what="the path of the settings" text={() => file} />
      </p>
      {problems.length === 0 ? (
        <p>
          <Sign of="check" className="text-ok me-1" />
          settings.json is valid
        </p>
      ) : (
        <>
          <h3 className="font-medium">{heading}</h3>
          {besides !== "" && <p data-testid="unknown-fields" className="text-sm text-dim">{besides}</p>}
          <ul aria-label={besides === "" ? heading : `${heading}. ${besides}`} className="flex flex-col">
            {problems.map((problem) => (
              <li key={problem.report.message} className="border-b border-line py-1 select-text last:border-0">
                <Sign of={problem.effect === "kept" ? "ring" : problem.effect === "unread" ? "cross" : "warning"} className="me-1" />
                {problem.line !== null && `${lineWords(problem.line, problem.column)} – `}
                {EFFECT[problem.effect]} <ErrorCode code={problem.report.code} />
                <span dir="auto" className="block text-sm break-words text-dim">{`${problem.report.message} ${problem.report.hint}`.trim()}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <ExportImport />
    </>
  );
}
