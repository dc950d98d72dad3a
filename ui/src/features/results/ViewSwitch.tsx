import { Segmented } from "../../components/Segmented";

/** The views of a part, with the labels under which they are stored. */
type View = "Rendered" | "Plain" | "Table" | "Tree" | "Text" | "Raw" | "Formatted" | "Response" | "Request";

interface Props<V extends View> {
  readonly label: string;
  readonly views: readonly V[];
  readonly view: V;
  readonly onView: (view: V) => void;
}

/** The look of a row of segments, and of one of them. */
export const SEGMENTS = "inline-flex h-7 shrink-0 items-stretch gap-0.5 rounded-sm bg-hover p-0.5";
export const SEGMENT = "rounded-xs px-2 font-medium text-dim hover:text-text data-[state=active]:bg-seg-on data-[state=active]:text-text data-[state=active]:shadow-low data-[state=on]:bg-seg-on data-[state=on]:text-text data-[state=on]:shadow-low";

/** A few views to choose from, all of them in sight. */
export function ViewSwitch<V extends View>({ label, views, view, onView }: Props<V>) {
  if (views.length < 2) return null;
  return <Segmented aria-label={label} className="text-sm" value={view} options={views.map((name) => ({ value: name, label: name }))} onValue={onView} />;
}
