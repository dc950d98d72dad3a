import { Segmented } from "../../components/Segmented";

/** The views of a part, with the labels under which they are stored. */
type View = "Rendered" | "Plain" | "Table" | "Tree" | "Text" | "Raw" | "Formatted" | "Response" | "Request";

interface Props<V extends View> {
  readonly label: string;
  readonly views: readonly V[];
  readonly view: V;
  readonly onView: (view: V) => void;
}

/** A few views to choose from, all of them in sight. */
export function ViewSwitch<V extends View>({ label, views, view, onView }: Props<V>) {
  if (views.length < 2) return null;
  return <Segmented aria-label={label} className="text-sm" value={view} options={views.map((name) => ({ value: name, label: name }))} onValue={onView} />;
}
