/** The file that all of it stands in: where it is, and every mistake in it. */
import type { SettingsState } from "../bridge/bindings";
import { CopyButton } from "../parts/CopyButton";
import { ErrorCode } from "../parts/ErrorCode";
import { Sign } from "../parts/Icon";
import { counted, number } from "../words/format";
import { lineWords } from "./Mistakes";
import { TakeAlong } from "./TakeAlong";

export const FILE_LINE = "Most of this stands in one file: JSON with comments. What is changed there holds within a second; comments and order stay when something is changed here.";

const EFFECT = { unread: "nothing of the file holds", default: "its default holds", kept: "kept, without effect" };

export function FilePart({ known }: { known: SettingsState }) {
  const { file, problems } = known;
  const unknown = problems.filter(({ effect }) => effect === "kept").length;
  // What nobody knows is told, and is no mistake.
  const mistakes = problems.length - unknown;
  const heading = mistakes === 0 ? counted(unknown, { one: "unknown field in the file", other: "unknown fields in the file" }) : counted(mistakes, { one: "mistake in the file", other: "mistakes in the file" });
  const besides = mistakes > 0 && unknown > 0 ? `Unknown fields besides, which are kept: ${number(unknown)}.` : "";
  return (
    <>
      <p className="text-sm text-dim">{FILE_LINE} An editor that knows settings.schema.json beside it completes and checks the settings.</p>
      <p className="flex flex-wrap items-center gap-2 py-1">
        <code dir="ltr" className="min-w-0 font-mono text-sm break-all select-text">{file}</code>
        <CopyButton what="the path of the settings" text={() => file} />
      </p>
      {problems.length === 0 ? (
        <p>
          <Sign of="check" className="text-ok me-1" />
          Nothing is wrong with the file.
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
      <TakeAlong />
    </>
  );
}
