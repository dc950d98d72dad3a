/** An editor for a member's `plugin.json`, with a form for the common fields above the text. */
import { lazy, Suspense, useCallback, useEffect, useId, useMemo, useRef, useState } from "react";

import type { ManifestProblem, MemberFile, MemberView, Report } from "../../../ipc/bindings";
import { asRefusal } from "../../../ipc/bridge";
import { errorOf } from "../../../lib/errorOf";
import { useHall } from "../../../lib/hall/hall";
import { EditorBoundary } from "../../form/view/EditorBoundary";
import { Button } from "../../../components/Button";
import { CopyButton } from "../../../components/CopyButton";
import { Sign } from "../../../components/Icon";
import { OpenButton } from "../../../components/OpenButton";
import { Reading } from "../../../components/Reading";
import { ErrorReport } from "../../../components/ErrorReport";
import { showToast } from "../../../lib/toasts";
import { useOperation } from "../../../lib/useOperation";
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
  if ("code" in file) return <ErrorReport report={file} />;
  return <Editor key={`${file.member} ${file.revision}`} file={file} onSaved={setFile} onReload={() => void load()} />;
}

interface EditorProps {
  readonly file: MemberFile;
  readonly onSaved: (file: MemberFile) => void;
  readonly onReload: () => void;
}

function Editor({ file, onSaved, onReload }: EditorProps) {
  const hall = useHall();
  const { member, path, revision } = file;
  // The editor uses LF line ends. On saving, a file that had CRLF gets CRLF again.
  const saved = useMemo(() => file.text.replaceAll("\r\n", "\n"), [file.text]);
  const [text, setText] = useState(saved);
  // Whether a field of the form contains text that it has not applied yet. A field applies its text when it loses the
  // focus.
  const [isTyping, setTyping] = useState(false);
  // The newest text, or a promise of it while an edit is pending. The state may be older, because the user can click
  // before the next render.
  const latest = useRef<Promise<string> | string>(saved);
  const [refused, setRefused] = useState<Report | null>(null);
  const problems = useProblems(member, text);
  const { go, busy, problem, forget } = useOperation();
  const change = (next: string) => {
    latest.current = next;
    setTyping(false);
    setRefused(null);
    setText(next);
  };
  const edit = async (field: string, value: string | null) => {
    const before = latest.current;
    const after = (async () => (await hall.ask("edit_manifest_text", { text: await before, field, value })).text)();
    latest.current = after;
    try {
      const next = await after;
      if (latest.current === after) change(next);
    } catch (reason) {
      change(text);
      setRefused(asRefusal(reason).report);
    }
  };
  const id = useId();
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const isChanged = isTyping || text !== saved;
  const save = () =>
    errorOf(async () => {
      const final = await latest.current;
      const written = file.text.includes("\r\n") ? final.replaceAll("\n", "\r\n") : final;
      onSaved(await hall.ask("save_member_file", { member, text: written, revision }));
      showToast({ text: `Saved plugin.json of ${member}` });
    });
  const unavailable = busy ? "In progress" : isChanged ? (errors > 0 ? "Correct the errors first" : undefined) : "Nothing was changed";
  return (
    <section aria-label="Configuration" data-testid="configuration" className="flex flex-col gap-3">
      <FieldForm text={text} onEdit={(field, value) => void edit(field, value)} onTyping={setTyping} />
      <div className="flex flex-wrap items-center gap-2 text-dim">
        <span className="min-w-0 flex-1 break-all">{path}</span>
        <OpenButton what={{ kind: "manifest", member }} label="Open plugin.json" />
        <CopyButton what="plugin.json" text={() => text} />
      </div>
      <EditorBoundary fallback={<PlainEditor id={id} text={text} onText={change} />}>
        <Suspense fallback={<PlainEditor id={id} text={text} onText={change} />}>
          <CodeEditor id={id} label="plugin.json" text={text} describedBy={`${id}-problems`} invalid={errors > 0} problems={problems} onText={change} />
        </Suspense>
      </EditorBoundary>
      <ul id={`${id}-problems`} className="flex flex-col gap-1 select-text" data-testid="manifest-problems">
        {problems.map((one, index) => <Problem key={index} problem={one} />)}
      </ul>
      <div className="sticky bottom-0 z-10 -mx-5 flex flex-wrap items-center gap-2 border-t border-line bg-sidebar px-5 py-2.5 short:static">
        {refused && <ErrorReport report={refused} className="basis-full" />}
        {problem && <ErrorReport report={problem} className="basis-full" />}
        {problem?.code === "manifest-changed" && <Button onClick={onReload}>Reload</Button>}
        <Button look="accent" unavailable={unavailable} onClick={() => void go(save)}>Save changes</Button>
        <Button
          unavailable={isChanged ? undefined : "Nothing was changed"}
          onClick={() => {
            change(saved);
            forget();
          }}
        >
          Discard
        </Button>
        {file.accepts && isChanged && <span className="text-dim">Saving approves this command.</span>}
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
        // An error is ignored, because saving reports the same error.
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
