/** A text that a server sent: as it is, as Markdown on demand, and as a tree where it is JSON. */

import { type ReactNode, useMemo } from "react";

import { CopyButton } from "../../parts/CopyButton";
import { mayBeJson } from "../content";
import { prettySteps } from "../json/pretty";
import type { Tape } from "../json/tape";
import { useSteps, useTape } from "../json/useSteps";
import { SaveButton } from "../SaveButton";
import { JsonTree } from "../tree/JsonTree";
import { useView } from "../views";
import { ViewSwitch } from "../ViewSwitch";
import { LongText } from "./LongText";
import { Markdown, MARKDOWN_MAX } from "./Markdown";

const viewOf = (what: string) => `View of ${what}`;

interface Props {
  readonly text: string;
  readonly label?: string;
  /** Where the choice of a view is remembered. */
  readonly place: string;
  /** What a saved file is called, without its ending. */
  readonly fileName: string;
}

export function TextPart(props: Props) {
  const may = useMemo(() => mayBeJson(props.text), [props.text]);
  return may ? <PerhapsJson {...props} /> : <PlainText {...props} />;
}

function PlainText({ text, label = "text", place, fileName }: Props) {
  const views = text === "" || text.length > MARKDOWN_MAX ? (["Text"] as const) : (["Text", "Markdown"] as const);
  const [view, setView] = useView<"Text" | "Markdown">(place, views);
  return (
    <Frame {...{ label, title: label }} controls={<ViewSwitch label={viewOf(label)} {...{ views, view }} onView={setView} />} copied={text} file={`${fileName}.${view === "Markdown" ? "md" : "txt"}`}>
      {text === "" ? <span className="text-faint">empty text</span> : view === "Markdown" ? <Markdown text={text} /> : <LongText text={text} label={label} />}
    </Frame>
  );
}

function PerhapsJson(props: Props) {
  const read = useTape(props.text);
  if (read === null) {
    const { label = "text", text, fileName } = props;
    return (
      <Frame {...{ label, title: `${label} · being read` }} controls={null} copied={text} file={`${fileName}.txt`}>
        <LongText text={text} label={label} />
      </Frame>
    );
  }
  return "ok" in read ? <JsonText {...props} tape={read.ok} /> : <PlainText {...props} />;
}

const JSON_VIEWS = ["Spread out", "Tree", "As sent"] as const;

function JsonText({ text, label = "text", place, fileName, tape }: Props & { readonly tape: Tape }) {
  const [view, setView] = useView<(typeof JSON_VIEWS)[number]>(place, JSON_VIEWS);
  const spread = useMemo(() => () => prettySteps(tape), [tape]);
  const pretty = useSteps(spread, text.length);
  const shown = view === "As sent" ? text : (pretty ?? text);
  return (
    <Frame {...{ label, title: `${label} · JSON` }} controls={<ViewSwitch label={viewOf(label)} views={JSON_VIEWS} view={view} onView={setView} />} copied={shown} file={`${fileName}.json`}>
      {view === "Tree" ? <JsonTree tape={tape} name="(text)" label={`${label} as a tree`} /> : <LongText text={shown} label={label} />}
    </Frame>
  );
}

interface FrameProps {
  readonly label: string;
  readonly title: string;
  readonly controls: ReactNode;
  readonly copied: string;
  readonly file: string;
  readonly children: ReactNode;
}

function Frame({ label, title, controls, copied, file, children }: FrameProps) {
  return (
    // A group and no landmark: a result can have many parts of one name.
    <div role="group" aria-label={label} className="rounded-md border border-line">
      <header className="flex flex-wrap items-center gap-1 border-b border-line px-2 py-0.5 text-sm text-dim">
        <span className="grow">{title}</span>
        {controls}
        <CopyButton text={() => copied} what={label} />
        <SaveButton what={label} name={file} text={() => copied} />
      </header>
      <div className="px-2 py-1">{children}</div>
    </div>
  );
}
