/**
 * Text from a server. JSON is shown by `JsonCard`. Other text can be shown as plain text, or as rendered Markdown if
 * rendering is fast enough. Rendered is the default for text with Markdown structure.
 */
import { useMemo } from "react";

import { Reading } from "../../../components/Reading";
import { Card } from "../Card";
import { CodeView } from "../code/CodeView";
import { mayBeJson } from "../content";
import { JsonCard } from "../JsonCard";
import { useTape } from "../json/useSteps";
import { useView } from "../views";
import { ViewSwitch } from "../ViewSwitch";
import { canRender, isMarkdown, Markdown } from "./Markdown";

interface Props {
  readonly text: string;
  readonly label?: string;
  readonly title?: string;
  /** The key under which the user's choice of view is stored, such as `member/tool#0`. */
  readonly place: string;
  /** The name of the saved file, without an extension. */
  readonly fileName: string;
}

export function TextPart(props: Props) {
  const may = useMemo(() => mayBeJson(props.text), [props.text]);
  return may ? <PerhapsJson {...props} /> : <PlainText {...props} />;
}

function PerhapsJson(props: Props) {
  const { text, label = "text", title = props.label ?? "JSON", ...rest } = props;
  const read = useTape(text);
  if (read === null) return <Reading what={`the ${label}`} className="" />;
  return "ok" in read ? <JsonCard tape={read.ok} {...{ label, title }} {...rest} /> : <PlainText {...props} />;
}

function PlainText({ text, label = "text", title = label === "text" ? "Text" : label, place, fileName }: Props) {
  const views = canRender(text) ? (["Rendered", "Plain"] as const) : (["Plain"] as const);
  const [view, setView] = useView<"Rendered" | "Plain">(place, views, isMarkdown(text) ? views[0] : "Plain");
  return (
    <Card
      {...{ label, title }}
      icon="file"
      controls={<ViewSwitch label={`View of ${label}`} {...{ views, view }} onView={setView} />}
      copy={() => text}
      file={{ name: `${fileName}.${view === "Rendered" ? "md" : "txt"}` }}
    >
      {text === "" ? <span className="text-faint">Empty text</span> : view === "Rendered" ? <Markdown text={text} /> : <CodeView {...{ text, label }} />}
    </Card>
  );
}
