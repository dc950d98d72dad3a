/**
 * A tool's arguments as a form and as JSON; both tabs edit the same value.
 *
 * The form does not validate values; Rust does. The form never changes typed input, and shows a value as JSON if
 * no control fits the value, so that no schema can prevent a call.
 */

import { Tabs } from "radix-ui";
import { type ClipboardEvent, type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";

import type { ToolFormHandle } from "../../lib/pageForm";
import { focusFirstField } from "../../lib/regions";
import { PART_KEYS } from "../../lib/keys/actionKeys";
import { useKeysOf, useSending } from "../../lib/keys/useKeysOf";
import type { ArgumentError, CheckedArguments, ToolDetail } from "../../ipc/bindings";
import type { PickPath } from "../../ipc/bridge";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { IconButton } from "../../components/IconButton";
import { Menu, type MenuItem } from "../../components/Menu";
import { SEGMENT, SEGMENTS } from "../../components/Segmented";
import { keyLabel } from "../../lib/keys/keyLabel";
import { FormPanel } from "./FormPanel";
import type { Draft } from "./model/draft";
import type { FormNode } from "./model/node";
import { normalize } from "./model/normalize";
import { looksLikeArguments } from "./model/paste";
import { readSchema } from "./model/readSchema";
import { fillDefaults, initialDraft } from "./model/start";
import { useCheck } from "./useCheck";
import { useFormState } from "./useFormState";
import { JsonBox } from "./view/JsonBox";
import { PasteBox } from "./view/PasteBox";
import { ProblemSummary } from "./view/ProblemSummary";
import { RequestPreview } from "./view/RequestPreview";

interface ToolFormProps {
  readonly tool: ToolDetail;
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly onRun: (text: string) => void;
  /** Makes the call even if the arguments are invalid. */
  readonly onSendAnyway: (text: string) => void;
  readonly check: (text: string) => Promise<CheckedArguments>;
  /** The validation errors with which Rust rejected a call with these arguments. */
  readonly refused?: readonly ArgumentError[];
  /** Opens the system's file dialog. If undefined, the form has no buttons for paths. */
  readonly pickPath?: ((wanted: PickPath) => Promise<string | null>) | undefined;
  readonly ref?: Ref<ToolFormHandle>;
}

const NONE: readonly ArgumentError[] = [];

/** The form model of a tool. An invalid schema gives an object with no declared arguments. */
export function formOf(tool: Pick<ToolDetail, "inputSchema">): FormNode {
  return normalize(readSchema(tool.inputSchema));
}

/** The initial arguments of a tool's form. */
export function firstDraft(tool: ToolDetail): Draft {
  return initialDraft(formOf(tool));
}

/** The form of one tool. The key resets all state when another tool is shown or its schema changes. */
export function ToolForm(props: ToolFormProps) {
  const { summary, inputSchema } = props.tool;
  return <OneToolForm key={`${summary.member}\n${summary.name}\n${inputSchema}`} {...props} />;
}

function OneToolForm(props: ToolFormProps) {
  const { tool, draft, onDraft, ref } = props;
  const { inputSchema } = tool;
  const node = useMemo(() => formOf({ inputSchema }), [inputSchema]);
  const [tab, setTab] = useState<"Form" | "JSON">("Form");
  const [asJson, setAsJson] = useState<ReadonlySet<string>>(new Set());
  const [addsArgument, setAddsArgument] = useState(false);
  const [previewed, setPreviewed] = useState(false);
  /** Counts resets. Each one remounts all fields. */
  const [resets, setResets] = useState(0);
  /** The initial text of the paste box; `null` while the box is closed. */
  const [pasting, setPasting] = useState<string | null>(null);
  const runButton = useRef<HTMLButtonElement>(null);
  /** Whether Run was pressed and the focus must move to the problems once they are known. */
  const pressed = useRef(false);
  const showWhole = (whole: boolean) => setTab(whole ? "JSON" : "Form");
  const { body, commit, jump, focusDrawn, fields } = useFormState(node, draft, asJson, showWhole);
  const { prefix } = fields;
  const check = useCheck(props);
  const runKeys = useKeysOf("run");
  const anywayKeys = useKeysOf("send-anyway");
  const problems = check.problems.length > 0 ? check.problems : (props.refused ?? NONE);

  const run = () => {
    commit();
    pressed.current = true;
    check.run();
  };
  const sendAnyway = () => {
    commit();
    check.sendAnyway();
  };
  const focusFirst = (isEdit: boolean) => {
    const empty = firstEmpty(body.current);
    if (!empty && isEdit) focusFirstField();
    else (empty ?? runButton.current)?.focus();
  };
  const toggleJson = () => {
    const inside = commit();
    flushSync(() => showWhole(tab === "Form"));
    // The focused control was removed together with its tab.
    if (inside) body.current?.focus({ preventScroll: true });
  };
  useImperativeHandle(ref, () => ({
    run,
    sendAnyway,
    focusFirst,
    toggleJson,
    commit: () => void commit(),
  }));

  useEffect(() => {
    pressed.current = false;
  }, [draft]);
  useEffect(() => {
    const [first] = problems;
    if (!pressed.current || first === undefined || tab !== "Form") return;
    pressed.current = false;
    jump(first.pointer);
  });

  const onKeyDownCapture = useSending((action) => (action === "run" ? run() : sendAnyway()));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.defaultPrevented || event.nativeEvent.isComposing) return;
    // Without this line, holding Enter down would press the button repeatedly.
    if (event.repeat && event.target instanceof HTMLButtonElement) event.preventDefault();
    if (event.shiftKey || event.altKey || !(event.target instanceof HTMLInputElement)) return;
    if (["file", "search"].includes(event.target.type)) return;
    event.preventDefault();
    if (!event.repeat) run();
  };
  /** Opens the paste box if the user pastes a JSON object while no text field has the focus. */
  const onPaste = (event: ClipboardEvent) => {
    const { target } = event;
    if (event.defaultPrevented || !(target instanceof HTMLElement)) return;
    if (target.isContentEditable || target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
    const text = event.clipboardData.getData("text");
    if (!looksLikeArguments(text)) return;
    event.preventDefault();
    setPasting(text);
  };
  const reset = () => {
    check.forget();
    fields.setChosen(new Map());
    setAsJson(new Set());
    setAddsArgument(false);
    setResets(resets + 1);
    onDraft(initialDraft(node));
  };
  const actions: MenuItem[] = [
    { label: "Paste JSON…", icon: "braces", onSelect: () => setPasting("") },
    { label: "Fill defaults", onSelect: () => onDraft(fillDefaults(node, draft)) },
    ...(node.kind === "object" && node.extra !== null
      ? [
          {
            label: "Add another argument…",
            onSelect: () => {
              setTab("Form");
              setAddsArgument(true);
              focusDrawn([`${prefix}-add`]);
            },
          },
        ]
      : []),
    "line",
    { label: "Reset", icon: "undo", onSelect: reset },
  ];
  const whole = (
    <JsonBox id={`${prefix}-json`} label="Arguments as JSON" draft={draft} onDraft={onDraft} large />
  );

  return (
    // The key handlers catch events from all controls inside. The element itself is not interactive.
    <Tabs.Root
      value={tab}
      onValueChange={(chosen) => showWhole(chosen === "JSON")}
      className="flex min-h-0 flex-1 flex-col accent-solid"
      onKeyDownCapture={onKeyDownCapture}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
    >
      <div className="flex h-10 shrink-0 items-center justify-between gap-2 border-b border-line px-5">
        <Tabs.List aria-label="Arguments" className={SEGMENTS}>
          <Tabs.Trigger value="Form" className={SEGMENT}>Form</Tabs.Trigger>
          <Tabs.Trigger value="JSON" className={SEGMENT}>JSON</Tabs.Trigger>
        </Tabs.List>
        <Menu items={actions}>
          <IconButton icon="more" label="More actions for the form" title="More actions" />
        </Menu>
      </div>
      <Tabs.Content ref={body} value={tab} tabIndex={-1} className="min-h-0 grow overflow-auto px-5 pt-2 pb-12">
        {pasting !== null && (
          <PasteBox
            key={pasting}
            id={`${prefix}-paste`}
            draft={draft}
            source={pasting}
            onDraft={onDraft}
            onClose={() => {
              setPasting(null);
              body.current?.focus({ preventScroll: true });
            }}
          />
        )}
        {tool.schemaNotes.map((note) => (
          <p key={note} className="pt-1 text-sm break-words text-warn">
            <Sign of="warning" className="me-1" />
            {note}
          </p>
        ))}
        {tab === "Form" ? (
          <FormPanel
            key={resets}
            {...{ ...fields, node, draft, onDraft, problems, asJson, setAsJson, addsArgument }}
            about={`${tool.summary.name}\n${tool.description}`}
            pickPath={props.pickPath}
            whole={whole}
          />
        ) : (
          <div className="pt-2">{whole}</div>
        )}
      </Tabs.Content>
      {previewed && <RequestPreview id={`${prefix}-preview`} node={node} draft={draft} />}
      <div className="relative flex shrink-0 flex-wrap items-center gap-2 border-t border-line bg-sidebar px-5 py-2.5 max-wide:sticky max-wide:bottom-0 max-wide:z-2">
        {/* The problems are positioned over the end of the form, so that showing them does not move the fields. */}
        <div className="absolute inset-x-0 bottom-full">
          <ProblemSummary problems={problems} notes={check.notes} onJump={jump} />
        </div>
        <span className="inline-flex">
          <Button
            ref={runButton}
            look="accent"
            data-testid="run"
            className="h-8! rounded-e-none px-3.5! slim:h-auto! slim:min-h-8"
            title={`Run (${keyLabel(PART_KEYS.runFromField)})`}
            onClick={run}
          >
            <Sign of="play" />
            Run{runKeys !== undefined && <kbd aria-hidden className="ms-1 font-sans text-sm font-normal opacity-80">{runKeys}</kbd>}
          </Button>
          <Menu align="start" items={[{ label: "Run without validation", keys: anywayKeys, onSelect: sendAnyway }]}>
            <Button look="accent" aria-label="More ways to run" className="ms-px h-8! rounded-s-none px-1.5!">
              <Sign of="chevronDown" />
            </Button>
          </Menu>
        </span>
        <Button look="quiet" aria-expanded={previewed} aria-controls={previewed ? `${prefix}-preview` : undefined} onClick={() => setPreviewed(!previewed)}>
          <Sign of="braces" />
          Preview request
        </Button>
      </div>
    </Tabs.Root>
  );
}

/** The first required control that has no value. */
function firstEmpty(around: HTMLElement | null): HTMLElement | undefined {
  const required = around?.querySelectorAll<HTMLElement>("[aria-required=true]") ?? [];
  return [...required].find((one) => {
    if (one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement) return one.value === "";
    if (one.role === "radiogroup") return one.querySelector("[aria-checked=true]") === null;
    return "placeholder" in one.dataset;
  });
}
