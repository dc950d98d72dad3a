/** An editor for a member's `plugin.json`, with a form for the common fields above the text. */
import { lazy, Suspense, useCallback, useEffect, useId, useMemo, useState } from "react";

import type { ManifestProblem, MemberFile, MemberView, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { errorOf } from "../../../lib/errorOf";
import { useHall } from "../../../lib/hall/hall";
import { useSpoken } from "../../../lib/spoken";
import { EditorBoundary } from "../../form/view/EditorBoundary";
import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { Sign } from "../../../components/Icon";
import { OpenButton } from "../../../components/OpenButton";
import { Reading } from "../../../components/Reading";
import { Trouble } from "../../../components/Trouble";
import { useDeed } from "../../../lib/useDeed";
import { FieldForm } from "./FieldForm";

const CodeEditor = lazy(() => import("../../form/view/CodeEditor"));

/** Debounce time between the last edit and the check of the text. */
const CHECK_MS = 300;

export function ConfigurationEditor({ member }: { readonly member: MemberView }) {
  const hall = useHall();
  const { name } = member;
  const [file, setFile] = useState<MemberFile | Report | null>(null);
  const load = useCallback(async () => {
    setFile(await hall.ask("member_file", { member: name }).catch((reason: unknown) => asRefusal(reason).report));
  }, [hall, name]);
  useEffect(() => {
    let gone = false;
    hall.ask("member_file", { member: name }).then(
      (read) => gone || setFile(read),
      (reason: unknown) => gone || setFile(asRefusal(reason).report),
    );
    return () => {
      gone = true;
    };
  }, [hall, name]);
  if (file === null) return <Reading what="plugin.json" className="" />;
  if ("code" in file) return <Trouble report={file} />;
  return <Editor key={`${file.member} ${file.revision}`} file={file} onSaved={setFile} onReload={() => void load()} />;
}

interface EditorProps {
  readonly file: MemberFile;
  readonly onSaved: (file: MemberFile) => void;
  readonly onReload: () => void;
}

function Editor({ file, onSaved, onReload }: EditorProps) {
  const hall = useHall();
  const spoken = useSpoken();
  const { member, path, revision } = file;
  // The editor uses LF line ends. On saving, a file that had CRLF gets CRLF again.
  const saved = useMemo(() => file.text.replaceAll("\r\n", "\n"), [file.text]);
  const [text, setText] = useState(saved);
  const problems = useProblems(member, text);
  const { go, busy, problem, forget } = useDeed();
  const id = useId();
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const isChanged = text !== saved;
  const save = () =>
    errorOf(async () => {
      const written = file.text.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
      onSaved(await hall.ask("save_member_file", { member, text: written, revision }));
      spoken.set("plugin.json saved");
    });
  const unavailable = busy ? "In progress" : isChanged ? (errors > 0 ? "Correct the errors first" : undefined) : "Nothing was changed";
  return (
    <section aria-label="Configuration" data-testid="configuration" className="flex flex-col gap-3">
      <FieldForm text={text} onText={setText} />
      <div className="flex flex-wrap items-center gap-2 text-dim">
        <span className="min-w-0 flex-1 break-all">{path}</span>
        <OpenButton what={{ kind: "manifest", member }} label="Open plugin.json" />
        <CopyButton what="plugin.json" text={() => text} />
      </div>
      <EditorBoundary fallback={<PlainEditor id={id} text={text} onText={setText} />}>
        <Suspense fallback={<PlainEditor id={id} text={text} onText={setText} />}>
          <CodeEditor id={id} label="plugin.json" text={text} describedBy={`${id}-problems`} invalid={errors > 0} problems={problems} onText={setText} />
        </Suspense>
      </EditorBoundary>
      <ul id={`${id}-problems`} className="flex flex-col gap-1 select-text" data-testid="manifest-problems">
        {problems.map((one, index) => <Problem key={index} problem={one} />)}
      </ul>
      {problem && <Trouble report={problem} />}
      {problem?.code === "manifest-changed" && (
        <Button className="self-start" onClick={onReload}>Reload</Button>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button look="accent" unavailable={unavailable} onClick={() => void go(save)}>Save changes</Button>
        <Button
          unavailable={isChanged ? undefined : "Nothing was changed"}
          onClick={() => {
            setText(saved);
            forget();
          }}
        >
          Discard
        </Button>
        {file.accepts && isChanged && <span className="text-dim">Saving accepts the command as you see it here.</span>}
      </div>
    </section>
  );
}

function PlainEditor({ id, text, onText }: { readonly id: string; readonly text: string; readonly onText: (text: string) => void }) {
  return (
    <textarea
      id={id}
      aria-label="plugin.json"
      dir="ltr"
      rows={12}
      spellCheck={false}
      value={text}
      onChange={(event) => onText(event.target.value)}
      className="rounded-sm border border-control bg-bg p-2 font-mono text-sm"
    />
  );
}

function Problem({ problem: { line, column, message, hint, severity } }: { readonly problem: ManifestProblem }) {
  const isError = severity === "error";
  return (
    <li className="break-words">
      <Sign of={isError ? "cross" : "warning"} className={`me-1 ${isError ? "text-bad" : "text-warn"}`} />
      <span className="sr-only">{isError ? "Error: " : "Warning: "}</span>
      <span className="text-dim">{line}:{column}</span> {message} {hint !== "" && <span className="text-dim">{hint}</span>}
    </li>
  );
}

/** The errors and warnings in a text, updated `CHECK_MS` after the last edit. */
function useProblems(member: string, text: string): readonly ManifestProblem[] {
  const hall = useHall();
  const [problems, setProblems] = useState<readonly ManifestProblem[]>([]);
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(() => {
      hall.ask("check_member_file", { member, text }).then(
        (checked) => gone || setProblems(checked.problems),
        // Saving reports the same error.
        () => undefined,
      );
    }, CHECK_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [hall, member, text]);
  return problems;
}
